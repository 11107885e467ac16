/** Rows of the index as what they hold. The index can be made anew from the log, so damage to it is told, not guessed at. */
import { StorageError, decodeHead, decodeMessage } from '@cairn/core'
import type { IndexedMessage, Segment } from '@cairn/core'

const orDamaged = <T>(decode: () => T): T => {
  try {
    return decode()
  } catch (cause) {
    throw new StorageError(
      'storage-corrupt',
      'The search index is damaged, or of an earlier form; nothing that was said is lost: cairn doctor --rebuild makes the index anew.',
      { cause },
    )
  }
}

/** Rejects with `storage-corrupt`. */
export const segmentOfHead = (head: Uint8Array): Segment => orDamaged(() => decodeHead(head))

/** Rejects with `storage-corrupt`. */
export const messageOfTail = (data: Uint8Array): Pick<IndexedMessage, 'at' | 'message'> =>
  orDamaged(() => decodeMessage(data))

/** Rows of the index as what they hold. The index can be made anew from the log, so damage to it is told, not guessed at. */
import { StorageError, decodeHead, decodeMessage } from '@cairn/core'
import type { IndexedMessage, Segment } from '@cairn/core'
import { removeChecksum } from '../sql/sealed.ts'

/** Also for rows that the database no longer finds. */
export const damagedIndex = (cause: unknown): StorageError =>
  new StorageError(
    'storage-corrupt',
    'The search index is damaged, or of an earlier form; nothing that was said is lost: cairn doctor --rebuild rebuilds the index.',
    { cause },
  )

const orDamaged = <T>(decode: () => T): T => {
  try {
    return decode()
  } catch (cause) {
    throw damagedIndex(cause)
  }
}

/** Rejects with `storage-corrupt`. */
export const segmentOfHead = (head: Uint8Array): Segment => orDamaged(() => decodeHead(removeChecksum(head)))

/** Rejects with `storage-corrupt`. */
export const messageOfTail = (data: Uint8Array): Pick<IndexedMessage, 'at' | 'message'> =>
  orDamaged(() => decodeMessage(removeChecksum(data)))

/** A page of postings. Rejects with `storage-corrupt`. */
export const postingsOfPage = (data: Uint8Array): Uint8Array => orDamaged(() => removeChecksum(data))

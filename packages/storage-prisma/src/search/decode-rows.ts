/** Decodes rows of the index. The index can be rebuilt from the log, so damage is reported instead of worked around. */
import { StorageError, decodeHead, decodeMessage } from '@cairn/core'
import type { IndexedMessage, Segment } from '@cairn/core'
import { removeChecksum } from '../sql/sealed.ts'

/** Makes (does not throw) the `storage-corrupt` error for an index that is damaged, or lacks rows. */
export const damagedIndex = (cause: unknown): StorageError =>
  new StorageError(
    'storage-corrupt',
    'The search index is damaged, or of an earlier form; nothing that was said is lost: cairn doctor --rebuild rebuilds the index.',
    { cause },
  )

/** What `decode` gives; throws `storage-corrupt` where that throws. */
const orDamaged = <T>(decode: () => T): T => {
  try {
    return decode()
  } catch (cause) {
    throw damagedIndex(cause)
  }
}

/** Decodes the head of a segment. Throws `storage-corrupt` where its checksum or its form is wrong. */
export const segmentOfHead = (head: Uint8Array): Segment => orDamaged(() => decodeHead(removeChecksum(head)))

/** Decodes a message of the tail. Throws `storage-corrupt` where its checksum or its form is wrong. */
export const messageOfTail = (data: Uint8Array): Pick<IndexedMessage, 'at' | 'message'> =>
  orDamaged(() => decodeMessage(removeChecksum(data)))

/** The postings of a page, as they were encoded. Throws `storage-corrupt` where their checksum is wrong. */
export const postingsOfPage = (data: Uint8Array): Uint8Array => orDamaged(() => removeChecksum(data))

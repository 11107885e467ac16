/** Errors for a store whose content differs from what was written. */
import { StorageError } from '@cairn/core'
import type { JsonValue } from '@cairn/core'

/**
 * Makes (does not throw) the `storage-corrupt` error for a store whose content differs from what was written.
 * @param reason what was found, as a part of the sentence
 */
export const damagedStore = (location: string, reason: string, cause?: unknown): StorageError =>
  new StorageError(
    'storage-corrupt',
    `The store ${location} is damaged (${reason}); it was left as it is. ${remedyOf(location)}`,
    { cause },
  )

/** A server's database is repaired with the server's own tools. */
const remedyOf = (location: string): string =>
  location.startsWith('postgres')
    ? 'Import again into another store (--store, or cairn.store in VS Code) from the transcripts that are still there, or restore a copy.'
    : 'cairn doctor --repair takes what can be read into a new file and keeps this one; or restore a copy: cairn restore-backup latest.'

/** Makes (does not throw) the `storage-corrupt` error for sums of the same requests that are stored twice and differ. */
export const unequalSums = (location: string): StorageError =>
  new StorageError(
    'storage-corrupt',
    `The store ${location} holds sums of usage that contradict each other, so no figures are shown; cairn doctor --rebuild rebuilds them from the requests.`,
  )

/**
 * Makes (does not throw) the `storage-corrupt` error for a row that is in no transcript, such as a memory entry.
 * @param what names it, as a part of the sentence
 */
export const damagedRecord = (location: string, what: string): StorageError =>
  new StorageError(
    'storage-corrupt',
    `The store ${location} is damaged (${what} is not what was written); it was left as it is. Restore a copy, or let cairn doctor --rebuild set it aside: it stays in the store, and all others can be read.`,
  )

/**
 * Parses JSON that the store itself has written.
 * @param what names the row, as a part of the sentence; throws `storage-corrupt` where the text is no longer valid JSON
 */
export const storedJson = (text: string, what: string): JsonValue => {
  try {
    return JSON.parse(text) as JsonValue
  } catch (cause) {
    throw new StorageError(
      'storage-corrupt',
      `Content of the store is damaged (${what}); the rest can be read. Import again into another store (--store, or cairn.store in VS Code) from the transcripts that are still there, or restore a copy.`,
      { cause },
    )
  }
}

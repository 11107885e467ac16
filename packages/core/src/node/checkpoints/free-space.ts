/** Whether a disk has space for what is about to be written. */
import { statfsSync } from 'node:fs'
import { StorageError } from '../../errors.ts'

/** Kept free for others, bytes. */
const KEPT_FREE = 50_000_000

/**
 * Checks that `bytes`, and 50 MB beside them, are free on the disk of a folder, which must be there. @throws
 * StorageError `storage-failed` where they are not. `what`: begins the sentence.
 */
export const assertSpace = (folder: string, bytes: number, what: string): void => {
  const { bavail, bsize } = statfsSync(folder)
  const [needed, free] = [bytes + KEPT_FREE, bavail * bsize]
  if (free >= needed) return
  throw new StorageError(
    'storage-failed',
    `${what} may need ${Math.ceil(needed / 1e6)} MB in ${folder}, where ${Math.floor(free / 1e6)} MB are free; nothing was changed. Free some space and run this again.`,
  )
}

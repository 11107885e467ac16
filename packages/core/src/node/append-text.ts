/** Adds to a file that several programs add to. */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from './make-folder.ts'

/**
 * Adds text at a file's end as it is (no line end is added), on disk when it returns; a missing file and its folders
 * are made for the user alone. Throws what the system says, and an Error where only a part could be written.
 */
export const appendText = (path: string, text: string): void => {
  makeFolder(dirname(path), 0o700)
  const file = openSync(path, 'a', 0o600)
  try {
    // One write: lines of two programs at once don't mix.
    const bytes = Buffer.from(text)
    if (writeSync(file, bytes) !== bytes.length) throw new Error(`${path} can't be written: the disk is full`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

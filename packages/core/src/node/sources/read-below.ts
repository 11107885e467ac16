/** Reads a file of a workspace: never through a link out of its root, and nothing but regular files. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { FileContent, ReadChoice } from '../../ports/workspace-files.ts'
import { codeOf } from '../system-reason.ts'

/** Git looks as far for a zero byte. */
const LOOKED_AT_BYTES = 8_000
/** Windows has neither flag: there they are undefined, and count as 0. */
const READING = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * Where a path, relative to a root, really leads, absolute; undefined where that is outside, and for the root itself.
 * Throws what the system says, so also for what is not there.
 */
export const realPathBelow = (root: string, path: string): string | undefined => {
  const realRoot = realpathSync.native(root)
  const real = realpathSync.native(join(root, path))
  return real.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep) ? real : undefined
}

/**
 * The content of the file at `path` below `root`, links followed as long as they stay below it. Never throws: `refused`
 * says why there is none: `outside`, `gone`, `not-a-file`, `too-large` (more than `maxBytes`), `binary` (unless
 * `isBinaryWanted`) or `unreadable`.
 */
export const readBelow = (root: string, path: string, maxBytes: number, choice: ReadChoice = {}): FileContent => {
  try {
    const real = realPathBelow(root, path)
    if (real === undefined) return { refused: 'outside' }
    const facts = lstatSync(real)
    // Before it is opened: a pipe would wait for its writer, and a device may do anything.
    if (!facts.isFile()) return { refused: 'not-a-file' }
    return facts.size > maxBytes ? { refused: 'too-large' } : readOpened(real, facts.ino, maxBytes, choice)
  } catch (error) {
    const code = codeOf(error)
    // A name that is too long is that of no file.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return { refused: 'gone' }
    return { refused: code === 'ELOOP' || code === 'EISDIR' ? 'not-a-file' : 'unreadable' }
  }
}

/**
 * Reads a file by its path, or says why not. `gone`: another file has its name by now.
 * @param inode of the file that was looked at
 */
const readOpened = (path: string, inode: number, maxBytes: number, choice: ReadChoice): FileContent => {
  const file = openSync(path, READING)
  try {
    const facts = fstatSync(file)
    if (!facts.isFile()) return { refused: 'not-a-file' }
    // Another file took its name meanwhile, perhaps on another way.
    if (facts.ino !== inode) return { refused: 'gone' }
    if (facts.size > maxBytes) return { refused: 'too-large' }
    return contentOf(file, facts.size, maxBytes, choice)
  } finally {
    closeSync(file)
  }
}

/**
 * The content of an open file; refused as `binary` where its first 8,000 bytes have a zero byte, unless that is wanted.
 * Of a file that grows while it is read, only what it had.
 */
const contentOf = (
  file: number,
  size: number,
  maxBytes: number,
  { isBinaryWanted = false }: ReadChoice,
): FileContent => {
  const buffer = Buffer.allocUnsafe(Math.min(size, maxBytes))
  let length = 0
  while (length < buffer.length) {
    const read = readSync(file, buffer, length, buffer.length - length, length)
    if (read === 0) break
    length += read
  }
  const content = buffer.subarray(0, length)
  return !isBinaryWanted && content.subarray(0, LOOKED_AT_BYTES).includes(0) ? { refused: 'binary' } : { content }
}

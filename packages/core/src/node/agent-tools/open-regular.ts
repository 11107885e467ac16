/** Opens regular files by their real path, and reads them: never through a link that came there meanwhile, never a pipe. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { codeOf, systemReason } from '../system-reason.ts'

/** Windows has neither flag: there they are undefined, and count as 0. */
const READING = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
/** Larger files are not read. */
const LARGEST_READ = 64_000_000

/** Content and facts, or why there are none, as the end of a sentence that begins with the file's name. */
export type RegularFile =
  { readonly content: Buffer; readonly facts: Stats } | { readonly problem: string; readonly isMissing?: true }

/**
 * Reads a whole file. `real`: absolute, without links; where it has become one meanwhile, nothing is read. Never
 * throws: `problem` says that the file is missing (`isMissing`), of another kind, larger than `maxBytes`, moved or
 * unreadable.
 */
export const readRegular = (real: string, maxBytes: number = LARGEST_READ): RegularFile => {
  try {
    const facts = lstatSync(real)
    // Before it is opened: a pipe would wait for its writer, and a device may do anything.
    const problem = kindProblem(facts) ?? sizeProblem(facts, maxBytes)
    return problem === undefined ? readOpened(real, maxBytes) : { problem }
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return { problem: 'is not there', isMissing: true }
    return { problem: `can’t be read: ${systemReason(error) ?? code ?? 'unknown reason'}` }
  }
}

/**
 * Reads an opened file, or says why not: of another kind, larger than `maxBytes`, or moved. Throws what the system
 * throws.
 */
const readOpened = (real: string, maxBytes: number): RegularFile => {
  const file = openSync(real, READING)
  try {
    const facts = fstatSync(file)
    const problem = kindProblem(facts) ?? sizeProblem(facts, maxBytes)
    if (problem !== undefined) return { problem }
    // A folder above may have become a link between the look at the path and its opening.
    if (!isStillAt(real, facts)) return { problem: 'was moved while it was opened; try again' }
    return { content: contentOf(file, facts.size), facts }
  } finally {
    closeSync(file)
  }
}

/** Whether the path leads, without any link, to the file with these facts. Throws what the system says. */
export const isStillAt = (real: string, { ino, dev }: Pick<Stats, 'ino' | 'dev'>): boolean => {
  const now = statSync(real)
  return realpathSync.native(real) === real && now.ino === ino && now.dev === dev
}

/** What is wrong with a file's kind, to follow its name; undefined for a regular file. */
const kindProblem = (facts: Stats): string | undefined => {
  if (facts.isFile()) return undefined
  if (facts.isDirectory()) return 'is a folder'
  return facts.isSymbolicLink() ? 'is a link that leads nowhere' : 'is no regular file but a pipe, a socket or a device'
}

const sizeProblem = ({ size }: Stats, maxBytes: number): string | undefined =>
  size > maxBytes
    ? `has ${Math.ceil(size / 1_000_000)} MB, which is more than the ${maxBytes / 1_000_000} MB that are read; search it, or take parts of it with a command`
    : undefined

/** The content of an open file. Of one that grows while it is read, only what it had. Throws what the system throws. */
const contentOf = (file: number, size: number): Buffer => {
  const buffer = Buffer.allocUnsafe(size)
  let length = 0
  while (length < size) {
    const count = readSync(file, buffer, length, size - length, length)
    if (count === 0) break
    length += count
  }
  return buffer.subarray(0, length)
}

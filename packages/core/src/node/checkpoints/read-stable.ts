/** Reads a file for a snapshot: whole, and only when nobody wrote to it meanwhile. */
import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, readlinkSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { LARGEST_FILE } from '../../checkpoints/left-out.ts'
import type { LeftOutReason } from '../../checkpoints/left-out.ts'
import { codeOf } from '../system-reason.ts'

/** A file that is written to all the time is given up after so many readings. */
const ATTEMPTS = 4

/** The content with the facts that belong to it, or why there is none; `gone`: removed meanwhile. */
export type ReadOutcome =
  { readonly content: Buffer; readonly facts: Stats } | { readonly failed: LeftOutReason | 'gone' }

/**
 * Reads a file, or what a link says, as it was at one moment; tries again where it changes meanwhile. Never throws:
 * `failed` says `gone`, `unreadable`, `changing`, and for a file `special` (no regular one) or `too-large`. `scratch`:
 * memory that a content may lie in where it fits, until the next call with it; without it each content has its own.
 */
export const readStable = (path: Buffer, isLink: boolean, scratch?: Buffer): ReadOutcome => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      const read = isLink ? readLink(path) : readContent(path, scratch)
      if (read !== undefined) return read
    } catch (error) {
      const code = codeOf(error)
      if (code === 'ENOENT' || code === 'ENOTDIR') return { failed: 'gone' }
      if (code === 'EACCES' || code === 'EPERM') return { failed: 'unreadable' }
      // A link took the file's place, or a file the link's: the next snapshot sees it as what it is.
      if (code === 'ELOOP' || code === 'EINVAL') return { failed: 'changing' }
      if (attempt === ATTEMPTS - 1) return { failed: 'unreadable' }
    }
  }
  return { failed: 'changing' }
}

/** A link's target; undefined where it changed meanwhile. */
const readLink = (path: Buffer): ReadOutcome | undefined => {
  const content = readlinkSync(path, { encoding: 'buffer' })
  const facts = lstatSync(path)
  return facts.isSymbolicLink() && facts.size === content.length ? { content, facts } : undefined
}

/** Windows has neither flag: there they are undefined, and count as 0. */
const READING = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * Reads a regular file without following a link, or waiting for a pipe, that took its place; `special` for other kinds,
 * `too-large` above `LARGEST_FILE`. Undefined where it changed meanwhile; throws what the system says.
 */
const readContent = (path: Buffer, scratch: Buffer | undefined): ReadOutcome | undefined => {
  const file = openSync(path, READING)
  try {
    const before = fstatSync(file)
    if (!before.isFile()) return { failed: 'special' }
    if (before.size > LARGEST_FILE) return { failed: 'too-large' }
    const content =
      scratch !== undefined && before.size <= scratch.length
        ? scratch.subarray(0, before.size)
        : Buffer.allocUnsafe(before.size)
    let length = 0
    while (length < before.size) {
      const count = readSync(file, content, length, before.size - length, length)
      if (count === 0) break
      length += count
    }
    const after = lstatSync(path)
    return length === before.size && isSame(before, after) ? { content, facts: after } : undefined
  } finally {
    closeSync(file)
  }
}

/** Whether a file was not changed between two looks. */
const isSame = (left: Stats, right: Stats): boolean =>
  left.size === right.size &&
  left.mtimeMs === right.mtimeMs &&
  left.ctimeMs === right.ctimeMs &&
  left.ino === right.ino &&
  left.mode === right.mode

/** Git's id (SHA-1, 40 hex digits) of a content. */
export const blobOf = (content: Buffer): string =>
  createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')

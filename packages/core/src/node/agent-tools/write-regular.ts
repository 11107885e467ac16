/** Writes a file as a whole: whoever reads it sees the old text or the new, and nothing is written over what nobody has seen. */
import { hash, randomBytes } from 'node:crypto'
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import type { Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { isRunning } from '../is-running.ts'
import { makeFolder } from '../make-folder.ts'
import { renameOver } from '../replace-file.ts'
import { codeOf, systemReason } from '../system-reason.ts'
import { isStillAt, readRegular } from './open-regular.ts'

/** The SHA-256 of a content, 64 hex digits. */
export const hashOf = (content: Uint8Array): string => hash('sha256', content, 'hex')

/** Undefined when it is written; else why not, as the end of a sentence that begins with the file's name. */
export type WriteProblem = string | undefined

const UNFINISHED = /^\.cairn-write-(\d+)-[0-9a-f]+\.tmp$/
const CHANGED = 'was changed meanwhile, so nothing was written; read it again'

/**
 * Writes a file in place of the content with the hash `expected`, or where nothing is; folders above are made, and what
 * killed writers left in the folder is removed. `real`: absolute, without links. Keeps permissions, and the owner where
 * that can be. Never throws.
 */
export const writeRegular = (real: string, content: Uint8Array, expected: string | undefined): WriteProblem => {
  const folder = dirname(real)
  try {
    makeFolder(folder)
    const facts = factsFor(real, expected)
    if (typeof facts === 'string') return facts
    removeAbandoned(folder)
    const unfinished = join(folder, `.cairn-write-${process.pid}-${randomBytes(6).toString('hex')}.tmp`)
    try {
      writeUnfinished(unfinished, content, facts)
      // As late as can be: what somebody wrote meanwhile stays.
      if (facts !== undefined && !isSame(facts, lstatSync(real))) return CHANGED
      if (facts !== undefined) renameOver(unfinished, real)
      else giveNewName(unfinished, real)
    } finally {
      rmSync(unfinished, { force: true })
    }
    return undefined
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST') return CHANGED
    const why = systemReason(error) ?? code ?? (error instanceof Error ? error.message : 'unknown reason')
    return `can’t be written: ${why}; ${expected === undefined ? 'no file was made' : 'it is as it was'}`
  }
}

/**
 * The facts of the file that is replaced; undefined for a new one, where no content's hash is expected. A text says why
 * it can't be written: it was changed, removed, is read-only, or can't be read. Throws what the system says where this
 * user may not write it.
 */
const factsFor = (real: string, expected: string | undefined): Stats | undefined | string => {
  const now = readRegular(real)
  if ('problem' in now) {
    if (now.isMissing !== true) return now.problem
    return expected === undefined ? undefined : 'was removed meanwhile, so nothing was written'
  }
  if (expected === undefined || hashOf(now.content) !== expected) return CHANGED
  // A rename needs no permission for the file itself, but whoever took that away meant it.
  if ((now.facts.mode & 0o222) === 0) return 'is read-only, so nothing was written'
  accessSync(real, constants.W_OK)
  return now.facts
}

/**
 * Makes a new file with this content, and the owner and mode in `facts` if there are any, and waits until it is on
 * disk. Throws if it exists or its folder was moved; what was made is left there.
 */
const writeUnfinished = (path: string, content: Uint8Array, facts: Stats | undefined): void => {
  const file = openSync(path, 'wx', 0o666)
  try {
    // Empty until it is certain that it lies where it should: a folder above may have become a link.
    if (!isStillAt(path, fstatSync(file))) throw new Error('its folder was moved')
    if (facts !== undefined) keepOwnerAndMode(file, facts)
    writeFileSync(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Gives the file the owner and mode in `facts`; the owner only if the system allows it. */
const keepOwnerAndMode = (file: number, facts: Stats): void => {
  const mine = fstatSync(file)
  if (process.platform !== 'win32' && (mine.uid !== facts.uid || mine.gid !== facts.gid)) {
    try {
      fchownSync(file, facts.uid, facts.gid)
    } catch {
      // Only the system's administrator gives files away; the text is what counts.
    }
  }
  fchmodSync(file, facts.mode & 0o7777)
}

/** Gives a file a name that nothing has yet. @throws an error with the code `EEXIST` where something has it by now */
const giveNewName = (from: string, to: string): void => {
  try {
    linkSync(from, to)
  } catch (error) {
    // File systems without hard links.
    if (codeOf(error) === 'EEXIST') throw error
    if (lstatSync(to, { throwIfNoEntry: false }) !== undefined)
      throw Object.assign(new Error('exists'), { code: 'EEXIST' })
    renameOver(from, to)
  }
}

const isSame = (left: Stats, right: Stats): boolean =>
  left.ino === right.ino && left.size === right.size && left.mtimeMs === right.mtimeMs && left.ctimeMs === right.ctimeMs

/** Removes unfinished files that killed writers left in a folder. Throws what the system says. */
const removeAbandoned = (folder: string): void => {
  for (const name of readdirSync(folder)) {
    const pid = Number(UNFINISHED.exec(name)?.[1])
    if (Number.isInteger(pid) && pid > 0 && !isRunning(pid)) rmSync(join(folder, name), { force: true })
  }
}

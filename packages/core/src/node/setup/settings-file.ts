/** Reads and writes agents' settings files: as a whole, through links, with their mode, so that a reader sees the old file or the new one. */
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  rmdirSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { messageOf } from '../../errors.ts'
import { isRunning } from '../is-running.ts'
import { makeFolder } from '../make-folder.ts'
import { realPathOf } from '../real-path.ts'
import { renameOver } from '../replace-file.ts'
import { codeOf, systemReason } from '../system-reason.ts'

/** A settings file as it is on disk. */
export interface SettingsFile {
  /** With links followed. */
  readonly path: string
  /** Undefined where there is no such file. */
  readonly text: string | undefined
}

/** Why a file can't be read or written; completes "<path> is left as it is: …". */
export class SettingsFileError extends Error {}

/** Settings are smaller; what is larger is something else, and not loaded. */
const LARGEST_BYTES = 64 << 20

/** Why an operation on a file failed, in a few words without its path; for what is no error of the system, its message. */
export const reasonOf = (thrown: unknown): string => systemReason(thrown) ?? messageOf(thrown)

const failure = (what: string, thrown: unknown): SettingsFileError =>
  new SettingsFileError(`${what}: ${reasonOf(thrown)}`, { cause: thrown })

/**
 * A settings file's text and the path that its links lead to; the text is undefined where there is none.
 * @throws SettingsFileError for what is there and can't be read as UTF-8 text.
 */
export const readSettingsFile = (path: string): SettingsFile => {
  const real = realPathOf(path)
  try {
    const facts = statSync(real, { throwIfNoEntry: false })
    if (facts === undefined) return { path: real, text: undefined }
    if (!facts.isFile()) throw new SettingsFileError('it is not a file')
    if (facts.size > LARGEST_BYTES) throw new SettingsFileError('it is larger than 64 MiB')
    return { path: real, text: decoded(readFileSync(real)) }
  } catch (cause) {
    if (cause instanceof SettingsFileError) throw cause
    if (codeOf(cause) === 'ENOENT') return { path: real, text: undefined }
    throw failure("it can't be read", cause)
  }
}

/** The text of bytes; throws for what is no UTF-8. */
const decoded = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new SettingsFileError('it is not UTF-8 text')
  }
}

/**
 * The path under which this process makes a file or folder before it takes its name: beside it, hidden. Nothing is
 * made.
 */
export const temporaryPath = (path: string): string =>
  join(dirname(path), `.${basename(path)}.${process.pid}.cairn-tmp`)

export interface WriteOptions {
  /** The text that the file must still have; undefined: there must be none. */
  readonly expected: string | undefined
  /** Of a file that is new. */
  readonly mode: number
}

/**
 * Replaces a file's text, or makes the file with `mode`, where it has the text `expected` (undefined: there is none);
 * the folder must be there. The new text is on disk before it takes the old one's name, and permissions stay.
 * @throws SettingsFileError; the file is then as it was.
 */
export const writeSettingsFile = (path: string, text: string, { expected, mode }: WriteOptions): void => {
  const fresh = temporaryPath(path)
  try {
    removeAbandoned(path)
    const facts = statSync(path, { throwIfNoEntry: false })
    // A file that may only be read is not replaced by one that takes its name.
    if (facts !== undefined) accessSync(path, constants.W_OK)
    const file = openSync(fresh, 'wx', 0o600)
    try {
      const bytes = Buffer.from(text)
      for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    chmodSync(fresh, facts === undefined ? mode : facts.mode & 0o7777)
    if (facts !== undefined && process.getuid?.() === 0) chownSync(fresh, facts.uid, facts.gid)
    if (readSettingsFile(path).text !== expected)
      throw new SettingsFileError('somebody changed it meanwhile; run setup again')
    renameOver(fresh, path)
    syncFolder(dirname(path))
  } catch (cause) {
    rmSync(fresh, { force: true })
    throw cause instanceof SettingsFileError ? cause : failure("it can't be written", cause)
  }
}

/**
 * Waits until a new name in a folder is on disk, so that it survives a power failure; nothing where the system lets no
 * folder be opened.
 */
const syncFolder = (folder: string): void => {
  try {
    const file = openSync(folder, 'r')
    try {
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  } catch {
    // The text is on disk; only the moment at which the name changes is the system's.
  }
}

/**
 * Temporary files of writers that were killed, of a file and of its copies; their paths. Those of this process count,
 * too.
 */
export const abandonedFiles = (path: string): readonly string[] => {
  const [folder, prefix] = [dirname(path), `.${basename(path)}.`]
  return namesIn(folder).flatMap((name) => {
    const [, pid] = name.startsWith(prefix) ? (TEMPORARY.exec(name.slice(prefix.length)) ?? []) : []
    const isLeft = pid !== undefined && (Number(pid) === process.pid || !isRunning(Number(pid)))
    return isLeft ? [join(folder, name)] : []
  })
}

const TEMPORARY = /^(?:cairn-backup(?:-\d+)?\.)?(\d+)\.cairn-tmp$/

/** What is in a folder, as names in the system's order; nothing of one that can't be read. */
export const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Removes the temporary files that killed writers of this file left, as far as that can be done. Never throws. */
export const removeAbandoned = (path: string): void => {
  for (const abandoned of abandonedFiles(path)) {
    try {
      rmSync(abandoned, { recursive: true, force: true })
    } catch {
      // A folder that may only be read: what is written into it next says so.
    }
  }
}

/** The name of the backup with this number; the first has none. */
const backupName = (path: string, count: number): string => `${path}.cairn-backup${count === 1 ? '' : `-${count}`}`

/**
 * Where a file's text is copied to: beside it, under a name that is free or that a copy of the same text has. Nothing
 * is written.
 */
export const backupPath = (path: string, text: string): string => {
  for (let count = 1; ; count++) {
    const copy = backupName(path, count)
    if (!existsSync(copy) || textIfReadable(copy) === text) return copy
  }
}

/** A file's text; undefined where it can't be read. Throws other errors. */
const textIfReadable = (path: string): string | undefined => {
  try {
    return readSettingsFile(path).text
  } catch (cause) {
    if (cause instanceof SettingsFileError) return undefined
    throw cause
  }
}

/** Copies a file's text to a path, with the file's permissions, unless something is there. @throws SettingsFileError */
export const backUp = (path: string, copy: string, text: string): void => {
  if (!existsSync(copy)) writeSettingsFile(copy, text, { expected: undefined, mode: statSync(path).mode & 0o7777 })
}

/**
 * The paths of a file's backups (`.cairn-backup`, `-2`, … up to the first number that is missing) whose text is
 * `text`, in that order; one that can't be read is left out. Removes nothing.
 */
export const needlessCopies = (path: string, text: string): readonly string[] => {
  const copies: string[] = []
  for (let count = 1; existsSync(backupName(path, count)); count++)
    if (textIfReadable(backupName(path, count)) === text) copies.push(backupName(path, count))
  return copies
}

/** The folders of a file that are missing, the outermost first; empty where its folder is there. */
export const missingFolders = (path: string): readonly string[] => {
  const missing: string[] = []
  for (let folder = dirname(path); !existsSync(folder) && dirname(folder) !== folder; folder = dirname(folder))
    missing.unshift(folder)
  return missing
}

/**
 * Makes the folder of a file, for the user alone; returns the folders that were missing, the outermost first. @throws
 * SettingsFileError
 */
export const makeFolderOf = (path: string): readonly string[] => {
  const missing = missingFolders(path)
  try {
    makeFolder(dirname(path), 0o700)
    return missing
  } catch (cause) {
    throw failure("its folder can't be made", cause)
  }
}

/**
 * Removes a file that still has the text `expected`. @throws SettingsFileError where it has another or none, or can't
 * be removed
 */
export const removeSettingsFile = (path: string, expected: string): void => {
  if (readSettingsFile(path).text !== expected)
    throw new SettingsFileError('somebody changed it meanwhile; run setup again')
  try {
    rmSync(path)
  } catch (cause) {
    throw failure("it can't be removed", cause)
  }
}

/** Removes those of the folders (given with the outermost first) that are empty, the innermost first; never throws. */
export const removeEmptyFolders = (folders: readonly string[]): void => {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder)
    } catch {
      // Somebody has put something into it.
    }
  }
}

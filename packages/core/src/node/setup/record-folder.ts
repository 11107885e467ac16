/**
 * The folder of setup's record, made and removed with the record in it: both appear at once and go at once, so that whenever
 * a setup is killed no folder is left that nothing tells of.
 */
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import {
  abandonedFiles,
  missingFolders,
  namesIn,
  removeAbandoned,
  removeEmptyFolders,
  temporaryPath,
} from './settings-file.ts'
import { recordPath, recordText } from './setup-record.ts'

const FOLDER_MODE = 0o700

/**
 * Makes the data folder where it is missing, and in it a record of the folders that were missing. One that is there
 * stays, and no record is written then. Throws what the system says.
 */
export const makeRecordFolder = (dataFolder: string): void => {
  const missing = missingFolders(recordPath(dataFolder))
  const [top] = missing
  if (top === undefined) return
  removeAbandoned(top)
  const fresh = temporaryPath(top)
  try {
    const folder = join(fresh, relative(top, dataFolder))
    makeFolder(folder, FOLDER_MODE)
    writeFileSync(recordPath(folder), recordText({ folders: missing, files: new Map() }), { mode: 0o600 })
    renameSync(fresh, top)
  } catch (cause) {
    rmSync(fresh, { recursive: true, force: true })
    // Another program was faster.
    if (!existsSync(top)) throw cause
    makeFolder(dataFolder, FOLDER_MODE)
  }
}

/** Whether a setup has left a record or a lock, or was killed while it made their folder. */
export const hasSetupTraces = (dataFolder: string): boolean => {
  const [top] = missingFolders(recordPath(dataFolder))
  return top === undefined
    ? namesIn(dataFolder).some((name) => /^setup\.(?:json$|lock)/.test(name))
    : abandonedFiles(top).length > 0
}

/**
 * Removes the record and the files beside it that `isOwn` says are setup's, and those of `folders` (that setup made,
 * the outermost first) that then hold nothing. Throws what the system says.
 */
export const removeRecordFolder = (
  dataFolder: string,
  folders: readonly string[],
  isOwn: (name: string) => boolean,
): void => {
  const isGoing = (name: string): boolean => isOwn(name) || name === basename(recordPath(dataFolder))
  const removeFiles = (folder: string): void => {
    for (const name of readdirSync(folder).filter(isGoing)) rmSync(join(folder, name), { force: true })
  }
  const top = outermostWithoutOthers(dataFolder, folders, isGoing)
  if (top === undefined) {
    removeFiles(dataFolder)
    return
  }
  const moved = temporaryPath(top)
  renameSync(top, moved)
  const movedFolder = join(moved, relative(top, dataFolder))
  removeFiles(movedFolder)
  removeEmptyFolders(
    folders.filter((folder) => folder.startsWith(top)).map((folder) => join(moved, relative(top, folder))),
  )
  // Another program has written into it meanwhile.
  if (existsSync(moved)) renameSync(moved, top)
}

/**
 * The outermost of the folders that holds nothing but the next one, down to the data folder, which must hold only what
 * goes; undefined if that holds more.
 */
const outermostWithoutOthers = (
  dataFolder: string,
  folders: readonly string[],
  isGoing: (name: string) => boolean,
): string | undefined => {
  let found: string | undefined
  for (const folder of folders.toReversed()) {
    const names = readdirSync(folder)
    const isEmpty = folder === dataFolder ? names.every(isGoing) : found !== undefined && names.length === 1
    if (!isEmpty) break
    found = folder
  }
  return found
}

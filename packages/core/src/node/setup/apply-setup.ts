/** Carries a plan out: a copy of each file first, then the record, then the file as a whole. */
import { existsSync, rmSync } from 'node:fs'
import { sep } from 'node:path'
import type { AgentPlan, FilePlan } from './plan-setup.ts'
import {
  SettingsFileError,
  backUp,
  makeFolderOf,
  readSettingsFile,
  removeEmptyFolders,
  removeSettingsFile,
  writeSettingsFile,
} from './settings-file.ts'
import { readSetupRecord, writeSetupRecord } from './setup-record.ts'
import type { FileRecord, SetupRecord } from './setup-record.ts'

/** What became of a file. */
export interface AppliedFile {
  readonly path: string
  readonly status: 'written' | 'removed' | 'unchanged' | 'refused'
  /** Path of the copy of the file before. */
  readonly backup?: string | undefined
  /** Completes "<path> is left as it is: …". */
  readonly reason?: string | undefined
}

const SETTINGS_MODE = 0o600
const PROGRAM_MODE = 0o700

type Apply = (plan: FilePlan, dataFolder: string) => AppliedFile

/** Each file by itself: one that can't be written keeps none of the others from it. */
const applyEach = (plans: readonly AgentPlan[], dataFolder: string, apply: Apply): readonly AppliedFile[] =>
  plans.flatMap(({ files }) =>
    files.map((plan): AppliedFile => {
      const { path, status, reason } = plan
      if (status !== 'change') return { path, status, reason }
      try {
        return apply(plan, dataFolder)
      } catch (error) {
        if (error instanceof SettingsFileError) return { path, status: 'refused', reason: error.message }
        throw error
      }
    }),
  )

/** The record with another entry for a file, or without one. */
const withFile = ({ folders, files }: SetupRecord, path: string, file: FileRecord | undefined): SetupRecord => {
  const others = [...files].filter(([key]) => key !== path)
  return { folders, files: new Map(file === undefined ? others : [...others, [path, file]]) }
}

/** Writes what setup planned. */
export const applySetup = (plans: readonly AgentPlan[], dataFolder: string): readonly AppliedFile[] =>
  applyEach(plans, dataFolder, writeOne)

/** Copies, notes and writes one file. */
const writeOne: Apply = (plan, dataFolder) => {
  const { path, realPath, before, after = '', isExecutable } = plan
  const record = readSetupRecord(dataFolder)
  // What was written there before is continued; where nothing of it is left, the file is a new one.
  const former = plan.wasSetUp ? record.files.get(realPath) : undefined
  const entry = fileRecord(plan, former)
  let isNoted = false
  try {
    writeSetupRecord(dataFolder, withFile(record, realPath, entry))
    isNoted = true
    writeSettingsFile(realPath, after, { expected: before, mode: isExecutable ? PROGRAM_MODE : SETTINGS_MODE })
  } catch (error) {
    // Nothing was done: then nothing is noted, and no copy is needed.
    if (entry.backup !== undefined && entry.backup !== former?.backup) rmSync(entry.backup, { force: true })
    removeEmptyFolders(entry.folders)
    if (isNoted)
      writeSetupRecord(dataFolder, withFile(readSetupRecord(dataFolder), realPath, record.files.get(realPath)))
    throw error
  }
  return { path, status: 'written', backup: entry.backup }
}

/** What is noted of a file that is about to be written; its folder is made, and what is there is copied. */
const fileRecord = (
  { realPath, before, splices }: Parameters<Apply>[0],
  former: FileRecord | undefined,
): FileRecord => {
  const folders = [...(former?.folders ?? []), ...makeFolderOf(realPath)]
  const isCopied = former?.backup !== undefined || before === undefined || former !== undefined
  const backup = isCopied ? former?.backup : backUp(realPath, before)
  return {
    isMade: former?.isMade ?? before === undefined,
    folders,
    ...(backup === undefined ? {} : { backup }),
    splices: [...(former?.splices ?? []), ...splices],
  }
}

/** Takes away what the removal planned, copies included. */
export const applyRemoval = (plans: readonly AgentPlan[], dataFolder: string): readonly AppliedFile[] =>
  applyEach(plans, dataFolder, withdrawOne)

/** Writes or removes one file, and with it what setup kept beside it. */
const withdrawOne: Apply = ({ path, realPath, before = '', after }, dataFolder) => {
  const record = readSetupRecord(dataFolder)
  const former = record.files.get(realPath)
  if (after === undefined) removeSettingsFile(realPath, before)
  else writeSettingsFile(realPath, after, { expected: before, mode: SETTINGS_MODE })
  if (former?.backup !== undefined && isCopy(former.backup)) rmSync(former.backup, { force: true })
  const folders = former?.folders ?? []
  removeEmptyFolders(folders)
  const kept = withFile(record, realPath, undefined)
  writeSetupRecord(
    dataFolder,
    withHandedOver(
      kept,
      folders.filter((folder) => existsSync(folder)),
    ),
  )
  return { path, status: after === undefined ? 'removed' : 'written' }
}

/** Of folders that setup made and that hold other files of its own still, the last of these removes them. */
const withHandedOver = ({ folders, files }: SetupRecord, left: readonly string[]): SetupRecord => ({
  folders,
  files: new Map(
    [...files].map(([path, file]) => {
      const around = left.filter((folder) => path.startsWith(`${folder}${sep}`) && !file.folders.includes(folder))
      // The outermost first: those of another file lie around this one's own.
      return [path, { ...file, folders: [...around, ...file.folders].sort((a, b) => a.length - b.length) }]
    }),
  ),
})

/** The record names what is deleted: nothing but copies that setup made may be. */
const isCopy = (path: string): boolean => {
  if (!/\.cairn-backup(?:-\d+)?$/.test(path)) return false
  try {
    return readSettingsFile(path).text !== undefined
  } catch {
    return false
  }
}

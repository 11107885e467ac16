/**
 * Carries a plan out, one setup at a time. Each file: the note first, then a copy, then the file as a whole; undone the other
 * way round. So whatever moment a setup is killed at, the note tells what may be there, and the next one goes on from it.
 */
import { existsSync, rmSync } from 'node:fs'
import { sep } from 'node:path'
import { madeSplices } from '../../setup/index.ts'
import { removeLauncher, writeLauncher } from './launcher.ts'
import { planRemoval, planSetup } from './plan-setup.ts'
import type { AgentPlan, FilePlan, SetupRequest } from './plan-setup.ts'
import {
  SettingsFileError,
  backUp,
  backupPath,
  makeFolderOf,
  missingFolders,
  needlessCopies,
  readSettingsFile,
  removeAbandoned,
  removeEmptyFolders,
  removeSettingsFile,
  writeSettingsFile,
} from './settings-file.ts'
import { withSetupLock } from './setup-lock.ts'
import { readSetupRecord, writeSetupRecord } from './setup-record.ts'
import type { FileRecord, SetupRecord } from './setup-record.ts'

/** What became of a file. */
export interface AppliedFile {
  readonly path: string
  /** `cleaned`: the file is as it was; what setup kept of it is gone. */
  readonly status: 'written' | 'removed' | 'unchanged' | 'refused' | 'cleaned'
  /** Path of the copy of the file before. */
  readonly backup?: string | undefined
  /** Completes "<path> is left as it is: …". */
  readonly reason?: string | undefined
}

const SETTINGS_MODE = 0o600
const PROGRAM_MODE = 0o700

type Apply = (plan: FilePlan, dataFolder: string) => AppliedFile

/**
 * Carries out the plans of all files with `apply`, each by itself: one that can't be written is refused, and keeps none
 * of the others from it. Those that are unchanged or refused already are only reported.
 */
const applyEach = (plans: readonly AgentPlan[], dataFolder: string, apply: Apply): readonly AppliedFile[] =>
  plans.flatMap(({ files }) =>
    files.map((plan): AppliedFile => {
      const { path, status, reason } = plan
      if (status === 'unchanged' || status === 'refused') return { path, status, reason }
      try {
        return apply(plan, dataFolder)
      } catch (error) {
        if (error instanceof SettingsFileError) return { path, status: 'refused', reason: error.message }
        throw error
      }
    }),
  )

/**
 * The plans as they are now; of these every change is refused that is not the one that was shown for the file. As
 * planned where nothing was shown.
 */
const asShown = (plans: readonly AgentPlan[], shown: readonly AgentPlan[] | undefined): readonly AgentPlan[] => {
  if (shown === undefined) return plans
  const files = new Map(shown.flatMap((plan) => plan.files.map((file) => [file.path, file])))
  /** The file's plan; refused where it would now change the file otherwise than was shown. */
  const checked = (file: FilePlan): FilePlan => {
    const before = files.get(file.path)
    const isSame = before?.before === file.before && before?.after === file.after
    return file.status !== 'change' || isSame
      ? file
      : { ...file, status: 'refused', reason: 'somebody changed it meanwhile; run setup again' }
  }
  return plans.map((plan) => ({ ...plan, files: plan.files.map(checked) }))
}

/** The record with another entry for a file, or without one. */
const withFile = ({ folders, files }: SetupRecord, path: string, file: FileRecord | undefined): SetupRecord => {
  const others = [...files].filter(([key]) => key !== path)
  return { folders, files: new Map(file === undefined ? others : [...others, [path, file]]) }
}

/**
 * Writes what setup does now, the launcher too; where a plan was shown to somebody, no change but those. One entry for
 * each file, with what came of it: a file that can't be written is no error.
 * @throws CairnError where another setup is at work, or nothing can be noted; SettingsFileError for the launcher
 */
export const applySetup = (request: SetupRequest, shown?: readonly AgentPlan[]): readonly AppliedFile[] =>
  withSetupLock(request.dataFolder, () => {
    const plans = asShown(planSetup(request), shown)
    writeLauncher(request.program)
    for (const { realPath } of plans.flatMap(({ files }) => files)) removeAbandoned(realPath)
    return applyEach(plans, request.dataFolder, writeOne)
  })

/**
 * Notes, copies and writes one file; what it made is taken back if that fails. The former content is kept as a copy,
 * unless setup wrote the file before. Throws what the system refuses, or if the file changed meanwhile.
 */
const writeOne: Apply = (plan, dataFolder) => {
  const { path, realPath, before, after = '', isExecutable } = plan
  const record = readSetupRecord(dataFolder)
  const former = record.files.get(realPath)
  const entry = fileRecord(plan, former)
  const { backup } = entry
  const hadCopy = backup === undefined || existsSync(backup)
  let made: readonly string[] = []
  let isNoted = false
  try {
    writeSetupRecord(dataFolder, withFile(record, realPath, entry))
    isNoted = true
    made = makeFolderOf(realPath)
    if (backup !== undefined && before !== undefined) backUp(realPath, backup, before)
    writeSettingsFile(realPath, after, { expected: before, mode: isExecutable ? PROGRAM_MODE : SETTINGS_MODE })
  } catch (error) {
    // Nothing was done: then nothing is noted, and no copy is needed.
    if (!hadCopy) rmSync(backup, { force: true })
    removeEmptyFolders(made)
    if (isNoted) writeSetupRecord(dataFolder, withFile(readSetupRecord(dataFolder), realPath, former))
    throw error
  }
  return { path, status: 'written', backup }
}

/**
 * What is noted of a file that is about to be written: folders and backup to be made, and the splices that take
 * everything of ours out again, those of a former setup included if any of it is left.
 */
const fileRecord = ({ realPath, before, splices, wasSetUp }: FilePlan, former: FileRecord | undefined): FileRecord => {
  // What was written there before is continued; where nothing of it is left, the file is a new one.
  const continued = wasSetUp ? former : undefined
  const isCopied = continued !== undefined || before === undefined
  const backup = isCopied ? continued?.backup : backupPath(realPath, before)
  const copies = notedCopies(former).filter((copy) => copy !== backup)
  return {
    isMade: continued?.isMade ?? before === undefined,
    folders: [...new Set([...(former?.folders ?? []), ...missingFolders(realPath)])],
    ...(backup === undefined ? {} : { backup }),
    ...(copies.length === 0 ? {} : { copies }),
    splices: [...madeSplices(before ?? '', continued?.splices ?? []), ...splices],
  }
}

/** Every copy of a file that a record tells of. Empty without one. */
const notedCopies = (record: FileRecord | undefined): readonly string[] => [
  ...(record?.copies ?? []),
  ...(record?.backup === undefined ? [] : [record.backup]),
]

/**
 * Takes away what setup wrote, copies and notes included; where a plan was shown to somebody, nothing but that. The
 * launcher goes only where all agents are asked for. One entry for each file, with what came of it.
 * @throws CairnError where another setup is at work, or nothing can be noted
 */
export const applyRemoval = (request: SetupRequest, shown?: readonly AgentPlan[]): readonly AppliedFile[] =>
  withSetupLock(request.dataFolder, () => {
    const applied = applyEach(asShown(planRemoval(request), shown), request.dataFolder, withdrawOne)
    if (request.agents.length === 0) {
      forgetMissing(request.dataFolder)
      // The agents that are left still start it.
      removeLauncher(request.program)
    }
    return applied
  })

/**
 * Writes a file without what setup put in, or removes it, and with it what setup kept beside it. `cleaned` where only
 * the latter was there. Throws if the file changed meanwhile.
 */
const withdrawOne: Apply = ({ path, realPath, before, after, status }, dataFolder) => {
  if (status === 'change' && before !== undefined) {
    if (after === undefined) removeSettingsFile(realPath, before)
    else writeSettingsFile(realPath, after, { expected: before, mode: SETTINGS_MODE })
  }
  removeAbandoned(realPath)
  forget(realPath, after, dataFolder)
  if (status === 'leftovers') return { path, status: 'cleaned' }
  return { path, status: after === undefined ? 'removed' : 'written' }
}

/**
 * Removes what setup kept of a file: copies, folders that are empty, the note. `text`: what the file holds now,
 * undefined for none. Folders that are not empty yet are noted with other files below them.
 */
const forget = (realPath: string, text: string | undefined, dataFolder: string): void => {
  const record = readSetupRecord(dataFolder)
  const former = record.files.get(realPath)
  // Copies that nothing tells of, as the note was lost, hold nothing that the file does not.
  const copies = [...notedCopies(former).filter(isCopy), ...(text === undefined ? [] : needlessCopies(realPath, text))]
  for (const copy of copies) rmSync(copy, { force: true })
  const folders = former?.folders ?? []
  removeEmptyFolders(folders)
  if (former === undefined) return
  const left = folders.filter((folder) => existsSync(folder))
  writeSetupRecord(dataFolder, withHandedOver(withFile(record, realPath, undefined), left))
}

/**
 * Forgets, as `forget` does, what setup kept of files that are not there any more, wherever the agents keep theirs now.
 */
const forgetMissing = (dataFolder: string): void => {
  for (const path of readSetupRecord(dataFolder).files.keys())
    if (!existsSync(path)) forget(path, undefined, dataFolder)
}

/**
 * The record in which each file below one of the folders `left`, which setup made for another file, has it among its
 * own too: so the last of these files removes the folder.
 */
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

/**
 * Whether a path is that of a copy that setup made, and readable: the record names what is deleted, and nothing else
 * may be.
 */
const isCopy = (path: string): boolean => {
  if (!/\.cairn-backup(?:-\d+)?$/.test(path)) return false
  try {
    return readSettingsFile(path).text !== undefined
  } catch {
    return false
  }
}

/**
 * Plans a restore. It starts from a snapshot of the current folder, so that everything it overwrites or removes is
 * saved; what can't be captured stays and is reported.
 */
import type { Attributes } from './attributes.ts'
import { folderOfPath, pathRefusal } from './byte-path.ts'
import type { BytePath } from './byte-path.ts'
import { createLeftOutLookup } from './left-out.ts'
import type { LeftOut } from './left-out.ts'
import type { PathScope } from './path-scope.ts'
import type { SnapshotChange, SnapshotEntry } from './snapshot-changes.ts'

/** A file to write; `before` is what it replaces. */
export interface FileToWrite {
  readonly path: BytePath
  readonly before: SnapshotEntry | undefined
  readonly after: SnapshotEntry
}

export interface FileToRemove {
  readonly path: BytePath
  readonly before: SnapshotEntry
}

/** A file that stays as it is although the checkpoint differs. */
export interface KeptFile {
  readonly path: BytePath
  readonly why: string
}

export interface RestorePlan {
  readonly remove: readonly FileToRemove[]
  readonly write: readonly FileToWrite[]
  readonly keep: readonly KeptFile[]
  /** Empty folders to create, and folders to remove once they are empty. */
  readonly foldersToMake: readonly BytePath[]
  readonly foldersToRemove: readonly BytePath[]
  /** Permissions of folders. */
  readonly folderModes: ReadonlyMap<BytePath, number>
  /** Permissions of folders that have to be created above a file. */
  readonly usualFolderMode: number
}

/** One end of a restore. */
export interface RestoreEnd {
  readonly attributes: Attributes
  readonly leftOut: readonly LeftOut[]
}

/**
 * Plans the restore from `now` to `target`; pure. `changes` are the differences from now to the target. A scope limits
 * it to its paths and their folders. Kept, with the reason, are paths that may not be written, files that the target
 * left out, and files that can't be captured now and therefore not be undone.
 */
export const planRestore = (
  changes: readonly SnapshotChange[],
  now: RestoreEnd,
  target: RestoreEnd,
  scope?: Pick<PathScope, 'covers'>,
): RestorePlan => {
  const wasLeftOut = createLeftOutLookup(target.leftOut)
  const isLeftOut = createLeftOutLookup(now.leftOut)
  const [remove, write, keep]: [FileToRemove[], FileToWrite[], KeptFile[]] = [[], [], []]
  for (const { path, before, after } of changes) {
    if (scope?.covers(path) === false) continue
    const refusal = pathRefusal(path)
    if (refusal !== undefined) keep.push({ path, why: refusal })
    else if (after !== undefined) {
      const obstacle = before === undefined ? isLeftOut(path) : undefined
      if (obstacle === undefined) write.push({ path, before, after })
      else keep.push({ path, why: `what is there now can't be captured (${REASON_TEXTS[obstacle.reason]})` })
    } else if (before !== undefined) {
      const left = wasLeftOut(path)
      if (left === undefined) remove.push({ path, before })
      else keep.push({ path, why: `the checkpoint left it out (${REASON_TEXTS[left.reason]})` })
    }
  }
  const isMeant = folderFilter(write, scope)
  return { remove, write, keep, ...planFolders(remove, now.attributes, target.attributes, isMeant) }
}

/**
 * A test for folders: whether one is in the scope, or leads to a file to write that may need it. Without a scope all
 * pass.
 */
const folderFilter = (
  write: readonly FileToWrite[],
  scope: Pick<PathScope, 'covers'> | undefined,
): ((folder: BytePath) => boolean) => {
  if (scope === undefined) return () => true
  const above = new Set<BytePath>()
  for (const { path } of write)
    for (let folder = folderOfPath(path); folder !== ''; folder = folderOfPath(folder)) above.add(folder)
  return (folder) => scope.covers(folder) || above.has(folder)
}

/**
 * The files that a plan removes and writes, in this order; undefined if it also creates folders, changes their
 * permissions, or removes folders that its own removals do not empty.
 */
export const onlyFilesOf = (plan: RestorePlan): readonly BytePath[] | undefined => {
  const emptied = new Set<BytePath>()
  for (const { path } of plan.remove)
    for (let folder = folderOfPath(path); folder !== ''; folder = folderOfPath(folder)) emptied.add(folder)
  const hasFolders =
    plan.foldersToMake.length + plan.folderModes.size > 0 || !plan.foldersToRemove.every((path) => emptied.has(path))
  return hasFolders ? undefined : [...plan.remove, ...plan.write].map(({ path }) => path)
}

/** Why something was left out, in words. */
const REASON_TEXTS: Readonly<Record<LeftOut['reason'], string>> = {
  ignored: 'ignored by git’s rules',
  secret: 'its name is that of a secret',
  'too-large': 'over 10 MB',
  unreadable: 'it may not be read',
  changing: 'it was being written to',
  special: 'it is no file, folder or link',
  reserved: 'its name stands for git’s own folder',
  'own-data': 'Cairn’s own data',
}

type FolderPlan = Pick<RestorePlan, 'foldersToMake' | 'foldersToRemove' | 'folderModes' | 'usualFolderMode'>

/**
 * What a restore does with folders and permissions. Only folders that `isMeant` accepts are made or changed, or removed
 * as empty ones; those above removed files are removed, too, once they are empty. Folders to make come in order, those
 * to remove the deepest first.
 */
const planFolders = (
  remove: readonly FileToRemove[],
  now: Attributes,
  target: Attributes,
  isMeant: (folder: BytePath) => boolean,
): FolderPlan => {
  const wanted = new Set(target.emptyFolders)
  const present = new Set(now.emptyFolders)
  const emptied = new Set<BytePath>()
  for (const path of [
    ...remove.map((file) => file.path),
    ...now.emptyFolders.filter((path) => isMeant(path) && !wanted.has(path)),
  ])
    for (let folder = path; folder !== ''; folder = folderOfPath(folder)) emptied.add(folder)
  for (const { path } of remove) emptied.delete(path)
  for (const kept of wanted)
    for (let folder = kept; folder !== ''; folder = folderOfPath(folder)) emptied.delete(folder)
  const isFine = (path: BytePath): boolean => pathRefusal(path) === undefined
  const isOpen = (path: BytePath): boolean => isMeant(path) && isFine(path)
  const folderModes = new Map<BytePath, number>()
  for (const path of new Set([...now.folderModes.keys(), ...target.folderModes.keys()])) {
    const mode = target.folderModes.get(path) ?? target.usual.folder
    if (isOpen(path) && mode !== (now.folderModes.get(path) ?? now.usual.folder)) folderModes.set(path, mode)
  }
  // Folders that are rebuilt have then's usual permissions, which need not be now's, until they get their own.
  if (now.usual.folder !== target.usual.folder)
    for (const [path, mode] of target.folderModes) if (isOpen(path)) folderModes.set(path, mode)
  return {
    foldersToMake: [...wanted].filter((path) => !present.has(path) && isOpen(path)).sort(),
    // The deepest first.
    foldersToRemove: [...emptied].filter(isFine).sort().reverse(),
    folderModes,
    usualFolderMode: target.usual.folder,
  }
}

/** Whether a plan changes nothing; files that it keeps don't count. */
export const isEmptyPlan = ({ remove, write, foldersToMake, foldersToRemove, folderModes }: RestorePlan): boolean =>
  remove.length + write.length + foldersToMake.length + foldersToRemove.length + folderModes.size === 0

/**
 * The rest of a plan after an interruption. `since` is the difference between the state before the restore and now. A
 * file that is neither in its old nor in its target state was changed by someone else: it stays, and is added to `keep`
 * with the reason. Folders stay in the plan.
 */
export const remainingPlan = (plan: RestorePlan, since: readonly SnapshotChange[]): RestorePlan => {
  const now = new Map(since.map((change) => [change.path, change.after]))
  const keep: KeptFile[] = [...plan.keep]
  const isOpen = (path: BytePath, wanted: SnapshotEntry | undefined): boolean => {
    if (!now.has(path)) return true
    if (!isSame(now.get(path), wanted)) keep.push({ path, why: 'it was changed after the restore was interrupted' })
    return false
  }
  const remove = plan.remove.filter(({ path }) => isOpen(path, undefined))
  const write = plan.write.filter(({ path, after }) => isOpen(path, after))
  return { ...plan, remove, write, keep }
}

/** Whether content, kind and permissions are equal; two missing entries are. */
const isSame = (left: SnapshotEntry | undefined, right: SnapshotEntry | undefined): boolean =>
  left?.blob === right?.blob && left?.gitMode === right?.gitMode && left?.mode === right?.mode

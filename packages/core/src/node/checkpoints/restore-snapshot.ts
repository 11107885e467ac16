/** Restores snapshots: from one of the present, with a journal, so that nothing is lost and every restore comes to its end. */
import { createHash } from 'node:crypto'
import { bytePathOf, textOfBytePath } from '../../checkpoints/byte-path.ts'
import type { BytePath } from '../../checkpoints/byte-path.ts'
import { createPathScope } from '../../checkpoints/path-scope.ts'
import type { PathScope } from '../../checkpoints/path-scope.ts'
import { isEmptyPlan, onlyFilesOf, planRestore, remainingPlan } from '../../checkpoints/restore-plan.ts'
import type { KeptFile, RestorePlan } from '../../checkpoints/restore-plan.ts'
import type { SnapshotChange } from '../../checkpoints/snapshot-changes.ts'
import { CURRENT_PATHS_REF, CURRENT_REF, snapshotRef } from '../../checkpoints/snapshot-message.ts'
import { CairnError, StorageError } from '../../errors.ts'
import type {
  AgreedOptions,
  RestorePreview,
  RestoreOutcome,
  ResumedRestore,
  Snapshot,
  SnapshotOptions,
  SnapshotRequest,
  UntouchedFile,
} from '../../ports/snapshot-repository.ts'
import { applyRestore, removeUnfinished } from './apply-restore.ts'
import { noteRestored, readCaptureBase, removeCaptureBase } from './capture-base.ts'
import { gitOutput } from './git-process.ts'
import { assertSpace } from './free-space.ts'
import { readJournal, removeJournal, writeJournal } from './journal.ts'
import { differenceOf } from './patches.ts'
import type { RootLocation } from './private-repository.ts'
import { createBlobReader, listSnapshots, withoutRef } from './read-snapshots.ts'
import { captureCurrent, changesOf, scopeOf, takeSnapshot } from './take-snapshot.ts'
import type { Location } from './take-snapshot.ts'

/** With more files than this, the snapshot before a restore is one of the whole folder. */
const MOST_FILES = 1_000

/**
 * The paths that were written or removed, for people; not those of which only permissions changed, or that were kept.
 */
const restoredPaths = (changes: readonly SnapshotChange[], kept: readonly KeptFile[]): readonly string[] => {
  const left = new Set(kept.map(({ path }) => path))
  return changes.flatMap((change) => {
    const { path, change: kind } = differenceOf(change)
    return kind === 'mode' || left.has(change.path) ? [] : [path]
  })
}

const untouched = ({ path, why }: KeptFile): UntouchedFile => ({ path: textOfBytePath(path), why })

interface PlannedRestore {
  readonly plan: RestorePlan
  readonly changes: readonly SnapshotChange[]
}

/**
 * The plan that makes the files of commit `now` those of `target`, and the changes it is made of; only what a scope
 * covers, all without one. Nothing is changed. Rejects as git does, and for a damaged commit.
 */
const planFrom = async (
  { gitFolder }: RootLocation,
  now: string,
  target: string,
  scope: PathScope | undefined,
): Promise<PlannedRestore> => {
  const { changes, from, to } = await changesOf(gitFolder, now, target)
  const meant = scope === undefined ? changes : changes.filter(({ path }) => scope.covers(path))
  return { plan: planRestore(meant, from, to, scope), changes: meant }
}

/** What is restored: the paths that were named, else those that the snapshot was made of by a restore, else everything. */
const restoredScope = (root: string, target: Snapshot, { paths }: SnapshotOptions): PathScope | undefined =>
  scopeOf(root, paths ?? (target.kind === 'before-restore' && target.paths !== null ? target.paths : undefined))

/**
 * Says what a restore would do, and changes no file of the user: the current files are captured to compare. `token`
 * stands for this plan; files that would be kept are in `untouched`, not in `differences`. Folders that would be made,
 * removed or get other permissions are in `folders`, sorted. Rejects as git does, and with `invalid-input` for a path
 * that is not in the root.
 */
export const previewRestore = async (
  location: Location,
  target: Snapshot,
  options: SnapshotOptions,
): Promise<RestorePreview> => {
  const scope = restoredScope(location.root, target, options)
  const now = await captureCurrent(location, { ...options, scope })
  const { plan, changes } = await planFrom(location, now.commit, target.commit, scope)
  const folders = new Set([...plan.foldersToMake, ...plan.foldersToRemove, ...plan.folderModes.keys()])
  const kept = new Set(plan.keep.map(({ path }) => path))
  return {
    differences: changes.filter(({ path }) => !kept.has(path)).map(differenceOf),
    folders: [...folders].sort().map(textOfBytePath),
    untouched: plan.keep.map(untouched),
    token: tokenOf(plan),
  }
}

/** A hash of a plan, by which it is seen whether the same would be done. */
const tokenOf = ({ folderModes, ...plan }: RestorePlan): string =>
  createHash('sha256')
    .update(JSON.stringify([plan, [...folderModes]]))
    .digest('hex')

/**
 * What has to be captured before a restore of what was previewed just now: the files that it changes; undefined for the
 * whole folder. That is without `token` or `onlyPreviewed`, where something was captured or another plan came out
 * since, and for a plan with folders, more than `MOST_FILES` files, or a path that is no text.
 */
const scopeOfPreview = async (
  location: Location,
  target: Snapshot,
  { token, onlyPreviewed }: AgreedOptions,
): Promise<PathScope | undefined> => {
  const base = token === undefined || onlyPreviewed !== true ? undefined : readCaptureBase(location.gitFolder)
  if (base === undefined) return undefined
  const planned = await planFrom(location, base.commit, target.commit, undefined).catch(() => undefined)
  if (planned === undefined || tokenOf(planned.plan) !== token) return undefined
  const files = onlyFilesOf(planned.plan)
  const isFit = files !== undefined && files.length <= MOST_FILES && files.every(isText)
  return isFit ? createPathScope(files) : undefined
}

/** Whether a path can be named in the snapshot's message. */
const isText = (path: BytePath): boolean => bytePathOf(textOfBytePath(path)) === path

/**
 * Restores a snapshot (only `options.paths` of it, or those of the restore it was taken before, if there are any) after
 * taking one to undo it, which is `undo`; where nothing was to be done, that one is given up and `undo` is null.
 * Rejects, and no file is changed, with `file-conflict` where the plan is another than that of `options.token`, and
 * with `storage-failed` where the disk has too little space. Files that can't be restored are in `untouched`. The
 * caller holds the repository's lock.
 */
export const restoreSnapshot = async (
  location: Location,
  target: Snapshot,
  request: SnapshotRequest,
  options: AgreedOptions,
): Promise<RestoreOutcome> => {
  const { gitFolder } = location
  const scope = restoredScope(location.root, target, options)
  const seen = scope ?? (await scopeOfPreview(location, target, options))
  const { snapshot: undo } = await takeSnapshot(location, request, { ...options, scope: seen })
  const { plan, changes } = await planFrom(location, undo.commit, target.commit, scope)
  const isOther = options.token !== undefined && options.token !== tokenOf(plan)
  if (isOther || isEmptyPlan(plan)) {
    await forget(location, undo)
    if (isOther)
      throw new CairnError(
        'file-conflict',
        'Files changed after the preview, so nothing was restored; look at the preview again.',
      )
    return { restored: 0, removed: 0, paths: [], untouched: plan.keep.map(untouched), undo: null }
  }
  await assertSpaceFor(location, plan)
  noteChanges(gitFolder, plan)
  const journal = { targetId: target.id, target: target.commit, undoId: undo.id, undo: undo.commit }
  writeJournal(gitFolder, { ...journal, paths: scope?.paths ?? null })
  const { written, removed, kept } = await carryOut(location, plan, undo.id, options)
  removeJournal(gitFolder)
  return { restored: written, removed, paths: restoredPaths(changes, kept), untouched: kept.map(untouched), undo }
}

/**
 * Notes which files a restore changes, so that the next capture reads them again; where that can't be said by files, it
 * reads all.
 */
const noteChanges = (gitFolder: string, plan: RestorePlan): void => {
  const files = onlyFilesOf(plan)
  if (files === undefined) removeCaptureBase(gitFolder)
  else noteRestored(gitFolder, files)
}

/** @throws StorageError where the disk has no space for what a restore writes */
const assertSpaceFor = async ({ root, gitFolder }: RootLocation, { write }: RestorePlan): Promise<void> => {
  const blobs = write.map(({ after }) => `${after.blob}\n`).join('')
  const sizes = blobs === '' ? '' : await gitOutput(gitFolder, ['cat-file', '--batch-check=%(objectsize)'], blobs)
  assertSpace(
    root,
    sizes.split('\n').reduce((sum, line) => sum + (Number(line) || 0), 0),
    'The restore',
  )
}

/**
 * Removes the ref of a snapshot that turned out not to be needed. Its commit stays, under the ref of the current files:
 * what is captured next is based on it.
 */
const forget = async ({ gitFolder }: RootLocation, snapshot: Snapshot): Promise<void> => {
  const current = snapshot.paths === null ? CURRENT_REF : CURRENT_PATHS_REF
  await gitOutput(
    gitFolder,
    ['update-ref', '--stdin'],
    `update ${current} ${snapshot.commit}\ndelete ${snapshotRef(snapshot)} ${snapshot.commit}\n`,
  )
}

/** Carries a plan out, and tells how far it is. Rejects as applying it does. */
const carryOut = async (
  { root, gitFolder }: RootLocation,
  plan: RestorePlan,
  id: string,
  { onProgress }: SnapshotOptions,
): ReturnType<typeof applyRestore> => {
  const blobs = createBlobReader(gitFolder)
  const total = plan.remove.length + plan.write.length
  try {
    return await applyRestore(root, plan, id, blobs, (done) => onProgress?.({ phase: 'restoring', done, total }))
  } finally {
    await blobs.close()
  }
}

/**
 * Brings an interrupted restore to its end, by its journal, which is then removed; undefined where there is none. Files
 * that somebody changed meanwhile stay, and are in `untouched`. Rejects with `storage-corrupt`, once, where it can't be
 * brought to its end: the journal is removed then, too. The caller holds the repository's lock.
 */
export const resumeRestore = async (location: Location): Promise<ResumedRestore | undefined> => {
  const { gitFolder, root } = location
  const journal = readJournal(gitFolder)
  if (journal === undefined) return undefined
  const undo = (await listSnapshots(gitFolder)).find(({ id }) => id === journal.undoId)
  const scope = journal.paths === null ? undefined : createPathScope(journal.paths)
  const { plan, changes } = await planFrom(location, journal.undo, journal.target, scope).catch((cause: unknown) => {
    // Said once: it would else stand in the way of everything that can still be done.
    removeJournal(gitFolder)
    throw new StorageError(
      'storage-corrupt',
      `The restore of checkpoint ${journal.targetId} was interrupted, and can’t be brought to its end as its checkpoint is damaged; some files of ${root} may be as they were in it, all others are untouched. Run this again to go on without it.`,
      { cause },
    )
  })
  removeUnfinished(root, plan, journal.undoId)
  const now = await captureCurrent(location, {})
  const { changes: since } = await changesOf(gitFolder, journal.undo, now.commit)
  const remaining = remainingPlan(plan, since)
  noteChanges(gitFolder, remaining)
  const { written, removed, kept } = await carryOut(location, remaining, journal.undoId, {})
  removeJournal(gitFolder)
  return {
    targetId: journal.targetId,
    restored: written,
    removed,
    // All that the restore was about, also before it was interrupted.
    paths: restoredPaths(changes, kept),
    untouched: kept.map(untouched),
    undo: undo === undefined ? null : withoutRef(undo),
  }
}

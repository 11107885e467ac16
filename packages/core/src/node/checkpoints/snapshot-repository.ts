/** Snapshots in private git repositories, one a root, below the data folder. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { isAbsolute, relative, sep } from 'node:path'
import { bytePathOf, textOfBytePath } from '../../checkpoints/byte-path.ts'
import type { BytePath } from '../../checkpoints/byte-path.ts'
import type { LeftOut } from '../../checkpoints/left-out.ts'
import { isEmptyPlan, planRestore, remainingPlan } from '../../checkpoints/restore-plan.ts'
import type { KeptFile, RestorePlan } from '../../checkpoints/restore-plan.ts'
import type { SnapshotChange } from '../../checkpoints/snapshot-changes.ts'
import { CURRENT_REF, snapshotMessage, snapshotRef } from '../../checkpoints/snapshot-message.ts'
import { CairnError, StorageError } from '../../errors.ts'
import type {
  CaptureOutcome,
  FileDifference,
  LeftOutFile,
  RestorePreview,
  ResumedRestore,
  Snapshot,
  SnapshotOptions,
  SnapshotRepository,
  SnapshotRequest,
  UntouchedFile,
} from '../../ports/snapshot-repository.ts'
import { realPathOf } from '../real-path.ts'
import { applyRestore, removeUnfinished } from './apply-restore.ts'
import { capture } from './capture.ts'
import type { Captured } from './capture.ts'
import { gitOutput } from './git-process.ts'
import { assertSpace } from './free-space.ts'
import { hasJournal, readJournal, removeJournal, writeJournal } from './journal.ts'
import { differenceOf, patchOf } from './patches.ts'
import {
  ensureRepository,
  findLocation,
  gitFolderOf,
  isRepository,
  repositoryRoots,
  withRepositoryLock,
} from './private-repository.ts'
import type { RepositorySetting, RootLocation } from './private-repository.ts'
import { folderBytes, joinPacks, pruneRepository, removeLeftovers, removeSnapshots } from './prune.ts'
import { changesBetween, createBlobReader, listSnapshots, readEnds } from './read-snapshots.ts'
import type { SnapshotEnd, StoredSnapshot } from './read-snapshots.ts'

export type { RepositorySetting } from './private-repository.ts'

type OnRoot = <T>(root: string, action: (location: Location) => Promise<T>) => Promise<T>

/** Finds the repository of a root. */
const locationIn = (root: string, setting: RepositorySetting): Location => {
  const found = findLocation(root, setting)
  const ownData = new Set(ownPaths(setting).flatMap((path) => pathWithin(found.root, realPathOf(path))))
  return { ...found, ownData }
}

/** The data folder, and the store with the files that SQLite keeps beside it: given back, they would damage an open store. */
const ownPaths = ({ dataFolder, storeFile }: RepositorySetting): readonly string[] => [
  dataFolder,
  ...(storeFile === undefined ? [] : ['', '-wal', '-shm', '-journal'].map((suffix) => storeFile + suffix)),
]

/** The path under a root; none where it lies elsewhere. */
const pathWithin = (root: string, path: string): readonly BytePath[] => {
  const within = relative(root, path)
  const isInside = within !== '' && !isAbsolute(within) && within.split(sep)[0] !== '..'
  return isInside ? [bytePathOf(within.replaceAll(sep, '/'))] : []
}

/** Works on a root's repository alone, after a restore that was interrupted is at its end. */
const createOnRoot =
  (setting: RepositorySetting): OnRoot =>
  async (root, action) => {
    const location = locationIn(root, setting)
    return withRepositoryLock(location.gitFolder, async () => {
      await ensureRepository(location)
      await resumeRestore(location)
      return action(location)
    })
  }

/** Snapshots below a data folder. `home`: the user's, which is refused as a root. */
export const createSnapshotRepository = (setting: RepositorySetting): SnapshotRepository => {
  const onRoot = createOnRoot(setting)
  return {
    capture: (root, request, options = {}) => onRoot(root, (location) => takeSnapshot(location, request, options)),
    list: async (root) => {
      const { gitFolder } = findLocation(root, setting)
      if (!isRepository(gitFolder)) return []
      return (await listSnapshots(gitFolder)).map(withoutRef)
    },
    leftOut: async (root, { commit }) => {
      const [end] = await readEnds(findLocation(root, setting).gitFolder, [commit])
      return (end?.leftOut ?? []).map(leftOutFile)
    },
    differences: (root, from, to, options = {}) =>
      onRoot(root, async (location) => {
        const later = to === 'now' ? await captureCurrent(location, options) : to
        return differencesBetween(location, from.commit, later.commit, options.withPatch === true)
      }),
    preview: (root, target, options = {}) =>
      onRoot(root, async (location) => {
        const now = await captureCurrent(location, options)
        const { plan, changes } = await planFrom(location, now.commit, target.commit)
        return { ...previewOf(plan, changes), token: tokenOf(plan) }
      }),
    restore: (root, target, undo, options = {}) => onRoot(root, (location) => restore(location, target, undo, options)),
    resume: async (root) => {
      const location = locationIn(root, setting)
      // Without one there is nothing to wait for, and nothing to write: reading goes on beside a long checkpoint.
      if (!isRepository(location.gitFolder) || !hasJournal(location.gitFolder)) return undefined
      return withRepositoryLock(location.gitFolder, () => resumeRestore(location))
    },
    prune: async (root, limits, now, isDryRun = false) => {
      // What is kept of a folder that was removed or moved is bounded, too.
      const gitFolder = gitFolderOf(root, setting.dataFolder)
      const isGone = !existsSync(root) && isRepository(gitFolder)
      const outcome = isGone
        ? await withRepositoryLock(gitFolder, () => pruneRepository(gitFolder, limits, now, isDryRun))
        : await onRoot(root, (location) => pruneRepository(location.gitFolder, limits, now, isDryRun))
      return { ...outcome, removed: outcome.removed.map(withoutRef) }
    },
    remove: (root, snapshots) =>
      onRoot(root, async ({ gitFolder }) => {
        const ids = new Set(snapshots.map(({ id }) => id))
        await removeSnapshots(
          gitFolder,
          (await listSnapshots(gitFolder)).filter(({ id }) => ids.has(id)),
        )
      }),
    roots: async () => repositoryRoots(setting.dataFolder),
  }
}

interface Location extends RootLocation {
  readonly ownData: ReadonlySet<BytePath>
}

const withoutRef = ({ ref, ...snapshot }: StoredSnapshot): Snapshot => snapshot

const leftOutFile = ({ path, ...rest }: LeftOut): LeftOutFile => ({ path: textOfBytePath(path), ...rest })

const untouched = ({ path, why }: KeptFile): UntouchedFile => ({ path: textOfBytePath(path), why })

const takeSnapshot = async (
  location: Location,
  request: SnapshotRequest,
  options: SnapshotOptions,
): Promise<CaptureOutcome> => {
  const [before] = await listSnapshots(location.gitFolder)
  const captured = await capture({
    ...location,
    ref: snapshotRef(request),
    at: request.at,
    message: (files, bytes) => snapshotMessage(request, files, bytes),
    options,
  })
  await joinPacks(location.gitFolder)
  removeLeftovers(location.gitFolder, Date.now())
  const { commit, files, bytes, leftOut } = captured
  // What was read again is less: a preview or a diff may have read it already.
  const changed =
    before === undefined ? files.size : (await changesOf(location.gitFolder, before.commit, commit)).changes.length
  return {
    snapshot: { ...request, commit, files: files.size, bytes },
    changed,
    leftOut: leftOut.map(leftOutFile),
    bytesOnDisk: folderBytes(location.gitFolder),
  }
}

/** Captures the root as it is, as no snapshot that anybody made. */
const captureCurrent = (location: Location, options: SnapshotOptions): Promise<Captured> =>
  capture({ ...location, ref: CURRENT_REF, at: Date.now(), message: () => 'current files', options })

interface PlannedRestore {
  readonly plan: RestorePlan
  readonly changes: readonly SnapshotChange[]
}

/** The way from one commit to another. */
const planFrom = async ({ gitFolder }: RootLocation, now: string, target: string): Promise<PlannedRestore> => {
  const { changes, from, to } = await changesOf(gitFolder, now, target)
  return { plan: planRestore(changes, from, to), changes }
}

interface Changes {
  readonly changes: readonly SnapshotChange[]
  readonly from: SnapshotEnd
  readonly to: SnapshotEnd
}

/** What differs between two commits, with both. */
const changesOf = async (gitFolder: string, first: string, second: string): Promise<Changes> => {
  const [from, to] = await readEnds(gitFolder, [first, second])
  if (from === undefined || to === undefined) throw new Error('two commits have two ends')
  return { changes: await changesBetween(gitFolder, from, to), from, to }
}

const previewOf = (plan: RestorePlan, changes: readonly SnapshotChange[]): Omit<RestorePreview, 'token'> => {
  const folders = new Set([...plan.foldersToMake, ...plan.foldersToRemove, ...plan.folderModes.keys()])
  const kept = new Set(plan.keep.map(({ path }) => path))
  return {
    differences: changes.filter(({ path }) => !kept.has(path)).map(differenceOf),
    folders: [...folders].sort().map(textOfBytePath),
    untouched: plan.keep.map(untouched),
  }
}

const tokenOf = ({ folderModes, ...plan }: RestorePlan): string =>
  createHash('sha256')
    .update(JSON.stringify([plan, [...folderModes]]))
    .digest('hex')

const differencesBetween = async (
  { gitFolder }: RootLocation,
  from: string,
  to: string,
  withPatch: boolean,
): Promise<readonly FileDifference[]> => {
  const { changes } = await changesOf(gitFolder, from, to)
  if (!withPatch) return changes.map(differenceOf)
  const blobs = createBlobReader(gitFolder)
  try {
    const differences: FileDifference[] = []
    for (const change of changes) differences.push(await patchOf(change, blobs))
    return differences
  } finally {
    await blobs.close()
  }
}

const restore = async (
  location: Location,
  target: Snapshot,
  request: SnapshotRequest,
  options: SnapshotOptions & { readonly token?: string },
): ReturnType<SnapshotRepository['restore']> => {
  const { snapshot: undo } = await takeSnapshot(location, request, options)
  const { plan } = await planFrom(location, undo.commit, target.commit)
  const isOther = options.token !== undefined && options.token !== tokenOf(plan)
  if (isOther || isEmptyPlan(plan)) {
    await forget(location, undo)
    if (isOther)
      throw new CairnError(
        'file-conflict',
        'Files changed after the preview, so nothing was restored; look at the preview again.',
      )
    return { restored: 0, removed: 0, untouched: plan.keep.map(untouched), undo: null }
  }
  await assertSpaceFor(location, plan)
  const journal = { targetId: target.id, target: target.commit, undoId: undo.id, undo: undo.commit }
  writeJournal(location.gitFolder, journal)
  const { written, removed, kept } = await carryOut(location, plan, undo.id, options)
  removeJournal(location.gitFolder)
  return {
    restored: written,
    removed,
    untouched: kept.map(untouched),
    undo,
  }
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

/** Takes the ref of a snapshot away that turned out not to be needed; the stat cache still stands on its commit. */
const forget = async ({ gitFolder }: RootLocation, snapshot: Snapshot): Promise<void> => {
  await gitOutput(
    gitFolder,
    ['update-ref', '--stdin'],
    `update ${CURRENT_REF} ${snapshot.commit}\ndelete ${snapshotRef(snapshot)} ${snapshot.commit}\n`,
  )
}

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

/** Brings an interrupted restore to its end. Files that somebody changed meanwhile stay. */
const resumeRestore = async (location: Location): Promise<ResumedRestore | undefined> => {
  const { gitFolder, root } = location
  const journal = readJournal(gitFolder)
  if (journal === undefined) return undefined
  const undo = (await listSnapshots(gitFolder)).find(({ id }) => id === journal.undoId)
  const { plan } = await planFrom(location, journal.undo, journal.target).catch((cause: unknown) => {
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
  const { written, removed, kept } = await carryOut(location, remainingPlan(plan, since), journal.undoId, {})
  removeJournal(gitFolder)
  return {
    targetId: journal.targetId,
    restored: written,
    removed,
    untouched: kept.map(untouched),
    undo: undo === undefined ? null : withoutRef(undo),
  }
}

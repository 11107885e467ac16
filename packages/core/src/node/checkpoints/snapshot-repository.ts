/** Snapshots in private git repositories, one a root, below the data folder. */
import { existsSync } from 'node:fs'
import { isAbsolute, relative, sep } from 'node:path'
import { bytePathOf } from '../../checkpoints/byte-path.ts'
import type { BytePath } from '../../checkpoints/byte-path.ts'
import type { FileDifference, PatchOptions, SnapshotRepository } from '../../ports/snapshot-repository.ts'
import { realPathOf } from '../real-path.ts'
import { hasJournal } from './journal.ts'
import { differenceOf, patchOf } from './patches.ts'
import {
  allRepositories,
  ensureRepository,
  findLocation,
  gitFolderOf,
  isRepairInterrupted,
  isRepository,
  removeRepository,
  repositoryRoots,
  withRepositoryLock,
} from './private-repository.ts'
import type { RepositorySetting, RootLocation } from './private-repository.ts'
import { folderBytes, pruneRepository, removeSnapshots } from './prune.ts'
import { readContent } from './read-content.ts'
import { countChanges, createBlobReader, listSnapshots, readEnds, withoutRef } from './read-snapshots.ts'
import { namedCommits } from './repository-fault.ts'
import { previewRestore, restoreSnapshot, resumeRestore } from './restore-snapshot.ts'
import { captureCurrent, changesOf, leftOutFile, scopeOf, takeSnapshot } from './take-snapshot.ts'
import type { Location } from './take-snapshot.ts'
import { verifyRepositories } from './verify-repositories.ts'

export type { RepositorySetting } from './private-repository.ts'

type OnRoot = <T>(root: string, action: (location: Location) => Promise<T>) => Promise<T>

/**
 * Finds a root's repository, which need not be there, and the paths of Cairn's own files in the root. Throws as
 * `findLocation`.
 */
const locationIn = (root: string, setting: RepositorySetting): Location => {
  const found = findLocation(root, setting)
  const ownData = new Set(ownPaths(setting).flatMap((path) => pathWithin(found.root, realPathOf(path))))
  return { ...found, ownData }
}

/**
 * The data folder, and the store with the files that SQLite keeps beside it: given back, they would damage an open store.
 */
const ownPaths = ({ dataFolder, storeFile }: RepositorySetting): readonly string[] => [
  dataFolder,
  ...(storeFile === undefined ? [] : ['', '-wal', '-shm', '-journal'].map((suffix) => storeFile + suffix)),
]

/** The path under a root, with `/`, as a list of one; empty where it lies elsewhere, and for the root itself. */
const pathWithin = (root: string, path: string): readonly BytePath[] => {
  const within = relative(root, path)
  const isInside = within !== '' && !isAbsolute(within) && within.split(sep)[0] !== '..'
  return isInside ? [bytePathOf(within.replaceAll(sep, '/'))] : []
}

/**
 * Works on a root's repository under its lock; makes it where it is missing, and brings an interrupted restore to its
 * end first. Rejects as these do, for the root too.
 */
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

/**
 * Snapshots below a data folder; nothing is made before the first call. `list`, `leftOut`, `changeCounts`, `content`
 * and `differences` of two snapshots read without the repository's lock, but that `list` first ends a repair that was
 * interrupted. Everything else on a root waits for it (`resume` only where a restore was interrupted), and but for
 * `erase` first brings such a restore to its end (`prune` not of a gone root). All reject with `not-found` or
 * `invalid-input` for a root that can't have snapshots, such as `home`; `erase` and `prune` also take one that is gone.
 */
export const createSnapshotRepository = (setting: RepositorySetting): SnapshotRepository => {
  const onRoot = createOnRoot(setting)
  return {
    capture: (root, request, options = {}) =>
      onRoot(root, (location) =>
        takeSnapshot(location, request, { ...options, scope: scopeOf(location.root, options.paths) }),
      ),
    list: async (root) => {
      const { gitFolder } = findLocation(root, setting)
      if (isRepairInterrupted(gitFolder)) await onRoot(root, async () => undefined)
      if (!isRepository(gitFolder)) return []
      return (await listSnapshots(gitFolder)).map(withoutRef)
    },
    leftOut: async (root, { commit }) => {
      const [end] = await readEnds(findLocation(root, setting).gitFolder, [commit])
      return (end?.leftOut ?? []).map(leftOutFile)
    },
    differences: async (root, from, to, { onProgress, withPatch = false } = {}) => {
      if (to !== 'now') return differencesBetween(findLocation(root, setting), from.commit, to.commit, withPatch)
      return onRoot(root, async (location) => {
        const { commit } = await captureCurrent(location, onProgress ? { onProgress } : {})
        return differencesBetween(location, from.commit, commit, withPatch)
      })
    },
    changeCounts: async (root, snapshots) => countChanges(findLocation(root, setting).gitFolder, snapshots),
    content: async (root, { commit }, path) => readContent(findLocation(root, setting).gitFolder, commit, path),
    preview: (root, target, options = {}) => onRoot(root, (location) => previewRestore(location, target, options)),
    restore: (root, target, undo, options = {}) =>
      onRoot(root, (location) => restoreSnapshot(location, target, undo, options)),
    resume: async (root) => {
      const location = locationIn(root, setting)
      // Without one there is nothing to wait for, and nothing to write: reading goes on beside a long checkpoint.
      if (!isRepository(location.gitFolder) || !hasJournal(location.gitFolder)) return undefined
      return withRepositoryLock(location.gitFolder, () => resumeRestore(location))
    },
    prune: async (root, limits, now, isDryRun = false) => {
      const prune = ({ gitFolder }: RootLocation) => pruneRepository(gitFolder, limits, now, isDryRun)
      const outcome = await (existsSync(root) ? onRoot(root, prune) : onGoneRoot(root, setting, prune))
      return { ...outcome, removed: outcome.removed.map(withoutRef) }
    },
    /** Removes snapshots, by their ids, and frees their space; unknown ones are passed over. */
    remove: (root, snapshots) =>
      onRoot(root, async ({ gitFolder }) => {
        const ids = new Set(snapshots.map(({ id }) => id))
        await removeSnapshots(
          gitFolder,
          (await listSnapshots(gitFolder)).filter(({ id }) => ids.has(id)),
        )
      }),
    erase: async (root) => {
      const gitFolder = gitFolderOf(root, setting.dataFolder)
      if (!isRepository(gitFolder) && !isRepairInterrupted(gitFolder)) return { snapshots: 0, bytes: 0 }
      return withRepositoryLock(gitFolder, () => eraseRepository(gitFolder))
    },
    roots: async () => repositoryRoots(setting.dataFolder),
    verify: (options = {}) => verifyRepositories(setting.dataFolder, options),
  }
}

/**
 * Works under its lock on the repository of a folder that was removed or moved, as what is kept of it is bounded, too.
 * Rejects with `not-found` where there is none.
 */
const onGoneRoot = async <T>(
  root: string,
  setting: RepositorySetting,
  action: (location: RootLocation) => Promise<T>,
): Promise<T> => {
  const gitFolder = gitFolderOf(root, setting.dataFolder)
  const location =
    isRepository(gitFolder) || isRepairInterrupted(gitFolder) ? { root, gitFolder } : findLocation(root, setting)
  return withRepositoryLock(gitFolder, async () => {
    await ensureRepository(location)
    return action(location)
  })
}

/**
 * Removes a repository, and those that were set aside of its root. `bytes` are of all these, `snapshots` only of the
 * repository itself. The caller holds the lock.
 */
const eraseRepository = async (gitFolder: string): Promise<{ readonly snapshots: number; readonly bytes: number }> => {
  // Also of a damaged one, of which git can't list the snapshots.
  const { named } = await namedCommits(gitFolder)
  const all = allRepositories(gitFolder)
  const bytes = all.reduce((sum, folder) => sum + folderBytes(folder), 0)
  all.forEach(removeRepository)
  return { snapshots: named.length, bytes }
}

/**
 * The differences between two snapshots, in order of the paths. `withPatch`: true for a patch of each file, false for
 * none, or the paths that get one. Rejects as git does.
 */
const differencesBetween = async (
  { gitFolder }: RootLocation,
  from: string,
  to: string,
  withPatch: NonNullable<PatchOptions['withPatch']>,
): Promise<readonly FileDifference[]> => {
  const { changes } = await changesOf(gitFolder, from, to)
  if (withPatch === false) return changes.map(differenceOf)
  const named = withPatch === true ? undefined : new Set(withPatch)
  const blobs = createBlobReader(gitFolder)
  try {
    const differences: FileDifference[] = []
    for (const change of changes) {
      const difference = differenceOf(change)
      const isWanted = named === undefined || named.has(difference.path)
      differences.push(isWanted ? await patchOf(change, blobs) : difference)
    }
    return differences
  } finally {
    await blobs.close()
  }
}

/** Checks whether checkpoints are intact, and whether each one on record exists. */
import type { CheckpointStorage } from '../ports/checkpoint-storage.ts'
import type { RepositoryCheck, SnapshotRepository } from '../ports/snapshot-repository.ts'
import type { CheckpointsCheck, FolderCheck, MissingCheckpoints } from './checkpoints.ts'

export interface VerifyDeps {
  readonly snapshots: Pick<SnapshotRepository, 'verify'>
  readonly records: Pick<CheckpointStorage, 'workspaces' | 'list'>
}

/**
 * Checks all repositories of checkpoints against their records and, with `repair`, repairs what it can; see `verify` of
 * {@link Checkpoints}. A damaged repository is part of the result, not an error. Rejects as the store does. `missing`:
 * by folder, how many recorded checkpoints are not there; folders whose state is unknown are left out.
 */
export const verifyCheckpoints = async (
  { snapshots, records }: VerifyDeps,
  repair: boolean,
): Promise<CheckpointsCheck> => {
  // Read first: a checkpoint is recorded after it was made, so each of these must be there.
  const recorded = new Map<string, readonly string[]>()
  for (const { workspace } of await records.workspaces())
    recorded.set(
      workspace,
      (await records.list(workspace)).map(({ commit }) => commit),
    )
  const checks = await snapshots.verify({ roots: [...recorded.keys()], repair })
  return {
    folders: checks.map(folderCheck),
    missing: [...recorded].flatMap(([root, commits]) =>
      missingOf(
        root,
        commits,
        checks.find((check) => check.root === root),
      ),
    ),
  }
}

const folderCheck = ({ commits, ...check }: RepositoryCheck): FolderCheck => ({ ...check, checkpoints: commits.length })

/**
 * How many recorded checkpoints of a root are not there, as a list of one; empty for none, and for a damaged or
 * unchecked repository, of which it is not known.
 */
const missingOf = (
  root: string,
  recorded: readonly string[],
  check: RepositoryCheck | undefined,
): readonly MissingCheckpoints[] => {
  if (check !== undefined && (check.unchecked !== null || (check.fault !== null && check.repair === null))) return []
  const there = new Set(check?.commits)
  const checkpoints = recorded.filter((commit) => !there.has(commit)).length
  return checkpoints === 0 ? [] : [{ root, checkpoints }]
}

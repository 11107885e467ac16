/** Unfinished files that killed processes left in the repositories of checkpoints. No checkpoint is removed here. */
import type { PruneOutcome, SnapshotLimits } from '../ports/snapshot-repository.ts'
import type { CleanUpSource } from './clean-up.ts'

/** What it needs of checkpoints. */
export interface PrunedCheckpoints {
  roots(): Promise<readonly string[]>
  prune(
    root: string,
    options: { readonly limits: Partial<SnapshotLimits>; readonly dryRun: boolean },
  ): Promise<Pick<PruneOutcome, 'bytesBefore' | 'bytesAfter' | 'leftovers'>>
}

/** Checkpoints have limits of their own, which apply when one is made. */
const KEEP_ALL: SnapshotLimits = { maximumAgeDays: Infinity, maximumCount: Infinity, maximumBytes: Infinity }

/**
 * Removes the unfinished files that killed processes left over an hour ago in the repositories of checkpoints, and no
 * checkpoint. A dry run finds nothing here: what is unfinished is told by removing it.
 */
export const checkpointSource = (checkpoints: PrunedCheckpoints): CleanUpSource => ({
  name: 'checkpoints',
  isQuick: false,
  run: async ({ dryRun }) => {
    if (dryRun) return []
    let [removed, bytes] = [0, 0]
    for (const root of await checkpoints.roots()) {
      const { leftovers, bytesBefore, bytesAfter } = await checkpoints.prune(root, { limits: KEEP_ALL, dryRun })
      removed += leftovers
      bytes += Math.max(0, bytesBefore - bytesAfter)
    }
    const reason = 'unfinished files of checkpoints whose process was killed over an hour ago'
    return [{ kind: 'unfinished-checkpoint-file', found: removed, removed, bytes, reason }]
  },
})

/** Selects the snapshots to remove because of age or number. For size, git is asked how much the newest ones occupy. */
import type { Snapshot, SnapshotLimits } from '../ports/snapshot-repository.ts'

/** The default limits of a root. */
export const DEFAULT_LIMITS: SnapshotLimits = {
  maximumAgeDays: 30,
  maximumCount: 500,
  maximumBytes: 2_000_000_000,
}

const DAY_MS = 86_400_000

/**
 * The snapshots allowed by age and count, newest first. The newest one always stays. Both limits are inclusive; `now`
 * is in ms.
 */
export const keptByAgeAndCount = <T extends Pick<Snapshot, 'at'>>(
  newestFirst: readonly T[],
  { maximumAgeDays, maximumCount }: SnapshotLimits,
  now: number,
): readonly T[] =>
  newestFirst.filter(({ at }, index) => index === 0 || (index < maximumCount && now - at <= maximumAgeDays * DAY_MS))

/**
 * How many of the newest `count` snapshots fit in `maximumBytes` (inclusive): `count` itself if it is 1 or less,
 * otherwise at least one. `bytesOf` returns the total size of the newest n, which grows with n; it is called only a few
 * times (binary search).
 */
export const fittingCount = async (
  count: number,
  maximumBytes: number,
  bytesOf: (newest: number) => Promise<number>,
): Promise<number> => {
  if (count <= 1 || (await bytesOf(count)) <= maximumBytes) return count
  let [fits, tooMany] = [1, count]
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2)
    if ((await bytesOf(middle)) <= maximumBytes) fits = middle
    else tooMany = middle
  }
  return fits
}

/** Pruning starts only beyond this multiple of a limit, so that not every snapshot at the limit frees space. */
const SLACK = 1.1
/**
 * Size is checked once per this many snapshots: if a few are already too large, freeing space each time would take
 * longer than making them.
 */
const SIZE_EACH = 10

/** The current state, to decide whether to prune. */
export interface KeptSnapshots {
  readonly newestFirst: readonly Pick<Snapshot, 'at'>[]
  readonly bytesOnDisk: number
}

/**
 * Whether the count, the age of the oldest, or the size exceeds its limit by the factor `SLACK`. Size is checked only
 * at every `SIZE_EACH`th snapshot, and never for a single one. `now` is in ms.
 */
export const isPruningDue = (
  { newestFirst, bytesOnDisk }: KeptSnapshots,
  { maximumAgeDays, maximumCount, maximumBytes }: SnapshotLimits,
  now: number,
): boolean =>
  newestFirst.length > maximumCount * SLACK ||
  now - (newestFirst.at(-1)?.at ?? now) > maximumAgeDays * SLACK * DAY_MS ||
  (newestFirst.length > 1 && newestFirst.length % SIZE_EACH === 0 && bytesOnDisk > maximumBytes * SLACK)

/** Which snapshots go: too old, too many. What is too large is found by asking git what the newest ones take. */
import type { Snapshot, SnapshotLimits } from '../ports/snapshot-repository.ts'

/** What a root may keep unless told otherwise. */
export const DEFAULT_LIMITS: SnapshotLimits = {
  maximumAgeDays: 30,
  maximumCount: 500,
  maximumBytes: 2_000_000_000,
}

const DAY_MS = 86_400_000

/** The snapshots that age and count allow, newest first. The newest one always stays. Both limits inclusive; `now`: ms. */
export const keptByAgeAndCount = <T extends Pick<Snapshot, 'at'>>(
  newestFirst: readonly T[],
  { maximumAgeDays, maximumCount }: SnapshotLimits,
  now: number,
): readonly T[] =>
  newestFirst.filter(({ at }, index) => index === 0 || (index < maximumCount && now - at <= maximumAgeDays * DAY_MS))

/**
 * How many of the newest `count` fit in `maximumBytes` (inclusive): `count` itself where it is 1 or less, else at least
 * one. `bytesOf` tells what the newest n take together; it grows with n, and is asked a few times only (binary search).
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

/** More than this share beyond the limits is waited for, so that not every snapshot at the limit frees space. */
const SLACK = 1.1
/** Size is looked at once in so many snapshots: where a few are too large already, freeing space each time would take longer than they. */
const SIZE_EACH = 10

/** What is there, to find out whether to prune. */
export interface KeptSnapshots {
  readonly newestFirst: readonly Pick<Snapshot, 'at'>[]
  readonly bytesOnDisk: number
}

/**
 * Whether count, age of the oldest, or size passed its limit by the factor `SLACK`, so that not every snapshot prunes.
 * Size is looked at only at every `SIZE_EACH`th snapshot, and never for a single one. `now`: ms.
 */
export const isPruningDue = (
  { newestFirst, bytesOnDisk }: KeptSnapshots,
  { maximumAgeDays, maximumCount, maximumBytes }: SnapshotLimits,
  now: number,
): boolean =>
  newestFirst.length > maximumCount * SLACK ||
  now - (newestFirst.at(-1)?.at ?? now) > maximumAgeDays * SLACK * DAY_MS ||
  (newestFirst.length > 1 && newestFirst.length % SIZE_EACH === 0 && bytesOnDisk > maximumBytes * SLACK)

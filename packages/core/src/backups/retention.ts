/** Which backups stay: a few new ones, one a day for a while, one a week for longer, together not beyond a size. */
import type { BackupKind } from './backup-name.ts'

export interface KeptBackup {
  /** When it was made, ms since the epoch. */
  readonly at: number
  readonly kind: BackupKind
  readonly bytes: number
}

/** Numbers of backups; days and weeks are those that have one. */
export interface Retention {
  readonly newest: number
  readonly daily: number
  readonly weekly: number
  /** Backups made before migrations, beside the others. */
  readonly migrations: number
  /** Copies of a damaged store, beside the others: they take no sound backup's turn. */
  readonly damaged: number
  /** All others together; the newest one stays whatever its size. */
  readonly maximumBytes: number
}

/** What stays of a store unless told otherwise. */
export const DEFAULT_RETENTION: Retention = {
  newest: 3,
  daily: 7,
  weekly: 4,
  migrations: 3,
  damaged: 1,
  maximumBytes: 10_000_000_000,
}

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
/** The epoch was a Thursday; weeks begin on Mondays. */
const FIRST_MONDAY_MS = 4 * DAY_MS

/**
 * The newest of each of the newest periods. `count` periods at most, newest first; a period without a backup does not
 * count.
 */
const newestOfEach = <T extends KeptBackup>(
  newestFirst: readonly T[],
  count: number,
  periodOf: (at: number) => number,
): readonly T[] => {
  const periods = new Map<number, T>()
  for (const backup of newestFirst) {
    const period = periodOf(backup.at)
    if (!periods.has(period) && periods.size < count) periods.set(period, backup)
  }
  return [...periods.values()]
}

/**
 * The backups that may go, oldest first. Kept are, of manual and automatic ones, the `newest` (at least one) and the
 * newest of each of the last `daily` days and `weekly` weeks (UTC) that have one, until `maximumBytes` is passed: that
 * one and all older go, the first always stays. Of `migration` and `damaged` the newest so many stay. A store that was
 * set aside (`replaced`) is never among them.
 */
export const expiredBackups = <T extends KeptBackup>(backups: readonly T[], retention: Retention): readonly T[] => {
  const newestFirst = backups.toSorted((left, right) => right.at - left.at)
  const rolling = newestFirst.filter(({ kind }) => kind === 'manual' || kind === 'automatic')
  const wanted = new Set<T>([
    ...rolling.slice(0, Math.max(1, retention.newest)),
    ...newestOfEach(rolling, retention.daily, (at) => Math.floor(at / DAY_MS)),
    ...newestOfEach(rolling, retention.weekly, (at) => Math.floor((at - FIRST_MONDAY_MS) / WEEK_MS)),
  ])
  const kept = new Set<T>()
  let bytes = 0
  for (const backup of rolling) {
    if (!wanted.has(backup)) continue
    bytes += backup.bytes
    // What is older than one that no longer fits goes, too: a gap in time would be harder to understand.
    if (bytes > retention.maximumBytes && kept.size > 0) break
    kept.add(backup)
  }
  const newestOf = (kind: BackupKind, count: number): readonly T[] =>
    newestFirst.filter((backup) => backup.kind === kind).slice(0, count)
  for (const backup of [...newestOf('migration', retention.migrations), ...newestOf('damaged', retention.damaged)])
    kept.add(backup)
  return newestFirst.filter((backup) => backup.kind !== 'replaced' && !kept.has(backup)).toReversed()
}

/**
 * Whether an automatic backup is due: a day has passed since the newest backup, or since the store was made. All in ms;
 * a day exactly is due.
 */
export const isBackupDue = (newestAt: number | undefined, storeMadeAt: number, now: number): boolean =>
  now - (newestAt ?? storeMadeAt) >= DAY_MS

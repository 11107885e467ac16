/** A store's backups at a glance: the one to go back to, how it was checked, and what all of them take. */
import type { BackupKind } from './backup-name.ts'
import { isBackupDue } from './retention.ts'
import type { KeptBackup } from './retention.ts'

/** Why a backup was made, in words. */
export const BACKUP_KINDS: Readonly<Record<BackupKind, string>> = {
  manual: 'asked for',
  automatic: 'made by itself',
  migration: 'before an update',
  damaged: 'of a damaged store',
  replaced: 'replaced store',
}

/**
 * How a backup was checked before it got its name. `content`: every page, pack, block and row was compared with what was
 * written. `pages`: by SQLite's own check, and the rows of each table were counted.
 */
export type BackupCheck = 'content' | 'pages'

/** How a backup was checked, in words. */
export const BACKUP_CHECKS: Readonly<Record<BackupCheck, string>> = {
  content: 'checked when it was made: every page, pack, block and row',
  pages: 'checked when it was made: every page, and the number of rows',
}

/** Of the kinds that a restore takes by itself; the others hold damage, or were not looked at. */
const CHECKS: Readonly<Partial<Record<BackupKind, BackupCheck>>> = {
  manual: 'content',
  automatic: 'content',
  migration: 'pages',
}

/** A file of a backup. */
interface NamedBackup extends KeptBackup {
  readonly name: string
  /** Absolute. */
  readonly path: string
}

/** The backup that `restore-backup latest` takes. */
interface LatestBackup {
  readonly name: string
  readonly path: string
  /** ms since the epoch. */
  readonly at: number
  readonly kind: BackupKind
  readonly bytes: number
  readonly verified: BackupCheck
}

export interface BackupSummary {
  /** Where they are kept; it may not be there yet. */
  readonly folder: string
  /** Of all kinds. */
  readonly count: number
  /** All of them together. */
  readonly bytes: number
  /** Null where there is none that a restore takes by itself. */
  readonly latest: LatestBackup | null
  /** Whether a day has passed since `latest` was made, or there is none. */
  readonly isDue: boolean
  /** Copies of a damaged store that were made after `latest`. */
  readonly damagedSince: number
}

/**
 * The newest backup that is neither damaged nor a store that was set aside; undefined where there is none.
 * @param newestFirst in any number
 */
export const latestBackup = <T extends Pick<KeptBackup, 'kind'>>(newestFirst: readonly T[]): T | undefined =>
  newestFirst.find(({ kind }) => CHECKS[kind] !== undefined)

/**
 * What is known of a store's backups without reading them. `latest` is the newest of those made by hand, automatically
 * or before a migration, null without one; `count` and `bytes` are of all kinds.
 * @param newestFirst all of them
 * @param now ms since the epoch
 */
export const summariseBackups = (folder: string, newestFirst: readonly NamedBackup[], now: number): BackupSummary => {
  const found = latestBackup(newestFirst)
  const verified = found === undefined ? undefined : CHECKS[found.kind]
  const latest =
    found === undefined || verified === undefined
      ? null
      : { name: found.name, path: found.path, at: found.at, kind: found.kind, bytes: found.bytes, verified }
  return {
    folder,
    count: newestFirst.length,
    bytes: newestFirst.reduce((sum, { bytes }) => sum + bytes, 0),
    latest,
    isDue: isBackupDue(latest?.at, 0, now),
    damagedSince: newestFirst.filter(({ kind, at }) => kind === 'damaged' && (latest === null || at > latest.at))
      .length,
  }
}

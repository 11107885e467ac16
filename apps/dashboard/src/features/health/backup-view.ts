/** A store's backups at a glance, as the page on health shows them. */
import { BACKUP_CHECKS, BACKUP_KINDS } from '@cairn/core'
import type { BackupSummary } from '@cairn/core'

/** The backups as the page shows them. */
export interface BackupsView extends Omit<BackupSummary, 'latest'> {
  readonly latest: {
    readonly name: string
    /** ms since the epoch. */
    readonly at: number
    readonly bytes: number
    /** Why it was made, and how it was checked; in words. */
    readonly why: string
    readonly verified: string
  } | null
}

/** Returns the backups in words; null for a store on PostgreSQL. */
export const backupsView = (backups: BackupSummary | null): BackupsView | null => {
  if (backups === null) return null
  const { latest, ...all } = backups
  if (latest === null) return { ...all, latest }
  const { name, at, bytes, kind, verified } = latest
  return { ...all, latest: { name, at, bytes, why: BACKUP_KINDS[kind], verified: BACKUP_CHECKS[verified] } }
}

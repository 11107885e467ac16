/** Backups in words. */
import type { BackupKind } from '@cairn/core'

/** Why a backup was made, as lists show it. */
export const BACKUP_KINDS: Readonly<Record<BackupKind, string>> = {
  manual: 'asked for',
  automatic: 'made by itself',
  migration: 'before an update',
  damaged: 'of a damaged store',
  replaced: 'replaced store',
}

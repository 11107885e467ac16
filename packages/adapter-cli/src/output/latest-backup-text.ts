/** A summary of a store's backups in sentences. Safe to print. */
import { BACKUP_CHECKS, BACKUP_KINDS } from '@cairn/core'
import type { BackupSummary } from '@cairn/core'
import { counted, formatBytes, formatTime } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'

/**
 * Returns lines about the newest backup, where all backups are, and what to do if there is none or it is old. `null`
 * means that the store is on PostgreSQL.
 */
export const backupTexts = (backups: BackupSummary | null): readonly string[] => {
  if (backups === null) return ['by the tools of the server (pg_dump, pg_restore); Cairn makes none of PostgreSQL']
  const { latest, folder, count, bytes, isDue, damagedSince } = backups
  const damaged =
    damagedSince === 0
      ? []
      : [`${counted(damagedSince, 'newer one')} of a damaged store; cairn doctor --repair puts right what can be`]
  const kept = `${counted(count, 'backup')} in ${neutraliseLine(folder)}, ${formatBytes(bytes)} together`
  if (latest === null) return ['none to go back to; cairn backup makes one', ...damaged, ...(count === 0 ? [] : [kept])]
  const { at, kind, bytes: size, name, verified } = latest
  return [
    `${formatTime(at)}, ${BACKUP_KINDS[kind]}, ${formatBytes(size)}, ${BACKUP_CHECKS[verified]}: ${neutraliseLine(name)}`,
    ...(isDue ? ['that is a day ago or more; cairn backup makes a new one'] : []),
    ...damaged,
    kept,
  ]
}

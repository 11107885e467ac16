/** What a repair did, in words. */
import type { RepairReport } from '@cairn/storage-prisma/backups'
import { counted, formatTime } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'

/** Sessions that are named. */
const NAMED = 5

/**
 * Returns what was kept, what came from a backup, what is missing, and where the damaged store is, as sentences on one
 * line.
 */
export const repairText = ({
  salvaged,
  fromBackup,
  unproven,
  orphanEntries,
  lostEntries,
  incompleteSessions,
  backup,
  replaced,
}: RepairReport): string => {
  const named = incompleteSessions.slice(0, NAMED).map(neutraliseLine).join(', ')
  const more = incompleteSessions.length > NAMED ? ` and ${incompleteSessions.length - NAMED} more` : ''
  return [
    `Repaired: ${counted(salvaged, 'row')} could be read`,
    backup === null ? '' : `, ${counted(fromBackup, 'row')} came from the backup of ${formatTime(backup.at)}`,
    unproven === 0 ? '' : `, ${counted(unproven, 'row')} were not what was written`,
    '. ',
    orphanEntries === 0
      ? ''
      : `Left out: ${counted(orphanEntries, 'log entry')} whose session or content can't be read and is in no sound backup.`,
    orphanEntries > 0 && lostEntries > 0 ? ' ' : '',
    lostEntries === 0
      ? orphanEntries === 0
        ? 'No log lacks an entry that was known of.'
        : ''
      : `Missing: ${counted(lostEntries, 'log entry')} of ${named}${more}; a notice stands where each was.`,
    replaced === null ? '' : ` The damaged store is kept as ${replaced}.`,
  ].join('')
}

/** Names of backup files: when one was made, and why. The time comes first, so that names sort as times do. */

/**
 * `manual`: somebody asked for it. `automatic`: made now and then. `migration`: before the store was brought up to date.
 * `damaged`: somebody asked for it, and it holds what is damaged in the store. `replaced`: the store that a restore or a
 * repair has put another one in place of.
 */
export type BackupKind = 'manual' | 'automatic' | 'migration' | 'damaged' | 'replaced'

const KINDS: readonly BackupKind[] = ['manual', 'automatic', 'migration', 'damaged', 'replaced']
const NAME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-([a-z]+)\.db$/

/**
 * The file name of a backup, `20261123T011500123Z-manual.db`. `at`: ms since the epoch; names sort by time. Throws a
 * RangeError for what is no time.
 */
export const backupName = (at: number, kind: BackupKind): string =>
  `${new Date(at).toISOString().replaceAll(/[-:.]/g, '')}-${kind}.db`

/** The reverse of {@link backupName}; undefined for any other file's name. UTC, to the ms. */
export const parseBackupName = (name: string): { readonly at: number; readonly kind: BackupKind } | undefined => {
  const parts = NAME.exec(name)
  const kind = KINDS.find((known) => known === parts?.[8])
  if (parts === null || kind === undefined) return undefined
  const [, year, month, day, hour, minute, second, ms] = parts
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`)
  return Number.isNaN(at) || backupName(at, kind) !== name ? undefined : { at, kind }
}

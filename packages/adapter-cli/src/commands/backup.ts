/** `cairn backup`: makes a verified copy of the store, or lists the backups. */
import { resolve } from 'node:path'
import { Option } from 'commander'
import { BACKUP_KINDS, CairnError } from '@cairn/core'
import type { BackupFile, BackupReport } from '@cairn/storage-prisma/backups'
import type { CommonOptions, Context, Define } from '../command.ts'
import { storeFile } from '../options/store-file.ts'
import { createBackupProgress } from '../terminal/backup-progress.ts'
import { counted, formatBytes, formatDuration, formatTime, formatWhole } from '../terminal/format.ts'
import { tableLines } from '../terminal/table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { sayWrapped } from '../terminal/say-wrapped.ts'

interface BackupOptions extends CommonOptions {
  readonly to?: string
  readonly list?: boolean
  readonly automatic?: boolean
}

const HELP = `
Other programs may keep writing. The copy is verified before it counts: every
page, pack, block and row. Backups are next to the store, in <store>-backups.
Kept are the last three, one a day for seven days and one a week for four weeks,
up to 10 GB in total. One is made automatically each day (setting backup.auto).
Provider keys and the files of checkpoints are not included.

Examples:
  cairn backup
  cairn backup --list
  cairn backup --to /mnt/stick`

/** Declares `cairn backup`: description, options, help and action. */
export const define: Define = (command, context) => {
  command
    .description('Back up the store, even while it is in use.')
    .option('--to <path>', 'write to this new file or folder; Cairn never removes it')
    .option('--list', 'list the existing backups')
    .addOption(new Option('--automatic', 'as the programs do that make one now and then').hideHelp())
    .addHelpText('after', HELP)
    .action((options: BackupOptions) => runBackup(options, context))
}

/**
 * `cairn backup`: makes and proves a backup and prints what is in it, or with `--list` prints those beside the store.
 * Without `--to` it goes there, and backups that the fixed retention lets go are removed; with `--to` none is. A
 * damaged store is copied all the same: its faults are printed, exit code 1. Rejects with `usage` for `--list` with
 * `--to`, and for a `--to` that is empty or a file already; with `unsupported` for PostgreSQL; else as `storeFile` and
 * `backUpStore` do.
 */
const runBackup = async (options: BackupOptions, context: Context): Promise<void> => {
  if (options.list === true && options.to !== undefined)
    throw new CairnError('usage', '--list shows what is there, and --to makes a backup: give one of them.')
  if (options.to?.trim() === '') throw new CairnError('usage', "--to takes a file or a folder, not ''.")
  const store = await storeFile(options, context, 'backed up')
  const { backUpStore, listBackups } = await import('@cairn/storage-prisma/backups')
  if (options.list === true) return showList(store, listBackups(store), options, context)
  const progress = createBackupProgress(context.terminal)
  try {
    const report = await backUpStore(store, {
      kind: options.automatic === true ? 'automatic' : 'manual',
      ...(options.to === undefined ? {} : { to: resolve(context.surroundings.folder, options.to) }),
      onProgress: progress.onProgress,
    })
    progress.clear()
    if (report.faults.length > 0) context.setExitCode(1)
    await (options.json === true
      ? context.json({ store, ...report })
      : showReport(report, listBackups(store), context.terminal))
  } finally {
    progress.clear()
  }
}

/**
 * Prints what was backed up and where to, and either what was checked or what is wrong with the store; then the backups
 * that were removed, and how many there are.
 */
const showReport = async (report: BackupReport, all: readonly BackupFile[], terminal: Terminal): Promise<void> => {
  const { path, bytes, sessions, entries, requests, packs, blocks, faults, removed, ms } = report
  const say = (text: string): Promise<void> => sayWrapped(text, terminal)
  await say(
    `Backed up ${counted(sessions, 'session')}, ${counted(entries, 'log entry')} and ${counted(requests, 'request')} in ${formatDuration(ms)}: ${formatBytes(bytes)}`,
  )
  await terminal.line(path)
  if (faults.length === 0)
    await say(`Checked: ${counted(packs, 'pack')}, ${counted(blocks, 'block')} and all rows are what was written.`)
  else {
    await say('The store is damaged, and so is this copy; sound backups stay, whatever their age:')
    for (const fault of faults) await say(`  ${fault}`)
    await say('cairn doctor --repair puts right what can be.')
  }
  if (removed.length > 0) await say(`Older backups that went: ${removed.join(', ')}`)
  if (all.some((backup) => backup.path === path))
    await say(`Total ${counted(all.length, 'backup')}, ${formatBytes(bytesOf(all))}`)
}

/** The size of all backups, in bytes. */
const bytesOf = (backups: readonly BackupFile[]): number => backups.reduce((sum, { bytes }) => sum + bytes, 0)

/**
 * Prints the backups of a store as a table, in the order given, or `{store, backups, bytes}` as JSON. None is no
 * failure.
 */
const showList = async (
  store: string,
  backups: readonly BackupFile[],
  { json }: BackupOptions,
  context: Context,
): Promise<void> => {
  const { terminal } = context
  if (json === true) return context.json({ store, backups, bytes: bytesOf(backups) })
  if (backups.length === 0) return terminal.line(`Total: no backups of ${store}; cairn backup makes one.`)
  const {
    head,
    rows,
    total = '',
  } = tableLines({
    columns: [{ title: 'made' }, { title: 'size', align: 'right' }, { title: 'for' }, { title: 'file' }],
    rows: backups.map(({ at, bytes, kind, name }) => [formatTime(at), formatBytes(bytes), BACKUP_KINDS[kind], name]),
    total: ['Total', formatBytes(bytesOf(backups)), `${formatWhole(backups.length)} in ${store}-backups`, ''],
    width: terminal.width,
  })
  await terminal.line(terminal.style('bold', head))
  for (const row of rows) await terminal.line(row)
  await terminal.line(terminal.style('bold', total))
}

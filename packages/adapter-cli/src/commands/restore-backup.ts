/** `cairn restore-backup`: shows what would be lost, asks, then replaces the store by a backup. */
import { CairnError } from '@cairn/core'
import type { RestorePlan } from '@cairn/storage-prisma/backups'
import type { CommonOptions, Context, Define } from '../command.ts'
import { storeFile } from '../options/store-file.ts'
import { createBackupProgress } from '../terminal/backup-progress.ts'
import { counted, formatBytes, formatTime } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { sayWrapped } from '../terminal/say-wrapped.ts'

interface RestoreBackupOptions extends CommonOptions {
  readonly yes?: boolean
  readonly dryRun?: boolean
}

const HELP = `
The backup is verified first. The current store is kept among the backups, under
a name that is printed, and is never removed. Stop everything that has the store
open (cairn watch, the dashboard, VS Code); otherwise nothing is changed.
Exit code 3: the store has data that the backup lacks, and it was not confirmed.
Files of your projects are not touched; for those use cairn checkpoint restore.

Examples:
  cairn restore-backup latest --dry-run
  cairn restore-backup latest
  cairn restore-backup 20261123T011500123Z-manual.db --yes`

/** Declares `cairn restore-backup`: description, options, help and action. */
export const define: Define = (command, context) => {
  command
    .description('Replace the store by a backup.')
    .argument('<backup>', 'latest, a name from cairn backup --list, or a file')
    .option('--yes', 'do not ask, even if the store has data that the backup lacks')
    .option('--dry-run', 'only show what would be lost')
    .addHelpText('after', HELP)
    .action((named: string, options: RestoreBackupOptions) => runRestore(named, options, context))
}

/**
 * `cairn restore-backup`: tells what would be lost, asks if anything would be, and restores; the former store is kept
 * among the backups. A dry run only checks and tells. `named`: `latest`, a backup's name, or a file. Rejects with
 * `not-found` for an unknown backup, `storage-corrupt` for a damaged one, and `file-conflict` if the user does not
 * agree.
 */
const runRestore = async (named: string, options: RestoreBackupOptions, context: Context): Promise<void> => {
  const { terminal, surroundings } = context
  const store = await storeFile(options, context, 'restored')
  const { backupState, findBackup, planRestore, restoreBackup } = await import('@cairn/storage-prisma/backups')
  const plan = planRestore(store, findBackup(store, named, surroundings.folder))
  const dryRun = options.dryRun === true
  // A restore proves its copy by itself.
  if (dryRun && (await backupState(plan.from)) !== 'sound')
    throw new CairnError(
      'storage-corrupt',
      `The backup ${neutraliseLine(plan.from)} is damaged and would not be restored; cairn backup --list names the others. Nothing was changed.`,
    )
  if (options.json !== true) for (const line of planLines(store, plan)) await sayWrapped(line, terminal)
  if (!dryRun) await agree(plan, options, terminal)
  const progress = createBackupProgress(terminal)
  try {
    const replaced = dryRun ? undefined : await restoreBackup(store, plan, progress.onProgress)
    progress.clear()
    await (options.json === true
      ? context.json({ store, ...plan, newer: plan.newer ?? null, restored: !dryRun, replaced: replaced ?? null })
      : sayWrapped(dryRun ? 'Nothing was changed.' : resultText(replaced), terminal))
  } finally {
    progress.clear()
  }
}

/** Says that it was restored, and under which path `replaced` the former store is kept; undefined: there was none. */
const resultText = (replaced: string | undefined): string =>
  replaced === undefined
    ? 'Restored.'
    : `Restored. What was there is kept as ${replaced}; cairn restore-backup puts that back.`

/** Returns what the store would lose, in words; empty for nothing, and where that is not known. */
const lostText = ({ newer }: RestorePlan): string => {
  if (newer === undefined) return ''
  const { sessions, entries, requests, memory, notes } = newer
  return (
    [
      [sessions, 'session'],
      [entries, 'log entry'],
      [requests, 'request'],
      [memory, 'change of memory'],
      [notes, 'change of notes'],
    ] as const
  )
    .filter(([count]) => count > 0)
    .map(([count, noun]) => counted(count, noun))
    .join(', ')
}

/**
 * Yields the backup, and what the store holds beyond it, if that is known. Tells what would be lost, also that nothing
 * would.
 */
function* planLines(store: string, plan: RestorePlan): Generator<string> {
  yield `Backup of ${formatTime(plan.at)}, ${formatBytes(plan.bytes)}: ${plan.from}`
  if (plan.present === 'missing') yield `There is no store at ${store}; nothing would be lost.`
  if (plan.present === 'unreadable')
    yield 'The store can not be read, so what it holds beyond the backup is not known; cairn doctor --repair takes what can be read.'
  if (plan.present !== 'readable') return
  const lost = lostText(plan)
  yield lost === ''
    ? 'The store holds nothing that the backup lacks.'
    : `The store holds what the backup lacks: ${lost}.`
  if ((plan.newer?.deleted ?? 0) > 0)
    yield `${counted(plan.newer?.deleted ?? 0, 'session')} that you deleted since would come back.`
}

/**
 * Asks if something would be lost, sessions deleted since would come back, or neither is known. Rejects with
 * `file-conflict` for any answer but yes, and where it can't ask (`--json`, no terminal). `--yes` answers it.
 */
const agree = async (plan: RestorePlan, { yes, json }: RestoreBackupOptions, terminal: Terminal): Promise<void> => {
  const isLossless =
    plan.present === 'missing' || (plan.present === 'readable' && lostText(plan) === '' && plan.newer?.deleted === 0)
  if (yes === true || isLossless) return
  if (json === true || !terminal.canAsk)
    throw new CairnError(
      'file-conflict',
      `The store ${plan.present === 'unreadable' ? 'may hold' : 'holds'} what the backup lacks${lostText(plan) === '' ? '' : ` (${lostText(plan)})`}, so nothing was changed; look with --dry-run, or add --yes (the present store is kept).`,
    )
  const answer = await terminal.ask('The present store is kept among the backups. Go on? [y/N] ')
  if (!/^y(?:es)?$/i.test(answer ?? '')) throw new CairnError('file-conflict', 'Nothing was changed.')
}

/** `cairn purge`: removes everything from the store. */
import { basename } from 'node:path'
import { CairnError } from '@cairn/core'
import type { StoreStatistics } from '@cairn/core'
import type { CommonOptions, Context, Define } from '../command.ts'
import { storeName } from '../output/store-text.ts'
import { counted, formatBytes } from '../terminal/format.ts'

interface PurgeOptions extends CommonOptions {
  readonly yes?: boolean
}

const HELP = `
Everything goes: sessions, usage, notes and memory, and what was imported of
each file. The agents' own transcripts are not touched; "cairn import" takes
them in again.

Examples:
  cairn purge                          asks for the store's name
  cairn purge --yes --store file:s.db`

/** Declares `cairn purge`: description, options, help and action. */
export const define: Define = (command, context) => {
  command
    .description('Remove everything from the store.')
    .option('--yes', 'do not ask')
    .addHelpText('after', HELP)
    .action((options: PurgeOptions) => runPurge(options, context))
}

/** What the store holds, in words. */
const whatIsThere = ({ sessions, entries, requests, importedFiles, totalBytes }: StoreStatistics): string =>
  `${counted(sessions, 'session')} with ${counted(entries, 'log entry')}, ${counted(requests, 'request')}, ${counted(importedFiles, 'imported file')} (${formatBytes(totalBytes)})`

/** The number of backups of a store. */
const backupsOf = async (address: string): Promise<number> => {
  if (!address.startsWith('file:')) return 0
  const { listBackups } = await import('@cairn/storage-prisma/backups')
  return listBackups(address.slice('file:'.length)).length
}

/** Asks the user to type the store's name. Rejects when the answer is another, or nobody can be asked. */
const confirm = async (name: string, what: string, { terminal }: Context): Promise<void> => {
  if (!terminal.canAsk)
    throw new CairnError('usage', 'There is no terminal to ask on: add --yes to remove everything from the store.')
  terminal.note(`This removes ${what}.`)
  const answer = await terminal.ask(`Type the store's name (${name}) to go on: `)
  if (answer !== name) throw new CairnError('usage', 'That is not its name; nothing was removed.')
}

/** Empties the store after a question, which `--yes` answers. */
const runPurge = async (options: PurgeOptions, context: Context): Promise<void> => {
  // Ignoring it would remove other projects, too.
  if (options.workspace !== undefined)
    throw new CairnError(
      'usage',
      'purge empties the whole store, not one project of it; sessions are removed one by one with: cairn session delete <id>',
    )
  const { store } = await context.settings(options)
  const engine = await context.engine(options)
  const before = await engine.store.statistics()
  const name = basename(storeName(store.value).replace(/\?.*$/, ''))
  if (options.yes !== true) await confirm(name, whatIsThere(before), context)
  await engine.store.purge()
  const { totalBytes } = await engine.store.statistics()
  const { sessions, entries, requests, importedFiles } = before
  if (options.json === true)
    return context.json({
      store: before.location,
      removed: { sessions, entries, requests, importedFiles, bytes: Math.max(0, before.totalBytes - totalBytes) },
    })
  await context.terminal.line(`Removed ${whatIsThere(before)} from ${before.location}.`)
  const backups = await backupsOf(store.value)
  if (backups > 0)
    await context.terminal.line(
      `${counted(backups, 'backup')} of it ${backups === 1 ? 'is' : 'are'} still there: cairn backup --list`,
    )
}

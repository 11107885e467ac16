/** `cairn purge`: deletes everything from the store and, on request, checkpoints; or a part of it (purge-part). */
import { basename } from 'node:path'
import { CairnError, storeAddresses } from '@cairn/core'
import type { Engine, StoreStatistics } from '@cairn/core'
import { dataFolder } from '@cairn/core/node'
import type { CommonOptions, Context, Define } from '../command.ts'
import { someText } from '../options/option-values.ts'
import { storeName } from '../output/store-name.ts'
import { counted, formatBytes } from '../terminal/format.ts'

interface PurgeOptions extends CommonOptions {
  readonly yes?: boolean
  readonly checkpoints?: boolean
  readonly person?: string
  readonly expired?: boolean
  readonly dryRun?: boolean
  readonly backups?: boolean
}

const HELP = `
Removes everything: sessions, usage, notes and memory, the record of what was
imported, and the history of "cairn chat" (not with --store, which names a store
other than the one you chat with). The agents' own transcripts are not touched;
"cairn import" imports them again. Checkpoints of files are outside of the store
and kept, unless you add --checkpoints.

With --person or --expired only part of it is removed: all that a person's
machines sent to a team's store, or what is older than the settings
retention.sessions and retention.text allow (docs/privacy.md). Each lists what
was removed, by kind, and what backups still contain. Deleted sessions stay out
of later syncs and imports.

Examples:
  cairn purge                          asks for the store's name
  cairn purge --yes --store file:s.db
  cairn purge --yes --checkpoints --store file:s.db
  cairn purge --expired --dry-run      what the policies would remove
  cairn purge --expired --yes          for cron
  cairn purge --person Ada --dry-run --store postgresql://…`

/** Declares `cairn purge`: description, options, help and action. */
export const define: Define = (command, context) => {
  command
    .description('Remove everything from the store.')
    .option('--yes', 'do not ask')
    .option('--checkpoints', 'also remove all checkpoints of files, of every folder')
    .option(
      '--person <name>',
      "only what a person's machines sent to a team's store",
      someText('--person', "a person's name"),
    )
    .option('--expired', 'only what is older than retention.sessions and retention.text allow')
    .option('--dry-run', 'with --person or --expired: count it, but remove nothing')
    .option('--backups', "with --person or --expired: also replace the store's backups by a new one")
    .addHelpText('after', HELP)
    .action((options: PurgeOptions) => run(options, context))
}

/**
 * Empties the store and, if it is the usual one, what was typed in chats; checkpoints go only with `--checkpoints`,
 * backups stay. With `--person` or `--expired` only that part goes: `--dry-run` just counts it, `--backups` replaces
 * the backups, too. Asks first, except with `--yes` or `--dry-run`. Rejects with `usage` if the user does not agree or
 * can't be asked, for any `--workspace`, for both parts at once, for a part with `--checkpoints`, and for `--dry-run`
 * or `--backups` without a part.
 */
const run = async (options: PurgeOptions, context: Context): Promise<void> => {
  const { person, expired = false, checkpoints = false, dryRun = false, backups = false, workspace } = options
  if (person === undefined && !expired) {
    if (dryRun || backups)
      throw new CairnError('usage', `${dryRun ? '--dry-run' : '--backups'} goes with --person or --expired.`)
    return runPurge(options, context)
  }
  if (person !== undefined && expired)
    throw new CairnError('usage', '--person and --expired are two different parts: give one of them.')
  if (checkpoints || workspace !== undefined)
    throw new CairnError(
      'usage',
      `${checkpoints ? '--checkpoints' : '--workspace'} does not go with --person or --expired.`,
    )
  const { runPartialPurge } = await import('./purge-part.ts')
  return runPartialPurge({ ...options, dryRun, backups }, context)
}

/** What the store holds, in words. */
const whatIsThere = ({ sessions, entries, requests, importedFiles, totalBytes }: StoreStatistics): string =>
  `${counted(sessions, 'session')} with ${counted(entries, 'log entry')}, ${counted(requests, 'request')}, ${counted(importedFiles, 'imported file')} (${formatBytes(totalBytes)})`

/** Returns the number of backups of a store; 0 for one on PostgreSQL. */
const backupsOf = async (address: string): Promise<number> => {
  if (!address.startsWith('file:')) return 0
  const { listBackups } = await import('@cairn/storage-prisma/backups')
  return listBackups(address.slice('file:'.length)).length
}

/** Asks the user to type the store's name. Rejects with `usage` when the answer is another, or nobody can be asked. */
const confirm = async (name: string, what: string, { terminal }: Context): Promise<void> => {
  if (!terminal.canAsk)
    throw new CairnError('usage', 'There is no terminal to ask on: add --yes to remove everything from the store.')
  terminal.note(`This removes ${what}.`)
  const answer = await terminal.ask(`Type the store's name (${name}) to go on: `)
  if (answer !== name) throw new CairnError('usage', 'That is not its name; nothing was removed.')
}

/**
 * Empties the store after a question, which `--yes` answers, and removes what was typed in chats unless `--store` or a
 * project's file names the store; checkpoints only with `--checkpoints`, backups never. Rejects with `usage` if the
 * answer is not the store's name, and for a workspace: it is never only one project.
 */
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
  const name = storeAddresses(store.value)
    .map((address) => basename(storeName(address).replace(/\?.*$/, '')))
    .join(' ')
  const roots = await engine.checkpoints.roots()
  const isWithCheckpoints = options.checkpoints === true
  const more =
    isWithCheckpoints && roots.length > 0 ? `, and all checkpoints of ${counted(roots.length, 'folder')}` : ''
  if (options.yes !== true) await confirm(name, `${whatIsThere(before)}${more}`, context)
  await engine.store.purge()
  const checkpoints = isWithCheckpoints ? await eraseCheckpoints(engine, roots) : NO_CHECKPOINTS
  const chats = await removeChatHistory(options, context)
  const { totalBytes } = await engine.store.statistics()
  const { sessions, entries, requests, importedFiles } = before
  if (options.json === true)
    return context.json({
      store: before.location,
      removed: {
        sessions,
        entries,
        requests,
        importedFiles,
        bytes: Math.max(0, before.totalBytes - totalBytes),
        checkpoints: checkpoints.checkpoints,
        checkpointBytes: checkpoints.bytes,
        chatHistories: chats,
      },
    })
  const { terminal } = context
  await terminal.line(`Removed ${whatIsThere(before)} from ${before.location}.`)
  if (chats > 0) await terminal.line(`Removed what was typed in the chats of ${counted(chats, 'project')}.`)
  if (isWithCheckpoints)
    await terminal.line(
      `Removed ${counted(checkpoints.checkpoints, 'checkpoint')} of ${counted(roots.length, 'folder')} (${formatBytes(checkpoints.bytes)}).`,
    )
  else if (roots.length > 0)
    await terminal.line(
      `Checkpoints of ${counted(roots.length, 'folder')} stay; cairn purge --checkpoints removes them, too.`,
    )
  const backups = await backupsOf(store.value)
  if (backups > 0)
    await terminal.line(
      `${counted(backups, 'backup')} of it ${backups === 1 ? 'is' : 'are'} still there: cairn backup --list`,
    )
}

/**
 * Removes what was typed in chats, and returns of how many projects. Removes nothing, and returns 0, if `--store` or a
 * project's settings file names the store: the histories belong to the user's usual one.
 */
const removeChatHistory = async (options: PurgeOptions, context: Context): Promise<number> => {
  const { store } = await context.settings(options)
  if (store.origin.from === 'flag' || store.origin.from === 'workspace') return 0
  const { removeHistories } = await import('../chat/input/remove-histories.ts')
  return removeHistories(dataFolder(context.surroundings))
}

interface ErasedCheckpoints {
  readonly checkpoints: number
  readonly bytes: number
}

const NO_CHECKPOINTS: ErasedCheckpoints = { checkpoints: 0, bytes: 0 }

/**
 * Removes the checkpoints of these folders; says how many, and their bytes. Rejects as the checkpoints do; those of
 * former folders are gone then.
 */
const eraseCheckpoints = async (engine: Engine, roots: readonly string[]): Promise<ErasedCheckpoints> => {
  let all = NO_CHECKPOINTS
  for (const root of roots) {
    const { checkpoints, bytes } = await engine.checkpoints.erase(root)
    all = { checkpoints: all.checkpoints + checkpoints, bytes: all.bytes + bytes }
  }
  return all
}

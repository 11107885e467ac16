/** `cairn session`: its subcommands, each in a module of its own. */
import type { Define } from '../command.ts'
import { oneOf, wholeNumber } from '../option-values.ts'
import type { DeleteOptions } from './session-delete.ts'
import type { ExportOptions } from './session-export.ts'
import type { ListOptions } from './session-list.ts'
import type { ShowOptions } from './session-show.ts'

const SORTS = ['updated', 'started', 'cost', 'messages'] as const

const LIST_HELP = `
Examples:
  cairn session list
  cairn session list --sort cost --limit 10
  cairn session list --workspace . --since 7d --text "login"
  cairn session list --branch main --model claude-opus-4-6
  cairn session list --sort started --reverse --limit 1
  cairn session list --agent codex --json`

const SHOW_HELP = `
An id is what "session list" shows, or its beginning.

Examples:
  cairn session show 0ccf1a04
  cairn session show 0ccf1a04 --full | less`

const EXPORT_HELP = `
JSON holds the session, every log entry with its blocks unchanged, the requests,
and the transcript's lines byte for byte ("text", or "base64" where a line is
not valid UTF-8). Secrets were replaced before anything was stored; "redactions"
says how many.

Examples:
  cairn session export 0ccf1a04 --format md --output talk.md
  cairn session export 0ccf1a04 --format json --no-source`

const DELETE_HELP = `
Removes the log, the usage and the transcript's lines, for real. An import does
not bring it back; the agent's own files are not touched.

Examples:
  cairn session delete 0ccf1a04
  cairn session delete 0ccf1a04 --yes --json`

export const define: Define = (command, context) => {
  command.description('The sessions in the store.')
  command
    .command('list')
    .description('Sessions, the latest first.')
    .option('--limit <n>', 'at most so many', wholeNumber('--limit', 1), 20)
    .option('--offset <n>', 'leave out the first so many', wholeNumber('--offset'), 0)
    .option('--sort <by>', SORTS.join(', '), oneOf('--sort', SORTS), 'updated')
    .option('--reverse', 'the earliest or smallest first')
    .option('--agent <name>', 'only this agent')
    .option('--branch <name>', 'only sessions on this branch')
    .option('--model <name>', 'only sessions that used this model')
    .option('--text <words>', 'only titles that hold this')
    .option('--since <time>', 'active since')
    .option('--until <time>', 'begun before')
    .addHelpText('after', LIST_HELP)
    .action(async (options: ListOptions) => (await import('./session-list.ts')).runList(options, context))
  command
    .command('show')
    .description('A session to read.')
    .argument('<id>', 'a session, or the beginning of its id')
    .option('--full', 'tool calls, results and reasoning in full')
    .addHelpText('after', SHOW_HELP)
    .action(async (id: string, options: ShowOptions) => (await import('./session-show.ts')).runShow(id, options, context))
  command
    .command('export')
    .description('A session as a document.')
    .argument('<id>', 'a session, or the beginning of its id')
    .requiredOption('--format <format>', 'json or md')
    .option('--output <file>', 'write to this file instead of standard output')
    .option('--no-source', "leave the transcript's lines out (json)")
    .addHelpText('after', EXPORT_HELP)
    .action(async (id: string, options: ExportOptions) => (await import('./session-export.ts')).runExport(id, options, context))
  command
    .command('delete')
    .description('Remove a session from the store.')
    .argument('<id>', 'a session, or the beginning of its id')
    .option('--yes', 'do not ask')
    .addHelpText('after', DELETE_HELP)
    .action(async (id: string, options: DeleteOptions) => (await import('./session-delete.ts')).runDelete(id, options, context))
}


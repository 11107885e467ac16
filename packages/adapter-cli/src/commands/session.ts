/** `cairn session`: its subcommands, each in a module of its own. */
import { Option } from 'commander'
import type { Command } from 'commander'
import { POLICY_NAMES, PRESET_NAMES } from '@cairn/core'
import type { CommonOptions, Context, Define } from '../command.ts'
import { withModelOptions } from '../options/model-options.ts'
import { oneOf, someText, wholeNumber } from '../options/option-values.ts'
import type { DeleteOptions } from './session-delete.ts'
import type { ExportOptions } from './session-export.ts'
import type { FilesOptions } from './session-files.ts'
import type { ListOptions } from './session-list.ts'
import type { RewindOptions } from './session-rewind.ts'
import type { ShowOptions } from './session-show.ts'
import type { SummariseOptions } from './session-summarise.ts'
import type { FavouriteOptions, SwitchOptions } from './session-switch.ts'
import type { TrimOptions } from './session-trim.ts'
import { targetOf } from './trim-target.ts'

const TRIM_POLICIES = POLICY_NAMES.filter((name) => name !== 'none')
const FILE_STATES = ['active', 'stale', 'removed'] as const
const SORTS = ['updated', 'started', 'cost', 'messages'] as const

const LIST_HELP = `
With --live: how full each context is, the cost per hour, how long the cache is
kept, and what the session is doing.

Examples:
  cairn session list
  cairn session list --sort cost --limit 10
  cairn session list --workspace . --since 7d --text "login"
  cairn session list --project shop
  cairn session list --branch main --model claude-opus-4-6
  cairn session list --sort started --reverse --limit 1
  cairn session list --agent codex --json
  cairn session list --live`

const SHOW_HELP = `
An id is what "session list" shows, or the beginning of it; the default is the
project's current session. Messages removed by a rewind are marked.

Examples:
  cairn session show 0ccf1a04
  cairn session show 0ccf1a04 --full | less
  cairn session show 0ccf1a04 --at "2026-01-31 12:00"
  cairn session show 0ccf1a04 --message=#20 --around 5
  cairn session show 0ccf1a04 --notes
  cairn session show 0ccf1a04 --outline`

const FILES_HELP = `
active: the context has the file as it is. stale: it changed after the agent
read or wrote it. removed: nothing of it is in the context any more.
Who changed it is derived from its content and the other sessions in the store:
person, formatter or agent; unsure if that is not clear.

Examples:
  cairn session files 0ccf1a04
  cairn session files 0ccf1a04 --state stale --json
  cairn session files 0ccf1a04 --since "2026-01-31 12:00"
  cairn session files 0ccf1a04 --no-disk --limit 10`

const EXPORT_HELP = `
HTML is a single file to send or print, without scripts or anything to load.
Markdown keeps messages as written; whatever could run or load becomes text.
JSON has the session, every log entry with its blocks unchanged, the requests,
and the transcript's lines byte for byte ("text", or "base64" if a line is not
valid UTF-8). Secrets were replaced before anything was stored ("redactions"
counts them); any that remain are replaced in the export.

Examples:
  cairn session export 0ccf1a04 --format html --output talk.html
  cairn session export 0ccf1a04 --format md --output talk.md
  cairn session export 0ccf1a04 --format json --no-source`

const REWIND_HELP = `
Later messages disappear from every view: the next request, the display, tasks.
The log keeps them, so a rewind can be undone, and --undo can be undone as well.
The message you name stays, with all before it; a date keeps the whole day.
Files on disk are not touched.

Examples:
  cairn session rewind 0ccf1a04 --to fb612ee9 --dry-run
  cairn session rewind 0ccf1a04 --to fb612ee9
  cairn session rewind 0ccf1a04 --to "2026-01-31 12:00"
  cairn session rewind 0ccf1a04 --undo`

const SUMMARISE_HELP = `
Without --model the summary is made from the log alone: first what the session
was about (requests, decisions, files, commits), then the conversation within
the target: the newest parts in full, older ones shortened, then one line each,
then only counted.

With --model that model writes it, in seven sections; the session is sent to its
provider, and the cost is recorded in the session. With --compact it replaces
the older messages in what the model is sent; the log keeps them, and a rewind
undoes it. A summary that would not shrink the conversation, or that leaves out
what it was about, is refused (exit code 3).

Examples:
  cairn session summarise 0ccf1a04
  cairn session summarise 0ccf1a04 --target 500
  cairn session summarise 0ccf1a04 --target 10% --json
  cairn session summarise 0ccf1a04 --model claude-haiku-4-5
  cairn session summarise 0ccf1a04 --model claude-haiku-4-5 --compact`

const TRIM_HELP = `
Removes old parts from what the model is sent, as the policy decides. The log
keeps all of it, and no other session is touched. Pinned blocks and the newest
question stay.

Examples:
  cairn session trim 0ccf1a04 --dry-run
  cairn session trim 0ccf1a04 --target 40k
  cairn session trim 0ccf1a04 --target 30% --policy clio`

const SWITCH_HELP = `
Commands that take a session use this one by default, in its project.

Examples:
  cairn session switch 0ccf1a04
  cairn session switch                 show the current one
  cairn session switch --newest        back to the newest one`

const NAME_HELP = `
Examples:
  cairn session name 0ccf1a04 The flaky login test`

const FAVOURITE_HELP = `
Examples:
  cairn session favourite 0ccf1a04
  cairn session favourite 0ccf1a04 --off`

const DELETE_HELP = `
Permanently removes the log, the usage and the transcript's lines. An import
does not bring the session back; the agent's own files are not touched.

Examples:
  cairn session delete 0ccf1a04
  cairn session delete 0ccf1a04 --yes --json`

const ID_OR_CURRENT = "a session, or the beginning of its id (default: the project's current one)"

/** Declares `cairn session`: description, options, help and action. */
export const define: Define = (command, context) => {
  command
    .description('List, show, export, change and delete sessions.')
    .addHelpText(
      'after',
      '\nExamples:\n  cairn session list --limit 5\n  cairn session show 0ccf1a04\n  cairn session export 0ccf1a04 --format md',
    )
  defineList(command, context)
  defineShow(command, context)
  defineFiles(command, context)
  defineExport(command, context)
  defineRewind(command, context)
  defineSummarise(command, context)
  defineTrim(command, context)
  defineSwitch(command, context)
  defineName(command, context)
  defineFavourite(command, context)
  defineDelete(command, context)
}

/** Declares `session list`. */
const defineList = (command: Command, context: Context): void => {
  command
    .command('list')
    .description('List sessions, the latest first.')
    .option('--limit <n>', 'at most n', wholeNumber('--limit', 1), 20)
    .option('--offset <n>', 'skip the first n', wholeNumber('--offset'), 0)
    .option('--sort <by>', SORTS.join(', '), oneOf('--sort', SORTS), 'updated')
    .option('--reverse', 'list the earliest or smallest first')
    .option('--agent <name>', 'only this agent')
    .option(
      '--project <name>',
      'only this project, with all its folders',
      someText('--project', "a project's name or folder"),
    )
    .option('--branch <name>', 'only sessions that were on this branch', someText('--branch', "a branch's name"))
    .option('--model <name>', 'only sessions that used this model', someText('--model', "a model's name"))
    .option('--text <words>', 'only titles that contain this', someText('--text', 'a part of a title'))
    .option('--favourites', 'only sessions with a star (cairn session favourite)')
    .option('--since <time>', 'active since then')
    .option('--until <time>', 'started before then')
    .option('--live', 'only those active in the last ten minutes, with their current state')
    .addHelpText('after', LIST_HELP)
    .action(async (options: ListOptions) =>
      options.live === true
        ? (await import('./session-live.ts')).runLive(options, context)
        : (await import('./session-list.ts')).runList(options, context),
    )
}

/** Declares `session show`. */
const defineShow = (command: Command, context: Context): void => {
  command
    .command('show')
    .description('Show a session.')
    .argument('[id]', ID_OR_CURRENT)
    .option('--at <time>', 'as it was at this time')
    .option(
      '--message <id>',
      'only this message (its id or #number) and those around it',
      someText('--message', "a message's id or its number, #12"),
    )
    .option('--around <n>', 'n messages before and after it', wholeNumber('--around'), 3)
    .option('--full', 'tool calls, results and reasoning in full')
    .option('--notes', 'show instead where the work stood before each context trim')
    .option('--outline', 'show instead what each turn cost, with its subagents')
    .addHelpText('after', SHOW_HELP)
    .action(async (id: string | undefined, options: ShowOptions) =>
      (await import('./session-show.ts')).runShow(id, options, context),
    )
}

/** Declares `session files`. */
const defineFiles = (command: Command, context: Context): void => {
  command
    .command('files')
    .description('List the files a session knows: whether they changed since, and by whom.')
    .argument('[id]', ID_OR_CURRENT)
    .option('--state <state>', FILE_STATES.join(', '), oneOf('--state', FILE_STATES))
    .option('--since <message|time>', 'only files edited after it', someText('--since', 'a message or a time'))
    .option('--limit <n>', 'at most n, the last used first', wholeNumber('--limit', 1), 50)
    .option('--no-disk', 'use only the log')
    .option('--acknowledge', 'do not show these warnings again')
    .addHelpText('after', FILES_HELP)
    .action(async (id: string | undefined, options: FilesOptions) =>
      (await import('./session-files.ts')).runFiles(id, options, context),
    )
}

/** Declares `session export`. */
const defineExport = (command: Command, context: Context): void => {
  command
    .command('export')
    .description('Export a session as a document.')
    .argument('[id]', ID_OR_CURRENT)
    .requiredOption('--format <format>', 'html, md or json')
    .option('--output <file>', 'write to this file instead of standard output')
    .addOption(new Option('--to <file>', 'same as --output').hideHelp())
    .option('--no-source', "leave out the transcript's lines (json)")
    .addHelpText('after', EXPORT_HELP)
    .action(async (id: string | undefined, options: ExportOptions) =>
      (await import('./session-export.ts')).runExport(id, options, context),
    )
}

/** Declares `session rewind`. */
const defineRewind = (command: Command, context: Context): void => {
  command
    .command('rewind')
    .description('Rewind a session to a message or a time.')
    .argument('[id]', ID_OR_CURRENT)
    .option('--to <message|time>', 'the last to keep; #12 is the number of an entry')
    .option('--undo', 'undo the last rewind')
    .option('--dry-run', 'only show what would be removed')
    .addHelpText('after', REWIND_HELP)
    .action(async (id: string | undefined, options: RewindOptions) =>
      (await import('./session-rewind.ts')).runRewind(id, options, context),
    )
}

/** Declares `session summarise`. */
const defineSummarise = (command: Command, context: Context): void => {
  const summarise = command
    .command('summarise')
    .description('Summarise a session, with or without a model.')
    .argument('[id]', ID_OR_CURRENT)
    .option('--target <tokens|%>', 'without a model: the length of the conversation (default: 2,000 tokens)', targetOf)
  withModelOptions(summarise, 'this model writes the summary')
    .option('--compact', "replace the older messages by the model's summary")
    .option(
      '--keep <tokens>',
      'with --compact: the newest messages to keep (default: a quarter, at most 20,000)',
      wholeNumber('--keep'),
    )
    .addHelpText('after', SUMMARISE_HELP)
    .action(async (id: string | undefined, options: SummariseOptions) =>
      (await import('./session-summarise.ts')).runSummarise(id, options, context),
    )
}

/** Declares `session trim`. */
const defineTrim = (command: Command, context: Context): void => {
  command
    .command('trim')
    .description("Remove old parts from a session's context.")
    .argument('[id]', ID_OR_CURRENT)
    .option('--target <tokens|%>', 'the size of the messages afterwards (default: half of the current size)', targetOf)
    .option('--policy <name>', TRIM_POLICIES.join(', '), oneOf('--policy', TRIM_POLICIES), 'cache-aware')
    .option('--preset <name>', `of cache-aware: ${PRESET_NAMES.join(', ')}`, oneOf('--preset', PRESET_NAMES), 'safe')
    .option('--dry-run', 'only show what would be removed')
    .addHelpText('after', TRIM_HELP)
    .action(async (id: string | undefined, options: TrimOptions) =>
      (await import('./session-trim.ts')).runTrim(id, options, context),
    )
}

/** Declares `session switch`. */
const defineSwitch = (command: Command, context: Context): void => {
  command
    .command('switch')
    .description('Choose the session that commands use by default.')
    .argument('[id]', 'a session, or the beginning of its id')
    .option('--newest', 'go back to the newest session of the project')
    .addHelpText('after', SWITCH_HELP)
    .action(async (id: string | undefined, options: SwitchOptions) =>
      (await import('./session-switch.ts')).runSwitch(id, options, context),
    )
}

/** Declares `session name`. */
const defineName = (command: Command, context: Context): void => {
  command
    .command('name')
    .description('Give a session a title.')
    .argument('<id>', 'a session, or the beginning of its id')
    .argument('<title...>', 'the title')
    .addHelpText('after', NAME_HELP)
    .action(async (id: string, title: readonly string[], options: CommonOptions) =>
      (await import('./session-switch.ts')).runName(id, title, options, context),
    )
}

/** Declares `session favourite`. */
const defineFavourite = (command: Command, context: Context): void => {
  command
    .command('favourite')
    .description('Mark a session with a star.')
    .argument('[id]', ID_OR_CURRENT)
    .option('--off', 'remove the star')
    .addHelpText('after', FAVOURITE_HELP)
    .action(async (id: string | undefined, options: FavouriteOptions) =>
      (await import('./session-switch.ts')).runFavourite(id, options, context),
    )
}

/** Declares `session delete`. */
const defineDelete = (command: Command, context: Context): void => {
  command
    .command('delete')
    .description('Remove a session from the store.')
    .argument('<id>', 'a session, or the beginning of its id')
    .option('--yes', 'do not ask')
    .addHelpText('after', DELETE_HELP)
    .action(async (id: string, options: DeleteOptions) =>
      (await import('./session-delete.ts')).runDelete(id, options, context),
    )
}

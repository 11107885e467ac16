/** `cairn memory`: its subcommands, whose modules are loaded on demand. */
import { MEMORY_KINDS } from '@cairn/core'
import type { MemoryKind } from '@cairn/core'
import type { Command } from 'commander'
import type { CommonOptions, Context, Define } from '../command.ts'
import { collecting, oneOf, someText, wholeNumber } from '../options/option-values.ts'
import { refuseRepeated } from '../options/repeated-options.ts'
import { checkNoWords } from '../options/wrong-usage.ts'
import type { AddOptions, ConfirmOptions, ContradictOptions, UpdateOptions } from './memory-edit.ts'
import type { HistoryOptions, LimitedListOptions, SearchOptions } from './memory-list.ts'
import type { ExportOptions } from './memory-transfer.ts'
import type { CheckOptions, PruneOptions, ShowOptions } from './memory-maintenance.ts'
import type { SuggestOptions } from './memory-suggest.ts'
import { commitHash, share } from './memory-values.ts'

const KINDS = MEMORY_KINDS.join(', ')
const kindOption = oneOf<MemoryKind>('--kind', MEMORY_KINDS)
const exampleOption = collecting(someText('--example', 'a place such as src/a.ts:12, or a few words'))
const ID_HELP =
  'An id is what "memory list" shows: the end of the full one. The beginning works\ntoo, as long as it is unique.'

const HELP = `
What you and your agents learnt about a project, kept for later sessions. The
project is the current one; --workspace chooses another. Nothing is overwritten:
"history" and "--as-of" show earlier versions. An entry has at most 20,000
characters and 50 examples.

Examples:
  cairn memory add discovery "The API's tests need a running Redis"
  cairn memory list
  cairn memory search "redis tests"
  cairn memory show                what a session gets to see`

/** Declares `cairn memory`: description, options, help and action. */
export const define: Define = (command, context) => {
  command.description('What was learnt about a project: list, search, add, correct, share.').addHelpText('after', HELP)
  defineReading(command, context)
  defineEditing(command, context)
  defineMaintenance(command, context)
  defineTransfer(command, context)
  refuseRepeated(command)
}

/** Declares the subcommands that read entries: list, search and history. */
const defineReading = (command: Command, context: Context): void => {
  const listing = () => import('./memory-list.ts')
  command
    .command('list', { isDefault: true })
    .description('List all entries, the most recently confirmed first.')
    .allowExcessArguments()
    .option('--limit <n>', 'at most n', wholeNumber('--limit', 1))
    .option('--kind <kind>', KINDS, kindOption)
    .option('--as-of <time>', 'as it was at this time')
    .option('--ended', 'those that are not current any more, the last ended first')
    .addHelpText(
      'after',
      '\nExamples:\n  cairn memory list\n  cairn memory list --kind solution --workspace app\n  cairn memory list --as-of 2026-01-31 --json',
    )
    .action(async (options: LimitedListOptions, list: Command) => {
      checkNoWords(list, command)
      return (await listing()).runList(options, context)
    })
  command
    .command('search')
    .description('Find entries with these words, best first.')
    .argument('<words...>', 'words to look for')
    .option('--limit <n>', 'at most n', wholeNumber('--limit', 1), 10)
    .option('--kind <kind>', KINDS, kindOption)
    .option('--as-of <time>', 'as it was at this time')
    .addHelpText(
      'after',
      '\nExamples:\n  cairn memory search redis\n  cairn memory search "why do the tests fail" --kind failure --limit 3',
    )
    .action(async (words: readonly string[], options: SearchOptions) =>
      (await listing()).runSearch(words.join(' '), options, context),
    )
  command
    .command('history')
    .description('Show every version of an entry, oldest first, and what it replaced.')
    .argument('<id>', 'an entry: the end of its id, or the beginning')
    .addHelpText(
      'after',
      `\n${ID_HELP} Forgotten entries have a\nhistory, too.\n\nExamples:\n  cairn memory history 7q8r9s0t\n  cairn memory history 7q8r9s0t --json`,
    )
    .action(async (id: string, options: HistoryOptions) => (await listing()).runHistory(id, options, context))
}

const ADD_HELP = `
Kinds: discovery (a fact), solution (what fixed something), pattern (how things
are done here), workflow (steps), failure (what does not work), context_rule
(what to keep in mind). If the same text is already there, it is confirmed
instead. Secrets are replaced before anything is stored.

Examples:
  cairn memory add discovery "Tests need Redis on port 6380"
  cairn memory add solution "EMFILE: raise ulimit before the e2e suite" \\
    --example scripts/e2e.sh:12 --confidence 0.9
  cairn memory add failure "Node 20 has no execve" --session 0ccf1a04 \\
    --commit 1a2b3c4`

/** Declares the subcommands that add, change and end entries. */
const defineEditing = (command: Command, context: Context): void => {
  const editing = () => import('./memory-edit.ts')
  command
    .command('add')
    .description('Remember something.')
    .argument('<kind>', KINDS, oneOf<MemoryKind>('The kind', MEMORY_KINDS))
    .argument('<text...>', 'what to remember; "-" reads standard input')
    .option('--confidence <0…1>', 'how sure you are (default: 0.8 for a discovery, else 0.7)', share('--confidence'))
    .option('--example <file:line>', 'where to see it (repeatable)', exampleOption)
    .option('--session <id>', 'the session in which it was learnt')
    .option('--commit <hash>', "the commit that shows it (default: the repository's HEAD)", commitHash)
    .addHelpText('after', ADD_HELP)
    .action(async (kind: MemoryKind, text: readonly string[], options: AddOptions) =>
      (await editing()).runAdd(kind, text.join(' '), options, context),
    )
  command
    .command('confirm')
    .description('Confirm that an entry is still true, which raises its confidence.')
    .argument('<id>', 'an entry: the end of its id, or the beginning')
    .option('--applied', 'it also helped to solve something')
    .addHelpText(
      'after',
      `\n${ID_HELP}\n\nExamples:\n  cairn memory confirm 7q8r9s0t\n  cairn memory confirm 7q8r9s0t --applied`,
    )
    .action(async (id: string, options: ConfirmOptions) => (await editing()).runConfirm(id, options, context))
  command
    .command('contradict')
    .description('Report that an entry is wrong, which lowers its confidence.')
    .argument('<id>', 'an entry: the end of its id, or the beginning')
    .option('--replacement <text>', 'what is true instead', someText('--replacement', 'a text'))
    .addHelpText(
      'after',
      `\nA replacement becomes a new entry; the old one stays in the history.\n\nExamples:\n  cairn memory contradict 7q8r9s0t\n  cairn memory contradict 7q8r9s0t --replacement "Tests need Redis 8 on 6381"`,
    )
    .action(async (id: string, options: ContradictOptions) => (await editing()).runContradict(id, options, context))
  command
    .command('update')
    .description('Change an entry; the old version stays in its history.')
    .argument('<id>', 'an entry: the end of its id, or the beginning')
    .option('--text <text>', 'the new text; "-" reads standard input', someText('--text', 'a text'))
    .option('--kind <kind>', KINDS, kindOption)
    .option('--confidence <0…1>', 'how sure you are', share('--confidence'))
    .option('--example <file:line>', 'replaces the old examples (repeatable)', exampleOption)
    .addHelpText(
      'after',
      `\n${ID_HELP}\n\nExamples:\n  cairn memory update 7q8r9s0t --text "Tests need Redis on port 6381"\n  cairn memory update 7q8r9s0t --kind context_rule --confidence 1`,
    )
    .action(async (id: string, options: UpdateOptions) => (await editing()).runUpdate(id, options, context))
  command
    .command('forget')
    .description('End an entry: sessions no longer see it.')
    .argument('<id>', 'an entry: the end of its id, or the beginning')
    .addHelpText(
      'after',
      `\nIts history and "list --as-of" an earlier time still show it.\n\nExamples:\n  cairn memory forget 7q8r9s0t\n  cairn memory forget 7q8r9s0t --json`,
    )
    .action(async (id: string, options: CommonOptions) => (await editing()).runForget(id, options, context))
}

const PRUNE_HELP = `
Ends entries that were not confirmed for a long time or have low confidence
(except solutions), and those beyond the best 200 of a kind. They stay in the
history.

Examples:
  cairn memory prune --dry-run
  cairn memory prune --max-age-days 180 --min-confidence 0.2`

const CHECK_HELP = `
Looks at the files that entries cite, in the project's folder. Lines that moved
are found again; an entry that cites something that is gone loses confidence.
Files are only read, and nothing is deleted.

Examples:
  cairn memory check --dry-run
  cairn memory check --workspace ~/code/app --json`

/** Declares the subcommands that look after the memory as a whole. */
const defineMaintenance = (command: Command, context: Context): void => {
  const maintenance = () => import('./memory-maintenance.ts')
  command
    .command('show')
    .description('Show what a session gets of the memory, or one entry.')
    .argument('[id]', 'an entry: the end of its id, or the beginning')
    .option('--max-tokens <n>', 'the budget of what a session gets (default: 3000)', wholeNumber('--max-tokens', 1))
    .option('--as-of <time>', 'as it was at this time; for a session, as if it had begun then')
    .addHelpText(
      'after',
      '\nWithout an id: the text that is put in front of a session, marked as data, the\nbest entries first, within the budget.\n\nExamples:\n  cairn memory show\n  cairn memory show --max-tokens 500 --workspace app\n  cairn memory show 7q8r9s0t --as-of 2026-01-31',
    )
    .action(async (id: string | undefined, options: ShowOptions) => (await maintenance()).runShow(id, options, context))
  command
    .command('stats')
    .description('Show how many entries there are, by kind, and their confidence.')
    .addHelpText('after', '\nExamples:\n  cairn memory stats\n  cairn memory stats --workspace app --json')
    .action(async (options: CommonOptions) => (await maintenance()).runStats(options, context))
  command
    .command('prune')
    .description('End entries that are old, doubtful or too many.')
    .option('--dry-run', 'only show which would be ended')
    .option(
      '--max-age-days <n>',
      'end entries not confirmed for more days than this',
      wholeNumber('--max-age-days', 1),
      90,
    )
    .option('--min-confidence <0…1>', 'end entries with less confidence than this', share('--min-confidence'), 0.3)
    .addHelpText('after', PRUNE_HELP)
    .action(async (options: PruneOptions) => (await maintenance()).runPrune(options, context))
  command
    .command('consolidate')
    .description('Merge entries with the same text.')
    .addHelpText(
      'after',
      '\nEntries are merged if they have the same words in the same order.\n\nExamples:\n  cairn memory consolidate\n  cairn memory consolidate --json',
    )
    .action(async (options: CommonOptions) => (await maintenance()).runConsolidate(options, context))
  command
    .command('check')
    .description('Check whether the files that entries cite still say the same.')
    .option('--dry-run', 'only show what was found')
    .addHelpText('after', CHECK_HELP)
    .action(async (options: CheckOptions) => (await maintenance()).runCheck(options, context))
  command
    .command('suggest')
    .description('Suggest entries from what recent sessions have in common.')
    .option('--accept <id>', 'remember this one (repeatable)', suggestionOption('--accept'))
    .option('--dismiss <id>', 'never suggest this one again (repeatable)', suggestionOption('--dismiss'))
    .option(
      '--branch <name>',
      'the branch whose files are suggested (default: the current one)',
      someText('--branch', 'a name'),
    )
    .addHelpText('after', SUGGEST_HELP)
    .action(async (options: SuggestOptions) => (await import('./memory-suggest.ts')).runSuggest(options, context))
}

/** Reads an option with a suggestion's id, which may be repeated. */
const suggestionOption = (name: string) => collecting(someText(name, "a suggestion's id, or its beginning"))

const SUGGEST_HELP = `
Found in the log, without a model: checks (tests, linters, builds) that at least
four of the last ten sessions ran, files that at least five of them began with,
and the files that the branch's last session edited. What the project's own
instruction files (AGENTS.md, CLAUDE.md, .cursor/rules, ...) or its memory
already say is not suggested. Nothing is remembered until you accept it.

Examples:
  cairn memory suggest
  cairn memory suggest --json`

const EXPORT_HELP = `
Readable Markdown, in an order that git merges well: put the file into the
repository, and others can "cairn memory import" it. A file with entries that
the store does not have is not overwritten (exit code 3): import it first, or
use --merge, which does both. Missing folders of the project are created.

Examples:
  cairn memory export --to .cairn/memory.md
  cairn memory export --to .cairn/memory.md --merge
  cairn memory export --workspace app | less`

const IMPORT_HELP = `
Reads a file that "memory export" wrote, even with both sides of a conflict in
it, or CLIO's memory: its ltm.json, or the folder .clio. Known entries are not
imported twice.

Examples:
  cairn memory import .cairn/memory.md
  cairn memory import .clio`

/** Declares `memory export` and `memory import`. */
const defineTransfer = (command: Command, context: Context): void => {
  const transfer = () => import('./memory-transfer.ts')
  command
    .command('export')
    .description('Write the entries to a readable file for sharing.')
    .option('--to <file>', 'write to this file instead of standard output (-)', someText('--to', "a file's path"))
    .option('--merge', 'import what the file has first')
    .addHelpText('after', EXPORT_HELP)
    .action(async (options: ExportOptions) => (await transfer()).runExport(options, context))
  command
    .command('import')
    .description("Import an exported file, or CLIO's memory.")
    .argument('<file|folder>', "a file, or CLIO's folder")
    .addHelpText('after', IMPORT_HELP)
    .action(async (path: string, options: CommonOptions) => (await transfer()).runImport(path, options, context))
}

/** `cairn checkpoint`: its subcommands, whose modules are loaded on demand. */
import { Option } from 'commander'
import type { Command } from 'commander'
import type { CommonOptions, Context, Define } from '../command.ts'
import { oneOf, someText, wholeNumber } from '../options/option-values.ts'
import { refuseRepeated } from '../options/repeated-options.ts'
import { forEachRoot, workspacesOption } from '../options/several-roots.ts'
import type { RootsOptions } from '../options/several-roots.ts'
import { checkNoWords } from '../options/wrong-usage.ts'
import type { CreateOptions } from './checkpoint-create.ts'
import type { DiffOptions } from './checkpoint-diff.ts'
import type { ListOptions } from './checkpoint-list.ts'
import type { PruneOptions } from './checkpoint-prune.ts'
import type { RestoreOptions } from './checkpoint-restore.ts'

/** Options of a command that can be told several folders. */
type Several<O extends CommonOptions> = Omit<O, 'workspace'> & RootsOptions

const HELP = `
A checkpoint keeps the files of a folder as they are, in a git repository of
Cairn's own below the data folder. Your repository is read for its ignore rules
and never written. It is about the project that you are in; --workspace chooses
another folder. Needs git in the PATH.

Left out, and named: what git ignores, files whose name says that they hold a
secret (.env, *.pem, id_rsa, ...), files over 10 MB, sockets and devices. A
restore neither writes nor removes any of it.

Kept: 30 days, 500 checkpoints and 2 GB a folder; the newest one always. With
cairn config set checkpoints.enabled false no more are made (exit code 3).

Examples:
  cairn checkpoint create --label "before the upgrade"
  cairn checkpoint list
  cairn checkpoint diff latest       what changed since the newest one
  cairn checkpoint restore latest    shows what would be lost, asks, restores
  cairn checkpoint undo              takes the last restore back`

const ID = 'a checkpoint: its id, its beginning or end, or "latest" (that you made)'

const CREATE_HELP = `
The first checkpoint of a folder reads every file, later ones only what changed;
to find that they look at each file's time and size. Whoever knows what changed
names it (files, or folders with all in them): then nothing else is looked at.
Everything else is kept as it was seen last; the next checkpoint without paths
catches up. Paths are relative to the folder that you are in, or to that of
--workspace. --paths-from reads a path a line, or as "git ... -z" writes them.

Examples:
  cairn checkpoint create
  cairn checkpoint create src/main.ts src/parts
  git diff --name-only --relative -z | cairn checkpoint create --paths-from -
  cairn checkpoint create --label "before the upgrade"
  cairn checkpoint create --session 0ccf1a04 --json
  cairn checkpoint create --workspace ../lib
  cairn checkpoint create --workspace app --workspace lib --label "before"

--workspace may be repeated, or name a .code-workspace file: one checkpoint a
folder, with one label. A folder that is refused is named, the others are kept
(exit code 1). list, diff, restore and undo take several folders the same way.`

const DIFF_HELP = `
With one checkpoint: what changed in the folder since. With two: what changed
from the first to the second. Lines with - are of the earlier state.

Examples:
  cairn checkpoint diff latest
  cairn checkpoint diff 7q8r9s0t --names
  cairn checkpoint diff 7q8r9s0t 1a2b3c4d --json`

const RESTORE_HELP = `
Files get the content and permissions that they had; files made since are
removed. What would be lost is shown first, and who changed it as far as the
sessions in the store say. Everything is kept in a new checkpoint before, so
that "cairn checkpoint undo" brings it back. What no checkpoint holds (ignored,
secret and large files) is never touched, and neither is your git repository.
With paths only these files, and folders with all in them, are restored.

--conversation takes the session that the checkpoint belongs to back to that
moment, as "cairn session rewind" does, and leaves the files; --both does both.

Exit codes: 0 done, or nothing to do; 1 done but for the files that are named; 3
nothing was changed, as nobody said yes or files changed after the preview.

Examples:
  cairn checkpoint restore latest --dry-run
  cairn checkpoint restore 7q8r9s0t
  cairn checkpoint restore 7q8r9s0t src/main.ts
  cairn checkpoint restore latest --yes --json`

const PRUNE_HELP = `
Also removes what killed processes left. It runs by itself when a folder has
many checkpoints.

Examples:
  cairn checkpoint prune --dry-run
  cairn checkpoint prune --keep 20
  cairn checkpoint prune --days 7 --all`

/** Declares `cairn checkpoint`: description, options, help and action. */
export const define: Define = (command, context) => {
  command.description("A folder's files as they were: keep, compare, give back, undo.").addHelpText('after', HELP)
  defineMaking(command, context)
  defineReading(command, context)
  defineRestoring(command, context)
  refuseRepeated(command)
}

const pathsFrom = (): Option =>
  new Option('--paths-from <file>', 'paths from a file, a line each; - reads standard input').argParser(
    someText('--paths-from', 'a file, or -'),
  )

/** Declares `checkpoint create` and `checkpoint prune`. */
const defineMaking = (command: Command, context: Context): void => {
  command
    .command('create')
    .description('Keep the files as they are now.')
    .argument('[path...]', 'look only at these, as nothing else changed')
    .addOption(pathsFrom())
    .option('--label <text>', 'what it is for', someText('--label', 'a few words'))
    .option('--session <id>', 'the session that it belongs to')
    .addOption(
      new Option('--agent-session <agent:id>', 'the session of an agent at work, taken in or not yet')
        .conflicts('session')
        .argParser(someText('--agent-session', "the agent's name, a colon, and its id of the session")),
    )
    .option('--if-changed', 'make none where nothing changed since the newest')
    .addOption(workspacesOption())
    .addHelpText('after', CREATE_HELP)
    .action(async (paths: readonly string[], options: Several<CreateOptions>) =>
      (await import('./checkpoint-create.ts')).runCreate(paths, options, context),
    )
  command
    .command('prune')
    .description('Remove old checkpoints, and free their space.')
    .option('--keep <n>', 'the newest n (default: 500)', wholeNumber('--keep', 1))
    .option('--days <n>', 'those of the last n days (default: 30)', wholeNumber('--days', 1))
    .option('--size <MB>', 'so many megabytes on disk (default: 2000)', wholeNumber('--size', 1))
    .option('--all', 'of every folder, not of this one alone')
    .option('--dry-run', 'only say what would go')
    .addHelpText('after', PRUNE_HELP)
    .action(async (options: PruneOptions) => (await import('./checkpoint-prune.ts')).runPrune(options, context))
}

/** Declares `checkpoint list`, `checkpoint show` and `checkpoint diff`. */
const defineReading = (command: Command, context: Context): void => {
  command
    .command('list', { isDefault: true })
    .description('The checkpoints of a folder, the newest first.')
    .allowExcessArguments()
    .option('--limit <n>', 'at most n', wholeNumber('--limit', 1), 20)
    .addOption(workspacesOption())
    .addHelpText('after', '\nExamples:\n  cairn checkpoint list\n  cairn checkpoint list --limit 5 --json')
    .action(async (options: Several<ListOptions>, list: Command) => {
      checkNoWords(list, command)
      const { runList } = await import('./checkpoint-list.ts')
      await forEachRoot(options, context, runList)
    })
  command
    .command('show')
    .description('What a checkpoint is, and what it left out.')
    .argument('<id>', ID)
    .addHelpText('after', '\nExamples:\n  cairn checkpoint show latest\n  cairn checkpoint show 7q8r9s0t --json')
    .action(async (id: string, options: CommonOptions) =>
      (await import('./checkpoint-list.ts')).runShow(id, options, context),
    )
  command
    .command('diff')
    .description('What changed since a checkpoint, or between two.')
    .argument('<id>', ID)
    .argument('[other]', 'a later checkpoint (default: the files as they are now)')
    .option('--names', 'only the names of files')
    .addOption(workspacesOption())
    .addHelpText('after', DIFF_HELP)
    .action(async (id: string, other: string | undefined, options: Several<DiffOptions>) => {
      const { runDiff } = await import('./checkpoint-diff.ts')
      await forEachRoot(options, context, (one, own) => runDiff(id, other, one, own))
    })
}

/** Declares `checkpoint restore` and `checkpoint undo`. */
const defineRestoring = (command: Command, context: Context): void => {
  command
    .command('restore')
    .description('Give the files of a checkpoint back.')
    .argument('<id>', ID)
    .argument('[path...]', 'only these files, and folders with all in them')
    .addOption(pathsFrom())
    .option('--yes', 'do not ask')
    .option('--dry-run', 'only say what would change')
    .option('--files', 'the files (the default)')
    .option('--conversation', 'instead: the session, to where it was then')
    .option('--both', 'files and session')
    .addOption(
      new Option('--only <part>', 'files or conversation')
        .argParser(oneOf('--only', ['files', 'conversation']))
        .hideHelp(),
    )
    .addOption(workspacesOption())
    .addHelpText('after', RESTORE_HELP)
    .action(async (id: string, paths: readonly string[], options: Several<RestoreOptions>) => {
      const { runRestore } = await import('./checkpoint-restore.ts')
      await forEachRoot(options, context, (one, own) => runRestore(id, paths, one, own))
    })
  command
    .command('undo')
    .description('Take the last restore back; twice does it again.')
    .option('--yes', 'do not ask')
    .option('--dry-run', 'only say what would change')
    .addOption(workspacesOption())
    .addHelpText('after', '\nExamples:\n  cairn checkpoint undo --dry-run\n  cairn checkpoint undo --yes --json')
    .action(async (options: Several<RestoreOptions>) => {
      const { runUndo } = await import('./checkpoint-restore.ts')
      await forEachRoot(options, context, runUndo)
    })
}

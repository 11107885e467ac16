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

/** Options of a command that accepts several folders. */
type Several<O extends CommonOptions> = Omit<O, 'workspace'> & RootsOptions

const HELP = `
A checkpoint is a snapshot of a folder's files, in a git repository of Cairn's
own in the data folder. Your repository is only read, for its ignore rules. The
folder is the current project's; --workspace chooses another. Needs git in the
PATH.

Left out, and listed: files that git ignores, files whose name suggests a secret
(.env, *.pem, id_rsa, ...), files over 10 MB, sockets and devices. A restore
neither writes nor removes any of them.

Checkpoints are kept for 30 days, up to 500 and 2 GB per folder; the newest is
always kept. cairn config set checkpoints.enabled false turns them off (exit
code 3).

Examples:
  cairn checkpoint create --label "before the upgrade"
  cairn checkpoint list
  cairn checkpoint diff latest       from the newest one to the files now
  cairn checkpoint restore latest    shows what would be lost, asks, restores
  cairn checkpoint undo              undoes the last restore`

const ID = 'a checkpoint: its id, the start or end of it, or "latest" (made by you)'

const CREATE_HELP = `
The first checkpoint of a folder reads every file; later ones read those whose
time or size changed. If you know what changed, name the files or folders, and
nothing else is looked at: all other files are taken as they were last seen, and
the next checkpoint without paths catches up. Paths are relative to the current
folder, or to that of --workspace. --paths-from reads one path per line, or the
output of "git ... -z".

Examples:
  cairn checkpoint create
  cairn checkpoint create src/main.ts src/parts
  git diff --name-only --relative -z | cairn checkpoint create --paths-from -
  cairn checkpoint create --label "before the upgrade"
  cairn checkpoint create --session 0ccf1a04 --json
  cairn checkpoint create --workspace ../lib
  cairn checkpoint create --workspace app --workspace lib --label "before"

--workspace may be repeated, or name a .code-workspace file: this makes one
checkpoint per folder, all with the same label. If a folder fails, it is named
and the others are still done (exit code 1). list, diff, restore and undo accept
several folders in the same way.`

const DIFF_HELP = `
With one checkpoint: what changed in the folder since then. With two: what
changed from the first to the second. Lines with - are from the earlier state.

Examples:
  cairn checkpoint diff latest
  cairn checkpoint diff 7q8r9s0t --names
  cairn checkpoint diff 7q8r9s0t 1a2b3c4d --json`

const RESTORE_HELP = `
Files get back their content and permissions; files created since are removed.
You first see what would be lost and, as far as recorded sessions show, who
changed it. The current state is saved in a new checkpoint, so that "cairn
checkpoint undo" can bring it back. Files that checkpoints leave out (ignored,
secret, large) are never touched, nor is your git repository. With paths, only
those files and folders are restored.

--conversation rewinds the checkpoint's session to that moment, like "cairn
session rewind", and leaves the files alone; --both does both.

Exit codes: 0 done, or nothing to do; 1 done except for the files named; 3
nothing was changed: not confirmed, or files changed after the preview.

Examples:
  cairn checkpoint restore latest --dry-run
  cairn checkpoint restore 7q8r9s0t
  cairn checkpoint restore 7q8r9s0t src/main.ts
  cairn checkpoint restore latest --yes --json`

const PRUNE_HELP = `
Also removes what killed processes left behind. Runs automatically when a folder
has many checkpoints.

Examples:
  cairn checkpoint prune --dry-run
  cairn checkpoint prune --keep 20
  cairn checkpoint prune --days 7 --all`

/** Declares `cairn checkpoint`: description, options, help and action. */
export const define: Define = (command, context) => {
  command.description("Snapshots of a folder's files: create, compare, restore, undo.").addHelpText('after', HELP)
  defineMaking(command, context)
  defineReading(command, context)
  defineRestoring(command, context)
  refuseRepeated(command)
}

/** The option `--paths-from`. */
const pathsFrom = (): Option =>
  new Option('--paths-from <file>', 'read paths from a file, one per line; - reads standard input').argParser(
    someText('--paths-from', 'a file, or -'),
  )

/** Declares `checkpoint create` and `checkpoint prune`. */
const defineMaking = (command: Command, context: Context): void => {
  command
    .command('create')
    .description('Take a snapshot of the files as they are now.')
    .argument('[path...]', 'look only at these; nothing else changed')
    .addOption(pathsFrom())
    .option('--label <text>', 'a description', someText('--label', 'a few words'))
    .option('--session <id>', 'the session it belongs to')
    .addOption(
      new Option('--agent-session <agent:id>', 'the session of a running agent, imported or not')
        .conflicts('session')
        .argParser(someText('--agent-session', "the agent's name, a colon, and its id of the session")),
    )
    .option('--if-changed', 'make none if nothing changed since the newest')
    .addOption(workspacesOption())
    .addHelpText('after', CREATE_HELP)
    .action(async (paths: readonly string[], options: Several<CreateOptions>) =>
      (await import('./checkpoint-create.ts')).runCreate(paths, options, context),
    )
  command
    .command('prune')
    .description('Remove old checkpoints and free their space.')
    .option('--keep <n>', 'keep the newest n (default: 500)', wholeNumber('--keep', 1))
    .option('--days <n>', 'keep those of the last n days (default: 30)', wholeNumber('--days', 1))
    .option('--size <MB>', 'keep at most this many megabytes (default: 2000)', wholeNumber('--size', 1))
    .option('--all', 'prune every folder, not only this one')
    .option('--dry-run', 'only show what would be removed')
    .addHelpText('after', PRUNE_HELP)
    .action(async (options: PruneOptions) => (await import('./checkpoint-prune.ts')).runPrune(options, context))
}

/** Declares `checkpoint list`, `checkpoint show` and `checkpoint diff`. */
const defineReading = (command: Command, context: Context): void => {
  command
    .command('list', { isDefault: true })
    .description('List the checkpoints of a folder, newest first.')
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
    .description('Show a checkpoint and what it left out.')
    .argument('<id>', ID)
    .addHelpText('after', '\nExamples:\n  cairn checkpoint show latest\n  cairn checkpoint show 7q8r9s0t --json')
    .action(async (id: string, options: CommonOptions) =>
      (await import('./checkpoint-list.ts')).runShow(id, options, context),
    )
  command
    .command('diff')
    .description('Compare a checkpoint with the files as they are now, or with another one.')
    .argument('<id>', ID)
    .argument('[other]', 'a later checkpoint (default: the files as they are now)')
    .option('--names', 'only list file names')
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
    .description('Restore the files of a checkpoint.')
    .argument('<id>', ID)
    .argument('[path...]', 'only these files and folders')
    .addOption(pathsFrom())
    .option('--yes', 'do not ask')
    .option('--dry-run', 'only show what would change')
    .option('--files', 'restore the files (the default)')
    .option('--conversation', 'rewind the session instead')
    .option('--both', 'restore the files and rewind the session')
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
    .description('Undo the last restore; run twice, it restores again.')
    .option('--yes', 'do not ask')
    .option('--dry-run', 'only show what would change')
    .addOption(workspacesOption())
    .addHelpText('after', '\nExamples:\n  cairn checkpoint undo --dry-run\n  cairn checkpoint undo --yes --json')
    .action(async (options: Several<RestoreOptions>) => {
      const { runUndo } = await import('./checkpoint-restore.ts')
      await forEachRoot(options, context, runUndo)
    })
}

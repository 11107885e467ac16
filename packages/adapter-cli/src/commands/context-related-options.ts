/** `cairn context related` and `index`: the files of a workspace that are related to a text. */
import type { Command } from 'commander'
import type { Context } from '../command.ts'
import { someText, wholeNumber } from '../options/option-values.ts'
import type { RelatedOptions } from './context-related.ts'
import type { CommonOptions } from '../command.ts'

const RELATED_HELP = `
Ranks the repository's source files by their paths, words and the names they
define; by how recently they changed, and in commits with a similar subject; by
what changes together with them; and by what recorded sessions used for similar
requests. Nothing is sent anywhere.

The first query in a large repository is answered without an index, which is
then built in the background and kept in the data folder; "cairn context index"
builds it at once. On a terminal, long rows are cut; a pipe and --json get all.

Examples:
  cairn context related "rate limit of the login"
  cairn context related "rate limit" --limit 5
  cairn context related "tests" --file src/theme/theme.ts
  cairn context --related "rate limit of the login" --json`

const INDEX_HELP = `
Reads what changed since the last time. The index is only a cache: without it,
queries are slower.

Examples:
  cairn context index
  cairn context index --workspace ../app --json`

/** Adds `related` and `index` to the context's commands: options, help and action. */
export const defineRelated = (command: Command, context: Context): void => {
  command
    .command('related')
    .description('Rank the source files that a task is about, best first, with reasons.')
    .argument('<text>', 'the task, in a few words')
    .option(
      '--file <path>',
      'a file that is known to be part of it: rank what belongs to it',
      someText('--file', 'a path'),
    )
    .option('--limit <n>', 'at most this many files', wholeNumber('--limit', 1), 20)
    .addHelpText('after', RELATED_HELP)
    .action(async (text: string, options: RelatedOptions) =>
      (await import('./context-related.ts')).runRelated(text, options, context),
    )
  command
    .command('index')
    .description('Update the index of the source files in the workspace.')
    .addHelpText('after', INDEX_HELP)
    .action(async (options: CommonOptions) => (await import('./context-related.ts')).runIndex(options, context))
}

/** Declares `cairn context map`. */
import type { Command } from 'commander'
import type { Context } from '../command.ts'
import { collecting, someText, wholeNumber } from '../options/option-values.ts'
import type { MapOptions } from './context-map.ts'

const HELP = `
For an agent that is new to the project. First come folders with the number of
files in them, the largest ones opened; then files with the names they export:
those of --file, those related to --text (as "cairn context related"), or
without either, those of the focus; then manifests and entry points. Folders of
generated files, fixtures and the like are not opened. The same files always
give the same map. Nothing is sent anywhere.

The last line names the tree that the map was made from; pass it to --since
later to see what was added, removed and changed. Paths of --file are relative
to the working folder, or to --workspace.

Examples:
  cairn context map
  cairn context map --tokens 400
  cairn context map --file src/auth.ts --file src/session.ts
  cairn context map --text "rate limit of the login"
  cairn context map --since 0f1e2d3c4b5a6978
  cairn context map --since 0f1e2d3c4b5a6978 --tokens 500 --json`

const fileOption = collecting(someText('--file', 'a path in the project'))

/** Adds `map` to the context's commands: options, help and action. */
export const defineMap = (command: Command, context: Context): void => {
  command
    .command('map')
    .description('Map the project within a number of tokens, or show what changed since a map.')
    .option(
      '--tokens <n>',
      'at most this many, estimated, from 100 to 100000 (default: 1000; for changes 200)',
      wholeNumber('--tokens', 1),
    )
    .option('--file <path>', 'list this file with the names it exports (repeatable)', fileOption)
    .option(
      '--text <text>',
      'list the files related to this task, with the names they export',
      someText('--text', 'a text'),
    )
    .option(
      '--since <tree>',
      'instead of a map: what changed since the map of this tree',
      someText('--since', "a map's tree"),
    )
    .addHelpText('after', HELP)
    .action(async (options: MapOptions) => (await import('./context-map.ts')).runMap(options, context))
}

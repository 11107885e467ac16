/** Declares `cairn context map`. */
import type { Command } from 'commander'
import type { Context } from '../command.ts'
import { collecting, someText, wholeNumber } from '../options/option-values.ts'
import type { MapOptions } from './context-map.ts'

const HELP = `
For an agent that does not know the project: folders with how many files they
hold, the largest ones opened; then files with the names that they export: those
that --file names, those that belong to --text ("cairn context related"), and
without both those that belong to the focus; then manifests and entry points.
Folders of what is generated, of fixtures and the like stay closed. The same
files give the same map. Nothing is sent anywhere.

The last line names the tree that the map was made of: --since with it tells
later what was added, removed and changed.

Examples:
  cairn context map
  cairn context map --tokens 400
  cairn context map --file src/auth.ts --file src/session.ts
  cairn context map --text "rate limit of the login"
  cairn context map --since 0f1e2d3c4b5a6978 --json`

const fileOption = collecting(someText('--file', 'a path in the project'))

/** Adds `map` to the context's commands: options, help and action. */
export const defineMap = (command: Command, context: Context): void => {
  command
    .command('map')
    .description('A map of the project within a number of tokens, or what changed since one was made.')
    .option('--tokens <n>', 'at most so many, by estimate (default: 1000; of changes 200)', wholeNumber('--tokens', 1))
    .option('--file <path>', 'list the exported names of this file; may be repeated', fileOption)
    .option('--text <text>', 'list the files that belong to this task, with their names', someText('--text', 'a text'))
    .option('--since <tree>', 'what changed since the map of this tree', someText('--since', "a map's tree"))
    .addHelpText('after', HELP)
    .action(async (options: MapOptions) => (await import('./context-map.ts')).runMap(options, context))
}

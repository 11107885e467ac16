/** Declares `cairn context focus`. */
import type { Command } from 'commander'
import type { Context } from '../command.ts'
import type { FocusOptions } from './context-focus.ts'

const HELP = `
The focus is kept for the project until you change it, and is part of every
request that Cairn makes for its sessions, whatever the context policy removes.
"cairn context related" and "map" prefer files below a path, or with the words
of a text. It has at most 500 characters.

Examples:
  cairn context focus src/billing/
  cairn context focus "only the parser; leave the tests alone"
  cairn context focus
  cairn context focus --json
  cairn context focus --clear`

/** Adds `focus` to the context's commands. */
export const defineFocus = (command: Command, context: Context): void => {
  command
    .command('focus')
    .description("Set or show the project's focus, which is part of every request.")
    .argument('[text]', 'a path or a text (default: show the current focus)')
    .option('--clear', 'remove the focus')
    .addHelpText('after', HELP)
    .action(async (text: string | undefined, options: FocusOptions) =>
      (await import('./context-focus.ts')).runFocus(text, options, context),
    )
}

/** Declares `cairn context docs`. */
import type { Command } from 'commander'
import type { Context } from '../command.ts'
import { collecting, someText } from '../options/option-values.ts'
import type { DocumentsOptions } from './context-documents.ts'

const HELP = `
projectbrief, productContext, activeContext, systemPatterns, techContext and
progress: the "memory bank" that Cline and other agents read at the start of a
task. They are written from recorded sessions, memory, notes, git and the files
of the project, without a model.

init makes the files and the sections that are missing; update refreshes the
sections that are there; status tells what update would do. The change is shown
first, and you are asked; without a terminal nothing is written unless --yes is
given (exit code 3).

Each section stands between two marks. What you write outside of them stays. A
section that you change is yours from then on, and one that you take out does
not come back by update.

Examples:
  cairn context docs status
  cairn context docs init
  cairn context docs init --folder docs/memory --name progress=status.md --yes
  cairn context docs update --yes
  cairn context docs update --json`

/** Adds `docs` to the context's commands: options, help and action. */
export const defineDocuments = (command: Command, context: Context): void => {
  command
    .command('docs')
    .description("A memory bank: Markdown files with what is known of the project, for agents' context.")
    .argument('[action]', 'init, update or status', 'status')
    .option(
      '--folder <path>',
      'their folder, from the project on (default: memory-bank); kept for the project when files are written',
      someText('--folder', 'a path'),
    )
    .option(
      '--name <document=file>',
      'the file of a document; may be repeated, kept for the project when files are written',
      collecting(someText('--name', 'document=file.md')),
    )
    .option('--yes', 'write without asking')
    .addHelpText('after', HELP)
    .action(async (action: string, options: DocumentsOptions) =>
      (await import('./context-documents.ts')).runDocuments(action, options, context),
    )
}

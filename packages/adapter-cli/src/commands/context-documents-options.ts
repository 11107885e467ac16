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

init creates missing files and sections; update refreshes existing sections;
status shows what update would do. You see the change first and are asked to
confirm it; without a terminal nothing is written unless --yes is given (exit
code 3).

Each section is between two marks. Text outside of them is kept. A section that
you edit is yours from then on, and update does not bring back one that you
removed. An ignored folder is allowed, and you are told.

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
    .description('Maintain a memory bank: Markdown files about the project, for agents to read.')
    .argument('[action]', 'init, update or status', 'status')
    .option(
      '--folder <path>',
      'their folder in the project (default: memory-bank); remembered once files are written',
      someText('--folder', 'a path'),
    )
    .option(
      '--name <document=file>',
      'the file of a document (repeatable); remembered once files are written',
      collecting(someText('--name', 'document=file.md')),
    )
    .option('--yes', 'write without asking')
    .addHelpText('after', HELP)
    .action(async (action: string, options: DocumentsOptions) =>
      (await import('./context-documents.ts')).runDocuments(action, options, context),
    )
}

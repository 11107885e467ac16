/** `cairn context`: its subcommands, each in a module of its own. */
import { POLICY_NAMES, PRESET_NAMES } from '@cairn/core'
import type { ManualAction } from '@cairn/core'
import type { Define } from '../command.ts'
import { oneOf, someText, wholeNumber } from '../options/option-values.ts'
import type { EditOptions } from './context-edit.ts'
import type { ShowOptions } from './context-show.ts'

const SHOW_HELP = `
Nothing is written: what the policy would change for this request is marked with
a star, and not decided. Without a session it is the newest one of the project
that you are in. Messages far back that are as they were said, and those that
left, are counted; --all lists them.

Examples:
  cairn context show
  cairn context show 0ccf1a04 --all | less
  cairn context show 0ccf1a04 --policy cline --window 128000
  cairn context show 0ccf1a04 --model gpt-5
  cairn context show 0ccf1a04 --at "2026-01-31 12:00"
  cairn context show 0ccf1a04 --json`

const EDITS: readonly { readonly action: ManualAction; readonly description: string; readonly help: string }[] = [
  {
    action: 'pin',
    description: 'Keep a message or a block in the context, whole.',
    help: `
No policy shortens or takes out what is pinned. A tool's result keeps its call.

Examples:
  cairn context pin 3f9c21d0             a message
  cairn context pin 3f9c21d0:1           its second block
  cairn context pin 360cf10b --session 0ccf1a04`,
  },
  {
    action: 'drop',
    description: 'Leave a message or a block out of the context.',
    help: `
The log keeps it. A call takes its result along.

Examples:
  cairn context drop 3f9c21d0
  cairn context drop 3f9c21d0:0 --json`,
  },
  {
    action: 'restore',
    description: 'Undo a pin or a drop, or bring back what left the context.',
    help: `
What was pinned or dropped is left to the policy again. What a policy or a
compaction shortened or took out comes back whole, and is pinned.

Examples:
  cairn context restore 3f9c21d0
  cairn context restore 23969559:0 --session 0ccf1a04`,
  },
]

/** Declares `cairn context`: description, options, help and action. */
export const define: Define = (command, context) => {
  command
    .description('What the next request would be sent with and why; pin, drop and restore parts of it.')
    .addHelpText(
      'after',
      '\nExamples:\n  cairn context show\n  cairn context show 0ccf1a04 --policy cline\n  cairn context pin 5f0c2a1e',
    )
  command
    .command('show', { isDefault: true })
    .description('What the next request of a session would be sent with, block by block, and why.')
    .argument('[session]', 'a session, or the beginning of its id')
    .option('--policy <name>', POLICY_NAMES.join(', '), oneOf('--policy', POLICY_NAMES), 'cache-aware')
    .option('--preset <name>', `of cache-aware: ${PRESET_NAMES.join(', ')}`, oneOf('--preset', PRESET_NAMES), 'safe')
    .option('--window <tokens>', "the context window (default: the model's)", wholeNumber('--window', 1))
    .option('--prefix <tokens>', 'system prompt and tools (default: by the newest request)', wholeNumber('--prefix'))
    .option('--model <name>', 'go on with this model', someText('--model', "a model's name"))
    .option('--at <time>', 'as it was at this time')
    .option('--all', 'list every message')
    .addHelpText('after', SHOW_HELP)
    .action(async (session: string | undefined, options: ShowOptions) =>
      (await import('./context-show.ts')).runShow(session, options, context),
    )
  for (const { action, description, help } of EDITS) {
    command
      .command(action)
      .description(description)
      .argument('<message>', 'the id of a message or its beginning, with :<block> for one block')
      .option('--session <id>', 'a session, or the beginning of its id (default: the newest of the project)')
      .addHelpText('after', help)
      .action(async (message: string, options: EditOptions) =>
        (await import('./context-edit.ts')).runEdit(action, message, options, context),
      )
  }
}

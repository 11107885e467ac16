/** `cairn chat`: a conversation with a model that works in the project and remembers. */
import type { Define } from '../command.ts'
import { withAgentOptions } from '../agent/agent-options.ts'
import type { ChatOptions } from '../chat/run-chat.ts'

const HELP = `
The model reads, searches and edits files of the project, runs commands, and
knows what earlier sessions learnt; it asks before it changes something (y yes,
a always, n no, with why). /help lists what can be typed beside messages: the
memory, sessions, the context, costs, checkpoints, the model, plan and act, and
/undo. Tab completes commands, and @mentions of files, @git, @session, @memory.
Ctrl-C ends the turn, twice leaves; Ctrl-D leaves. --max-cost is for all of it.

Without a terminal each line of standard input is a message, and nobody is
asked: a call that needs an approval ends its turn. Exit code 3 then.

Examples:
  cairn chat
  cairn chat "why does the login test fail?" --model claude-sonnet-5
  cairn chat --resume --mode plan
  cairn chat --plain --approve edits
  echo "which tests are slow?" | cairn chat --mode plan --max-cost 0.20`

/** Declares `cairn chat`: description, options, help and action. */
export const define: Define = (command, context) => {
  withAgentOptions(command)
    .description('Talk with a model that works in the project, and remembers.')
    .argument('[message]', 'the first message')
    .option('--plain', 'for screen readers: no colours, nothing drawn over, words for signs')
    .addHelpText('after', HELP)
    .action(async (message: string | undefined, options: ChatOptions) => {
      const { runChat } = await import('../chat/run-chat.ts')
      await runChat(message, options, context)
    })
  // Files are always kept, for /undo.
  command.options.find(({ long }) => long === '--checkpoint')?.hideHelp()
}

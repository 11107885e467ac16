/** `cairn chat`: a conversation with a model that works in the project and remembers. */
import type { Define } from '../command.ts'
import { withAgentOptions } from '../agent/agent-options.ts'
import type { ChatOptions } from '../chat/run-chat.ts'

const HELP = `
The model reads, searches and edits the project's files, runs commands, and
knows what was learnt in earlier sessions. It asks before it changes anything
(y yes, a always, n no, with a reason). /help lists the slash commands: memory,
sessions, context, costs, checkpoints, model, plan and act, /undo. Tab completes
commands and @mentions of files, @git, @session and @memory. Ctrl-C stops the
turn, twice quits; so does Ctrl-D. --max-cost applies to the whole chat.

Without a terminal each line of standard input is a message and nobody is asked:
a call that needs approval ends its turn, and the exit code is 3.

Examples:
  cairn chat
  cairn chat "why does the login test fail?" --model claude-sonnet-5
  cairn chat --resume --mode plan
  cairn chat --plain --approve edits
  echo "which tests are slow?" | cairn chat --mode plan --max-cost 0.20`

/** Declares `cairn chat`: description, options, help and action. */
export const define: Define = (command, context) => {
  withAgentOptions(command)
    .description('Chat with a model that works in the project and remembers past sessions.')
    .argument('[message]', 'the first message')
    .option('--plain', 'for screen readers: no colours, no redrawing, words instead of symbols')
    .addHelpText('after', HELP)
    .action(async (message: string | undefined, options: ChatOptions) => {
      const { runChat } = await import('../chat/run-chat.ts')
      await runChat(message, options, context)
    })
  // Files are always kept, for /undo.
  command.options.find(({ long }) => long === '--checkpoint')?.hideHelp()
}

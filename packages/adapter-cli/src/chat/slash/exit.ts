/** `/exit`. */
import type { SlashCommand } from './slash-command.ts'

/** `/exit`: ends the conversation. */
export const EXIT: SlashCommand = {
  name: 'exit',
  forms: [['', 'leave; so do Ctrl-D, and Ctrl-C twice']],
  run: async (_, chat) => chat.leave(),
}

/** `/context`: the content of the next request. */
import { counted, formatWhole } from '../../terminal/format.ts'
import { sayWrapped } from '../../terminal/say-wrapped.ts'
import type { Chat } from '../chat.ts'
import { gauge, percentFull } from '../render/turn-status.ts'
import { sessionIdOf } from './session.ts'
import { firstWord, needed, unknownForm, type SlashCommand } from './slash-command.ts'

/** The length of the bar. */
const CELLS = 20

/** Prints how full the context is, as a bar and in numbers. Rejects with `usage` before the first message. */
const showGauge = async (chat: Chat): Promise<void> => {
  const next = await chat.engine.context.nextRequest(sessionIdOf(chat))
  const fill = { tokens: next.prepared.tokens, availableTokens: next.availableTokens }
  const blocks = next.messages.flatMap((message) => message.blocks)
  const gone = blocks.filter(({ state }) => state === 'left-out' || state === 'shortened').length
  const { terminal } = chat.context
  await sayWrapped(chat.isPlain ? `The context is ${percentFull(fill)} percent full.` : gauge(fill, CELLS), terminal)
  await sayWrapped(
    `About ${formatWhole(fill.tokens)} of ${counted(fill.availableTokens, 'token')} for messages, of a window of ${formatWhole(next.window)}; policy ${next.policy}. ${counted(blocks.length - gone, 'block')} whole, ${formatWhole(gone)} shortened or left out; /context blocks lists them.`,
    terminal,
  )
}

/** Prints the next request, block by block. Rejects with `usage` before the first message. */
const showBlocks = async (chat: Chat): Promise<void> => {
  const { runShow } = await import('../../commands/context-show.ts')
  await runShow(sessionIdOf(chat), { ...chat.options, policy: 'cache-aware', preset: 'safe' }, chat.context)
}

/** `/context`: shows how full the context is and what is in it; pins, drops and restores messages. */
export const CONTEXT: SlashCommand = {
  name: 'context',
  forms: [
    ['', 'how full the context is'],
    ['blocks', 'what the next request holds, block by block'],
    ['pin <message>', 'keep a message, or <message>:<block>, in the context'],
    ['drop <message>', 'leave it out'],
    ['restore <message>', 'leave it to the policy again'],
  ],
  /**
   * `/context`: shows how full it is, its blocks, or changes what is pinned. Throws `usage` for another word or a
   * missing message.
   */
  run: async (rest, chat) => {
    const [word, text] = firstWord(rest)
    switch (word) {
      case '':
        return showGauge(chat)
      case 'blocks':
        return showBlocks(chat)
      case 'pin':
      case 'drop':
      case 'restore': {
        const { runEdit } = await import('../../commands/context-edit.ts')
        const message = needed(text, 'Which message? /context blocks names them.', `/context ${word} 7f8d69:0`)
        return runEdit(word, message, { ...chat.options, session: sessionIdOf(chat) }, chat.context)
      }
      default:
        throw unknownForm(CONTEXT, word)
    }
  },
}

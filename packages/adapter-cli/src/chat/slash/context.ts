/** `/context` and `/cost`: the content of the next request, and the cost of the session's requests. */
import { allInputTokens, formatUsd } from '@cairn/core'
import { counted, formatCount, formatShare, formatWhole } from '../../terminal/format.ts'
import { neutraliseLine } from '../../terminal/neutralise.ts'
import { wrapLine } from '../../terminal/wrap.ts'
import type { Chat } from '../chat.ts'
import { gauge, percentFull } from '../render/turn-status.ts'
import { sessionIdOf } from './session.ts'
import { firstWord, needed, unknownForm, type SlashCommand } from './slash-command.ts'

/** The length of the bar. */
const CELLS = 20

/** Prints a text, wrapped. */
const say = async ({ context: { terminal } }: Chat, text: string): Promise<void> => {
  for (const line of wrapLine(text, terminal.width)) await terminal.line(line)
}

/** Prints how full the context is, as a bar and in numbers. Rejects with `usage` before the first message. */
const showGauge = async (chat: Chat): Promise<void> => {
  const next = await chat.engine.context.nextRequest(sessionIdOf(chat))
  const fill = { tokens: next.prepared.tokens, availableTokens: next.availableTokens }
  const blocks = next.messages.flatMap((message) => message.blocks)
  const gone = blocks.filter(({ state }) => state === 'left-out' || state === 'shortened').length
  await say(chat, chat.isPlain ? `The context is ${percentFull(fill)} percent full.` : gauge(fill, CELLS))
  await say(
    chat,
    `About ${formatWhole(fill.tokens)} of ${counted(fill.availableTokens, 'token')} for messages, of a window of ${formatWhole(next.window)}; policy ${next.policy}. ${counted(blocks.length - gone, 'block')} whole, ${formatWhole(gone)} shortened or left out; /context blocks lists them.`,
  )
}

/** Prints the next request, block by block. */
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

/** `/cost`: what the session's requests cost, by model and mode. */
export const COST: SlashCommand = {
  name: 'cost',
  forms: [['', "what this session's requests cost, by model and mode"]],
  /** `/cost`: what the session cost by model and mode. */
  run: async (_, chat) => {
    const requests = await chat.engine.store.usage.requests(sessionIdOf(chat))
    const groups = Map.groupBy(
      requests,
      ({ model, mode }) => `${neutraliseLine(model)}${mode === null ? '' : ` (${neutraliseLine(mode)})`}`,
    )
    for (const [name, own] of groups) await say(chat, `${name}: ${costText(own)}`)
    await say(chat, `Total: ${costText(requests)}`)
  },
}

type Requests = Awaited<ReturnType<Chat['engine']['store']['usage']['requests']>>

/** The number, tokens and cost of requests in a sentence; requests without a price are counted separately. */
const costText = (requests: Requests): string => {
  const input = requests.reduce((sum, request) => sum + allInputTokens(request), 0)
  const cached = requests.reduce((sum, { cacheReadTokens }) => sum + cacheReadTokens, 0)
  const output = requests.reduce((sum, { outputTokens }) => sum + outputTokens, 0)
  const unpriced = requests.filter(({ costNano }) => costNano === null).length
  const cost = formatUsd(requests.reduce((sum, { costNano }) => sum + (costNano ?? 0n), 0n))
  const share = input === 0 ? '' : ` (${formatShare(cached / input)} of it cached)`
  return `${counted(requests.length, 'request')}, ${formatCount(input)} tokens of input${share}, ${formatCount(output)} of output, ${cost}${unpriced === 0 ? '' : `, and ${counted(unpriced, 'request')} without a price`}.`
}

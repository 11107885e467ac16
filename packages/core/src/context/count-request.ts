/**
 * A request's tokens by the provider's own counter, beside the estimate: as a whole, and by what the request is made
 * of. A part is the difference between two counts, of the request with it and without it.
 */
import type { ContentBlock, Message } from '../messages.ts'
import { ModelError, type LanguageModel, type ModelRequest } from '../ports/language-model.ts'
import type { CalibrationObservation } from '../tokens/calibration.ts'
import { contentCharacters } from '../tokens/content-characters.ts'
import { attachmentTokens } from '../tokens/estimate.ts'
import { isThinking } from './thinking.ts'
import { estimateOfBlocks, frameTokens } from './view-block.ts'

/** What a request's messages are made of. `text` has what frames the messages as well. */
export type CountedPart = 'text' | 'tools' | 'reasoning' | 'attachments'

export interface PartCount {
  readonly part: CountedPart
  readonly blocks: number
  /** Tokens. */
  readonly estimated: number
  readonly counted: number
}

export interface RequestCount {
  /** What was counted. */
  readonly messages: readonly Message[]
  /** Tokens of the request's input, by the provider. */
  readonly counted: number
  /** Tokens of its messages, as everything else here estimates them. */
  readonly estimated: number
  /** In a fixed order, those that the request has. Only one part: it is the whole. */
  readonly parts: readonly PartCount[]
  /**
   * Blocks of reasoning that were not counted, as the provider refused them: it takes back only what it signed itself
   * for the same conversation. They are in no other figure.
   */
  readonly refusedReasoning: number
  /** What the estimates of this conversation can learn from it. */
  readonly observation: Omit<CalibrationObservation, 'model'>
}

/** Taken away in this order; what is left is text. */
const TAKEN_AWAY: readonly CountedPart[] = ['reasoning', 'tools', 'attachments']
const SHOWN: readonly CountedPart[] = ['text', 'tools', 'reasoning', 'attachments']

/** A model with a counter of its own. */
export type CountingModel = Required<Pick<LanguageModel, 'countTokens'>>

/**
 * Counts a request with the model's counter: whole, then without reasoning, then also without calls and results, then
 * also without attachments, as far as it has these. A part is what the count falls by; what is left is `text`. Behind a
 * reply at its end it is counted with a point of the user, and without its reasoning if the provider refuses that
 * (`refusedReasoning`). @throws ModelError where the provider refuses or fails
 * @param request with valid messages
 * @param charsPerToken what the estimate is made with
 */
export const countRequest = async (
  model: CountingModel,
  request: ModelRequest,
  charsPerToken: number,
): Promise<RequestCount> => {
  const { counted, messages, refusedReasoning } = await countWhole(model, request)
  const rest = new Map<CountedPart, number>()
  let left = messages
  let before = counted
  for (const part of TAKEN_AWAY) {
    const without = messagesWithout(left, part)
    if (without === left) continue
    const tokens = without.length === 0 ? 0 : await model.countTokens({ ...request, messages: without })
    rest.set(part, before - tokens)
    left = without
    before = tokens
  }
  rest.set('text', before)
  const blocks = messages.flatMap(({ content }) => content)
  return {
    messages,
    counted,
    refusedReasoning,
    estimated: estimateOfBlocks(blocks, charsPerToken),
    parts: SHOWN.flatMap((part): readonly PartCount[] => {
      const own = blocks.filter((block) => partOf(block) === part)
      return own.length === 0
        ? []
        : [{ part, blocks: own.length, estimated: estimateOfBlocks(own, charsPerToken), counted: rest.get(part) ?? 0 }]
    }),
    observation: {
      characters: blocks.reduce((sum, block) => sum + contentCharacters(block), 0),
      promptTokens: counted,
      attachmentTokens: tokensBesideCharacters(messages, blocks),
    },
  }
}

type WholeCount = Pick<RequestCount, 'counted' | 'refusedReasoning' | 'messages'>

/**
 * Counts a whole request. If the provider refuses it as a bad request, counts it without reasoning, whose blocks are
 * then in `refusedReasoning`.
 */
const countWhole = async (model: CountingModel, request: ModelRequest): Promise<WholeCount> => {
  /** Counts the request with these messages in place of its own; as if no reasoning was refused. */
  const count = async (messages: readonly Message[]): Promise<WholeCount> => ({
    counted: await model.countTokens({ ...request, messages }),
    messages,
    refusedReasoning: 0,
  })
  const whole = sendable(request.messages)
  try {
    return await count(whole)
  } catch (error) {
    const reasoning = whole.flatMap(({ content }) => content.filter(isThinking)).length
    if (reasoning === 0 || !ModelError.is(error) || error.code !== 'bad-request') throw error
    return { ...(await count(messagesWithout(whole, 'reasoning'))), refusedReasoning: reasoning }
  }
}

/** What a block counts as; all but reasoning, texts, calls and results are attachments, unknown blocks too. */
const partOf = (block: ContentBlock): CountedPart => {
  if (isThinking(block)) return 'reasoning'
  if (block.type === 'text') return 'text'
  return block.type === 'tool_call' || block.type === 'tool_result' ? 'tools' : 'attachments'
}

/** What the estimate adds to the characters: frames, images, and half a token a block, as each is rounded up. */
const tokensBesideCharacters = (messages: readonly Message[], blocks: readonly ContentBlock[]): number =>
  attachmentTokens(messages) +
  blocks.reduce((sum, block) => sum + frameTokens(block), 0) +
  Math.floor(blocks.length / 2)

/** The messages without a part, valid for a provider; the same list where they have nothing of it. */
const messagesWithout = (messages: readonly Message[], part: CountedPart): readonly Message[] =>
  messages.some(({ content }) => content.some((block) => partOf(block) === part))
    ? sendable(
        messages
          .map((message) => ({ ...message, content: message.content.filter((block) => partOf(block) !== part) }))
          .filter(({ content }) => content.length > 0),
      )
    : messages

/** A point takes the least. */
const POINT: Message = { role: 'user', content: [{ type: 'text', text: '.' }] }

/**
 * Messages that begin and end as providers want it: a point of the user is put in front unless the first that is no
 * system message is the user's, and behind a reply at the end. Empty where there are only system messages.
 */
const sendable = (messages: readonly Message[]): readonly Message[] => {
  const first = messages.find(({ role }) => role !== 'system')
  if (first === undefined) return []
  return [
    ...(first.role === 'user' ? [] : [POINT]),
    ...messages,
    ...(messages.at(-1)?.role === 'assistant' ? [POINT] : []),
  ]
}

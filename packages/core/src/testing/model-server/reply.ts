/** What the model answers, whatever the wire: scripted by a test, or made up. */
import { countTokens } from './tokens.ts'

interface ReplyText {
  readonly type: 'text'
  readonly text: string
}

interface ReplyThinking {
  readonly type: 'thinking'
  readonly text: string
  /** Only encrypted data comes (Anthropic's `redacted_thinking`; OpenAI's reasoning without a summary). */
  readonly isHidden?: boolean
  /** Reasoning beyond the text; tokens. */
  readonly hiddenTokens?: number
}

interface ReplyToolCall {
  readonly type: 'tool-call'
  /** Default: one that the server makes up. */
  readonly id?: string
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  /** What is sent in its place: arguments that broke off. */
  readonly rawInput?: string
}

export type ReplyBlock = ReplyText | ReplyThinking | ReplyToolCall

/** Why the reply ends. `refusal`: the model declines. `filter`: something before the model does. */
export type ReplyStop = 'end' | 'tool-calls' | 'max-output' | 'stop-sequence' | 'pause' | 'refusal' | 'filter'

export interface Reply {
  readonly blocks: readonly ReplyBlock[]
  /** Default: `tool-calls` when it has one, else `end`; `max-output` when it is longer than was asked for. */
  readonly stop?: ReplyStop
  /** Characters of a piece in the stream. Default 12. */
  readonly pieceLength?: number
}

/** A reply that is ready to be sent. */
export interface PreparedReply {
  readonly id: string
  readonly blocks: readonly (
    ReplyText | ReplyThinking | (ReplyToolCall & { readonly id: string; readonly rawInput: string })
  )[]
  readonly stop: ReplyStop
  readonly pieceLength: number
}

export type PreparedBlock = PreparedReply['blocks'][number]

const PIECE_LENGTH = 12

const rawOf = (block: PreparedBlock): string => (block.type === 'tool-call' ? block.rawInput : block.text)

/** Output tokens of a block, a call's name included, and what of the thinking is hidden. */
export const tokensOfBlock = (block: PreparedBlock): number =>
  countTokens(rawOf(block)) +
  (block.type === 'tool-call' ? countTokens(block.name) : 0) +
  (block.type === 'thinking' ? (block.hiddenTokens ?? 0) : 0)

/** Output tokens of a reply, reasoning included. */
export const outputTokensOf = (reply: PreparedReply): number =>
  reply.blocks.reduce((total, block) => total + tokensOfBlock(block), 0)

/** Tokens of a reply's thinking, hidden ones included; 0 without any. */
export const reasoningTokensOf = (reply: PreparedReply): number =>
  reply.blocks.reduce((total, block) => total + (block.type === 'thinking' ? tokensOfBlock(block) : 0), 0)

/** Cuts a text into pieces of a length in UTF-16 units; never within a character. Nothing for an empty text. */
export const piecesOf = function* (text: string, length: number): Generator<string> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + length, text.length)
    const last = text.charCodeAt(end - 1)
    if (last >= 0xd800 && last < 0xdc00 && end < text.length) end += 1
    yield text.slice(start, end)
    start = end
  }
}

/** The block without what is beyond so many tokens; undefined when nothing of it is left. */
const shortened = (block: PreparedBlock, tokens: number): PreparedBlock | undefined => {
  if (tokensOfBlock(block) <= tokens) return block
  const left = Math.max(0, tokens - (block.type === 'tool-call' ? countTokens(block.name) : 0))
  const raw = Buffer.from(rawOf(block))
    .subarray(0, left * 4)
    .toString()
    .replace(/\ufffd+$/, '')
  if (raw === '') return undefined
  if (block.type === 'tool-call') return { ...block, rawInput: raw }
  return block.type === 'thinking' ? { type: 'thinking', text: raw } : { ...block, text: raw }
}

/**
 * Gives ids to calls, and cuts what is longer than `maxOutputTokens`: the reply then stops with `max-output`, and what
 * follows the block that was cut is left out.
 */
export const prepareReply = (
  reply: Reply,
  ids: { readonly reply: string; readonly call: () => string },
  maxOutputTokens: number,
): PreparedReply => {
  const blocks: PreparedBlock[] = []
  let left = maxOutputTokens
  let isCut = false
  for (const block of reply.blocks) {
    const whole: PreparedBlock =
      block.type === 'tool-call'
        ? { ...block, id: block.id ?? ids.call(), rawInput: block.rawInput ?? JSON.stringify(block.input) }
        : block
    const kept = shortened(whole, left)
    if (kept !== undefined) blocks.push(kept)
    isCut = kept !== whole
    if (isCut) break
    left -= tokensOfBlock(whole)
  }
  const natural = blocks.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'end'
  return {
    id: ids.reply,
    blocks,
    stop: isCut ? 'max-output' : (reply.stop ?? natural),
    pieceLength: reply.pieceLength ?? PIECE_LENGTH,
  }
}

/** A reply as the events of a Messages stream, and as one message. */
import { textOf, type JsonObject } from '../json.ts'
import type { BilledTokens } from '../ledger.ts'
import {
  outputTokensOf,
  piecesOf,
  reasoningTokensOf,
  tokensOfBlock,
  type PreparedBlock,
  type PreparedReply,
  type ReplyStop,
} from '../reply.ts'
import { createTokenCounter } from '../tokens.ts'
import type { Call, InputBill, WireEvent } from '../wire.ts'

const STOP_REASONS: Readonly<Record<ReplyStop, string>> = {
  end: 'end_turn',
  'tool-calls': 'tool_use',
  'max-output': 'max_tokens',
  'stop-sequence': 'stop_sequence',
  pause: 'pause_turn',
  refusal: 'refusal',
  filter: 'refusal',
}

/** Output tokens that the first event reports. */
const FIRST_OUTPUT = 1

/** What Anthropic's events tell of a bill. */
const usageJson = (bill: InputBill, outputTokens: number, reasoning: number): JsonObject => ({
  input_tokens: bill.inputTokens,
  cache_creation_input_tokens: bill.cacheWrite5mTokens + bill.cacheWrite1hTokens,
  cache_read_input_tokens: bill.cacheReadTokens,
  cache_creation: {
    ephemeral_5m_input_tokens: bill.cacheWrite5mTokens,
    ephemeral_1h_input_tokens: bill.cacheWrite1hTokens,
  },
  output_tokens: outputTokens,
  output_tokens_details: { thinking_tokens: reasoning },
  service_tier: 'standard',
  server_tool_use: null,
})

/** The message that a reply begins with, still empty. */
const message = (reply: PreparedReply, call: Call, usage: JsonObject): JsonObject => ({
  id: reply.id,
  type: 'message',
  role: 'assistant',
  model: call.model.name,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage,
})

/** Why a reply stopped, as Anthropic's API tells it. */
const stopOf = (reply: PreparedReply): JsonObject => ({
  stop_reason: STOP_REASONS[reply.stop],
  stop_sequence: reply.stop === 'stop-sequence' ? 'STOP' : null,
  ...(STOP_REASONS[reply.stop] === 'refusal' && {
    stop_details: { type: 'refusal', category: 'general_harms', explanation: 'The request was declined.' },
  }),
})

/** The reply's message as one answer, as Anthropic's API gives it. `content` is its blocks, signed. */
export const wholeMessage = (
  reply: PreparedReply,
  call: Call,
  bill: InputBill,
  content: readonly JsonObject[],
): JsonObject => ({
  ...message(reply, call, usageJson(bill, outputTokensOf(reply), reasoningTokensOf(reply))),
  content,
  ...stopOf(reply),
})

/** An event named by its type. */
const event = (
  data: JsonObject & { readonly type: string },
  rest: Omit<WireEvent, 'name' | 'data'> = {},
): WireEvent => ({
  name: data.type,
  data,
  ...rest,
})

/** How a block stands in its first event. Empty, but hidden reasoning comes whole. */
const opened = (block: PreparedBlock, json: JsonObject): JsonObject => {
  if (block.type === 'tool-call') return { ...json, input: {} }
  if (block.type === 'text') return { type: 'text', text: '' }
  return json.type === 'redacted_thinking' ? json : { type: 'thinking', thinking: '', signature: '' }
}

/** The deltas of a block, each with the piece of text that it adds. */
const deltas = function* (
  block: PreparedBlock,
  json: JsonObject,
  pieceLength: number,
): Generator<readonly [JsonObject, string, WireEvent['mark']?]> {
  if (block.type === 'tool-call') {
    yield [{ type: 'input_json_delta', partial_json: '' }, '']
    for (const piece of piecesOf(block.rawInput, pieceLength))
      yield [{ type: 'input_json_delta', partial_json: piece }, piece, 'tool-input']
  } else if (block.type === 'text') {
    for (const piece of piecesOf(block.text, pieceLength)) yield [{ type: 'text_delta', text: piece }, piece, 'text']
  } else if (json.type === 'thinking') {
    for (const piece of piecesOf(textOf(json.thinking), pieceLength))
      yield [{ type: 'thinking_delta', thinking: piece }, piece]
    yield [{ type: 'signature_delta', signature: json.signature }, '']
  }
}

/**
 * The reply as Anthropic's stream of events, each with what was produced, and reported of the bill, until then.
 * `content` is its blocks, signed.
 */
export const messageEvents = function* (
  reply: PreparedReply,
  call: Call,
  bill: InputBill,
  content: readonly JsonObject[],
): Generator<WireEvent> {
  const reported = (outputTokens: number, reasoningTokens: number): BilledTokens => ({
    ...bill,
    outputTokens,
    reasoningTokens,
  })
  const first = usageJson(bill, FIRST_OUTPUT, 0)
  yield event(
    { type: 'message_start', message: message(reply, call, first) },
    { produced: FIRST_OUTPUT, reported: reported(FIRST_OUTPUT, 0) },
  )
  yield event({ type: 'ping' })
  let before = 0
  for (const [index, block] of reply.blocks.entries()) {
    const json = content[index] ?? {}
    yield event({ type: 'content_block_start', index, content_block: opened(block, json) })
    const tokensUntil = createTokenCounter()
    for (const [delta, piece, mark] of deltas(block, json, reply.pieceLength)) {
      const produced = before + tokensUntil(piece)
      yield event({ type: 'content_block_delta', index, delta }, mark === undefined ? { produced } : { produced, mark })
    }
    before += tokensOfBlock(block)
    yield event({ type: 'content_block_stop', index }, { produced: before })
  }
  const outputTokens = outputTokensOf(reply)
  const usage = {
    input_tokens: bill.inputTokens,
    cache_creation_input_tokens: bill.cacheWrite5mTokens + bill.cacheWrite1hTokens,
    cache_read_input_tokens: bill.cacheReadTokens,
    output_tokens: outputTokens,
    output_tokens_details: { thinking_tokens: reasoningTokensOf(reply) },
  }
  yield event(
    { type: 'message_delta', delta: stopOf(reply), usage },
    { produced: outputTokens, reported: reported(outputTokens, reasoningTokensOf(reply)) },
  )
  yield event({ type: 'message_stop' }, { mark: 'last' })
}

/** A reply as the events of a Responses stream, and as one response. */
import { objectOf, type JsonObject } from '../json.ts'
import {
  outputTokensOf,
  piecesOf,
  reasoningTokensOf,
  tokensOfBlock,
  type PreparedBlock,
  type PreparedReply,
} from '../reply.ts'
import { createTokenCounter } from '../tokens.ts'
import type { Call, InputBill, WireEvent } from '../wire.ts'
import { allInput, allWrites } from './billing.ts'

/** What a response tells of a bill. */
const usageJson = (bill: InputBill, reply: PreparedReply): JsonObject => ({
  input_tokens: allInput(bill),
  input_tokens_details: {
    cached_tokens: bill.cacheReadTokens,
    cache_write_tokens: allWrites(bill),
    cache_write_tokens_details: { ttl_30m_tokens: bill.cacheWrite30mTokens, ttl_12h_tokens: bill.cacheWrite12hTokens },
  },
  output_tokens: outputTokensOf(reply),
  output_tokens_details: { reasoning_tokens: reasoningTokensOf(reply) },
  total_tokens: allInput(bill) + outputTokensOf(reply),
})

const isIncomplete = (reply: PreparedReply): boolean => reply.stop === 'max-output' || reply.stop === 'filter'

/** A response that has begun; `rest` wins. */
const responseJson = (reply: PreparedReply, call: Call, rest: JsonObject): JsonObject => ({
  id: reply.id,
  object: 'response',
  created_at: 1_767_225_600,
  status: 'in_progress',
  error: null,
  incomplete_details: null,
  model: call.model.name,
  output: [],
  parallel_tool_calls: true,
  store: false,
  tools: [],
  usage: null,
  ...rest,
})

/** The response at its end, whole or incomplete, with output and usage. Incomplete if it was cut or filtered. */
export const finalResponse = (
  reply: PreparedReply,
  call: Call,
  bill: InputBill,
  output: readonly JsonObject[],
): JsonObject =>
  responseJson(reply, call, {
    status: isIncomplete(reply) ? 'incomplete' : 'completed',
    incomplete_details: isIncomplete(reply)
      ? { reason: reply.stop === 'filter' ? 'content_filter' : 'max_output_tokens' }
      : null,
    output,
    usage: usageJson(bill, reply),
  })

type Deltas = Generator<
  readonly [data: JsonObject & { readonly type: string }, piece: string, mark?: WireEvent['mark']]
>

/** The events of a text or refusal, each with the piece that it adds. */
const messageDeltas = function* (text: string, kind: 'output_text' | 'refusal', pieceLength: number): Deltas {
  const part = (value: string): JsonObject =>
    kind === 'refusal' ? { type: kind, refusal: value } : { type: kind, text: value, annotations: [] }
  const done = kind === 'refusal' ? { refusal: text } : { text, logprobs: [] }
  yield [{ type: 'response.content_part.added', content_index: 0, part: part('') }, '']
  for (const piece of piecesOf(text, pieceLength))
    yield [{ type: `response.${kind}.delta`, content_index: 0, delta: piece }, piece, 'text']
  yield [{ type: `response.${kind}.done`, content_index: 0, ...done }, '']
  yield [{ type: 'response.content_part.done', content_index: 0, part: part(text) }, '']
}

/** The events of a summary of reasoning, each with the piece that it adds. */
const reasoningDeltas = function* (text: string, pieceLength: number): Deltas {
  const type = 'response.reasoning_summary'
  const part = (value: string): JsonObject => ({ type: 'summary_text', text: value })
  yield [{ type: `${type}_part.added`, summary_index: 0, part: part('') }, '']
  for (const piece of piecesOf(text, pieceLength))
    yield [{ type: `${type}_text.delta`, summary_index: 0, delta: piece }, piece]
  yield [{ type: `${type}_text.done`, summary_index: 0, text }, '']
  yield [{ type: `${type}_part.done`, summary_index: 0, part: part(text) }, '']
}

/** The events of a call's arguments, each with the piece that it adds. */
const callDeltas = function* (raw: string, pieceLength: number): Deltas {
  const type = 'response.function_call_arguments'
  for (const piece of piecesOf(raw, pieceLength)) yield [{ type: `${type}.delta`, delta: piece }, piece, 'tool-input']
  yield [{ type: `${type}.done`, arguments: raw }, '']
}

/** The events of a block; none for reasoning that is not shown. */
const deltasOf = (block: PreparedBlock, item: JsonObject, reply: PreparedReply): Deltas => {
  if (block.type === 'tool-call') return callDeltas(block.rawInput, reply.pieceLength)
  if (block.type === 'text')
    return messageDeltas(block.text, reply.stop === 'refusal' ? 'refusal' : 'output_text', reply.pieceLength)
  const [summary] = Array.isArray(item.summary) ? (item.summary as unknown[]) : []
  return summary === undefined ? callNothing() : reasoningDeltas(block.text, reply.pieceLength)
}

const callNothing = function* (): Deltas {
  // Hidden reasoning has no pieces.
}

/** An item before anything of it has come. Without its text, summary or arguments. */
const opened = (item: JsonObject): JsonObject => {
  if (item.type === 'function_call') return { ...item, arguments: '', status: 'in_progress' }
  if (item.type === 'reasoning') return { ...item, summary: [] }
  return { ...item, content: [], status: 'in_progress' }
}

/**
 * The reply as the stream of events of the Responses API, each with what was produced until then; the last one has the
 * bill.
 */
export const responseEvents = function* (
  reply: PreparedReply,
  call: Call,
  bill: InputBill,
  output: readonly JsonObject[],
): Generator<WireEvent> {
  let number = 0
  const event = (type: string, data: JsonObject, rest: Omit<WireEvent, 'name' | 'data'> = {}): WireEvent => ({
    name: type,
    data: { type, sequence_number: number++, ...data },
    ...rest,
  })
  yield event('response.created', { response: responseJson(reply, call, {}) })
  yield event('response.in_progress', { response: responseJson(reply, call, {}) })
  let before = 0
  for (const [index, block] of reply.blocks.entries()) {
    const item = objectOf(output[index])
    yield event('response.output_item.added', { output_index: index, item: opened(item) })
    const tokensUntil = createTokenCounter()
    for (const [{ type, ...data }, piece, mark] of deltasOf(block, item, reply)) {
      const produced = before + tokensUntil(piece)
      const rest = mark === undefined ? { produced } : { produced, mark }
      yield event(type, { item_id: item.id, output_index: index, ...data }, rest)
    }
    before += tokensOfBlock(block)
    yield event('response.output_item.done', { output_index: index, item }, { produced: before })
  }
  const response = finalResponse(reply, call, bill, output)
  const outputTokens = outputTokensOf(reply)
  yield event(
    isIncomplete(reply) ? 'response.incomplete' : 'response.completed',
    { response },
    {
      mark: 'last',
      produced: outputTokens,
      reported: { ...bill, outputTokens, reasoningTokens: reasoningTokensOf(reply) },
    },
  )
}

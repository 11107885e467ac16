/** OpenAI's Chat Completions, which many other servers speak too: `/v1/chat/completions`, `/v1/models`. */
import { isCount, objectOf, textOf, type JsonObject } from '../json.ts'
import {
  outputTokensOf,
  piecesOf,
  reasoningTokensOf,
  tokensOfBlock,
  type PreparedBlock,
  type PreparedReply,
  type ReplyStop,
} from '../reply.ts'
import { countSegments, createTokenCounter } from '../tokens.ts'
import type { Call, InputBill, Target, Wire, WireEvent } from '../wire.ts'
import { allInput, allWrites, createBilling } from './billing.ts'
import { checkRules, segmentsOf, signatureOf, TOO_LONG } from './chat-request.ts'
import { bearerOf, errorJson, failureOf, isModelList, modelList } from './errors.ts'

const FINISH_REASONS: Readonly<Record<ReplyStop, string>> = {
  end: 'stop',
  'tool-calls': 'tool_calls',
  'max-output': 'length',
  'stop-sequence': 'stop',
  pause: 'stop',
  refusal: 'stop',
  filter: 'content_filter',
}

/** What a chunk tells of a bill. */
const usageJson = (reply: PreparedReply, bill: InputBill): JsonObject => ({
  prompt_tokens: allInput(bill),
  completion_tokens: outputTokensOf(reply),
  total_tokens: allInput(bill) + outputTokensOf(reply),
  prompt_tokens_details: { cached_tokens: bill.cacheReadTokens, cache_write_tokens: allWrites(bill) },
  completion_tokens_details: { reasoning_tokens: reasoningTokensOf(reply) },
})

type Deltas = Generator<readonly [delta: JsonObject, piece: string, mark?: WireEvent['mark']]>

/** The deltas of a block, each with the piece of text that it adds. `number`: of the call in the reply, from 0. */
const deltasOf = function* (block: PreparedBlock, number: number, reply: PreparedReply, call: Call): Deltas {
  if (block.type === 'tool-call') {
    const isSigned = number === 0 && call.model.requiresThoughtSignatures === true
    const start = {
      ...{ index: number, id: block.id, type: 'function', function: { name: block.name, arguments: '' } },
      ...(isSigned && { extra_content: { google: { thought_signature: signatureOf(block.id) } } }),
    }
    yield [{ tool_calls: [start] }, '']
    for (const piece of piecesOf(block.rawInput, reply.pieceLength))
      yield [{ tool_calls: [{ index: number, function: { arguments: piece } }] }, piece, 'tool-input']
  } else if (block.type === 'text') {
    const field = reply.stop === 'refusal' ? 'refusal' : 'content'
    for (const piece of piecesOf(block.text, reply.pieceLength)) yield [{ [field]: piece }, piece, 'text']
  } else if (call.model.reasoningField !== undefined && block.isHidden !== true)
    for (const piece of piecesOf(block.text, reply.pieceLength)) yield [{ [call.model.reasoningField]: piece }, piece]
}

/**
 * The reply as a stream of chunks, each with what was produced until then; the bill only where the request asks for it.
 */
const chatEvents = function* (reply: PreparedReply, call: Call, bill: InputBill): Generator<WireEvent> {
  const reportsUsage = objectOf(call.body.stream_options).include_usage === true
  const chunk = (choices: readonly JsonObject[], usage: JsonObject | null = null): JsonObject => ({
    id: reply.id,
    object: 'chat.completion.chunk',
    created: 1_767_225_600,
    model: call.model.name,
    choices,
    ...(reportsUsage && { usage }),
  })
  const choice = (delta: JsonObject, reason: string | null = null): JsonObject =>
    chunk([{ index: 0, delta, finish_reason: reason }])
  yield { data: choice({ role: 'assistant', content: '' }) }
  let before = 0
  let calls = 0
  for (const block of reply.blocks) {
    const tokensUntil = createTokenCounter()
    for (const [delta, piece, mark] of deltasOf(block, calls, reply, call)) {
      const produced = before + tokensUntil(piece)
      yield { data: choice(delta), produced, ...(mark !== undefined && { mark }) }
    }
    if (block.type === 'tool-call') calls += 1
    before += tokensOfBlock(block)
  }
  const outputTokens = outputTokensOf(reply)
  yield { data: choice({}, FINISH_REASONS[reply.stop]), mark: 'last', produced: outputTokens }
  if (reportsUsage) {
    const reported = { ...bill, outputTokens, reasoningTokens: reasoningTokensOf(reply) }
    yield { data: chunk([], usageJson(reply, bill)), reported }
  }
  yield { data: '[DONE]' }
}

const textsOf = (reply: PreparedReply): string =>
  reply.blocks.map((block) => (block.type === 'text' ? block.text : '')).join('')

/** The reply as one answer. */
const wholeCompletion = (reply: PreparedReply, call: Call, bill: InputBill): JsonObject => {
  const calls = reply.blocks.flatMap((block) =>
    block.type === 'tool-call'
      ? [{ id: block.id, type: 'function', function: { name: block.name, arguments: block.rawInput } }]
      : [],
  )
  const isRefusal = reply.stop === 'refusal'
  const message = {
    role: 'assistant',
    content: isRefusal ? null : textsOf(reply),
    refusal: isRefusal ? textsOf(reply) : null,
    ...(calls.length > 0 && { tool_calls: calls }),
  }
  return {
    id: reply.id,
    object: 'chat.completion',
    created: 1_767_225_600,
    model: call.model.name,
    choices: [{ index: 0, message, finish_reason: FINISH_REASONS[reply.stop] }],
    usage: usageJson(reply, bill),
  }
}

/** The most tokens of a reply, by the request, else by the model. */
const limitOf = ({ body, model }: Call): number => {
  const limit = body.max_completion_tokens ?? body.max_tokens
  return isCount(limit) ? limit : model.maxOutputTokens
}

/** OpenAI's Chat Completions, with its own rules, bills and errors. `now`: ms, for its cache. */
export const createChatWire = (now: () => number): Wire => {
  let numbers = 0
  const newId = (prefix: string): string => `${prefix}${String((numbers += 1)).padStart(24, '0')}`
  return {
    name: 'openai-chat',
    route: (target: Target) => {
      if (isModelList(target)) return { purpose: 'models' }
      const isChat = target.method === 'POST' && target.path === '/v1/chat/completions'
      return isChat ? { purpose: 'reply' } : undefined
    },
    keyOf: bearerOf,
    modelOf: (body) => textOf(body.model),
    isStream: (body) => body.stream === true,
    check: checkRules,
    count: ({ body }) => countSegments(segmentsOf(body)),
    maxOutputTokens: limitOf,
    bill: createBilling(now, segmentsOf),
    newReplyId: () => newId('chatcmpl-'),
    newCallId: () => newId('call_'),
    events: chatEvents,
    whole: wholeCompletion,
    countAnswer: (tokens) => ({ input_tokens: tokens }),
    modelsAnswer: modelList,
    failure: (problem, retryAfter) => failureOf(problem, TOO_LONG, newId('req_'), retryAfter),
    errorEvent: (problem) => ({ data: { error: errorJson(problem, TOO_LONG) } }),
    unknownEvent: () => ({ data: { object: 'weather.report', sky: 'clear', choices: [] } }),
    replyHeaders: () => ({ 'x-request-id': newId('req_') }),
  }
}

/** A reply as the chunks of a stream, and as one answer. */
import { objectOf, parse, type JsonObject } from '../json.ts'
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
import { requestOf } from './request.ts'

/** Signs a part, so that it is known when it comes back. */
export type Sign = (part: JsonObject) => JsonObject

/** What Gemini's chunks tell of a bill. */
const usageJson = (reply: PreparedReply, bill: InputBill): JsonObject => {
  const promptTokenCount = bill.inputTokens + bill.cacheReadTokens
  const thoughtsTokenCount = reasoningTokensOf(reply)
  return {
    promptTokenCount,
    ...(bill.cacheReadTokens > 0 && { cachedContentTokenCount: bill.cacheReadTokens }),
    candidatesTokenCount: outputTokensOf(reply) - thoughtsTokenCount,
    ...(thoughtsTokenCount > 0 && { thoughtsTokenCount }),
    totalTokenCount: promptTokenCount + outputTokensOf(reply),
  }
}

const finishOf = ({ stop }: PreparedReply): string =>
  stop === 'max-output' ? 'MAX_TOKENS' : stop === 'refusal' ? 'SAFETY' : 'STOP'

interface Chunk {
  readonly part: JsonObject
  readonly piece: string
  readonly mark?: NonNullable<WireEvent['mark']>
}

/** A call as a part; with its id only for newer models. */
const callPart = (block: PreparedBlock & { readonly type: 'tool-call' }, call: Call): JsonObject => ({
  functionCall: {
    ...(call.model.requiresThoughtSignatures === true && { id: block.id }),
    name: block.name,
    args: objectOf(parse(block.rawInput)),
  },
})

/** The parts of a block: a call comes whole, and not at all when it was cut. */
const chunksOf = function* (block: PreparedBlock, reply: PreparedReply, call: Call): Generator<Chunk> {
  if (block.type === 'tool-call') {
    if (parse(block.rawInput) !== undefined)
      yield { part: callPart(block, call), piece: block.rawInput, mark: 'tool-input' }
  } else if (block.type === 'text') {
    for (const piece of piecesOf(block.text, reply.pieceLength)) yield { part: { text: piece }, piece, mark: 'text' }
  } else if (showsThoughts(call) && block.isHidden !== true)
    for (const piece of piecesOf(block.text, reply.pieceLength)) yield { part: { text: piece, thought: true }, piece }
}

const showsThoughts = ({ body }: Call): boolean =>
  objectOf(objectOf(requestOf(body).generationConfig).thinkingConfig).includeThoughts === true

/**
 * The reply as Gemini's stream of chunks, each with what was produced until then; the last one has the bill. A filtered
 * reply is one chunk without content.
 */
export const contentEvents = function* (
  reply: PreparedReply,
  call: Call,
  bill: InputBill,
  sign: Sign,
): Generator<WireEvent> {
  const head = { modelVersion: call.model.name, responseId: reply.id }
  const outputTokens = outputTokensOf(reply)
  const usageMetadata = usageJson(reply, bill)
  const reported = { ...bill, outputTokens, reasoningTokens: reasoningTokensOf(reply) }
  const last = { mark: 'last', produced: outputTokens, reported } as const
  if (reply.stop === 'filter') {
    const promptFeedback = { blockReason: 'PROHIBITED_CONTENT' }
    yield { data: { promptFeedback, usageMetadata, ...head }, ...last }
    return
  }
  const data = (parts: readonly JsonObject[], rest: JsonObject = {}): JsonObject => ({
    candidates: [{ content: { ...(parts.length > 0 && { parts }), role: 'model' }, index: 0, ...rest }],
    ...head,
  })
  let before = 0
  /** What was thought is signed with the next call, or behind all texts. */
  let isUnsigned = call.model.requiresThoughtSignatures === true
  for (const block of reply.blocks) {
    const tokensUntil = createTokenCounter()
    for (const { part, piece, mark } of chunksOf(block, reply, call)) {
      const signed = isUnsigned && 'functionCall' in part
      if (signed) isUnsigned = false
      const produced = before + tokensUntil(piece)
      yield { data: data([signed ? sign(part) : part]), produced, ...(mark !== undefined && { mark }) }
    }
    before += tokensOfBlock(block)
  }
  const parts = isUnsigned ? [sign({ text: '' })] : []
  yield { data: { ...data(parts, { finishReason: finishOf(reply) }), usageMetadata }, ...last }
}

/** The reply as one answer: the parts of all chunks, in order, with the bill. A filtered reply has none. */
export const wholeContent = (reply: PreparedReply, call: Call, bill: InputBill, sign: Sign): JsonObject => {
  const chunks = [...contentEvents({ ...reply, pieceLength: Infinity }, call, bill, sign)].map(({ data }) =>
    objectOf(data),
  )
  const parts = chunks.flatMap(({ candidates }) => {
    const [candidate] = Array.isArray(candidates) ? (candidates as unknown[]) : []
    const content = objectOf(objectOf(candidate).content)
    return Array.isArray(content.parts) ? (content.parts as JsonObject[]) : []
  })
  const last = chunks.at(-1) ?? {}
  if (reply.stop === 'filter') return last
  return { ...last, candidates: [{ content: { parts, role: 'model' }, index: 0, finishReason: finishOf(reply) }] }
}

/**
 * A session's requests with what the log holds of each: the model's reply, the results and texts that it was sent. A chain
 * is the main conversation or one subagent; in it every request continues the one before.
 */
import { textOfBlock, type ToolCallBlock, type ToolResultBlock } from '../messages.ts'
import { createPendingCalls, type PendingCalls } from '../pending-calls.ts'
import type { LogEntry, MessageEntry } from '../session-log.ts'
import { causeIn, type BreakCause } from './break-causes.ts'
import type { PricedRequest } from './request-prices.ts'

export interface ChainRequest extends PricedRequest {
  /** In the chain, from 0. */
  readonly index: number
  /** The entry with the first message of the reply; null when the log has none. */
  seq: number | null
  /** What the model wrote but for its reasoning: texts, and the arguments of calls. */
  readonly reply: (MessageEntry['content'][number] & { readonly type: 'text' | 'tool_call' })[]
  /** Whether the log has reasoning of the reply. */
  thinks: boolean
  /** How many texts of the user, or of the agent in its place, came before; null when the log has no reply. */
  turn: number | null
  /** How much thinking the newest of them asked for; undefined where that is not noted. */
  thinking: string | undefined
  /** Calls of tools, in order. */
  readonly calls: ToolCallBlock[]
}

/** A result of a tool. */
export interface ChainResult {
  readonly block: ToolResultBlock
  readonly call: ToolCallBlock
  /** Index of the request that made the call. */
  readonly calledBy: number
  /** Index of the request that was sent it first; there may be none. */
  readonly sentWith: number
  readonly text: string
  /** Estimated by its characters. */
  readonly tokens: number
}

/** A text in a message of the role user. */
interface UserText {
  /** Index of the request that was sent it first; there may be none. */
  readonly sentWith: number
  readonly text: string
}

export interface Chain {
  /** Null: the main conversation. */
  readonly subagent: string | null
  readonly requests: readonly ChainRequest[]
  readonly results: readonly ChainResult[]
  readonly userTexts: readonly UserText[]
  /** Indexes of the requests that came next after the context was compacted. */
  readonly compactedBefore: ReadonlySet<number>
  /** What the log has before a request that may have lost its cache, by the request's index. */
  readonly changedBefore: ReadonlyMap<number, ReadonlySet<BreakCause>>
}

/** Characters a token, as measured on real sessions. */
const CHARACTERS_PER_TOKEN = 2.7

/** Tokens of a text by its number of characters; not rounded, so that parts add up. */
export const tokensIn = (characters: number): number => characters / CHARACTERS_PER_TOKEN

/**
 * The chains of a session: one of the main conversation and of each subagent, as far as they have requests. A request
 * is joined with the message of its time: both were written together. Of agents that count a response's tokens after
 * it, the log notes the request; what came since the note before is its reply. A request whose reply is not in the log
 * is in its chain all the same.
 * @param entries in the order of the log
 */
export const chainsOf = (entries: readonly LogEntry[], requests: readonly PricedRequest[]): readonly Chain[] => {
  const byChain = new Map<string | null, PricedRequest[]>()
  for (const request of requests) {
    const { subagent } = request.stored
    const known = byChain.get(subagent)
    if (known === undefined) byChain.set(subagent, [request])
    else known.push(request)
  }
  const logs = new Map<string | null, LogEntry[]>()
  const addTo = (chain: string | null, entry: LogEntry): void => {
    const known = logs.get(chain)
    if (known === undefined) logs.set(chain, [entry])
    else known.push(entry)
  }
  for (const entry of entries) {
    // Whose request a note tells of shows only by its time.
    if (entry.kind === 'model') for (const chain of byChain.keys()) addTo(chain, entry)
    else addTo(entry.kind === 'message' ? (entry.subagent ?? null) : null, entry)
  }
  return [...byChain].map(([subagent, own]) => chainOf(subagent, own, logs.get(subagent) ?? []))
}

/** A request before its reply was found. */
const NO_REPLY = { seq: null, thinks: false, turn: null, thinking: undefined } as const

/**
 * The requests of one conversation in the order of time, with what the log tells of each: replies, results, texts of
 * the user, compactions, and what changed before it. `subagent` is null for the main one; `log` has its entries alone.
 */
const chainOf = (subagent: string | null, own: readonly PricedRequest[], log: readonly LogEntry[]): Chain => {
  const requests = own
    .toSorted((left, right) => (left.stored.at ?? Infinity) - (right.stored.at ?? Infinity) || 0)
    .map((request, index): ChainRequest => ({ ...request, ...NO_REPLY, index, reply: [], calls: [] }))
  const requestOf = responses(requests, log)
  const calls = createPendingCalls<MadeCall>({ keepsAnswered: true })
  const results: ChainResult[] = []
  const userTexts: UserText[] = []
  const compactedBefore = new Set<number>()
  const changedBefore = new Map<number, Set<BreakCause>>()
  let next = 0
  let turn = 0
  let thinking: string | undefined
  for (const entry of log) {
    const cause = causeIn(entry)
    if (cause !== undefined) changedBefore.set(next, (changedBefore.get(next) ?? new Set<BreakCause>()).add(cause))
    if (entry.kind === 'compaction' && entry.partial !== true) compactedBefore.add(next)
    if (entry.kind !== 'message') continue
    calls.begin(entry.role)
    if (entry.role === 'assistant') {
      const request = requestOf.get(responseKey(entry))
      if (request === undefined) continue
      next = Math.max(next, request.index + 1)
      if (request.seq === null) Object.assign(request, { turn, thinking })
      addReply(request, entry)
      addCalls(calls, entry, request.index)
      continue
    }
    if (isPrompt(entry)) {
      turn += 1
      thinking = entry.thinking
    }
    for (const block of entry.content) {
      if (block.type === 'text') userTexts.push({ sentWith: next, text: block.text })
      else if (block.type === 'tool_result') results.push(...resultOf(block, calls))
    }
  }
  results.sort((left, right) => left.sentWith - right.sentWith)
  return { subagent, requests, results, userTexts, compactedBefore, changedBefore }
}

/** A call, and the index of the request whose reply made it. */
interface MadeCall {
  readonly call: ToolCallBlock
  readonly index: number
}

/** Adds the calls of a reply's message to those that wait for their results. */
const addCalls = (calls: PendingCalls<MadeCall>, { content }: MessageEntry, index: number): void => {
  for (const call of content) if (call.type === 'tool_call') calls.add(call.id, { call, index })
}

/**
 * A result with its call, as a list of one; it is sent with the request after the one that called. Empty for no known
 * call.
 */
const resultOf = (block: ChainResult['block'], calls: PendingCalls<MadeCall>): readonly ChainResult[] => {
  const made = calls.answer(block.callId)
  if (made === undefined) return []
  const text = textOfBlock(block)
  return [
    { block, call: made.call, calledBy: made.index, sentWith: made.index + 1, text, tokens: tokensIn(text.length) },
  ]
}

/**
 * Whether a message begins a turn: of the role user, also if the agent wrote it in the user's place, and without
 * results of tools.
 */
const isPrompt = ({ role, content }: MessageEntry): boolean =>
  role === 'user' && content.every(({ type }) => type !== 'tool_result')

/** What all messages of one response have in common. */
const responseKey = (entry: MessageEntry): string => entry.responseId ?? entry.id

/**
 * The request of each response in the log, by its key (`responseKey`): by the time that both have, else by the next
 * note of a request. A response is in several messages; one without a request is left out.
 */
const responses = (requests: readonly ChainRequest[], log: readonly LogEntry[]): ReadonlyMap<string, ChainRequest> => {
  const byTime = new Map<number, ChainRequest>()
  for (const request of requests) {
    const { at } = request.stored
    if (at !== null && !byTime.has(at)) byTime.set(at, request)
  }
  const messages = log.filter((entry) => entry.kind === 'message' && entry.role === 'assistant')
  /** A request that has the time of a message is that message's. */
  const messageTimes = new Set(messages.map(({ at }) => at))
  const found = new Map<string, ChainRequest>()
  /** Responses since the last note of a request. */
  let unnoted: string[] = []
  for (const entry of log) {
    const request = entry.at === null ? undefined : byTime.get(entry.at)
    if (entry.kind === 'model' && request !== undefined && !messageTimes.has(entry.at)) {
      for (const key of unnoted) found.set(key, request)
      unnoted = []
    }
    if (entry.kind !== 'message' || entry.role !== 'assistant') continue
    const key = responseKey(entry)
    if (found.has(key)) continue
    if (request === undefined) unnoted.push(key)
    else found.set(key, request)
  }
  return found
}

/**
 * Adds a message to its request's reply: texts and calls, and that it reasoned. `seq` stays that of the first message.
 */
const addReply = (request: ChainRequest, entry: MessageEntry): void => {
  request.seq ??= entry.seq
  for (const block of entry.content) {
    if (block.type === 'text' || block.type === 'tool_call') request.reply.push(block)
    if (block.type === 'tool_call') request.calls.push(block)
    if (block.type === 'thinking') request.thinks = true
  }
}

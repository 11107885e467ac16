/**
 * What the next request of a recorded session would be sent with, block by block, and why: the view as the log
 * leaves it, then what the policy would decide now. Nothing is written; whoever wants the decision kept appends
 * `prepared.entriesToAppend`.
 */
import { invalidInput } from '../input.ts'
import type { ContentBlock, Role } from '../messages.ts'
import { windowLevel, type WindowLevel } from '../models/context-budget.ts'
import type { ModelFacts } from '../models/model-facts.ts'
import type { StoredRequest } from '../ports/usage-storage.ts'
import type { LogEntry, MessageEntry } from '../session-log.ts'
import type { HistoryBlock } from '../session/model-history.ts'
import { messageOrigin } from '../user-words/user-words.ts'
import { blockReason, lastChanges, type BlockReason } from './block-reason.ts'
import type { EstimateRatio } from './learned-ratio.ts'
import { shownKind } from './view-block.ts'
import type { ViewBlock, BlockKind } from './view-block.ts'
import { isCold, type ContextPrices, type Situation } from './policy.ts'
import type { CacheAwarePreset } from './policies/cache-aware/settings.ts'
import { policyOf, type PolicyName } from './policies/registry.ts'
import { createContext, type Context, type Prepared } from './create-context.ts'
import { DEFAULT_PRICES, situationOf } from './request.ts'
import { allInput, windowFor, type WindowOrigin } from './session-model.ts'
import { createContextView, type ContextView } from './view.ts'

export interface SessionContextInput {
  readonly entries: readonly LogEntry[]
  /** The newest request of the main conversation; what its input had beyond the messages is the prefix. */
  readonly newest?: StoredRequest | undefined
  /** Largest input that a request of the session's model had, tokens; the window is at least that. */
  readonly largestInput?: number
  readonly facts: ModelFacts
  /** What estimates are made with; default the model's usual characters per token. */
  readonly ratio?: EstimateRatio
  /** The model's prices; undefined where they are not known: then there is no cost. */
  readonly prices?: ContextPrices | undefined
  /** Time of the request, ms. */
  readonly now: number
  readonly policy?: PolicyName
  readonly preset?: CacheAwarePreset
  /** Tokens, before the model's. */
  readonly window?: number
  /** Tokens of system prompt and tools, before what the newest request tells. */
  readonly prefixTokens?: number
  /** What the user has the work look at. */
  readonly focus?: string | undefined
}

/** `pinned` and `dropped` by the user; `shortened` and `left-out` by a policy, a compaction or a truncation. */
export type ContextState = 'full' | 'shortened' | 'left-out' | 'pinned' | 'dropped'

export interface ContextBlock {
  /** Its index in the message, from 0. */
  readonly block: number
  readonly type: ContentBlock['type']
  readonly kind: BlockKind
  readonly tool?: string
  /** The file that it is about, where it is about one. */
  readonly path?: string
  readonly state: ContextState
  readonly reason: BlockReason
  /** Estimated tokens of the original. */
  readonly tokens: number
  /** As it would be sent. */
  readonly tokensSent: number
  /** The policy would change it for this request; the log does not say so yet. */
  readonly changesNow: boolean
  /** As the log has it. */
  readonly original: ContentBlock
  /** As it would be sent; null when it would not. */
  readonly sent: ContentBlock | null
}

/** An entry of the log; several may be one message to the model. */
export interface ContextMessage {
  /** What pins name it by; of what a rewrite put in, an id of its own that pins do not take. */
  readonly id: string
  readonly seq: number
  readonly role: Role
  readonly at: number | null
  readonly origin?: 'summary' | 'meta'
  /** Put in by a rewrite: nobody said it. */
  readonly inserted: boolean
  readonly blocks: readonly ContextBlock[]
}

export interface RequestCost {
  /** USD of the input when the provider's cache holds nothing of it. */
  readonly coldUsd: number
  /** The same when the cache still holds what the last request sent. */
  readonly warmUsd: number
  /** Tokens that a warm cache would hold. */
  readonly cachedTokens: number
}

export interface SessionContext {
  readonly prepared: Prepared
  readonly messages: readonly ContextMessage[]
  readonly model: string
  /** What tokens were estimated with. */
  readonly ratio: EstimateRatio
  readonly policy: PolicyName
  readonly preset: CacheAwarePreset
  /** Tokens of input and reply together, and where the number is from. */
  readonly window: number
  readonly windowFrom: WindowOrigin
  /** Tokens that messages may take, and those of system prompt and tools. */
  readonly availableTokens: number
  readonly prefix: number
  /** Tokens of input that the provider counted for the newest request; undefined where none is recorded. */
  readonly lastInput: number | undefined
  /** Of the available tokens. */
  readonly level: WindowLevel
  readonly now: number
  readonly lastRequestAt: number | null
  /** The provider's cache of the last request is gone. */
  readonly isCold: boolean
  readonly cost: RequestCost | undefined
}

/**
 * Explains the next request of a session: the view as the log leaves it, with what the policy would decide now, block
 * by block, also those that are left out; `cost` is undefined without prices. Nothing is written.
 * @throws CairnError `invalid-input` for a window or prefix that is no size, or when system prompt and tools leave
 * nothing of the window for messages.
 */
export const sessionContext = (input: SessionContextInput): SessionContext => {
  assertSizes(input)
  const { entries, facts, now, policy = 'cache-aware', preset = 'safe' } = input
  const { ratio = { charsPerToken: facts.charsPerToken, observations: 0, from: 'model' } } = input
  const context = createContext(policyOf(policy, preset), ratio.charsPerToken)
  const lastRequestSeq = stepAll(context, entries)
  const before = createContextView(ratio.charsPerToken)
  for (const view of [context.view, before])
    view.ask({ model: facts.id === '' ? undefined : facts.id, thinkingSignature: facts.thinkingSignature })
  for (const entry of entries) if (entry.seq < lastRequestSeq) before.step(entry)

  const { window, from } = windowFor(facts, input.window, input.largestInput ?? 0)
  const prefix = input.prefixTokens ?? prefixOf(input.newest, before, window)
  const situation = situationOf(
    {
      window,
      prefixTokens: prefix,
      prices: input.prices ?? DEFAULT_PRICES,
      lastUsed: lastUsed(input.newest, before, context.view, prefix),
      ...(input.focus === undefined ? {} : { focus: input.focus }),
    },
    facts,
    now,
  )
  const stood = new Map(context.view.all().map((block) => [block, block.source.seen]))
  const prepared = context.prepare(situation)
  const { view } = context
  return {
    prepared,
    messages: messagesOf(view, stood),
    model: facts.id,
    ratio,
    policy,
    preset,
    window,
    windowFrom: from,
    availableTokens: situation.availableTokens,
    prefix,
    lastInput: input.newest === undefined ? undefined : allInput(input.newest),
    level: windowLevel(prepared.tokens, { window, reply: 0, usable: situation.availableTokens }),
    now,
    lastRequestAt: view.lastRequestAt,
    isCold: isCold(view, situation),
    cost: input.prices === undefined ? undefined : costOf(view, before, situation, input.prices),
  }
}

/** @throws CairnError `invalid-input` for a window of 0 or less, or a negative prefix */
const assertSizes = ({ window, prefixTokens }: SessionContextInput): void => {
  if (window !== undefined && !(window > 0)) throw invalidInput('The window', 'a number of tokens above 0', window)
  if (prefixTokens !== undefined && !(prefixTokens >= 0))
    throw invalidInput('The prefix', 'a number of tokens from 0 up', prefixTokens)
}

/**
 * Takes the log into the context; returns the number (`seq`) of the entry that began the newest reply, -1 for none.
 * Entries that the context has had already are passed over.
 */
const stepAll = (context: Context, entries: readonly LogEntry[]): number => {
  let lastRequestSeq = -1
  for (const entry of entries) {
    const made = context.view.requests
    context.step([entry])
    if (context.view.requests > made) lastRequestSeq = entry.seq
  }
  return lastRequestSeq
}

/**
 * Tokens of the last request with its system prompt, tools and reply, as the provider counted them; 0 before the first.
 * The estimate of what the view holds now where none is recorded, or the view has fewer tokens than at that request.
 */
const lastUsed = (
  newest: StoredRequest | undefined,
  before: ContextView,
  view: ContextView,
  prefix: number,
): number => {
  if (view.requests === 0) return 0
  return newest === undefined || view.tokens() < before.tokens()
    ? prefix + view.tokens()
    : allInput(newest) + newest.outputTokens
}

/** Where the estimate of the messages is far too low, half of the window is still theirs. */
const LARGEST_PREFIX = 0.5

/**
 * Tokens that the provider counted beyond the messages: system prompt, tools, and what the estimate is off by. From 0
 * to half of the window; 0 without a request.
 */
const prefixOf = (newest: StoredRequest | undefined, before: ContextView, window: number): number =>
  newest === undefined
    ? 0
    : Math.min(Math.max(0, allInput(newest) - before.tokens()), Math.floor(window * LARGEST_PREFIX))

/**
 * All messages with their blocks, also those that are not sent, in the order of the conversation. `stood` is what each
 * block held before the change that is previewed.
 */
const messagesOf = (
  view: ContextView,
  stood: ReadonlyMap<ViewBlock, ContentBlock | null>,
): readonly ContextMessage[] => {
  const changes = lastChanges(view.rewrites)
  const byEntry = Map.groupBy(view.all(), ({ source }) => source.entry)
  const ordered = [...byEntry].sort(([, [left]], [, [right]]) => (left?.source.order ?? 0) - (right?.source.order ?? 0))
  return ordered.map(([entry, viewBlocks]) =>
    messageOf(
      entry,
      viewBlocks,
      viewBlocks.map((block) => blockOf(block, view, stood, changes)),
    ),
  )
}

/** A message of the conversation, from the blocks of its entry; `inserted` if a rewrite put it in. */
const messageOf = (
  entry: MessageEntry,
  viewBlocks: readonly ViewBlock[],
  blocks: readonly ContextBlock[],
): ContextMessage => ({
  id: entry.id,
  seq: entry.seq,
  role: entry.role,
  at: entry.at,
  ...optionalOrigin(messageOrigin(entry)),
  // A rewrite's texts stand under entries that were made up for them.
  inserted: viewBlocks.some(
    ({ source }) => source.entry.origin === 'summary' && source.entry.id.startsWith('rewrite:'),
  ),
  blocks,
})

const optionalOrigin = (origin: ContextMessage['origin']): Pick<ContextMessage, 'origin'> =>
  origin === undefined ? {} : { origin }

/** A block with what is sent of it and why. `changesNow`: it differs from what `stood` has, or is new. */
const blockOf = (
  block: ViewBlock,
  view: ContextView,
  stood: ReadonlyMap<ViewBlock, ContentBlock | null>,
  changes: ReturnType<typeof lastChanges>,
): ContextBlock => {
  const { source } = block
  const path = block.operations[0]?.path
  return {
    block: source.block,
    type: source.original.type,
    kind: shownKind(block),
    ...(block.tool === undefined ? {} : { tool: block.tool }),
    ...(path === undefined ? {} : { path }),
    state: stateOf(source),
    reason: blockReason(block, view, changes),
    tokens: block.tokens,
    tokensSent: view.tokensSent(block),
    changesNow: stood.has(block) ? stood.get(block) !== source.seen : true,
    original: source.original,
    sent: source.seen,
  }
}

/**
 * How a block stands: `pinned` or `dropped` where a person decided it and it is not withheld reasoning, else
 * `left-out`, `shortened` or `full`.
 */
const stateOf = ({ pin, seen, replacement, withheld }: HistoryBlock): ContextState => {
  if (withheld === undefined && pin !== 'automatic') return pin
  if (seen === null) return 'left-out'
  return replacement === undefined ? 'full' : 'shortened'
}

const PER_MILLION = 1e-6

/** What the next request costs in USD, with the cache gone and still warm; without a cache both are the same. */
const costOf = (
  view: ContextView,
  before: ContextView,
  { prefix, cacheLifetime }: Situation,
  { input, read, write }: ContextPrices,
): RequestCost => {
  const all = prefix + view.tokens()
  if (cacheLifetime === 0)
    return { coldUsd: all * input * PER_MILLION, warmUsd: all * input * PER_MILLION, cachedTokens: 0 }
  const cachedTokens = before.requests === 0 && view.requests === 0 ? 0 : prefix + sharedTokens(view, before)
  return {
    coldUsd: all * write * PER_MILLION,
    warmUsd: (cachedTokens * read + (all - cachedTokens) * write) * PER_MILLION,
    cachedTokens,
  }
}

/** Tokens at the beginning that the last request was sent with, too, block for block. */
const sharedTokens = (view: ContextView, before: ContextView): number => {
  const sent = before.blocks()
  let tokens = 0
  for (const [index, viewBlock] of view.blocks().entries()) {
    const then = sent[index]?.source
    const { seq, block, replacement } = viewBlock.source
    if (then === undefined || then.seq !== seq || then.block !== block || then.replacement !== replacement) break
    tokens += view.tokensSent(viewBlock)
  }
  return tokens
}

/**
 * Has a model summarise the older part of a live conversation, and puts the summary in its place: one rewrite,
 * applied to the context and given back for the log. Nothing happens to the conversation unless all went well.
 */
import type { JsonObject } from '../../json.ts'
import { textOfBlock } from '../../messages.ts'
import type { LanguageModel, ToolDefinition } from '../../ports/language-model.ts'
import type { TokenUsage } from '../../ports/price-book.ts'
import { err, ok, type Result } from '../../result.ts'
import type { RewriteEntry } from '../../session-log.ts'
import { NOTHING_NEW } from '../../summary/accept-summary.ts'
import { summarise, type SummaryFailure, type WrittenSummary } from '../../summary/summarise-with-model.ts'
import { estimateTokens } from '../../tokens/estimate.ts'
import { createDraft, type RewriteDraft } from '../draft.ts'
import { isCold, type Situation } from '../policy.ts'
import { isFromLog } from '../steps/visible-messages.ts'
import { protectedItems } from '../policies/cline/protected-items.ts'
import { noteBefore } from '../policies/clio/thread-record.ts'
import type { Context } from '../create-context.ts'
import type { ContextView } from '../view.ts'
import { compactionPays, summaryCostUsd } from './compaction-pays.ts'
import { isFormer, planCompaction, type CompactionPlan } from './compaction-plan.ts'

export interface CompactRequest {
  /** The model's name for its provider. */
  readonly model: string
  /** Time of the rewrite, ms. */
  readonly now: number
  /** Tokens of the newest units that stay; at least the newest reply does. Default 20,000. */
  readonly keepTokens?: number
  /** As in the conversation's own requests, so that the provider's cache still holds the beginning. */
  readonly system?: string
  readonly tools?: readonly ToolDefinition[]
  /** The longest summary, tokens; default 8,000. */
  readonly maxOutputTokens?: number
  /** Given: the model is only asked when the compaction is expected to pay. */
  readonly forecast?: CompactionForecast
}

/** What the expected savings of a compaction are computed from. */
export interface CompactionForecast {
  readonly situation: Situation
  /** Requests that are still to come. */
  readonly requestsToCome: number
  /** Tokens that the summary is expected to take; default 2,000. */
  readonly summaryTokens?: number
}

export interface Compacted {
  /** Already applied to the context. Append it to the log. */
  readonly entry: RewriteEntry
  readonly summary: string
  /** Of the seven sections, those that the summary lacks: a warning. */
  readonly missingSections: readonly string[]
  /** Of the whole view. */
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** What the summary took; to be recorded as any other request. */
  readonly usage: TokenUsage
}

export interface CompactFailure {
  /**
   * `does-not-pay`: not expected to be worth its cost; nobody was asked. `conversation-changed`: the view was
   * rewritten, or taken back, while the model wrote. The others are those of `summarise`.
   */
  readonly code: SummaryFailure['code'] | 'does-not-pay' | 'conversation-changed'
  /** One sentence for the user. */
  readonly message: string
  /** What was spent all the same, where the provider said it. */
  readonly usage?: TokenUsage
  readonly cause?: unknown
}

/** The name under which its rewrites stand in the log, and the reason of its insertion. */
const COMPACTION = 'summary'

const KEEP_TOKENS = 20_000
const SUMMARY_TOKENS = 2000
const MAX_OUTPUT_TOKENS = 8000

/**
 * Summarises all but the newest units with the model. The newest message of the user and what is pinned stay word for
 * word, a call never without its result; a former summary goes into the new one. What comes while the model writes
 * stays. Failures, also `aborted` by `signal`, are returned and leave the conversation as it is; rejects only for a
 * forecast with a negative or missing number (`invalid-input`).
 */
export const compactWithModel = async (
  context: Context,
  model: LanguageModel,
  request: CompactRequest,
  signal?: AbortSignal,
): Promise<Result<Compacted, CompactFailure>> => {
  const { view } = context
  const { keepTokens = KEEP_TOKENS, maxOutputTokens = MAX_OUTPUT_TOKENS, system, tools, forecast } = request
  const plan = planCompaction(view, keepTokens)
  if (plan === undefined) return err(NOTHING_NEW)
  if (!isExpectedToPay(view, plan, forecast)) return err(DOES_NOT_PAY)

  const rewrites = view.rewrites.length
  const written = await summarise(
    model,
    {
      model: request.model,
      messages: plan.messages,
      maxOutputTokens,
      estimate: (messages) => estimateTokens(messages, { charsPerToken: view.charactersPerToken }),
      ...(system === undefined ? {} : { system }),
      ...(tools === undefined ? {} : { tools }),
      ...(view.todo === undefined ? {} : { focusChain: view.todo }),
    },
    signal,
  )
  if (!written.ok) return written
  const { usage, text, missingSections } = written.value
  if (signal?.aborted === true)
    return err({ code: 'aborted', message: 'Summarising was stopped; the conversation was left as it is.', usage })
  if (view.rewrites.length !== rewrites || !isAllThere(view, plan)) return err({ ...CHANGED, usage })

  const draft = rewriteWith(view, plan, written.value, request)
  if (draft === undefined)
    return err({
      code: 'summary-not-smaller',
      message: 'The summary would not shrink the conversation; it was left as it is.',
      usage,
    })
  const entry: RewriteEntry = { ...draft, seq: view.nextSeq }
  context.step([entry])
  return ok({
    entry,
    summary: text,
    missingSections,
    tokensBefore: draft.tokensBefore ?? 0,
    tokensAfter: view.tokens(),
    usage,
  })
}

/** Whether the compaction is expected to pay by the forecast; true without one. */
const isExpectedToPay = (view: ContextView, plan: CompactionPlan, forecast: CompactRequest['forecast']): boolean =>
  forecast === undefined || paysOff(view, plan, forecast)

/** Whether no rewind has taken back a block that the summary stands for. */
const isAllThere = (view: ContextView, { gone }: CompactionPlan): boolean =>
  gone.every((block) => view.block(block.source.seq, block.source.block) === block)

const DOES_NOT_PAY: CompactFailure = {
  code: 'does-not-pay',
  message: 'A summary would cost more than it is expected to save; the conversation was left as it is.',
}
const CHANGED: CompactFailure = {
  code: 'conversation-changed',
  message: 'The context was changed while the summary was written; the conversation was left as it is.',
}

/**
 * The rewrite on the view as it is now, without what has been pinned since; undefined when it does not shrink. It
 * inserts the summary before the first block that stays, system messages aside. Nothing is applied.
 */
const rewriteWith = (
  view: ContextView,
  plan: CompactionPlan,
  { message, usage, missingSections }: WrittenSummary,
  request: CompactRequest,
): RewriteDraft | undefined => {
  const draft = createDraft(view)
  // A person may have pinned something since.
  const fixed = protectedItems(view)
  for (const block of plan.gone) if (!fixed.has(block)) draft.remove(block, isFormer(block) ? 'renewed' : 'summarised')
  const head = view
    .blocks()
    .find((block) => !draft.isRemoved(block) && block.kind !== 'system' && isFromLog(view, block.source.seq))
  draft.insert({
    ...(head === undefined ? {} : { before: head.source.seq }),
    why: COMPACTION,
    text: message.content.map(textOfBlock).join('\n'),
  })
  if (draft.tokens >= view.tokens()) return undefined
  return draft.build(COMPACTION, COMPACTION, request.now, {
    model: request.model,
    usage: asJson(usage),
    missingSections,
    note: noteBefore(view, request.now, 'older messages give way to a summary'),
  })
}

const asJson = (usage: TokenUsage): JsonObject =>
  Object.fromEntries(Object.entries(usage).filter(([, value]) => typeof value === 'number'))

/**
 * Whether a compaction costs less than it saves over the requests to come. `isWarm` follows from the time since the
 * last request.
 */
const paysOff = (
  view: ContextView,
  { goneTokens }: CompactionPlan,
  { situation, requestsToCome, summaryTokens = SUMMARY_TOKENS }: CompactionForecast,
): boolean => {
  const { prices, prefix } = situation
  const isWarm = !isCold(view, situation)
  // Only the system's words stand before the summary.
  const before = view.blocks().reduce((sum, block) => (block.kind === 'system' ? sum + view.tokensSent(block) : sum), 0)
  return compactionPays({
    prices,
    isWarm,
    removedTokens: Math.max(0, goneTokens - summaryTokens),
    suffixTokens: view.tokens() - before - goneTokens + summaryTokens,
    requestsToCome,
    summaryUsd: summaryCostUsd({
      prices,
      isWarm,
      inputTokens: prefix + before + goneTokens,
      outputTokens: summaryTokens,
    }),
  }).pays
}

/**
 * The engine's part that asks a model to summarise a session, charges the request to the session, and inserts the
 * summary into its log.
 */
import type { CompactFailure } from '../context/compact/compact-with-model.ts'
import type { AskedLanguageModel } from './asked-model.ts'
import type { EngineSessions } from './sessions.ts'
import { CairnError } from '../errors.ts'
import { assertLimit, assertName, shownValue } from '../input.ts'
import { isThinking } from '../context/thinking.ts'
import type { Message } from '../messages.ts'
import type { NanoUsd } from '../money.ts'
import type { Clock } from '../ports/clock.ts'
import type { LanguageModel, ModelEvent, ModelRequest } from '../ports/language-model.ts'
import type { SessionSummary } from '../ports/session-storage.ts'
import type { Store } from '../ports/store.ts'
import type { Conversation } from '../requests/conversation.ts'
import type { Requests } from '../requests/send.ts'
import { err, ok, type Result } from '../result.ts'
import type { NewLogEntry, RewriteEntry } from '../session-log.ts'
import { allInputTokens } from '../usage/totals.ts'

export interface SummariseInput extends AskedLanguageModel {
  /** Replaces what was summarised by the summary. Default false: the conversation does not change. */
  readonly compact?: boolean | undefined
  /**
   * With `compact`: tokens of the newest messages that stay verbatim; at least the newest reply stays. Default 20,000,
   * at most a quarter of the messages.
   */
  readonly keepTokens?: number | undefined
  /** Maximum tokens of the summary; default 8,000. */
  readonly maxOutputTokens?: number | undefined
  /** Cancels the request immediately; its cost so far is recorded. */
  readonly signal?: AbortSignal | undefined
  /** Receives the model's events. */
  readonly onEvent?: ((event: ModelEvent) => void) | undefined
}

/** What a summary cost, used or not, including failed attempts that were charged. */
export interface SummarySpending {
  /** Number of requests that were charged. */
  readonly requests: number
  /** Tokens. */
  readonly input: number
  readonly output: number
  /** The cost of those with a known price. */
  readonly costNano: NanoUsd
  readonly unpricedRequests: number
}

/** A summary that passed the checks. */
export interface SessionSummaryText {
  readonly text: string
  /** Which of the seven sections the summary lacks; a warning. */
  readonly missingSections: readonly string[]
  /** Estimated tokens of the session's messages as sent, and with the summary. */
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** Whether the summary is in the log. */
  readonly isCompacted: boolean
  readonly spending: SummarySpending
}

/** The reason why there is no summary; the conversation is unchanged. */
export interface SessionSummaryFailure {
  readonly code: CompactFailure['code']
  /** One sentence for the user. */
  readonly message: string
  /** The summary, if the only problem was a change of the log in the meantime. */
  readonly text?: string
  readonly spending: SummarySpending
  readonly cause?: unknown
}

interface SummariseParts {
  readonly store: Store
  readonly clock: Clock
  readonly sessions: Pick<EngineSessions, 'append'>
  readonly requests: Pick<Requests, 'recordedModel'>
}

/** The mode of these requests in usage. */
const MODE = 'summarise'
const KEEP_TOKENS = 20_000
/** The largest share of a conversation that stays by default. */
const KEEP_SHARE = 0.25
const MAX_OUTPUT_TOKENS = 8000

type Written = Omit<SessionSummaryText, 'spending'>
type Failed = Omit<SessionSummaryFailure, 'spending'>

/**
 * Asks a model to summarise a session and, with `compact`, replaces older messages by the summary. If the model refuses
 * or the summary is unusable, the result is a failure that includes the cost. Rejects with `not-found` and
 * `invalid-input`, and if the store fails.
 */
export const summariseSession = async (
  parts: SummariseParts,
  sessionId: string,
  input: SummariseInput,
): Promise<Result<SessionSummaryText, SessionSummaryFailure>> => {
  assertInput(sessionId, input)
  const { store, clock, requests } = parts
  const session = await store.sessions.get(sessionId)
  if (session === undefined)
    throw new CairnError('not-found', `There is no session with the id ${shownValue(sessionId)}; nothing was sent.`)
  const conversation = await openSummarised(store, session, input)
  const recorded = await requests.recordedModel(input.languageModel, { sessionId: session.id, mode: MODE })
  const following = followed(recorded, input.onEvent)
  const startedAt = clock.now()
  const work = { parts, session, conversation, model: following.model, input }
  const result = await (input.compact === true ? compacted(work) : summarised(work))
  // What a stopped request cost is only written when its stream has ended.
  await following.ended()
  const spending = await spendingSince(store, session.id, startedAt)
  return result.ok ? ok({ ...result.value, spending }) : err({ ...result.error, spending })
}

/** @throws CairnError `invalid-input` naming the first value that is wrong */
const assertInput = (sessionId: string, { model, keepTokens, maxOutputTokens }: SummariseInput): void => {
  assertName(sessionId, "The session's id")
  assertName(model, "The model's name")
  assertLimit(keepTokens, 'keepTokens', 0)
  assertLimit(maxOutputTokens, 'maxOutputTokens', 1)
}

/**
 * The session as it may be sent to the model: unchanged, but without reasoning that this model would refuse. Opened
 * under the policy `none`.
 */
const openSummarised = async (
  store: Store,
  { id, agent, externalId }: SessionSummary,
  { model, languageModel: { provider } }: SummariseInput,
): Promise<Conversation> => {
  const [{ createModelCatalog }, { openConversation }] = await Promise.all([
    import('../models/model-catalog.ts'),
    import('../requests/conversation.ts'),
  ])
  const facts = (await createModelCatalog()).facts(model, provider)
  const conversation = await openConversation(store, { id, agent, externalId }, facts, { policy: 'none', model })
  const { thinkingSignature } = facts
  conversation.context.view.ask({ provider, thinkingSignature, model: facts.id === '' ? undefined : facts.id })
  return conversation
}

/** A session being summarised. */
interface Work {
  readonly parts: SummariseParts
  readonly session: SessionSummary
  readonly conversation: Conversation
  readonly model: LanguageModel
  readonly input: SummariseInput
}

const longestSummary = ({ conversation: { facts }, input }: Work): number =>
  Math.min(input.maxOutputTokens ?? MAX_OUTPUT_TOKENS, facts.maxOutputTokens)

/** Has the model summarise the whole conversation; nothing is written to the log. */
const summarised = async (work: Work): Promise<Result<Written, Failed>> => {
  const { conversation, input } = work
  const { view } = conversation.context
  const [{ wholeConversation }, { summarise }, { estimateOfMessages }] = await Promise.all([
    import('../context/compact/compaction-plan.ts'),
    import('../summary/summarise-with-model.ts'),
    import('../context/view-block.ts'),
  ])
  const written = await summarise(
    work.model,
    {
      model: input.model,
      messages: wholeConversation(view),
      maxOutputTokens: longestSummary(work),
      estimate: (messages) => estimateOfMessages(messages, view.charactersPerToken),
      ...(view.todo === undefined ? {} : { focusChain: view.todo }),
    },
    input.signal,
  )
  if (!written.ok) return err(withoutUsage(written.error))
  const { text, missingSections, tokensBefore, tokensAfter } = written.value
  return ok({ text, missingSections, tokensBefore, tokensAfter, isCompacted: false })
}

/**
 * Compacts the conversation with a model's summary, appended to the log. Fails if it is short enough already (nobody is
 * asked then), or if the log grew meanwhile: then the summary is in the failure, and nothing is appended.
 */
const compacted = async (work: Work): Promise<Result<Written, Failed>> => {
  const { parts, conversation, input } = work
  const { view } = conversation.context
  const { nextSeq } = view
  const keepTokens = input.keepTokens ?? Math.min(KEEP_TOKENS, Math.floor(view.tokens() * KEEP_SHARE))
  if (view.tokens() <= keepTokens) return err(allStays(view.tokens(), keepTokens))
  const { compactWithModel } = await import('../context/compact/compact-with-model.ts')
  const done = await compactWithModel(
    conversation.context,
    work.model,
    { model: input.model, now: parts.clock.now(), keepTokens, maxOutputTokens: longestSummary(work) },
    input.signal,
  )
  if (!done.ok) return err(withoutUsage(done.error))
  const { entry, summary: text, missingSections, tokensBefore, tokensAfter } = done.value
  if (!(await isAppended(work, entry, nextSeq))) return err({ ...OVERTAKEN, text })
  return ok({ text, missingSections, tokensBefore, tokensAfter, isCompacted: true })
}

/** The failure for a conversation that is short enough to stay. */
const allStays = (tokens: number, keepTokens: number): Failed => ({
  code: 'summary-nothing-new',
  message: `The messages take about ${tokens} tokens and the newest ${keepTokens} stay as they are, so there is nothing to summarise; the conversation was left as it is.`,
})

const OVERTAKEN: Failed = {
  code: 'conversation-changed',
  message: 'Another program wrote to the session while the summary was written; the conversation was left as it is.',
}

/** The failure without its usage, which is told as spending. */
const withoutUsage = ({ code, message, cause }: CompactFailure): Failed => ({
  code,
  message,
  ...(cause === undefined ? {} : { cause }),
})

/** How often another notice may arrive between reading the log and writing to it. */
const MOST_TRIES = 5

/**
 * Appends the rewrite at the log's end, behind the notices that came since `fromSeq`. False, with nothing appended, if
 * anything else was written since, or if more came between reading and writing five times.
 */
const isAppended = async (
  { parts: { store, clock, sessions }, session: { id, agent, externalId } }: Work,
  { seq: _seq, ...rewrite }: RewriteEntry,
  fromSeq: number,
): Promise<boolean> => {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const since = await store.sessions.read(id, { fromSeq })
    if (!since.every(({ kind }) => kind === 'notice')) return false
    const entry: NewLogEntry = { ...rewrite, at: clock.now() }
    const written = await sessions.append({ id, agent, externalId }, fromSeq + since.length, [{ entry }])
    if (written.ok) return true
  }
  return false
}

interface Followed {
  readonly model: LanguageModel
  /** Resolves when all started streams have ended. */
  ended(): Promise<void>
}

/**
 * The messages without reasoning. A summary does not need it, and a provider refuses reasoning signed for another
 * account, or for a conversation with another prompt.
 */
const withoutReasoning = (messages: readonly Message[]): readonly Message[] =>
  messages
    .map((message) => ({ ...message, content: message.content.filter((block) => !isThinking(block)) }))
    .filter(({ content }) => content.length > 0)

/** A model that reports every event and sends no reasoning; `ended` resolves when all its streams have. */
const followed = (model: LanguageModel, onEvent: SummariseInput['onEvent']): Followed => {
  const streams: Promise<undefined>[] = []
  /**
   * One stream of the model, without reasoning in its request; it counts as ended also when its reader leaves early or
   * it fails.
   */
  const follow = async function* (request: ModelRequest): AsyncGenerator<ModelEvent, void> {
    const end = Promise.withResolvers<undefined>()
    streams.push(end.promise)
    try {
      for await (const event of model.stream({ ...request, messages: withoutReasoning(request.messages) })) {
        onEvent?.(event)
        yield event
      }
    } finally {
      end.resolve(undefined)
    }
  }
  return {
    model: { provider: model.provider, stream: follow },
    ended: async () => {
      await Promise.all(streams)
    },
  }
}

/**
 * What was spent on a session's summaries since a time in ms; requests without a price add 0 to `costNano`. `input`
 * counts cached tokens too.
 */
const spendingSince = async (store: Store, sessionId: string, since: number): Promise<SummarySpending> => {
  const made = (await store.usage.requests(sessionId)).filter(({ mode, at }) => mode === MODE && (at ?? 0) >= since)
  return {
    requests: made.length,
    input: made.reduce((sum, request) => sum + allInputTokens(request), 0),
    output: made.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
    costNano: made.reduce((sum, { costNano }) => sum + (costNano ?? 0n), 0n),
    unpricedRequests: made.filter(({ costNano }) => costNano === null).length,
  }
}

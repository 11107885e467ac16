/** The engine's context part: what a model is sent at the start of a session and with its next request. */
import type { CountingModel, RequestCount } from '../context/count-request.ts'
import type { EstimateRatio } from '../context/learned-ratio.ts'
import type { SessionContext, SessionContextInput } from '../context/session-context.ts'
import { CairnError } from '../errors.ts'
import { assertTextOrAbsent, assertTimeOrAbsent } from '../input.ts'
import type { Clock } from '../ports/clock.ts'
import type { LanguageModel } from '../ports/language-model.ts'
import type { PriceBook } from '../ports/price-book.ts'
import type { Store } from '../ports/store.ts'
import type { Requests } from '../requests/send.ts'
import type { Result } from '../result.ts'
import { modelHistory } from '../session/model-history.ts'
import type { ModelMessage } from '../session/model-history.ts'
import type { SessionStart, SessionStartInput } from '../session-start/session-start.ts'
import type { AskedLanguageModel } from './asked-model.ts'
import type { EngineSessions } from './sessions.ts'
import type { SessionSummaryFailure, SessionSummaryText, SummariseInput } from './summarise.ts'

/** The next request of a session, estimated and counted. */
export interface CountedRequest extends RequestCount {
  /** The request with the estimates from before the count. */
  readonly context: SessionContext
  /** The ratio used for the session's estimates from now on, and what it yields for the counted content. */
  readonly ratio: EstimateRatio
  readonly estimatedNow: number
}

/** How a session would continue; omitted values are taken from the session. */
export interface ContextSetting extends Pick<SessionContextInput, 'policy' | 'preset' | 'window' | 'prefixTokens'> {
  /** As of this time, ms; default now. */
  readonly at?: number
  /** Overrides the model that the session used last. */
  readonly model?: string
}

export interface EngineContext {
  /**
   * What a session is given before its first message: profile, memory and relevant past sessions. The same `at` returns
   * the same text. Empty if incognito or without long-term memory.
   */
  sessionStart(input: SessionStartInput): Promise<SessionStart>
  /**
   * What the next request of a session would contain, block by block, and why. Writes nothing. Rejects with
   * `not-found`, and with `invalid-input` if the window leaves no tokens for messages.
   */
  nextRequest(sessionId: string, setting?: ContextSetting): Promise<SessionContext>
  /**
   * Counts the messages of the session's next request with the provider's own counter, and stores the count: later
   * estimates of the session, and of others with the model, are based on it. System prompt and tools are in no log and
   * are not counted. Rejects with `not-found`, `unsupported` if the provider has no counter, `invalid-input` if the
   * session has no messages, and with the provider's `ModelError`; nothing is stored then.
   */
  countRequest(sessionId: string, asked: AskedLanguageModel, setting?: ContextSetting): Promise<CountedRequest>
  /**
   * Asks a model to summarise a session in seven sections. The request is charged to the session, with the mode
   * `summarise`, whether or not its summary is used. With `compact`, the summary replaces the older messages as one log
   * entry, which a rewind undoes. A summary is refused if it would not shrink the conversation or does not say what it
   * was about. Rejects with `not-found`, `invalid-input`, and if the store fails.
   */
  summarise(sessionId: string, input: SummariseInput): Promise<Result<SessionSummaryText, SessionSummaryFailure>>
  /** The messages of a session before any context policy, as of `at` (ms) if given. Rejects with `not-found`. */
  modelHistory(sessionId: string, at?: number): Promise<readonly ModelMessage[]>
}

interface EngineContextParts {
  readonly store: Store
  readonly clock: Clock
  readonly priceBook: () => Promise<PriceBook>
  readonly sessions: Pick<EngineSessions, 'log' | 'append'>
  readonly requests: Pick<Requests, 'recordedModel'>
  readonly sessionStart: EngineContext['sessionStart']
}

/**
 * Creates the engine's context part. Only `summarise` and `countRequest` call a provider, and only they write: a cost
 * and a summary, or a count. Methods about a session reject with `not-found` for an unknown one.
 */
export const createEngineContext = (parts: EngineContextParts): EngineContext => {
  const { sessions, sessionStart } = parts
  return {
    sessionStart,
    modelHistory: async (sessionId, at) => modelHistory(await sessions.log(sessionId, at)),
    nextRequest: async (sessionId, setting) => (await nextRequestOf(parts, sessionId, setting)).context,
    summarise: async (sessionId, input) => (await import('./summarise.ts')).summariseSession(parts, sessionId, input),
    countRequest: (sessionId, asked, setting) => countedRequest(parts, sessionId, asked, setting),
  }
}

/** A session's next request, and the data from which its estimates were learned. */
interface NextRequest {
  readonly context: SessionContext
  /** The current ratio for the session's estimates. */
  readonly ratio: () => Promise<EstimateRatio>
  /** The model's characters per token if nothing was learned. */
  readonly usual: number
}

/**
 * The session's next request as of `at` (now by default), with the ratio of characters per token and the model's usual
 * one. Rejects with `not-found` for an unknown session.
 * @throws CairnError `invalid-input` for wrong settings
 */
const nextRequestOf = async (
  { store, clock, priceBook, sessions }: EngineContextParts,
  sessionId: string,
  { at, model: chosen, ...setting }: ContextSetting = {},
): Promise<NextRequest> => {
  assertTimeOrAbsent(at, 'The time')
  assertTextOrAbsent(chosen, 'The model')
  const [entries, requests] = await Promise.all([sessions.log(sessionId, at), store.usage.requests(sessionId)])
  const [{ sessionContext }, { ratioOfSession }, { sessionModel }, { createModelCatalog }, { pricesFrom }] =
    await Promise.all([
      import('../context/session-context.ts'),
      import('../context/learned-ratio.ts'),
      import('../context/session-model.ts'),
      import('../models/model-catalog.ts'),
      import('../replay/prices.ts'),
    ])
  const { model = '', newest, largestInput } = sessionModel(entries, requests, at)
  const facts = (await createModelCatalog()).facts(chosen ?? model)
  const ratio = (): Promise<EstimateRatio> => ratioOfSession(store, { sessionId, entries, requests, facts, at })
  const now = at ?? clock.now()
  const prices = facts.id === '' ? undefined : pricesFrom(await priceBook(), facts.id, now, facts.cacheLifetimeSeconds)
  const { focusOf } = await import('../context/workspace-focus.ts')
  const context = sessionContext({
    ...setting,
    focus: await focusOf(store.state, (await store.sessions.get(sessionId))?.workspace),
    entries,
    newest,
    largestInput: facts.id === model ? largestInput : 0,
    facts,
    ratio: await ratio(),
    prices,
    now,
  })
  return { context, ratio, usual: facts.charsPerToken }
}

const hasCounter = (model: LanguageModel): model is LanguageModel & CountingModel => model.countTokens !== undefined

/** The model, if it has a counter. @throws CairnError `unsupported` if it has none */
const countingModel = (model: LanguageModel): CountingModel => {
  if (hasCounter(model)) return model
  throw new CairnError(
    'unsupported',
    `${model.provider} has no counter of tokens here; there is only the estimate (cairn context show).`,
  )
}

/**
 * Counts the session's next request with the provider, and stores the count so that later estimates are better (not for
 * a session without a known model). Rejects with `unsupported` for a model without a counter, and with `invalid-input`
 * if there are no messages. `setting`: default as the session's last request.
 */
const countedRequest = async (
  parts: EngineContextParts,
  sessionId: string,
  { languageModel, model }: AskedLanguageModel,
  setting?: ContextSetting,
): Promise<CountedRequest> => {
  const counting = countingModel(languageModel)
  const { context, ratio, usual } = await nextRequestOf(parts, sessionId, setting)
  const { messages } = context.prepared
  if (messages.length === 0)
    throw new CairnError('invalid-input', 'The session has no messages yet, so there is nothing to count.')
  const [{ countRequest }, { keepCount }, { estimateOfMessages }] = await Promise.all([
    import('../context/count-request.ts'),
    import('../context/kept-counts.ts'),
    import('../context/view-block.ts'),
  ])
  const request = { model, messages, maxOutputTokens: 1 }
  const count = await countRequest(counting, request, context.ratio.charsPerToken)
  const observation = { model: context.model, ...count.observation }
  if (context.model !== '') await keepCount(parts.store.state, { sessionId, at: parts.clock.now(), usual }, observation)
  const learned = await ratio()
  return { ...count, context, ratio: learned, estimatedNow: estimateOfMessages(count.messages, learned.charsPerToken) }
}

/** The engine's part that answers what a model is sent: at the start of a session, and with its next request. */
import type { SessionContext, SessionContextInput } from '../context/session-context.ts'
import { assertTextOrAbsent, assertTimeOrAbsent } from '../input.ts'
import type { Clock } from '../ports/clock.ts'
import type { PriceBook } from '../ports/price-book.ts'
import type { Store } from '../ports/store.ts'
import { modelHistory } from '../session/model-history.ts'
import type { ModelMessage } from '../session/model-history.ts'
import type { SessionStart, SessionStartInput } from '../session-start/session-start.ts'
import type { EngineSessions } from './sessions.ts'

/** How a session would go on; what is left out is taken from the session. */
export interface ContextSetting extends Pick<SessionContextInput, 'policy' | 'preset' | 'window' | 'prefixTokens'> {
  /** As the session was at this time, ms; default now. */
  readonly at?: number
  /** Instead of the model that the session used last. */
  readonly model?: string
}

export interface EngineContext {
  /**
   * What a session is given before its first message: profile, memory and the past sessions that matter. The same `at`
   * gives the same text. Empty when incognito, and without long-term memory.
   */
  sessionStart(input: SessionStartInput): Promise<SessionStart>
  /**
   * What the next request of a session would be sent with, block by block, and why. Writes nothing. Rejects with
   * `not-found`, and with `invalid-input` when the window leaves no tokens for messages.
   */
  nextRequest(sessionId: string, setting?: ContextSetting): Promise<SessionContext>
  /** The messages of a session before any context policy, as of `at` (ms) where given. Rejects with `not-found`. */
  modelHistory(sessionId: string, at?: number): Promise<readonly ModelMessage[]>
}

interface EngineContextParts {
  readonly store: Store
  readonly clock: Clock
  readonly priceBook: () => Promise<PriceBook>
  readonly sessions: Pick<EngineSessions, 'log'>
  readonly sessionStart: EngineContext['sessionStart']
}

/** The engine's part that prepares and reports the context of a session. */
export const createEngineContext = ({
  store,
  clock,
  priceBook,
  sessions,
  sessionStart,
}: EngineContextParts): EngineContext => ({
  sessionStart,
  modelHistory: async (sessionId, at) => modelHistory(await sessions.log(sessionId, at)),
  nextRequest: async (sessionId, { at, model: chosen, ...setting } = {}) => {
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
    const ratio = await ratioOfSession(store, { sessionId, entries, requests, facts, at })
    const now = at ?? clock.now()
    const prices =
      facts.id === '' ? undefined : pricesFrom(await priceBook(), facts.id, now, facts.cacheLifetimeSeconds)
    return sessionContext({
      ...setting,
      entries,
      newest,
      largestInput: facts.id === model ? largestInput : 0,
      facts,
      ratio,
      prices,
      now,
    })
  },
})

/** A model whose requests are billed to a session, and are no part of its conversation. */
import type { Clock } from '../ports/clock.ts'
import type { Ids } from '../ports/ids.ts'
import type { LanguageModel, ModelRequest } from '../ports/language-model.ts'
import type { PriceBook } from '../ports/price-book.ts'
import type { Store } from '../ports/store.ts'
import type { NewLogEntry } from '../session-log.ts'
import type { Attempt } from './attempt.ts'
import { billOfFailure, billOfReply, failureOf, type Billing } from './request-fact.ts'
import type { SessionWriter } from './session-writer.ts'
import { watchAttempts, type AttemptRecorder } from './watch-attempts.ts'

export interface RecordedModelOptions {
  readonly sessionId: string
  /** What the requests are for, as usage is grouped by it: `summarise`, `title`, … */
  readonly mode: string
}

export interface RecordedModelParts {
  readonly store: Pick<Store, 'usage' | 'sessions'>
  readonly clock: Clock
  readonly ids: Ids
  readonly priceBook: PriceBook
  readonly writer: SessionWriter
}

/**
 * A model that makes the same requests and writes their bills to the session of `options`: what a request cost is there
 * when its last event is given. Counting tokens is passed on, without a bill.
 */
export const createRecordedModel = (
  languageModel: LanguageModel,
  options: RecordedModelOptions,
  parts: RecordedModelParts,
): LanguageModel => ({
  provider: languageModel.provider,
  ...(languageModel.countTokens === undefined
    ? {}
    : { countTokens: (request) => languageModel.countTokens?.(request) ?? Promise.resolve(0) }),
  stream: (request) =>
    watchAttempts(languageModel, request, {
      clock: parts.clock,
      recorder: recorderOf(languageModel, request, options, parts),
    }),
})

/**
 * A recorder of one model's attempts, beside the conversation: each becomes a notice with its bill behind the session's
 * log (a warning with the error's text where it failed). A failure that was not billed is only counted as a failure.
 * Rejects as the store does.
 */
const recorderOf = (
  { provider }: LanguageModel,
  { model }: ModelRequest,
  { mode }: RecordedModelOptions,
  { store, clock, ids, priceBook, writer }: RecordedModelParts,
): AttemptRecorder => {
  const billing: Billing = { model, provider, mode, priceBook }
  const endOf = (attempt: Attempt) => ({ attempt, id: ids.next(), at: clock.now() })
  /** Writes an entry with its bill behind the session's log; the bill is a subagent's, named by the mode. */
  const append = async (entry: NewLogEntry, bill: ReturnType<typeof billOfReply>, attempt: Attempt): Promise<void> => {
    // Beside the conversation, as a subagent's: its model is not the session's, nor its input the size of the context.
    const request = { ...bill, subagent: mode }
    const { entries = 0 } = (await store.sessions.get(writer.session.id)) ?? {}
    await writer.writeFrom(() => [{ entry, request, visibleCharacters: attempt.visibleCharacters }], entries)
  }
  return {
    done: async (attempt, done) => {
      const end = endOf(attempt)
      const fact = billOfReply(end, done, billing)
      const text = `A request to ${fact.model} (${mode}).`
      await append({ kind: 'notice', at: end.at, level: 'info', text }, fact, attempt)
    },
    failed: async (attempt, error) => {
      const end = endOf(attempt)
      const fact = billOfFailure(end, error, billing)
      if (fact === undefined) await store.usage.addFailure(writer.session.id, failureOf(end, error, billing))
      else await append({ kind: 'notice', at: end.at, level: 'warning', text: error.message }, fact, attempt)
    },
  }
}

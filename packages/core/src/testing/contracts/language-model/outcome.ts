/** What came of a request: its events, and the one way in which it ended. */
import type { ContentBlock } from '../../../messages.ts'
import {
  ModelError,
  type LanguageModel,
  type ModelDone,
  type ModelEvent,
  type ModelRequest,
} from '../../../ports/language-model.ts'
import type { TokenUsage } from '../../../ports/price-book.ts'
import type { BilledTokens, LedgerEntry } from '../../model-server/index.ts'
import type { TestApi } from '../test-api.ts'

export interface Outcome {
  readonly events: readonly ModelEvent[]
  readonly blocks: readonly ContentBlock[]
  readonly done: ModelDone | undefined
  readonly error: ModelError | undefined
  /** `done`, or the code of the error; else what is wrong with the end: none, two, events behind it, another error. */
  readonly end: string
}

/** How a stream ended, in a word: `done`, the code of its error, or what was wrong with its end. */
const endOf = (events: readonly ModelEvent[], hasThrown: boolean, thrown: unknown): string => {
  const dones = events.filter(({ type }) => type === 'done').length
  if (hasThrown && !ModelError.is(thrown)) return `threw what is no ModelError: ${String(thrown)}`
  if (hasThrown && ModelError.is(thrown)) return dones > 0 ? `done, and ${thrown.code} as well` : thrown.code
  if (dones !== 1) return dones === 0 ? 'ended without an end' : `ended ${dones} times`
  return events.at(-1)?.type === 'done' ? 'done' : 'went on after its end'
}

/**
 * Asks, and takes all that comes; never rejects: what was thrown is told by `end`, and by `error` where it is a
 * ModelError. `onEvent` may cancel.
 */
export const outcomeOf = async (
  model: LanguageModel,
  request: ModelRequest,
  onEvent: (event: ModelEvent) => void = () => undefined,
): Promise<Outcome> => {
  const events: ModelEvent[] = []
  let thrown: unknown
  let hasThrown = false
  try {
    for await (const event of model.stream(request)) {
      events.push(event)
      onEvent(event)
    }
  } catch (error) {
    thrown = error
    hasThrown = true
  }
  return {
    events,
    blocks: events.flatMap((event) => (event.type === 'block' ? [event.block] : [])),
    done: events.find((event) => event.type === 'done'),
    error: ModelError.is(thrown) ? thrown : undefined,
    end: endOf(events, hasThrown, thrown),
  }
}

/** All pieces of a kind, joined in order; empty without any. */
export const joined = ({ events }: Outcome, type: 'text' | 'thinking'): string =>
  events.map((event) => (event.type === type ? event.text : '')).join('')

const FIELDS = [
  'inputTokens',
  'cacheReadTokens',
  'cacheWrite5mTokens',
  'cacheWrite30mTokens',
  'cacheWrite1hTokens',
  'cacheWrite12hTokens',
  'outputTokens',
  'reasoningTokens',
] as const satisfies readonly (keyof BilledTokens)[]

/** The usage in the ledger's classes; what is not told counts as 0. */
export const countsOf = (usage: TokenUsage | undefined): BilledTokens => {
  const counts: Readonly<Record<string, number | undefined>> = { ...usage }
  return Object.fromEntries(FIELDS.map((field) => [field, counts[field] ?? 0])) as unknown as BilledTokens
}

/** The sums of all counts, class by class; zeros for an empty list. */
export const sumOf = (all: readonly BilledTokens[]): BilledTokens =>
  Object.fromEntries(
    FIELDS.map((field) => [field, all.reduce((sum, counts) => sum + counts[field], 0)]),
  ) as unknown as BilledTokens

/**
 * Expects that the reply ended well, with the usage that was billed; where usage was reported before the end, the last
 * report is the same.
 */
export const expectBilled = (expect: TestApi['expect'], outcome: Outcome, entry: LedgerEntry | undefined): void => {
  expect(outcome.end).toBe('done')
  expect(countsOf(outcome.done?.usage)).toEqual(entry?.tokens)
  const usages = outcome.events.flatMap((event) => (event.type === 'usage' ? [event.usage] : []))
  if (usages.length > 0) expect(countsOf(usages.at(-1))).toEqual(entry?.tokens)
}

/** Expects that the end is one of these; where not, the failure shows the end that it was. */
export const expectEnd = (expect: TestApi['expect'], outcome: Outcome, ...ends: readonly string[]): void => {
  expect(ends.includes(outcome.end) ? ends : outcome.end).toEqual(ends)
}

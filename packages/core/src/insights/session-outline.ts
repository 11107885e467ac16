/** Puts the outline of a session together: its log in turns, its requests in sums. */
import { cacheWriteTokens, type PriceBook } from '../ports/price-book.ts'
import type { StoredRequest, UsageTotals } from '../ports/usage-storage.ts'
import { addTotals, allInputTokens, emptyTotals, totalsOfRequest } from '../usage/totals.ts'
import type { LoggedPart, LoggedTurn, OutlineLog } from './outline-log.ts'
import { outlineMarks } from './outline-marks.ts'
import { assignRequests } from './outline-requests.ts'
import type { OutlineRequest, OutlineSubagent, OutlineTurn, SessionOutline } from './outline.ts'
import { pricedRequests } from './request-prices.ts'

/**
 * The sums of one stored request. What is not stored with a request is 0 in them: what caching saved, and how many tokens
 * of output are missing; what these cost is there.
 */
const totalsOfStored = ({ costSplit, ...request }: StoredRequest): UsageTotals => ({
  ...totalsOfRequest({
    ...request,
    ...(costSplit === undefined ? {} : { costSplit: { ...costSplit, savedNano: 0n } }),
    visibleCharacters: 0,
  }),
  partialRequests: request.partial ? 1 : 0,
  missingOutputCostNano: request.missingOutputCostNano,
})

interface Sums {
  totals: UsageTotals
  firstAt: number | null
  lastAt: number | null
}

const noSums = (): Sums => ({ totals: emptyTotals, firstAt: null, lastAt: null })

/** Adds totals, and widens the times by `at` unless it is null. */
const add = (sums: Sums, totals: UsageTotals, at: number | null): void => {
  sums.totals = addTotals(sums.totals, totals)
  if (at === null) return
  sums.firstAt = Math.min(sums.firstAt ?? at, at)
  sums.lastAt = Math.max(sums.lastAt ?? at, at)
}

/** When a part began (ms) and how long it took, by its messages and its requests; null for what is not known. */
const timesOf = (
  part: LoggedPart | undefined,
  { firstAt, lastAt }: Sums,
): { readonly at: number | null; readonly durationMs: number | null } => {
  const at = part?.at ?? firstAt
  const ends = [part?.endAt ?? null, lastAt].filter((end) => end !== null)
  return { at, durationMs: at === null || ends.length === 0 ? null : Math.max(0, Math.max(...ends) - at) }
}

/** Where a session has requests and no message, they are one turn. */
const NOTHING_LOGGED: LoggedTurn = {
  seq: 0,
  at: null,
  endAt: null,
  toolCalls: 0,
  errors: 0,
  text: '',
  isAsked: false,
}

interface TurnSums {
  readonly own: Sums
  peakTokens: number
  /** By name, in the order of their beginnings. */
  readonly subagents: Map<string, Sums>
}

/**
 * The outline of a session: turns in the order of the log, requests of the main conversation, and marks. Every request
 * is in the totals of exactly one turn, and of at most one subagent; requests without any turn are one turn. Throws an
 * Error for a request of a turn that is not there.
 * @param stored all requests of the session, in order of time
 * @param now ms: prices of requests without a time
 */
export const sessionOutline = (
  log: OutlineLog,
  stored: readonly StoredRequest[],
  book: PriceBook,
  now: number,
): SessionOutline => {
  const { requests, turnOfSubagent } = assignRequests(log, stored)
  const logged = log.turns.length === 0 && stored.length > 0 ? [NOTHING_LOGGED] : log.turns
  const sums = logged.map((): TurnSums => ({ own: noSums(), peakTokens: 0, subagents: new Map() }))
  for (const [name, turn] of turnOfSubagent) sums[turn]?.subagents.set(name, noSums())
  let total = emptyTotals
  for (const { stored: request, turn } of requests) {
    const totals = totalsOfStored(request)
    total = addTotals(total, totals)
    const turnSums = sums[turn]
    if (turnSums === undefined) throw new Error(`there is no turn ${turn} of ${logged.length}`)
    const part = request.subagent === null ? turnSums.own : turnSums.subagents.get(request.subagent)
    if (part === undefined) throw new Error('a subagent has requests in a turn that it did not begin in')
    add(part, totals, request.at)
    if (request.subagent === null) turnSums.peakTokens = Math.max(turnSums.peakTokens, allInputTokens(request))
  }
  const firstNumber = logged[0]?.isAsked === false ? 0 : 1
  const main = requests.filter(({ stored: { subagent } }) => subagent === null)
  const priced = pricedRequests(
    main.map((request) => request.stored),
    book,
    now,
  ).map((request, index) => ({ ...request, seq: main[index]?.seq ?? null }))
  return {
    turns: logged.map((turn, index) =>
      turnOf(
        turn,
        index + firstNumber,
        sums[index] ?? { own: noSums(), peakTokens: 0, subagents: new Map() },
        log,
        total,
      ),
    ),
    total,
    requests: main.map(({ stored: request, number, turn, seq }): OutlineRequest => ({
      number,
      at: request.at,
      model: request.model,
      seq,
      turn: turn + firstNumber,
      inputTokens: request.inputTokens,
      cacheReadTokens: request.cacheReadTokens,
      cacheWriteTokens: cacheWriteTokens(request),
    })),
    marks: outlineMarks(priced, log.changes),
  }
}

/**
 * A turn of the outline, subagents in the order of their start. `own` is without them, `totals` with them; `share` is
 * that of the session's cost, 0 to 1; 0 if that is nothing.
 */
const turnOf = (
  turn: LoggedTurn,
  number: number,
  { own, peakTokens, subagents }: TurnSums,
  log: OutlineLog,
  total: UsageTotals,
): OutlineTurn => {
  const parts = [...subagents].map(([name, sums]): OutlineSubagent => {
    const part = log.subagents.get(name)
    return {
      name,
      seq: part?.seq ?? null,
      ...timesOf(part, sums),
      toolCalls: part?.toolCalls ?? 0,
      errors: part?.errors ?? 0,
      totals: sums.totals,
    }
  })
  const totals = parts.reduce((sum, part) => addTotals(sum, part.totals), own.totals)
  return {
    number,
    seq: turn.seq,
    text: turn.text,
    ...timesOf(turn, own),
    toolCalls: turn.toolCalls,
    errors: turn.errors,
    own: own.totals,
    totals,
    share: total.costNano === 0n ? 0 : Number(totals.costNano) / Number(total.costNano),
    peakTokens,
    subagents: parts.sort((left, right) => (left.at ?? Infinity) - (right.at ?? Infinity) || 0),
  }
}

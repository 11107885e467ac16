/** A session's outline as its page draws it: turns with figures, and the context as bars with marks. */
import { allInputTokens, formatUsd, usdFromNano } from '@cairn/core'
import type { UsageTotals } from '@cairn/core'
import { durationText } from '@cairn/core/conversation'
import type { OutlineMark, OutlineRequest, OutlineSubagent, OutlineTurn, SessionOutline } from '@cairn/core/insights'
import { compactCount, counted } from '../usage/figure.ts'

/** A turn or a subagent. */
export interface OutlineRow {
  readonly seq: number | null
  /** Null for a turn. */
  readonly subagent: string | null
  /** The number of the turn. */
  readonly turn: number
  readonly text: string
  readonly cost: string
  /** Of the dearest turn's cost, 0 … 1. */
  readonly weight: number
  /** Of the session's cost; '' without one. */
  readonly share: string
  readonly tokens: string
  /** '' where it is not known. */
  readonly took: string
  readonly toolCalls: number
  /** Calls that failed. */
  readonly failed: number
  /** All of it in words. */
  readonly about: string
}

/** A bar of the context chart: of several requests the largest, or the largest of those before which the cache was lost. */
export interface ContextPoint {
  readonly key: string
  readonly label: string
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  /** First and last of these requests, and the one that is drawn; from 1 and numbered as in the table of requests. */
  readonly first: number
  readonly last: number
  readonly drawn: number
  /** It is drawn because the cache was lost before it, and not because it is the largest. */
  readonly isLoss: boolean
  /** Of the request that is drawn, ms. */
  readonly at: number | null
  readonly model: string
  /** The entry of the first reply among them; null where none is known. */
  readonly seq: number | null
}

/** A mark in the context chart. */
export interface MarkView {
  readonly kind: OutlineMark['kind']
  /** Before which point it is drawn. */
  readonly index: number
  readonly title: string
  /** The entry that tells of it; null where none does. */
  readonly seq: number | null
  /** Of a pause, how long it was: `2 h 3 min`; '' of other marks. */
  readonly pause: string
  /** Of a compaction, `238K → 26.2K tokens`; '' where that is not known. */
  readonly sizes: string
}

/** The outline of a session, as its page shows it. */
export interface TimelineView {
  /** In the order of the log: each turn, and below it its subagents. */
  readonly rows: readonly OutlineRow[]
  /** Positions of turns in `rows`, the most expensive first. */
  readonly byCost: readonly number[]
  readonly total: { readonly cost: string; readonly tokens: string; readonly turns: number }
  readonly points: readonly ContextPoint[]
  readonly marks: readonly MarkView[]
  /** Tokens of the largest request. */
  readonly peak: number
  /** Requests that are in no point: a subagent has a context of its own. */
  readonly subagentRequests: number
}

/** More bars than these could not be told apart. */
const MOST_POINTS = 160
/** Marks that are named one by one at a bar. */
const MOST_MARKS = 400

const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 })

/** Shares that would be rounded to nothing. */
const SMALLEST_SHARE = 0.0005

/** Returns a share in percent; `< 0.1%` if it would be rounded to nothing. */
const shareText = (share: number): string => (share > 0 && share < SMALLEST_SHARE ? '< 0.1%' : percent.format(share))

/** Returns a cost; `unpriced` if no request has a price. */
const costText = ({ requests, unpricedRequests, costNano }: UsageTotals): string =>
  requests > 0 && unpricedRequests === requests ? 'unpriced' : formatUsd(costNano)

/** Returns input and output tokens together. */
const tokensOf = (totals: UsageTotals): number => allInputTokens(totals) + totals.outputTokens

/** Returns all input tokens of a request. */
const sizeOf = (request: Pick<ContextPoint, 'inputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'>): number =>
  request.inputTokens + request.cacheReadTokens + request.cacheWriteTokens

/** What a row's cost is compared with. */
interface RowScale {
  readonly dearest: bigint
  readonly total: bigint
}

/** Returns the row of a turn or subagent. `share` is empty and `weight` 0 where nothing has a cost. */
const rowOf = (
  part: OutlineTurn | OutlineSubagent,
  names: Pick<OutlineRow, 'subagent' | 'turn' | 'text'>,
  { dearest, total }: RowScale,
): OutlineRow => {
  const { totals, durationMs, toolCalls, errors, seq } = part
  const share = total === 0n ? '' : shareText(usdFromNano(totals.costNano) / usdFromNano(total))
  const took = durationMs === null ? '' : durationText(durationMs)
  const about = [
    `${costText(totals)}${share === '' ? '' : `, ${share} of the session`}`,
    counted(totals.requests, 'request'),
    `${counted(allInputTokens(totals), 'token')} in and ${counted(totals.outputTokens, 'token')} out`,
    ...(took === '' ? [] : [took]),
    ...(toolCalls === 0 ? [] : [counted(toolCalls, 'tool call')]),
    ...(errors === 0 ? [] : [`${errors.toLocaleString('en-US')} failed`]),
  ].join(' · ')
  return {
    ...names,
    seq,
    cost: costText(totals),
    weight: dearest === 0n ? 0 : usdFromNano(totals.costNano) / usdFromNano(dearest),
    share,
    tokens: compactCount(tokensOf(totals)),
    took,
    toolCalls,
    failed: errors,
    about,
  }
}

/** Returns a turn's prompt, or words for a turn without one. */
const turnText = ({ text, number }: OutlineTurn): string =>
  text !== '' ? text : number === 0 ? 'Before the first prompt' : 'A prompt without text'

/** What a compaction left of the context; '' of other marks, and where a size is not known. */
const sizesText = ({ kind, tokensBefore, tokensAfter }: OutlineMark): string =>
  kind !== 'compaction' || tokensBefore === null || tokensAfter === null
    ? ''
    : `${compactCount(tokensBefore)} → ${compactCount(tokensAfter)} tokens`

/**
 * Returns a mark as a sentence: what happened, at which entry, and what had to be written to the cache again, if
 * anything.
 */
const markTitle = (mark: OutlineMark): string => {
  const { kind, about, pauseMs, rewrittenTokens, rewrittenNano, seq } = mark
  const again =
    rewrittenTokens === 0
      ? ''
      : `; ${compactCount(rewrittenTokens)} tokens were written again, for ${formatUsd(rewrittenNano)} more than reading them`
  const entry = seq === null ? '' : `, entry #${seq}`
  switch (kind) {
    case 'compaction':
      return `Compaction (${about})${entry}${sizesText(mark) === '' ? '' : `: ${sizesText(mark)}`}${again}`
    case 'cleared-results':
      return `Old tool results were cleared (${about})${entry}${again}`
    case 'rewrite':
      return `The context was trimmed (${about})${again}`
    case 'truncation':
      return `Entries left the context (${about})${again}`
    case 'pause':
      return `A pause${pauseMs === null ? '' : ` of ${durationText(pauseMs)}`} in which the cache was lost${again}`
    case 'cache-break':
      return `The cache was lost${again}`
    case 'model':
      return `The model changed to ${about}${again}`
  }
}

/** Compactions at which a new point begins, so that the drop is seen. */
const MOST_DROPS = 100

/** Marks that stand for a loss of the cache. */
const LOSSES: ReadonlySet<OutlineMark['kind']> = new Set(['pause', 'cache-break', 'rewrite', 'truncation', 'model'])

/**
 * Returns the positions of requests at which a point has to begin: the first request after each of the first
 * `MOST_DROPS` compactions, and the one behind it.
 */
const beginnings = (marks: readonly OutlineMark[]): ReadonlySet<number> =>
  new Set(
    marks
      .filter(({ kind }) => kind === 'compaction')
      .slice(0, MOST_DROPS)
      .flatMap(({ before }) => [before, before + 1]),
  )

/**
 * Requests as points, at most `MOST_POINTS` and some for compactions; neighbours share a point, which has the largest of
 * them, or of those before which the cache was lost. The first request after a compaction has its own. `starts`: the
 * position of each point's first request.
 */
export const contextPoints = (
  requests: readonly OutlineRequest[],
  marks: readonly OutlineMark[] = [],
): { readonly points: readonly ContextPoint[]; readonly starts: readonly number[] } => {
  const each = Math.max(1, Math.ceil(requests.length / MOST_POINTS))
  const begins = beginnings(marks)
  const losses = new Set(marks.filter(({ kind }) => LOSSES.has(kind)).map(({ before }) => before))
  const points: ContextPoint[] = []
  const starts: number[] = []
  for (let from = 0; from < requests.length;) {
    let to = from + 1
    while (to < requests.length && to - from < each && !begins.has(to)) to += 1
    points.push(pointOf(requests.slice(from, to), from, losses))
    starts.push(from)
    from = to
  }
  return { points, starts }
}

/**
 * The point of neighbours, of which there is at least one; `from`: the position of the first, as those of `losses` are.
 * The largest is drawn, of those after a loss if there is one.
 */
const pointOf = (group: readonly OutlineRequest[], from: number, losses: ReadonlySet<number>): ContextPoint => {
  const lost = group.filter((_, index) => losses.has(from + index))
  const largest = (lost.length > 0 ? lost : group).reduce((most, request) =>
    sizeOf(request) > sizeOf(most) ? request : most,
  )
  const [first, last] = [group[0]?.number ?? largest.number, group.at(-1)?.number ?? largest.number]
  return {
    key: String(from),
    label: first.toLocaleString('en-US'),
    inputTokens: largest.inputTokens,
    cacheReadTokens: largest.cacheReadTokens,
    cacheWriteTokens: largest.cacheWriteTokens,
    first,
    last,
    drawn: largest.number,
    isLoss: lost.length > 0,
    at: largest.at,
    model: largest.model,
    seq: group.find(({ seq }) => seq !== null)?.seq ?? null,
  }
}

/** The point that a mark stands before; their number where no request came after it. */
const pointOfMark = ({ before }: OutlineMark, starts: readonly number[], requests: number): number =>
  before >= requests ? starts.length : starts.findLastIndex((start) => start <= before)

/**
 * Returns the outline of a session as its page shows it: rows of all turns, each with its subagents behind it, the
 * first `MOST_MARKS` marks, and the context's points (see `contextPoints`). Pure. `byCost` are the positions of turns
 * among the rows, the dearest first.
 */
export const timelineView = ({ turns, total, requests, marks }: SessionOutline): TimelineView => {
  const dearest = turns.reduce((most, { totals }) => (totals.costNano > most ? totals.costNano : most), 0n)
  const scale = { dearest, total: total.costNano }
  const rows: OutlineRow[] = []
  const positions: { readonly position: number; readonly cost: bigint }[] = []
  for (const turn of turns) {
    positions.push({ position: rows.length, cost: turn.totals.costNano })
    rows.push(rowOf(turn, { subagent: null, turn: turn.number, text: turnText(turn) }, scale))
    for (const part of turn.subagents)
      rows.push(rowOf(part, { subagent: part.name, turn: turn.number, text: part.name }, scale))
  }
  const { points, starts } = contextPoints(requests, marks)
  return {
    rows,
    byCost: positions
      .toSorted((left, right) => (left.cost === right.cost ? 0 : left.cost < right.cost ? 1 : -1))
      .map(({ position }) => position),
    total: { cost: costText(total), tokens: compactCount(tokensOf(total)), turns: turns.length },
    points,
    marks: marks.slice(0, MOST_MARKS).map((mark) => ({
      kind: mark.kind,
      index: pointOfMark(mark, starts, requests.length),
      title: markTitle(mark),
      seq: mark.seq,
      pause: mark.kind === 'pause' && mark.pauseMs !== null ? durationText(mark.pauseMs) : '',
      sizes: sizesText(mark),
    })),
    subagentRequests: total.requests - requests.length,
    peak: points.reduce((most, point) => Math.max(most, sizeOf(point)), 0),
  }
}

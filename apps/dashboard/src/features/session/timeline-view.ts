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
  readonly errors: number
  /** All of it in words. */
  readonly about: string
}

/** A bar of the context chart: the largest of one or several requests. */
export interface ContextPoint {
  readonly key: string
  readonly label: string
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  /** First and last of these requests, from 1 and numbered as in the table of requests. */
  readonly first: number
  readonly last: number
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

/** Returns the row of a turn or subagent. */
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
    ...(errors === 0 ? [] : [counted(errors, 'error')]),
  ].join(' · ')
  return {
    ...names,
    seq,
    cost: costText(totals),
    weight: dearest === 0n ? 0 : usdFromNano(totals.costNano) / usdFromNano(dearest),
    share,
    tokens: compactCount(tokensOf(totals)),
    took,
    errors,
    about,
  }
}

/** Returns a turn's prompt, or words for a turn without one. */
const turnText = ({ text, number }: OutlineTurn): string =>
  text !== '' ? text : number === 0 ? 'Before the first prompt' : 'A prompt without text'

/** Returns a mark in a sentence. */
const markTitle = ({ kind, about, pauseMs, rewrittenTokens, rewrittenNano, seq }: OutlineMark): string => {
  const again =
    rewrittenTokens === 0
      ? ''
      : `; ${compactCount(rewrittenTokens)} tokens were written again, for ${formatUsd(rewrittenNano)} more than reading them`
  switch (kind) {
    case 'compaction':
      return `Compaction (${about})${seq === null ? '' : `, entry #${seq}`}${again}`
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

/**
 * Returns requests as at most `MOST_POINTS` points; neighbours share a point, which has the largest of them. `each`:
 * requests per point.
 */
export const contextPoints = (
  requests: readonly OutlineRequest[],
): { readonly points: readonly ContextPoint[]; readonly each: number } => {
  const each = Math.max(1, Math.ceil(requests.length / MOST_POINTS))
  const points: ContextPoint[] = []
  for (let from = 0; from < requests.length; from += each) {
    const group = requests.slice(from, from + each)
    const largest = group.reduce((most, request) => (sizeOf(request) > sizeOf(most) ? request : most))
    const [first, last] = [group[0]?.number ?? largest.number, group.at(-1)?.number ?? largest.number]
    points.push({
      key: String(from),
      label: first.toLocaleString('en-US'),
      inputTokens: largest.inputTokens,
      cacheReadTokens: largest.cacheReadTokens,
      cacheWriteTokens: largest.cacheWriteTokens,
      first,
      last,
      at: largest.at,
      model: largest.model,
      seq: group.find(({ seq }) => seq !== null)?.seq ?? null,
    })
  }
  return { points, each }
}

/**
 * Returns the outline of a session as its page shows it: rows of turns and subagents, marks, points of the context;
 * long lists are cut. Pure.
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
  const { points, each } = contextPoints(requests)
  return {
    rows,
    byCost: positions
      .toSorted((left, right) => (left.cost === right.cost ? 0 : left.cost < right.cost ? 1 : -1))
      .map(({ position }) => position),
    total: { cost: costText(total), tokens: compactCount(tokensOf(total)), turns: turns.length },
    points,
    marks: marks.slice(0, MOST_MARKS).map((mark) => ({
      kind: mark.kind,
      index: Math.min(points.length, mark.before >= requests.length ? points.length : Math.floor(mark.before / each)),
      title: markTitle(mark),
    })),
    subagentRequests: total.requests - requests.length,
    peak: points.reduce((most, point) => Math.max(most, sizeOf(point)), 0),
  }
}

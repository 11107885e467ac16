/** Leaks as the pages show them: texts and figures, made on the server. */
import { formatUsd } from '@cairn/core'
import type {
  BreakCause,
  CauseCertainty,
  Certainty,
  Leak,
  LeakCause,
  LeakExample,
  LeakReport,
} from '@cairn/core/insights'
import { costFigure, counted, wholeCount } from '../usage/figure.ts'
import type { Figure } from '../usage/figure.ts'

/** A case of a leak. */
export interface LeakExampleView {
  readonly sessionId: string
  /** ms; null where not known. */
  readonly at: number | null
  /** The number of the request that it began with, among all of the session. */
  readonly request: number
  /** The entry of the log; null where not known. */
  readonly seq: number | null
  readonly cost: string
  /** Null where its kind has one cause. */
  readonly cause: BreakCause | null
  /** Of its session; null where it has none, or the session is what the page shows. */
  readonly title: string | null
}

/** The part of a leak that has one cause. */
export interface LeakCauseView {
  readonly cause: BreakCause
  readonly title: string
  readonly certainty: CauseCertainty
  readonly advice: string
  readonly cost: string
  readonly requests: string
  readonly examples: readonly LeakExampleView[]
}

/** A leak as a row of the table. */
export interface LeakView {
  readonly kind: Leak['kind']
  readonly title: string
  readonly advice: string
  readonly certainty: string
  readonly cost: string
  /** `10.1%` of the total cost. */
  readonly share: string
  /** 0 … 1, for the bar. */
  readonly part: number
  readonly requests: string
  readonly examples: readonly LeakExampleView[]
  /** Empty where it has one cause. */
  readonly causes: readonly LeakCauseView[]
}

/** The leaks of a selection or session. */
export interface LeaksView {
  /** True where no request falls in the period. */
  readonly isEmpty: boolean
  readonly total: Figure
  readonly requests: string
  /** Of what adds up. */
  readonly leaked: string
  readonly leakedShare: string
  /** What comes on top of the total; null where nothing is missing. */
  readonly missing: string | null
  readonly missingRequests: string
  /** `2 of 12 requests have no cost`; null where all have one. */
  readonly unpriced: string | null
  /** Leaks of different dollars, then other views of the same; without those that cost nothing. */
  readonly leaks: readonly LeakView[]
  readonly views: readonly LeakView[]
  /** What comes on top of the total, with its cases; null where nothing is missing. */
  readonly beside: LeakView | null
}

const CERTAINTY: Readonly<Record<Certainty, string>> = {
  certain: 'certain',
  estimate: 'estimate',
  'upper-bound': 'at most',
}

const percent = new Intl.NumberFormat('en-US', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})

/** The titles of sessions by their ids. */
export type SessionTitles = ReadonlyMap<string, string | null>

/** Returns the sessions of a report's examples and of their causes' examples, each once, in that order. */
export const sessionsOfCases = ({ leaks }: Pick<LeakReport, 'leaks'>): readonly string[] => [
  ...new Set(
    leaks.flatMap(({ examples, causes }) =>
      [...examples, ...causes.flatMap((part) => part.examples)].map(({ sessionId }) => sessionId),
    ),
  ),
]

/**
 * Returns a report of leaks as texts: those that add up, and those that are other views of the same money, each without
 * kinds that cost nothing, the most expensive first.
 * @param titles those of the cases' sessions; none for the page of one session
 */
export const leaksView = ({ total, leaks, leakedNano }: LeakReport, titles: SessionTitles = new Map()): LeaksView => {
  const viewOf = (leak: Leak): LeakView => leakView(leak, titles)
  const shown = leaks.filter(({ costNano }) => costNano > 0n)
  const missing = shown.find(({ kind }) => kind === 'missing-output')
  return {
    isEmpty: total.requests === 0,
    total: costFigure(total),
    requests: counted(total.requests, 'request'),
    leaked: formatUsd(leakedNano),
    leakedShare: percent.format(total.costNano > 0n ? Number(leakedNano) / Number(total.costNano) : 0),
    missing: missing === undefined ? null : `~${formatUsd(missing.costNano)}`,
    missingRequests: counted(missing?.requests ?? 0, 'reply', 'replies'),
    unpriced:
      total.unpricedRequests === 0
        ? null
        : `${wholeCount(total.unpricedRequests)} of ${counted(total.requests, 'request')} ${total.unpricedRequests === 1 ? 'has' : 'have'} no cost`,
    leaks: shown.filter(({ view }) => !view).map(viewOf),
    views: shown.filter(({ view, kind }) => view && kind !== 'missing-output').map(viewOf),
    beside: missing === undefined ? null : viewOf(missing),
  }
}

/** A case for people: cost in USD; the title is null if `titles` lacks its session. */
const exampleView = ({ costNano, ...example }: LeakExample, titles: SessionTitles): LeakExampleView => ({
  ...example,
  cost: formatUsd(costNano),
  title: titles.get(example.sessionId) ?? null,
})

/** A cause for people: cost in USD, counts as words. */
const causeView = ({ costNano, requests, examples, ...cause }: LeakCause, titles: SessionTitles): LeakCauseView => ({
  ...cause,
  cost: formatUsd(costNano),
  requests: counted(requests, 'request'),
  examples: examples.map((example) => exampleView(example, titles)),
})

/** A leak for people: cost in USD, shares in percent; `part` is the bar's, at most 1. */
const leakView = (
  { kind, title, advice, certainty, costNano, share, requests, examples, causes }: Leak,
  titles: SessionTitles,
): LeakView => ({
  kind,
  title,
  advice,
  certainty: CERTAINTY[certainty],
  cost: formatUsd(costNano),
  share: percent.format(share),
  part: Math.min(1, share),
  requests: wholeCount(requests),
  examples: examples.map((example) => exampleView(example, titles)),
  causes: causes.map((part) => causeView(part, titles)),
})

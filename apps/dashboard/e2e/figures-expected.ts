/** What pages must show, from what `cairn … --json` prints: sums as texts, in core's forms of money. */
import { allInputTokens, cacheHitRatio, cacheWriteTokens, formatCost, formatUsd, nanoFromUsd } from '@cairn/core'
import type { UsageTotals } from '@cairn/core'

/** A sum as `--json` prints it. */
export type PrintedSum = Readonly<Record<(typeof USD)[number], number>> &
  Omit<UsageTotals, 'costNano' | 'recordedCostNano' | 'savedNano' | `${string}CostNano`>
export type PrintedRow = PrintedSum & { readonly key: string }

/** A model with how many of its requests have no cost. */
export interface PrintedUnpriced {
  readonly model: string
  readonly requests: number
  /** Of a model with a price. */
  readonly isInputUnknown?: boolean
}

export interface PrintedReport {
  readonly rows: readonly PrintedRow[]
  readonly total: PrintedSum
  /** Absent where every request has a cost. */
  readonly unpriced?: Readonly<Record<'withoutPrice' | 'withPrice', readonly PrintedUnpriced[]>>
}

const USD = [
  'costUsd',
  'recordedCostUsd',
  'cacheReadCostUsd',
  'cacheWriteCostUsd',
  'outputCostUsd',
  'savedUsd',
  'missingOutputCostUsd',
] as const

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 })
const threeDigits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 })

export const count = (value: number): string => value.toLocaleString('en-US')
export const short = (value: number): string => compact.format(value)
export const usd = (amount: number): string => formatUsd(nanoFromUsd(amount))
export const percent = (share: number, digits = 1): string =>
  share.toLocaleString('en-US', { style: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits })
export const allTokens = (sum: PrintedSum): number => allInputTokens(sum) + sum.outputTokens

/** Rows added up, money to the nano-USD; undefined for none. */
export const sumOf = (rows: readonly PrintedSum[]): PrintedSum | undefined => {
  const [first, ...others] = rows
  if (first === undefined) return undefined
  return others.reduce<PrintedSum>(
    (sum, row) =>
      Object.fromEntries(
        Object.entries(sum).map(([name, value]) => {
          const other: unknown = row[name as keyof PrintedSum]
          if (typeof value !== 'number' || typeof other !== 'number') return [name, value]
          const isMoney = USD.some((known) => known === name)
          return [name, isMoney ? Number(nanoFromUsd(value) + nanoFromUsd(other)) / 1e9 : value + other]
        }),
      ) as PrintedSum,
    first,
  )
}

type Form = (sum: PrintedSum) => string

const time = (ms: number, { timedRequests }: PrintedSum): string =>
  timedRequests === 0 ? '–' : `${threeDigits.format(ms / timedRequests / 1_000)} s`

/** Each column of the tables of usage. */
export const FORMS = {
  requests: ({ requests }) => count(requests),
  tokens: (sum) => short(allTokens(sum)),
  input: ({ inputTokens }) => short(inputTokens),
  cacheRead: ({ cacheReadTokens }) => short(cacheReadTokens),
  cacheWrite5m: ({ cacheWrite5mTokens }) => short(cacheWrite5mTokens),
  cacheWrite1h: ({ cacheWrite1hTokens }) => short(cacheWrite1hTokens),
  cacheWrite30m: ({ cacheWrite30mTokens }) => short(cacheWrite30mTokens),
  cacheWrite12h: ({ cacheWrite12hTokens }) => short(cacheWrite12hTokens),
  output: ({ outputTokens }) => short(outputTokens),
  cacheHit: (sum) => {
    const ratio = cacheHitRatio(sum)
    return ratio === undefined ? '–' : `${(ratio * 100).toFixed(1)}%`
  },
  firstToken: (sum) => time(sum.firstTokenMs, sum),
  latency: (sum) => time(sum.totalMs, sum),
  saved: (sum) => {
    const isCached = sum.cacheReadTokens + cacheWriteTokens(sum) > 0
    const isUnpriced = sum.requests > 0 && sum.unpricedRequests === sum.requests
    return sum.savedUsd === 0 && (isCached || isUnpriced) ? '–' : usd(sum.savedUsd)
  },
  cost: ({ requests, unpricedRequests, costUsd }) =>
    requests > 0 && unpricedRequests === requests ? 'unpriced' : usd(costUsd),
} satisfies Readonly<Record<string, Form>>

export type Column = keyof typeof FORMS

/** A sum with the estimate of what was not recorded beside its cost, as totals show it. */
export const totalText = (column: Column, sum: PrintedSum): string => {
  const text = FORMS[column](sum)
  return column === 'cost' && text !== 'unpriced'
    ? formatCost(nanoFromUsd(sum.costUsd), nanoFromUsd(sum.missingOutputCostUsd))
    : text
}

/** The parts of a cost, as the table of steps has them. */
export const COST_PARTS: Readonly<Record<string, Form>> = {
  cacheReadUsd: ({ cacheReadCostUsd }) => usd(cacheReadCostUsd),
  cacheWriteUsd: ({ cacheWriteCostUsd }) => usd(cacheWriteCostUsd),
  inputUsd: (sum) => {
    const rest = [sum.recordedCostUsd, sum.cacheReadCostUsd, sum.cacheWriteCostUsd, sum.outputCostUsd]
    return formatUsd(rest.reduce((left, part) => left - nanoFromUsd(part), nanoFromUsd(sum.costUsd)))
  },
  outputUsd: ({ outputCostUsd }) => usd(outputCostUsd),
  recordedUsd: ({ recordedCostUsd }) => usd(recordedCostUsd),
}

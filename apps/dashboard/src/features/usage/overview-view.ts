/** The overview as data: what the page draws, ready to be sent to it. Money is text, because JSON has no bigint. */
import { addTotals, emptyTotals, usdFromNano } from '@cairn/core'
import type { UsagePeriod, UsageReport, UsageRow, UsageTotals } from '@cairn/core'
import { allTokensFigure, cacheHitFigure, costFigure, outputFigure, requestFigure, tokenFigure, wholeCount } from './figure.ts'
import type { Figure } from './figure.ts'
import type { OverviewReports } from './overview-query.ts'
import { longLabel, shortLabel, timeAxis } from './time-axis.ts'
import type { AxisPoint } from './time-axis.ts'

/** The figures of a sum. */
export interface SumView {
  readonly cost: Figure
  readonly requests: Figure
  readonly tokens: Figure
  readonly input: Figure
  readonly cacheRead: Figure
  readonly cacheWrite5m: Figure
  readonly cacheWrite1h: Figure
  readonly output: Figure
  readonly cacheHit: Figure
}

export interface RowView extends SumView {
  readonly key: string
  readonly label: string
  /** What tells rows with the same label apart; a project's path. */
  readonly detail: string | null
  /** Of the cost of all rows, 0 … 1. */
  readonly costShare: number
}

export interface TableView {
  /** How many values there are, also where `rows` holds some of them together. */
  readonly count: number
  readonly rows: readonly RowView[]
  readonly total: SumView
}

/** A bar of the charts. */
export interface PointView {
  readonly key: string
  readonly label: string
  readonly title: string
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWrite5mTokens: number
  readonly cacheWrite1hTokens: number
  readonly outputTokens: number
  /** For the bars' lengths only; `cost` is what is said. */
  readonly computedUsd: number
  readonly recordedUsd: number
  readonly cost: Figure
  readonly requests: Figure
}

export interface OverviewView {
  readonly isEmpty: boolean
  readonly total: SumView
  readonly step: UsagePeriod
  readonly points: readonly PointView[]
  readonly models: TableView
  readonly projects: TableView
  /** What the reader should know of these numbers. */
  readonly remarks: readonly string[]
}

/** More rows than a person reads; the rest is one row, so that the table still adds up. */
const MOST_ROWS = 100

export const sumView = (totals: UsageTotals): SumView => ({
  cost: costFigure(totals),
  requests: requestFigure(totals),
  tokens: allTokensFigure(totals),
  input: tokenFigure(totals.inputTokens),
  cacheRead: tokenFigure(totals.cacheReadTokens),
  cacheWrite5m: tokenFigure(totals.cacheWrite5mTokens),
  cacheWrite1h: tokenFigure(totals.cacheWrite1hTokens),
  output: outputFigure(totals),
  cacheHit: cacheHitFigure(totals),
})

const pointView = (step: UsagePeriod, { key, day, totals }: AxisPoint): PointView => ({
  key,
  label: shortLabel(step, day),
  title: longLabel(step, day),
  inputTokens: totals.inputTokens,
  cacheReadTokens: totals.cacheReadTokens,
  cacheWrite5mTokens: totals.cacheWrite5mTokens,
  cacheWrite1hTokens: totals.cacheWrite1hTokens,
  outputTokens: totals.outputTokens,
  computedUsd: usdFromNano(totals.costNano - totals.recordedCostNano),
  recordedUsd: usdFromNano(totals.recordedCostNano),
  cost: costFigure(totals),
  requests: requestFigure(totals),
})

interface RowName {
  readonly label: string
  readonly detail?: string | null
}

const modelName = (key: string): RowName => ({ label: key === 'unknown' ? 'Unknown model' : key })

/** A project by its folder's name, with the path as detail. */
const projectName = (key: string): RowName => {
  if (key === 'unknown') return { label: 'No project' }
  const name = key.split(/[\\/]/).filter((part) => part !== '').at(-1)
  return name === undefined || name === key ? { label: key } : { label: name, detail: key }
}

const tableView = ({ rows, total }: UsageReport, nameOf: (key: string) => RowName): TableView => {
  const all = usdFromNano(total.costNano)
  const view = (key: string, { label, detail = null }: RowName, totals: UsageTotals): RowView => ({
    key,
    label,
    detail,
    costShare: all > 0 ? usdFromNano(totals.costNano) / all : 0,
    ...sumView(totals),
  })
  const shown = rows.length <= MOST_ROWS ? rows : rows.slice(0, MOST_ROWS - 1)
  const rest: readonly UsageRow[] = rows.slice(shown.length)
  return {
    count: rows.length,
    rows: [
      ...shown.map((row) => view(row.key, nameOf(row.key), row)),
      ...(rest.length === 0 ? [] : [view('\u0000rest', { label: `${wholeCount(rest.length)} others` }, rest.reduce<UsageTotals>(addTotals, emptyTotals))]),
    ],
    total: sumView(total),
  }
}

const remarksOn = (total: UsageTotals, withoutTime: UsageTotals): string[] => {
  const remarks: string[] = []
  if (total.unpricedRequests > 0) remarks.push(`${wholeCount(total.unpricedRequests)} of ${wholeCount(total.requests)} requests went to models without a known price and are in no cost here; the true cost is higher.`)
  if (total.partialRequests > 0) remarks.push(`${wholeCount(total.partialRequests)} replies were recorded only in part; their output, and its cost, is higher than shown.`)
  if (withoutTime.requests > 0) remarks.push(`${wholeCount(withoutTime.requests)} requests (${costFigure(withoutTime).text}) have no time: they are in the totals and tables, but not in the charts.`)
  return remarks
}

/** What the page draws of the store's reports. */
export const overviewView = ({ byDay, byModel, byProject, firstDay, today }: OverviewReports): OverviewView => {
  const { step, points, withoutTime } = timeAxis(byDay.rows, firstDay, today)
  return {
    isEmpty: byDay.total.requests === 0,
    total: sumView(byDay.total),
    step,
    points: points.map((point) => pointView(step, point)),
    models: tableView(byModel, modelName),
    projects: tableView(byProject, projectName),
    remarks: remarksOn(byDay.total, withoutTime),
  }
}

/** The overview as data: what the page draws, ready to be sent to it. */
import { usdFromNano } from '@cairn/core'
import type { UsagePeriod, UsageTotals } from '@cairn/core'
import { costSplit } from './cost-split.ts'
import type { Dimension } from './dimension.ts'
import { costFigure, requestFigure, wholeCount } from './figure.ts'
import type { Figure } from './figure.ts'
import { TOP_ROWS } from './overview-query.ts'
import type { OverviewReports } from './overview-query.ts'
import { sumView, tableView } from './table-view.ts'
import type { SumView, TableView } from './table-view.ts'
import { longLabel, shortLabel, timeAxis } from './time-axis.ts'
import type { AxisPoint } from './time-axis.ts'

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
  readonly inputUsd: number
  readonly cacheReadUsd: number
  readonly cacheWriteUsd: number
  readonly outputUsd: number
  readonly recordedUsd: number
  readonly cost: Figure
  readonly requests: Figure
}

export interface OverviewView {
  readonly isEmpty: boolean
  readonly total: SumView
  readonly step: UsagePeriod
  readonly points: readonly PointView[]
  readonly tables: Readonly<Record<Dimension, TableView>>
  /** What the reader should know of these numbers. */
  readonly remarks: readonly string[]
}

const pointView = (step: UsagePeriod, { key, day, totals }: AxisPoint): PointView => {
  const split = costSplit(totals)
  return {
    key,
    label: shortLabel(step, day),
    title: longLabel(step, day),
    inputTokens: totals.inputTokens,
    cacheReadTokens: totals.cacheReadTokens,
    cacheWrite5mTokens: totals.cacheWrite5mTokens,
    cacheWrite1hTokens: totals.cacheWrite1hTokens,
    outputTokens: totals.outputTokens,
    inputUsd: usdFromNano(split.inputNano),
    cacheReadUsd: usdFromNano(split.cacheReadNano),
    cacheWriteUsd: usdFromNano(split.cacheWriteNano),
    outputUsd: usdFromNano(split.outputNano),
    recordedUsd: usdFromNano(split.recordedNano),
    cost: costFigure(totals),
    requests: requestFigure(totals),
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
export const overviewView = ({ byDay, byModel, byProject, byBranch, byAgent, span }: OverviewReports): OverviewView => {
  const { step, points, withoutTime } = timeAxis(byDay.rows, span.firstDay, span.lastDay)
  return {
    isEmpty: byDay.total.requests === 0,
    total: sumView(byDay.total),
    step,
    points: points.map((point) => pointView(step, point)),
    tables: {
      model: tableView('model', byModel, TOP_ROWS),
      project: tableView('project', byProject, TOP_ROWS),
      branch: tableView('branch', byBranch, TOP_ROWS),
      agent: tableView('agent', byAgent, TOP_ROWS),
    },
    remarks: remarksOn(byDay.total, withoutTime),
  }
}

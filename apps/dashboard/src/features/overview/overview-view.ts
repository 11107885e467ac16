/** The overview as data: what the page draws, ready to be sent to it. */
import { DAY_MS, formatEstimate, periodKey, pickTokens, usdFromNano } from '@cairn/core'
import type { TokenClass as CoreTokenClass, UnpricedModel, UnpricedModels, UsagePeriod, UsageTotals } from '@cairn/core'
import type { SortValue } from '../../components/sorting.ts'
import { comparison } from './comparison.ts'
import type { Comparison } from './comparison.ts'
import { costSplit } from '../usage/cost-split.ts'
import type { Dimension } from '../usage/dimension.ts'
import { costFigure, counted, requestFigure, wholeCount } from '../usage/figure.ts'
import type { Figure } from '../usage/figure.ts'
import type { ProjectNames } from '../usage/project-names.ts'
import { hourText } from './hours.ts'
import type { HourSum } from './hours.ts'
import { MEASURE_OF } from './measure-values.ts'
import type { Remark } from './remarks.tsx'
import { TOP_ROWS } from './overview-query.ts'
import type { OverviewReports } from './overview-query.ts'
import { sumView, tableView } from '../usage/table-view.ts'
import type { SumView, TableView } from '../usage/table-view.ts'
import { daysText, longLabel, shortLabel, timeAxis } from './time-axis.ts'
import type { AxisPoint } from './time-axis.ts'

/** What one bar of the charts stands for. */
export type Step = UsagePeriod | 'hour'

/** A bar of the charts. */
export interface PointView extends Readonly<Record<CoreTokenClass['field'], number>> {
  readonly key: string
  readonly label: string
  readonly title: string
  /** For the bars' lengths only; `cost` is what is said. */
  readonly inputUsd: number
  readonly cacheReadUsd: number
  readonly cacheWriteUsd: number
  readonly outputUsd: number
  readonly recordedUsd: number
  /** To sort by: when the step begins (days since 1970-01-01), its cost in USD (null: unpriced) and its requests. */
  readonly day: number
  readonly usd: SortValue
  readonly requestCount: number
  readonly cost: Figure
  /** `1,234 requests`. */
  readonly requests: Figure
  readonly requestsText: string
  /** The days that it stands for, `2026-01-31`; null where there is nothing below it to go to. */
  readonly days: { readonly from: string; readonly to: string } | null
  /** Time without usage is left out before it. */
  readonly isAfterGap: boolean
}

/** What the overview shows. */
export interface OverviewView {
  readonly isEmpty: boolean
  readonly total: SumView
  readonly step: Step
  readonly points: readonly PointView[]
  readonly tables: Readonly<Record<Dimension, TableView>>
  /** What the reader should know of these numbers. */
  readonly remarks: readonly Remark[]
  /** What carries a time after today, and the day that they can be looked at from. */
  readonly future: { readonly text: string; readonly from: string } | null
  /** The days that are summed: `Oct 23 – Nov 21, 2026`; null for all time. */
  readonly days: string | null
  /** Against the time before; null where there is none. */
  readonly comparison: Comparison | null
}

/** The time of a bar. */
type PointTime = Pick<PointView, 'key' | 'label' | 'title' | 'day' | 'days' | 'isAfterGap'>

/**
 * Returns a bar of the charts: its time, tokens, costs in USD and requests. Costs are floats for drawing; the exact
 * cost is in `cost`.
 */
const pointView = (time: PointTime, totals: UsageTotals): PointView => {
  const split = costSplit(totals)
  return {
    ...time,
    ...pickTokens(totals),
    inputUsd: usdFromNano(split.inputNano),
    cacheReadUsd: usdFromNano(split.cacheReadNano),
    cacheWriteUsd: usdFromNano(split.cacheWriteNano),
    outputUsd: usdFromNano(split.outputNano),
    recordedUsd: usdFromNano(split.recordedNano),
    usd: MEASURE_OF.cost(totals),
    requestCount: totals.requests,
    cost: costFigure(totals),
    requests: requestFigure(totals),
    requestsText: counted(totals.requests, 'request'),
  }
}

/** Returns the time of a day, week or month. `day` is a number of days, `days` the first and last as `2026-01-31`. */
const stepTime = (step: UsagePeriod, { key, day, lastDay, isAfterGap }: AxisPoint): PointTime => ({
  key,
  label: shortLabel(step, day, isAfterGap),
  title: longLabel(step, day),
  day,
  days: { from: periodKey('day', day), to: periodKey('day', lastDay) },
  isAfterGap,
})

/** Returns the time of an hour, which can't be selected. Its `days` are null. */
const hourTime = ({ at, until }: HourSum, day: number, timeZone: string): PointTime => {
  const from = hourText(at, timeZone)
  return {
    key: String(at),
    label: from,
    title: `${longLabel('day', day)}, ${from} – ${hourText(until, timeZone)}`,
    day: at / DAY_MS,
    days: null,
    isAfterGap: false,
  }
}

/** Returns what missing output would cost, in brackets; '' if nothing is missing. */
const missingCost = ({ missingOutputCostNano }: UsageTotals): string => {
  const estimate = formatEstimate(missingOutputCostNano)
  return estimate === undefined ? '' : ` (${estimate}, an estimate that no total includes)`
}

/** Models that a remark names. */
const MOST_NAMED = 5

/** Why requests to a model have no cost, as a remark has it. */
const REASONS = {
  price: 'no price is known',
  input: 'their input was not recorded',
  either: 'their input was not recorded, or they came in before the price was known',
} as const

/** Returns the models of requests without a cost with the reason of each, those with the most requests first. */
const unpricedReasons = ({ withoutPrice, withPrice }: UnpricedModels) =>
  [
    ...withoutPrice.map((model) => ({ ...model, why: REASONS.price })),
    ...withPrice.map((model) => ({ ...model, why: model.isInputUnknown ? REASONS.input : REASONS.either })),
  ].toSorted((left, right) => right.requests - left.requests)

/**
 * Returns how many requests have no cost, of which models and why, with at most {@link MOST_NAMED} of them named; empty
 * if all have a cost.
 */
const unpricedRemarks = ({ requests }: Pick<UsageTotals, 'requests'>, unpriced: UnpricedModels): Remark[] => {
  const models = unpricedReasons(unpriced)
  if (models.length === 0) return []
  const sum = (some: readonly UnpricedModel[]): number => some.reduce((all, model) => all + model.requests, 0)
  const named = models.slice(0, MOST_NAMED).map((each) => `${wholeCount(each.requests)} to ${each.model} (${each.why})`)
  const others = models.slice(MOST_NAMED)
  const rest = others.length === 0 ? [] : [`${wholeCount(sum(others))} to ${counted(others.length, 'other model')}`]
  const hasWhy = (why: string): boolean => models.some((model) => model.why === why)
  const all = sum(models)
  return [
    {
      text: [
        `${wholeCount(all)} of ${counted(requests, 'request')} ${all === 1 ? 'has' : 'have'} no cost, so that the true cost is higher: ${[...named, ...rest].join(', ')}.`,
        ...(hasWhy(REASONS.price) ? ['“cairn config set prices.<model>” sets a price.'] : []),
        ...(hasWhy(REASONS.either) ? ['“cairn doctor --rebuild” takes prices that became known later.'] : []),
      ].join(' '),
      ...(hasWhy(REASONS.price) ? { link: { href: '/settings', name: 'Prices in force' } } : {}),
    },
  ]
}

/**
 * Returns remarks on what is missing in a sum of tokens and money; empty if nothing is.
 * @param unpriced the models of its requests without a cost
 */
export const remarksOn = (total: UsageTotals, unpriced: UnpricedModels): Remark[] => [
  ...unpricedRemarks(total, unpriced),
  ...(total.partialRequests === 0
    ? []
    : [
        {
          text: `${counted(total.partialRequests, 'reply was', 'replies were')} recorded only in part, about ${counted(total.missingOutputTokens, 'output token')} short; the true output, and its cost, is higher than shown${missingCost(total)}.`,
        },
      ]),
]

/** Returns the remark on requests without a time; empty if there are none. */
const timeRemark = (withoutTime: UsageTotals): Remark[] =>
  withoutTime.requests === 0
    ? []
    : [
        {
          text: `${counted(withoutTime.requests, 'request')} (${costFigure(withoutTime).text}) ${withoutTime.requests === 1 ? 'has no time: it is' : 'have no time: they are'} in the totals and tables, but not in the charts.`,
        },
      ]

/** Returns the remark on requests from the future; null if there are none. */
const futureOf = ({ future, span }: OverviewReports): OverviewView['future'] => {
  if (future === undefined || future.requests === 0) return null
  const isCounted = span.until === undefined
  return {
    text: `${counted(future.requests, 'request carries', 'requests carry')} a time in the future, from a clock that is wrong (${costFigure(future).text}); ${future.requests === 1 ? 'it is' : 'they are'} ${isCounted ? 'in these numbers' : 'not in these numbers, which end today'}.`,
    from: periodKey('day', span.today + 1),
  }
}

/**
 * What the page draws of the store's reports; `days` and `comparison` are null where there is nothing to say. `names` are
 * those of projects; by default the last parts of their folders.
 */
export const overviewView = (reports: OverviewReports, names?: ProjectNames): OverviewView => {
  const { byDay, byModel, byProject, byBranch, byAgent, byHour, previous, unpriced, span, timeZone } = reports
  const { step, points, withoutTime } = timeAxis(byDay.rows, span.firstDay, span.lastDay)
  return {
    isEmpty: byDay.total.requests === 0,
    total: sumView(byDay.total),
    step: byHour === undefined ? step : 'hour',
    points:
      byHour === undefined
        ? points.map((point) => pointView(stepTime(step, point), point.totals))
        : byHour.map((hour) => pointView(hourTime(hour, span.lastDay, timeZone), hour.totals)),
    tables: {
      model: tableView('model', byModel, TOP_ROWS),
      project: tableView('project', byProject, TOP_ROWS, names),
      branch: tableView('branch', byBranch, TOP_ROWS),
      agent: tableView('agent', byAgent, TOP_ROWS),
    },
    remarks: [...remarksOn(byDay.total, unpriced), ...timeRemark(withoutTime)],
    future: futureOf(reports),
    days: span.firstDay === undefined || span.firstDay > span.lastDay ? null : daysText(span.firstDay, span.lastDay),
    comparison: (previous === undefined ? undefined : comparison(byDay.total, previous.total, previous.span)) ?? null,
  }
}

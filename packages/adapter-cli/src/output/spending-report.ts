/** The forecast part of `cairn insights`: forecast, budget, unusual days and sessions, the current block. */
import { formatUsd, usdFromNano } from '@cairn/core'
import type { Budget, Forecast, MonthlyBudget, SpendingReport, UsageBlock } from '@cairn/core/insights'
import { counted, formatCount, formatDuration, formatMinute } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'

/** A forecast for `--json`, costs in USD. */
const forecastJson = ({ spentNano, perDayNano, totalNano, lowNano, highNano, ...forecast }: Forecast) => ({
  ...forecast,
  spentUsd: usdFromNano(spentNano),
  perDayUsd: usdFromNano(perDayNano),
  totalUsd: usdFromNano(totalNano),
  lowUsd: usdFromNano(lowNano),
  highUsd: usdFromNano(highNano),
})

/** A block of usage for `--json`, costs in USD. */
const blockJson = ({ costNano, burn, ...block }: UsageBlock) => ({
  ...block,
  costUsd: usdFromNano(costNano),
  burn:
    burn === null ? null : { costUsdPerHour: usdFromNano(burn.costNanoPerHour), tokensPerMinute: burn.tokensPerMinute },
})

/** An unusual day or session for `--json`, costs in USD. */
const unusualJson = <T extends { readonly costNano: bigint; readonly medianNano: bigint }>({
  costNano,
  medianNano,
  ...found
}: T) => ({ ...found, costUsd: usdFromNano(costNano), medianUsd: usdFromNano(medianNano) })

/**
 * Returns the report for `--json`: `{forecast, budget, unusualDays, unusualSessions, blocks}`, costs in USD; `budget`
 * is null without one.
 */
export const spendingJson = ({ forecast, budget, unusualDays, unusualSessions, blocks }: SpendingReport) => ({
  forecast: forecastJson(forecast),
  budget: budget === undefined ? null : { limitUsd: usdFromNano(budget.limitNano), state: budget.state },
  unusualDays: unusualDays.map(unusualJson),
  unusualSessions: unusualSessions.map(unusualJson),
  blocks: blocks.map(blockJson),
})

/** Returns the monthly budgets for `--json`, costs in USD; `project` is null for all projects together. */
export const budgetsJson = (budgets: readonly MonthlyBudget[]): readonly Record<string, unknown>[] =>
  budgets.map(({ project, state, limitNano, forecast }) => ({
    project,
    state,
    limitUsd: usdFromNano(limitNano),
    month: forecast.month,
    spentUsd: usdFromNano(forecast.spentNano),
    totalUsd: usdFromNano(forecast.totalNano),
  }))

/**
 * Returns a sentence for each project whose budget is exceeded or will be at this rate; empty if there is none. The
 * budget over all projects is left out.
 */
export const budgetSentences = (budgets: readonly MonthlyBudget[]): readonly string[] =>
  budgets.flatMap((budget) =>
    budget.project === null || budget.state === 'ok'
      ? []
      : [`${neutraliseLine(budget.project)}: ${monthlyBudgetSentence(budget.forecast, budget)}`],
  )

/** Returns a sentence that compares a month's spending with its budget. */
export const monthlyBudgetSentence = (
  { month, spentNano, totalNano }: Forecast,
  { limitNano, state }: Budget,
): string => {
  const limit = formatUsd(limitNano)
  if (state === 'exceeded') return `${month}: the budget of ${limit} is exceeded: ${formatUsd(spentNano)} were spent.`
  return state === 'warning'
    ? `${month}: ${formatUsd(spentNano)} of ${limit} were spent; at this rate it will be ~${formatUsd(totalNano)}.`
    : `${month}: ${formatUsd(spentNano)} of ${limit} were spent, and the month stays within it.`
}

/** Unusual days and sessions that are named. */
const MOST_NAMED = 3

/**
 * Returns one sentence per line about forecast, current block and what is unusual; empty if nothing was spent lately.
 * `idOf` returns the id to show for a session.
 */
export const spendingLines = (report: SpendingReport, idOf: (sessionId: string) => string): readonly string[] => {
  const { forecast, unusualDays, unusualSessions, blocks } = report
  const { month, spentNano, totalNano, daysLeft } = forecast
  const block = blocks.find(({ isActive }) => isActive)
  return [
    ...(totalNano === 0n
      ? []
      : [
          `${month}: ${formatUsd(spentNano)} so far, about ${formatUsd(totalNano)} by its end (${rangeText(forecast)}${uncertaintyText(forecast)}${counted(daysLeft, 'day')} left).`,
        ]),
    ...(block === undefined ? [] : [blockSentence(block)]),
    ...unusualDays
      .slice(0, MOST_NAMED)
      .map(
        ({ day, costNano, medianNano }) =>
          `Unusual: ${day} cost ${formatUsd(costNano)}; half of the days before cost less than ${formatUsd(medianNano)}.`,
      ),
    ...unusualSessions.slice(0, MOST_NAMED).map(({ sessionId, title, costNano, medianNano }) => {
      const name = title === null ? '' : ` “${neutraliseLine(title)}”`
      return `Unusual: session ${neutraliseLine(idOf(sessionId))}${name} cost ${formatUsd(costNano)}; half of those before cost less than ${formatUsd(medianNano)}.`
    }),
  ]
}

/** The range of a forecast; empty if there is none, because there was only one day or all cost the same. */
const rangeText = ({ lowNano, highNano }: Forecast): string =>
  lowNano === highNano ? '' : `${formatUsd(lowNano)} to ${formatUsd(highNano)}; `

/** On how few days an uncertain forecast is based; empty for other forecasts. */
const uncertaintyText = ({ isUncertain, activeDays }: Forecast): string =>
  isUncertain ? `uncertain, from ${counted(activeDays, 'active day')}; ` : ''

const HOURS_5 = 5 * 3_600_000

/** A sentence about a block of five hours. */
const blockSentence = ({ start, lastAt, requests, tokens, costNano, burn }: UsageBlock): string => {
  const rate =
    burn === null
      ? ', – an hour'
      : `, ${formatUsd(burn.costNanoPerHour)} an hour and ${formatCount(Math.round(burn.tokensPerMinute))} tokens a minute`
  return `Block of 5 hours since ${formatMinute(start)}: ${formatUsd(costNano)} in ${counted(requests, 'request')} with ${formatCount(tokens)} tokens${rate}; ${formatDuration(Math.max(0, start + HOURS_5 - lastAt))} were left at the last one.`
}

/** The forecast part of `cairn insights`: forecast, budget, unusual days and sessions, the current block. */
import { formatUsd, usdFromNano } from '@cairn/core'
import type { Budget, Forecast, MonthlyBudget, SpendingReport, UsageBlock } from '@cairn/core/insights'
import { counted, formatCount, formatDuration, formatMinute } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'

/** An amount for `--json`; null where there is none. */
const usdOrNull = (nano: bigint | null): number | null => (nano === null ? null : usdFromNano(nano))

/** Returns a forecast for `--json`, costs in USD; what can't be told from so few days is null. */
const forecastJson = ({ spentNano, perDayNano, totalNano, lowNano, highNano, ...forecast }: Forecast) => ({
  ...forecast,
  spentUsd: usdFromNano(spentNano),
  perDayUsd: usdOrNull(perDayNano),
  totalUsd: usdOrNull(totalNano),
  lowUsd: usdOrNull(lowNano),
  highUsd: usdOrNull(highNano),
})

/** Returns a block of usage for `--json`, costs in USD; `burn` is null if it is not known. */
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

/**
 * Returns the monthly budgets for `--json`, costs in USD; `project` is null for all projects together, `totalUsd` where
 * too few days tell it.
 */
export const budgetsJson = (budgets: readonly MonthlyBudget[]): readonly Record<string, unknown>[] =>
  budgets.map(({ project, state, limitNano, forecast }) => ({
    project,
    state,
    limitUsd: usdFromNano(limitNano),
    month: forecast.month,
    spentUsd: usdFromNano(forecast.spentNano),
    totalUsd: usdOrNull(forecast.totalNano),
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

/**
 * Returns a sentence that compares a month's spending with its budget: that it is exceeded, or what was spent of it and
 * whether the month, by its forecast, stays within it; too few days are told.
 */
export const monthlyBudgetSentence = (
  { month, spentNano, totalNano }: Forecast,
  { limitNano, state }: Budget,
): string => {
  const limit = formatUsd(limitNano)
  if (state === 'exceeded') return `${month}: the budget of ${limit} is exceeded: ${formatUsd(spentNano)} were spent.`
  const spent = `${month}: ${formatUsd(spentNano)} of ${limit} were spent`
  if (totalNano === null) return `${spent}; too few days to tell how the month ends.`
  return state === 'warning'
    ? `${spent}; at this rate it will be ~${formatUsd(totalNano)}.`
    : `${spent}, and the month stays within it.`
}

/** Unusual days and sessions that are named. */
const MOST_NAMED = 3

/**
 * Returns one sentence per line about forecast, current block and what is unusual; empty if nothing was spent lately.
 * `idOf` returns the id to show for a session.
 */
export const spendingLines = (report: SpendingReport, idOf: (sessionId: string) => string): readonly string[] => {
  const { forecast, unusualDays, unusualSessions, blocks } = report
  const block = blocks.find(({ isActive }) => isActive)
  return [
    ...(forecast.totalNano === 0n || forecast.activeDays === 0 ? [] : [monthSentence(forecast)]),
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

/** A sentence about a month: what it cost so far, and what it will have cost, with a range if days differ. */
const monthSentence = (forecast: Forecast): string => {
  const { month, spentNano, daysLeft, activeDays } = forecast
  const soFar = `${month}: ${formatUsd(spentNano)} so far`
  const left = `${counted(daysLeft, 'day')} left`
  if (forecast.isUncertain)
    return `${soFar}; too few days to tell what it will be by its end (${counted(activeDays, 'active day')}; ${left}).`
  const { totalNano, lowNano, highNano } = forecast
  const range = lowNano === highNano ? '' : `${formatUsd(lowNano)} to ${formatUsd(highNano)}; `
  return `${soFar}, about ${formatUsd(totalNano)} by its end (${range}${left}).`
}

const HOURS_5 = 5 * 3_600_000

/**
 * Returns a sentence about a block of five hours: its beginning, cost, requests, tokens, rate an hour (a dash if not
 * known), and the time that was left at its last request.
 */
const blockSentence = ({ start, lastAt, requests, tokens, costNano, burn }: UsageBlock): string => {
  const rate =
    burn === null
      ? ', – an hour'
      : `, ${formatUsd(burn.costNanoPerHour)} an hour and ${formatCount(Math.round(burn.tokensPerMinute))} tokens a minute`
  return `Block of 5 hours since ${formatMinute(start)}: ${formatUsd(costNano)} in ${counted(requests, 'request')} with ${formatCount(tokens)} tokens${rate}; ${formatDuration(Math.max(0, start + HOURS_5 - lastAt))} were left at the last one.`
}

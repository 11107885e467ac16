/** How spending goes on, as the page shows it. */
import { formatUsd } from '@cairn/core'
import type { Forecast, SpendingReport, UsageBlock } from '@cairn/core/insights'
import { compactCount, counted } from '../usage/figure.ts'

/** A figure with its name and a remark. */
interface SpendingFact {
  readonly name: string
  readonly text: string
  readonly below: string
}

/** A day or session that cost unusually much. */
export interface UnusualView {
  readonly name: string
  readonly text: string
  /** Null for a day. */
  readonly sessionId: string | null
  /** The first and only day to look at; null for a session. */
  readonly day: string | null
}

/** What was spent lately, as the page shows it. */
export interface SpendingView {
  /** Empty where nothing was spent lately. */
  readonly facts: readonly SpendingFact[]
  readonly unusual: readonly UnusualView[]
}

/** Unusual days and sessions that are named. */
const MOST_NAMED = 5

/**
 * Returns the month's forecast and the current block, none if nothing was spent; and at most `MOST_NAMED` unusual days
 * and sessions each, days first.
 */
export const spendingView = ({ forecast, blocks, unusualDays, unusualSessions }: SpendingReport): SpendingView => {
  const { totalNano, activeDays } = forecast
  const active = blocks.find(({ isActive }) => isActive)
  const facts: readonly SpendingFact[] = [...monthFacts(forecast), ...(active === undefined ? [] : [blockFact(active)])]
  return {
    facts: totalNano === 0n || activeDays === 0 ? [] : facts,
    unusual: [
      ...unusualDays.slice(0, MOST_NAMED).map(({ day, costNano, medianNano }) => ({
        name: day,
        text: `${formatUsd(costNano)}; half of the days before cost less than ${formatUsd(medianNano)}`,
        sessionId: null,
        day,
      })),
      ...unusualSessions.slice(0, MOST_NAMED).map(({ sessionId, title, costNano, medianNano }) => ({
        name: title ?? sessionId,
        text: `${formatUsd(costNano)}; half of the sessions before cost less than ${formatUsd(medianNano)}`,
        sessionId,
        day: null,
      })),
    ],
  }
}

/**
 * Returns what the month cost and will have cost: with its range, if its ends differ, and the days left. Without a
 * forecast while there are too few days.
 */
const monthFacts = (forecast: Forecast): readonly SpendingFact[] => {
  const { month, spentNano, daysLeft, activeDays } = forecast
  const [spent, end] = [`Spent in ${month}`, 'By its end']
  const left = `${counted(daysLeft, 'day')} left`
  if (forecast.isUncertain)
    return [
      { name: spent, text: formatUsd(spentNano), below: left },
      { name: end, text: '–', below: `too few days to tell: ${counted(activeDays, 'active day')}` },
    ]
  const { perDayNano, totalNano, lowNano, highNano } = forecast
  const range = lowNano === highNano ? '' : `${formatUsd(lowNano)} to ${formatUsd(highNano)}; `
  return [
    { name: spent, text: formatUsd(spentNano), below: `${formatUsd(perDayNano)} a day lately` },
    { name: end, text: `~${formatUsd(totalNano)}`, below: `${range}${left}` },
  ]
}

/** Returns the current block of five hours as a figure; "–" an hour if its burn is not known. */
const blockFact = ({ costNano, requests, tokens, burn }: UsageBlock): SpendingFact => ({
  name: 'These five hours',
  text: formatUsd(costNano),
  below: `${counted(requests, 'request')}, ${compactCount(tokens)} tokens; ${burn === null ? '–' : formatUsd(burn.costNanoPerHour)} an hour`,
})

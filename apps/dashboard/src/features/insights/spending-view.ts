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

/** Returns the month's forecast, the current block, and what was unusual. */
export const spendingView = ({ forecast, blocks, unusualDays, unusualSessions }: SpendingReport): SpendingView => {
  const { month, spentNano, totalNano, perDayNano } = forecast
  const active = blocks.find(({ isActive }) => isActive)
  const facts: readonly SpendingFact[] = [
    { name: `Spent in ${month}`, text: formatUsd(spentNano), below: `${formatUsd(perDayNano)} a day lately` },
    {
      name: 'By its end',
      text: `~${formatUsd(totalNano)}`,
      below: forecastText(forecast),
    },
    ...(active === undefined ? [] : [blockFact(active)]),
  ]
  return {
    facts: totalNano === 0n ? [] : facts,
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
 * Returns a forecast's range (if its ends differ), how few days it is based on (if it is uncertain), and the days left.
 */
const forecastText = ({ lowNano, highNano, isUncertain, activeDays, daysLeft }: Forecast): string =>
  [
    ...(lowNano === highNano ? [] : [`${formatUsd(lowNano)} to ${formatUsd(highNano)}`]),
    ...(isUncertain ? [`uncertain, from ${counted(activeDays, 'active day')}`] : []),
    `${counted(daysLeft, 'day')} left`,
  ].join('; ')

/** Returns the current block of five hours as a figure. */
const blockFact = ({ costNano, requests, tokens, burn }: UsageBlock): SpendingFact => ({
  name: 'These five hours',
  text: formatUsd(costNano),
  below: `${counted(requests, 'request')}, ${compactCount(tokens)} tokens; ${burn === null ? '–' : formatUsd(burn.costNanoPerHour)} an hour`,
})

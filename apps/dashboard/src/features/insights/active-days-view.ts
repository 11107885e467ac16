/** What a day with requests costs, as the page shows it. */
import { formatUsd } from '@cairn/core'
import type { ActiveDays } from '@cairn/core/insights'
import { counted } from '../usage/figure.ts'

/** What an active day cost, as the tile shows it. */
export interface ActiveDaysView {
  readonly mean: string
  readonly below: string
}

/** Returns what the tile of a day's cost says; null if no day had requests. */
export const activeDaysView = ({ days, meanNano, medianNano }: ActiveDays): ActiveDaysView | null =>
  days === 0
    ? null
    : {
        mean: formatUsd(meanNano),
        below: `${counted(days, 'day')} with requests${days === 1 ? '' : `, median ${formatUsd(medianNano)}`}`,
      }

/** What a day with requests costs. */
import type { NanoUsd } from '../money.ts'
import type { UsageQuery, UsageStorage } from '../ports/usage-storage.ts'
import { UNKNOWN_KEY } from '../usage/calendar.ts'
import { medianOf } from './forecast.ts'

export interface ActiveDays {
  /** Days with requests. */
  readonly days: number
  /** Of them together; requests without a time are not in it. */
  readonly costNano: NanoUsd
  /** Rounded down to whole nano-USD; 0 without a day. */
  readonly meanNano: NanoUsd
  /** 0 without a day. */
  readonly medianNano: NanoUsd
}

/**
 * What the days with requests cost, in the query's time zone; requests without a time are left out. All 0 where there
 * are none. Rejects as the store does.
 */
export const activeDaysOf = async (
  usage: Pick<UsageStorage, 'report'>,
  query: Omit<UsageQuery, 'by' | 'limit'>,
): Promise<ActiveDays> => {
  const { rows } = await usage.report({ ...query, by: 'day' })
  const costs = rows.flatMap(({ key, costNano }) => (key === UNKNOWN_KEY ? [] : [costNano]))
  const costNano = costs.reduce((sum, cost) => sum + cost, 0n)
  const days = costs.length
  return { days, costNano, meanNano: days === 0 ? 0n : costNano / BigInt(days), medianNano: medianOf(costs) }
}

/** The recent health of a store, as measured by all programs. */
import { CairnError } from '../errors.ts'
import { healthReport } from '../health/report.ts'
import type { HealthReport } from '../health/report.ts'
import { KEPT_QUARTERS, quarterOf } from '../health/sample.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'

const QUARTERS_PER_HOUR = 4
const DEFAULT_HOURS = 24

export interface EngineHealth {
  /**
   * The report for the last hours, at most a week; default a day. Rejects with `invalid-input` for an invalid number.
   */
  report(options?: { readonly hours?: number }): Promise<HealthReport>
}

/**
 * Creates the engine's health part: `report` covers the given hours (default a day) up to now, by quarters of an hour.
 * It rejects with `invalid-input` for anything but a whole number of hours from 1 to a week.
 */
export const createEngineHealth = ({ health }: Pick<Store, 'health'>, clock: Clock): EngineHealth => ({
  report: async ({ hours = DEFAULT_HOURS } = {}) => {
    const most = KEPT_QUARTERS / QUARTERS_PER_HOUR
    if (!Number.isInteger(hours) || hours < 1 || hours > most)
      throw new CairnError('invalid-input', `Health is kept for ${most} hours; ask for 1 to ${most} of them.`)
    const now = quarterOf(clock.now())
    return healthReport(await health.since(now - hours * QUARTERS_PER_HOUR + 1), now)
  },
})

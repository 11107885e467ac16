/** The hourly cost at the rate of some requests. */
import type { NanoUsd } from '../money.ts'

const HOUR_MS = 3_600_000
/**
 * A shorter time between requests gives no rate, ms. The first request of a session writes the whole context to the
 * cache and costs as much as four or five later ones; only after about ten minutes is it less than a third of the sum.
 */
const SHORTEST_RATE_MS = 600_000

/**
 * The cost per hour, or null below ten minutes.
 * @param costNano the amount paid from the first to the last request
 * @param ms the time from the first to the last request
 */
export const costPerHour = (costNano: NanoUsd, ms: number): NanoUsd | null =>
  ms < SHORTEST_RATE_MS ? null : (costNano * BigInt(HOUR_MS)) / BigInt(Math.round(ms))

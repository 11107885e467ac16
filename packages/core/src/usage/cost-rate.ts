/** What an hour costs at the pace of some requests. */
import type { NanoUsd } from '../money.ts'

const HOUR_MS = 3_600_000
/**
 * Requests closer together than this tell no rate, ms. The first request of a session writes the whole context to the
 * cache and costs as much as four or five later ones: only after about ten minutes is it less than a third of the sum.
 */
const SHORTEST_RATE_MS = 600_000

/**
 * What an hour costs.
 * @param costNano what was paid from the first to the last request
 * @param ms from the first to the last request; null below ten minutes
 */
export const costPerHour = (costNano: NanoUsd, ms: number): NanoUsd | null =>
  ms < SHORTEST_RATE_MS ? null : (costNano * BigInt(HOUR_MS)) / BigInt(Math.round(ms))

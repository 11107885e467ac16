/**
 * Spans of five hours, as ccusage counts them: one begins at the UTC hour of its first request; the next one with a
 * request that is more than five hours after that beginning, or after the request before.
 */
import type { NanoUsd } from '../money.ts'
import { costPerHour } from '../usage/cost-rate.ts'
import type { UsageBlock } from './spending.ts'

const HOUR_MS = 3_600_000
/** ms. */
export const BLOCK_MS = 5 * HOUR_MS

export interface TimedCost {
  readonly at: number
  /** Of all classes. */
  readonly tokens: number
  readonly costNano: NanoUsd
}

/**
 * The five-hour blocks of requests, which may come in any order (times in ms); oldest first, none for no requests. A
 * request more than five hours after a block's beginning, or after the request before, begins the next.
 * @param now ms, tells which block is active
 */
export const blocksOf = (requests: readonly TimedCost[], now: number): readonly UsageBlock[] => {
  const blocks: TimedCost[][] = []
  let start = 0
  let last = Number.NEGATIVE_INFINITY
  for (const request of requests.toSorted((left, right) => left.at - right.at)) {
    const open = blocks.at(-1)
    if (open === undefined || request.at - start > BLOCK_MS || request.at - last > BLOCK_MS) {
      start = Math.floor(request.at / HOUR_MS) * HOUR_MS
      blocks.push([request])
    } else open.push(request)
    last = request.at
  }
  return blocks.flatMap((block) => {
    const [first, end] = [block[0], block.at(-1)]
    return first === undefined || end === undefined ? [] : [blockOf(block, first.at, end.at, now)]
  })
}

/**
 * A block of its requests (at least one), which begins at the full hour (UTC) of the first; `burn` is null if it is too
 * short for a rate.
 */
const blockOf = (block: readonly TimedCost[], firstAt: number, lastAt: number, now: number): UsageBlock => {
  const start = Math.floor(firstAt / HOUR_MS) * HOUR_MS
  const tokens = block.reduce((sum, request) => sum + request.tokens, 0)
  const costNano = block.reduce((sum, request) => sum + request.costNano, 0n)
  const ms = lastAt - firstAt
  const costNanoPerHour = costPerHour(costNano, ms)
  return {
    start,
    firstAt,
    lastAt,
    requests: block.length,
    tokens,
    costNano,
    isActive: now - lastAt < BLOCK_MS && now < start + BLOCK_MS,
    burn: costNanoPerHour === null ? null : { costNanoPerHour, tokensPerMinute: (tokens * 60_000) / ms },
  }
}

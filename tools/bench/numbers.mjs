// Order statistics, and random numbers that are the same in every run.

/**
 * The value below which `share` of the values lie (nearest rank).
 * @param {readonly number[]} values not empty
 * @param {number} share 0 … 1
 */
export function percentile(values, share) {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))]
}

/**
 * The middle value (nearest rank).
 * @param {readonly number[]} values not empty
 */
export const median = (values) => percentile(values, 0.5)

/**
 * Mulberry32: small, fast, and good enough to make test data with.
 * @param {number} seed
 * @returns {() => number} the next number in 0 ≤ x < 1
 */
export function randomNumbers(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

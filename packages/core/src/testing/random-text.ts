/** Random texts of one alphabet, always the same ones: for tests of what is found in texts, and of what is not. */
export interface RandomText {
  /** Whole, from 0 to below. */
  readonly below: (limit: number) => number
  readonly of: (alphabet: string, length: number) => string
  readonly bytes: (length: number) => Uint8Array
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
export const DIGITS = '0123456789'
export const HEX = `${DIGITS}abcdef`
export const LOWER_DIGITS = LOWER + DIGITS
export const UPPER_DIGITS = LOWER.toUpperCase() + DIGITS
export const LETTERS = LOWER.toUpperCase() + LOWER + DIGITS
export const URL_SAFE = `${LETTERS}-_`
export const BASE64 = `${LETTERS}+/`

/**
 * Numbers of a 32-bit generator (mulberry32): the same seed, the same texts. `below` gives whole numbers from 0 up to
 * the limit, which is not included.
 */
export const randomText = (seed: number): RandomText => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    of: (alphabet, length) => Array.from({ length }, () => alphabet.charAt(below(alphabet.length))).join(''),
    bytes: (length) => Uint8Array.from({ length }, () => below(256)),
  }
}

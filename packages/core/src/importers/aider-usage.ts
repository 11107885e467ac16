/** What Aider prints of a reply's tokens and cost: `Tokens: 3.2k sent, 21 received. Cost: $0.0082 message, …`. */
import { nanoFromUsd, isCostOrAbsent, type NanoUsd } from '../money.ts'

export interface UsageReport {
  /** Rounded to two or three digits where they are over a thousand. */
  readonly tokens: Readonly<Record<'sent' | 'cacheWrite' | 'cacheHit' | 'received', number>>
  /** The message's, USD as printed; absent where the model has no price. */
  readonly cost: number | undefined
  /** The same, in nano-USD; null where it is absent, or no amount. */
  readonly costNano: NanoUsd | null
}

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1_000, M: 1_000_000 }

/**
 * Reads a report of tokens and cost; tokens that it does not name are 0, a cost that it does not name, or that is none,
 * is null in `costNano`. `cost` is in USD, as written.
 */
export const parseReport = (text: string): UsageReport => {
  const cost = numberIn(/Cost: \$([\d.,]+) message/.exec(text)?.[1])
  return {
    tokens: {
      sent: countBefore('sent', text),
      cacheWrite: countBefore('cache write', text),
      cacheHit: countBefore('cache hit', text),
      received: countBefore('received', text),
    },
    cost,
    costNano: cost !== undefined && isCostOrAbsent(cost) ? nanoFromUsd(cost) : null,
  }
}

/** The count before a word, with its `k` or `M`; 0 where there is none. */
const countBefore = (what: string, text: string): number => {
  const [, digits, unit = ''] = new RegExp(`([\\d.,]+)([kM]?) ${what}`).exec(text) ?? []
  return Math.round((numberIn(digits) ?? 0) * (UNITS[unit] ?? 1))
}

/** A number with commas; undefined for none. */
const numberIn = (digits: string | undefined): number | undefined => {
  const value = digits === undefined ? NaN : Number(digits.replaceAll(',', ''))
  return Number.isFinite(value) ? value : undefined
}

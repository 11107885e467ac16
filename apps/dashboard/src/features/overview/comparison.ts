/** What changed against the time before: a few words for each of the overview's totals. */
import { allInputTokens, cacheHitRatio, formatUsd, usdFromNano } from '@cairn/core'
import type { UsageTotals } from '@cairn/core'
import { compactCount, wholeCount } from '../usage/figure.ts'
import type { Figure } from '../usage/figure.ts'
import type { PreviousSpan } from '../selection/period.ts'

/** How each figure differs from the period before. */
export interface Comparison extends Readonly<Partial<Record<'saved' | 'cacheHit' | 'tokens' | 'requests', Figure>>> {
  /** Alone where the period before had no request: it says so. */
  readonly cost: Figure
}

/**
 * Returns a change as `+12%`, `−3%`, `×14`; `±0%` if it rounds to nothing. The change is of the size of `before`, which
 * must not be 0.
 */
const changeText = (now: number, before: number): string => {
  const change = (now - before) / Math.abs(before)
  if (change >= 10) return `×${wholeCount(Math.round(now / before))}`
  const percent = Math.round(Math.abs(change) * 100)
  if (percent === 0) return '±0%'
  return `${change > 0 ? '+' : '−'}${percent}%`
}

/** Returns what is compared with: `the day before`, `the 30 days before`. */
const lengthText = (days: number): string => (days === 1 ? 'the day before' : `the ${wholeCount(days)} days before`)

/**
 * Returns how the sums differ from those of the period before: in percent, cache hits in points, `new` for what was 0.
 * Undefined if this period had no request. `cost` alone, as a sentence, if the period before had none.
 */
export const comparison = (
  now: UsageTotals,
  before: UsageTotals,
  { days, isCut }: Pick<PreviousSpan, 'days' | 'isCut'>,
): Comparison | undefined => {
  if (now.requests === 0) return undefined
  if (before.requests === 0) return { cost: { text: `nothing in ${lengthText(days)}`, notes: [], isIncomplete: false } }
  const against = `vs ${lengthText(days)}`
  const span = `${days === 1 ? 'The day' : `The ${wholeCount(days)} days`} before${isCut ? ', up to this time of day' : ''}`
  const figure = (text: string, value: string): Figure => ({
    text: `${text} ${against}`,
    notes: [`${span}: ${value}.`],
    isIncomplete: false,
  })
  const ratio = (current: number, earlier: number, value: string): Figure =>
    earlier === 0 ? figure(current === 0 ? '±0%' : 'new,', value) : figure(changeText(current, earlier), value)
  const tokens = (totals: UsageTotals): number => allInputTokens(totals) + totals.outputTokens
  const [hits, hitsBefore] = [cacheHitRatio(now), cacheHitRatio(before)]
  const points =
    hits === undefined || hitsBefore === undefined ? undefined : Math.round((hits - hitsBefore) * 1_000) / 10
  return {
    cost: ratio(
      usdFromNano(now.costNano),
      usdFromNano(before.costNano),
      `${formatUsd(before.costNano)}${before.unpricedRequests === 0 ? '' : `, ${wholeCount(before.unpricedRequests)} of ${wholeCount(before.requests)} requests without a price`}`,
    ),
    saved: ratio(usdFromNano(now.savedNano), usdFromNano(before.savedNano), formatUsd(before.savedNano)),
    cacheHit:
      points === undefined
        ? figure('–', 'there was no input')
        : figure(
            `${points > 0 ? '+' : points < 0 ? '−' : '±'}${Math.abs(points).toFixed(1)} points`,
            `${((hitsBefore ?? 0) * 100).toFixed(1)}%`,
          ),
    tokens: ratio(tokens(now), tokens(before), compactCount(tokens(before))),
    requests: ratio(now.requests, before.requests, wholeCount(before.requests)),
  }
}

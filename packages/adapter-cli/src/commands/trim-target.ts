/** Parses how much of a context a trim should leave. */
import { CairnError } from '@cairn/core'
import type { TrimInput } from '@cairn/core'

/**
 * Reads `40000`, `40k`, `0.4M` as `tokens`, or `50%` of what the messages take now as `share` (0.5). @throws
 * CairnError `usage` for anything else, for 0 and for shares of 100 % and more.
 */
export const targetOf = (text: string): TrimInput['target'] => {
  const [, number = '', unit = ''] = /^(\d{1,12}(?:\.\d{1,6})?)\s?(%|k|m|)$/i.exec(text.trim()) ?? []
  const value = Number(number)
  if (number === '' || !(value > 0))
    throw new CairnError(
      'usage',
      `--target takes tokens (40000, 40k) or a share of what the messages take now (50%), not '${text}'.`,
    )
  if (unit !== '%') return { tokens: Math.floor(value * (unit === '' ? 1 : unit.toLowerCase() === 'k' ? 1e3 : 1e6)) }
  if (value >= 100) throw new CairnError('usage', `--target takes a share below 100 %, not '${text}'.`)
  return { share: value / 100 }
}

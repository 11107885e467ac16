/**
 * Replaces secrets of known kinds by typed placeholders before anything is stored. It runs on raw
 * transcript lines before they are parsed, so that the line and what is made of it agree; placeholders
 * hold no quotes and no backslashes, and a match never cuts an escape, so valid JSON stays valid.
 */
import { PREFILTER, SECRET_PATTERNS } from './patterns.ts'

export interface Redaction {
  readonly text: string
  /** Secrets that were replaced. */
  readonly count: number
}

export type Redact = (text: string) => Redaction

/** The text without its secrets. A text that holds none comes back as it is, and quickly. */
export const redact: Redact = (text) => {
  if (!PREFILTER.test(text)) return { text, count: 0 }
  let count = 0
  let redacted = text
  for (const { name, expression, isSecret } of SECRET_PATTERNS) {
    redacted = redacted.replace(expression, (...found: readonly unknown[]) => {
      const groups = found.at(-1)
      const keep =
        typeof groups === 'object' && groups !== null && 'keep' in groups && typeof groups.keep === 'string'
          ? groups.keep
          : ''
      const whole = String(found[0])
      if (isSecret?.(whole.slice(keep.length), keep) === false) return whole
      count++
      return `${keep}[redacted:${typeof name === 'string' ? name : name(keep)}]`
    })
  }
  return { text: redacted, count }
}

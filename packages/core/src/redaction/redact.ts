/**
 * Replaces secrets of known kinds by typed placeholders before anything is stored. It runs on raw
 * transcript lines before they are parsed, so that the line and what is made of it agree; placeholders
 * hold no quotes and no backslashes, and a match never cuts an escape, so valid JSON stays valid.
 */
import { BEGINNING_LENGTH, decodedSettings, ENCODED, ENCODED_KIND, mayHoldEncoded } from './encoded.ts'
import { longRuns, type Run } from './long-runs.ts'
import { type GatedPattern, mayHoldSecret, PATTERN_GROUPS } from './pattern-groups.ts'
import type { SecretPattern } from './secret-pattern.ts'

/** A text without its secrets, and how many there were. */
export interface Redaction {
  readonly text: string
  /** Secrets that were replaced. */
  readonly count: number
}

/** Replaces the secrets in a text by typed placeholders. */
export type Redact = (text: string) => Redaction

/**
 * Replaces secrets by typed placeholders such as `[redacted:github-token]`, and counts them; a text without any is
 * returned unchanged, with 0. Settings in base64 that hold a secret go as a whole, as `[redacted:encoded-settings]`.
 */
export const redact: Redact = (text) => {
  const runs = longRuns(text, BEGINNING_LENGTH)
  const plain = withoutPlain(text, runs)
  const left = plain.count === 0 ? runs : longRuns(plain.text, BEGINNING_LENGTH)
  if (!mayHoldEncoded(plain.text, left)) return plain
  const encoded = replaced(plain.text, ENCODED_SETTINGS)
  return { text: encoded.text, count: plain.count + encoded.count }
}

/** The text without secrets as they stand, and how many there were. Each is replaced by `[redacted:kind]`. */
const withoutPlain = (given: string, runs: readonly Run[]): Redaction => {
  let [text, count] = [given, 0]
  if (!mayHoldSecret(given, runs)) return { text, count }
  for (const { hints, patterns } of PATTERN_GROUPS) {
    if (!hints.some((hint) => hint.test(text))) continue
    for (const pattern of patterns) {
      if (!mayMatch(pattern, text)) continue
      const found = replaced(text, pattern)
      text = found.text
      count += found.count
    }
  }
  return { text, count }
}

/** Whether a pattern may match: one of its beginnings is in the text. */
const mayMatch = ({ starts }: GatedPattern, text: string): boolean =>
  starts === undefined || starts.some((start) => text.includes(start))

/** A whole file of settings goes, names and all: what is left of base64 without a part of it is of no use. */
const ENCODED_SETTINGS: SecretPattern = {
  kind: ENCODED_KIND,
  expression: ENCODED,
  isSecret: (found) => {
    const settings = decodedSettings(found)
    return settings !== undefined && withoutPlain(settings, longRuns(settings, BEGINNING_LENGTH)).count > 0
  },
}

/**
 * The text without what a pattern finds, and how many were replaced. What the pattern keeps before a secret stays, and
 * so does what its `isSecret` refuses.
 */
const replaced = (text: string, { kind, expression, isSecret, parts }: SecretPattern): Redaction => {
  let count = 0
  const without = text.replace(expression, (whole: string, ...rest: readonly unknown[]) => {
    if (parts !== undefined) {
      const inner = replaced(whole, { kind, ...parts })
      count += inner.count
      return inner.text
    }
    const { offset, keep } = found(rest)
    const position = { text, start: offset + keep.length, end: offset + whole.length, keep }
    if (isSecret?.(whole.slice(keep.length), position) === false) return whole
    count++
    return `${keep}[redacted:${typeof kind === 'string' ? kind : kind(keep)}]`
  })
  return { text: without, count }
}

/** Of what `replace` gives behind the match (groups, offset, text, and the named groups if there are any): these two. */
const found = (rest: readonly unknown[]): { readonly offset: number; readonly keep: string } => {
  const last = rest.at(-1)
  const groups = typeof last === 'object' && last !== null && 'keep' in last ? last : undefined
  return {
    offset: Number(rest[rest.length - (groups === undefined ? 2 : 3)]),
    keep: typeof groups?.keep === 'string' ? groups.keep : '',
  }
}

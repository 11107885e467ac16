/** The server's own tokenizer: four bytes a token, counted within each segment, so that prefixes are exact. */
import { createHash } from 'node:crypto'

const BYTES_PER_TOKEN = 4

/** How long a prefix is kept that ends behind a segment. */
export type Lifetime = '5m' | '30m' | '1h' | '12h'

/** A part of a request in the order in which the model reads it: a tool, the system prompt, a block of a message. */
export interface Segment {
  readonly text: string
  /** The request asks for the prefix to be kept that ends here. */
  readonly breakpoint?: Lifetime
}

/** The server's own count of a text's tokens: a token for `BYTES_PER_TOKEN` bytes, rounded up. */
export const countTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN)

/** Counts a text that comes in pieces: gives the tokens of all pieces so far. */
export const createTokenCounter = () => {
  let bytes = 0
  return (piece: string): number => Math.ceil((bytes += Buffer.byteLength(piece)) / BYTES_PER_TOKEN)
}

/** The tokens of all segments; each is rounded up by itself. */
export const countSegments = (segments: readonly Segment[]): number =>
  segments.reduce((total, { text }) => total + countTokens(text), 0)

/** A prefix of a request: its length in tokens, and a hash of all of it. */
export interface Prefix {
  readonly tokens: number
  readonly hash: string
}

/** The SHA-256 (base64) of parts, told apart. */
const sha256 = (...parts: readonly (string | Uint8Array)[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('base64')
}

/** The prefixes that end behind each segment. `scope` keeps models and accounts apart. In order, shortest first. */
export const segmentPrefixes = (scope: string, segments: readonly Segment[]): Prefix[] => {
  let before: Prefix = { tokens: 0, hash: sha256(scope) }
  return segments.map(({ text }) => {
    before = { tokens: before.tokens + countTokens(text), hash: sha256(before.hash, text) }
    return before
  })
}

/**
 * The prefixes that end after every `step` tokens, shortest first; what follows the last whole step has none. `scope`
 * keeps models and accounts apart.
 */
export const steppedPrefixes = (scope: string, segments: readonly Segment[], step: number): Prefix[] => {
  const prefixes: Prefix[] = []
  let hash = sha256(scope)
  let pieces: Uint8Array[] = []
  let missing = step
  for (const { text } of segments) {
    const bytes = Buffer.from(text)
    for (let start = 0; start < bytes.length;) {
      const piece = bytes.subarray(start, start + missing * BYTES_PER_TOKEN)
      pieces.push(piece)
      start += piece.length
      missing -= Math.ceil(piece.length / BYTES_PER_TOKEN)
      if (missing > 0) continue
      hash = sha256(hash, ...pieces)
      prefixes.push({ tokens: (prefixes.length + 1) * step, hash })
      pieces = []
      missing = step
    }
  }
  return prefixes
}

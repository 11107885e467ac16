/**
 * Replaces long texts by references, and restores them. `keep` takes a long text and returns its number; `text` returns
 * the text of a number.
 */
import { MARK, MARK_END } from './references.ts'

/**
 * Texts of at least this many UTF-16 units become blocks: a reference to a shorter one costs more than repeating it.
 */
export const BLOCK_MINIMUM = 512

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined }

/**
 * JSON text of a value in which every long, well-formed string has become a reference. `keep` takes such a text and
 * returns its number; {@link hydrateBody} reverses it.
 */
export const dehydrateBody = (value: unknown, keep: (text: string) => number): string =>
  JSON.stringify(withReferences(value, keep))

/**
 * A copy of a value in which long texts are references to what `keep` keeps. Arrays and objects are copied too;
 * undefined in an array becomes null. Short texts stay, marked where they could be mistaken for a reference.
 */
const withReferences = (value: unknown, keep: (text: string) => number): unknown => {
  if (typeof value === 'string') {
    // A lone surrogate does not survive UTF-8; JSON.stringify escapes it, so it stays in the body.
    if (value.length >= BLOCK_MINIMUM && value.isWellFormed()) return `${MARK}${keep(value)}`
    return value.startsWith(MARK) ? `${MARK}${value}` : value
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return (value as readonly unknown[]).map((item) => withReferences(item, keep) ?? null)
  const copy: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) define(copy, key, withReferences(item, keep))
  return copy
}

/** Sets an own property whatever its name: plain assignment to `__proto__` would not. */
const define = (target: Record<string, unknown>, key: string, value: unknown): void => {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  else target[key] = value
}

/**
 * The reverse of {@link dehydrateBody}: the value, with every reference replaced by what `text` returns for its number.
 * Throws a SyntaxError for what is no JSON.
 */
export const hydrateBody = (body: string, text: (reference: number) => string): Json => {
  const revive = (value: Json | undefined): Json | undefined => {
    if (typeof value === 'string') {
      if (!value.startsWith(MARK)) return value
      return value.startsWith(MARK, 1) ? value.slice(1) : text(Number(value.slice(1)))
    }
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return (value as readonly Json[]).map((item) => revive(item) ?? null)
    for (const [key, item] of Object.entries(value))
      define(value as Record<string, Json | undefined>, key, revive(item))
    return value
  }
  const parsed = JSON.parse(body) as Json
  return body.includes('\\u0001') ? (revive(parsed) ?? null) : parsed
}

/**
 * A line of valid JSON in which long string literals have become references. Only literals that JSON.stringify would
 * write in the same way are replaced, so that restoring them is exact. `keep` takes a long text and returns its number;
 * a short line is returned as it is.
 */
export const dehydrateLine = (line: string, keep: (text: string) => number): string => {
  if (line.length < BLOCK_MINIMUM) return line
  let result = ''
  let copied = 0
  for (let open = line.indexOf('"'); open !== -1;) {
    const close = closingQuote(line, open)
    if (close === -1) break
    if (close - open - 1 >= BLOCK_MINIMUM) {
      const literal = line.slice(open, close + 1)
      const text = parsedLiteral(literal)
      if (text !== undefined && text.length >= BLOCK_MINIMUM && text.isWellFormed() && isAsWritten(literal, text)) {
        result += `${line.slice(copied, open)}${MARK}${keep(text)}${MARK_END}`
        copied = close + 1
      }
    }
    open = line.indexOf('"', close + 1)
  }
  return copied === 0 ? line : result + line.slice(copied)
}

/** Whether JSON.stringify writes the text this way. Only these escapes can differ. */
const isAsWritten = (literal: string, text: string): boolean =>
  (!literal.includes('\\u') && !literal.includes('\\/')) || JSON.stringify(text) === literal

/** The text that a JSON literal stands for; undefined for anything else. */
const parsedLiteral = (literal: string): string | undefined => {
  try {
    const value: unknown = JSON.parse(literal)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

/** The offset of the quote that ends the JSON string which opens at `open`, or −1. */
const closingQuote = (line: string, open: number): number => {
  for (let close = line.indexOf('"', open + 1); close !== -1; close = line.indexOf('"', close + 1)) {
    let backslashes = 0
    while (line.charCodeAt(close - 1 - backslashes) === 0x5c) backslashes += 1
    if (backslashes % 2 === 0) return close
  }
  return -1
}

/** The reverse of {@link dehydrateLine}, byte for byte; `text` returns the text of a number. */
export const hydrateLine = (line: string, text: (reference: number) => string): string =>
  line.includes(MARK)
    ? line.replace(REFERENCE, (_match, reference: string) => JSON.stringify(text(Number(reference))))
    : line

const REFERENCE = new RegExp(`${MARK}(\\d+)${MARK_END}`, 'g')

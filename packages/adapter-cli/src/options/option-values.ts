/** Readers of option values. Each throws `usage` with a sentence that names the option and what it takes. */
import { CairnError, echoed, parseTime } from '@cairn/core'
import { didYouMean } from './close-matches.ts'

/** The error for a value that an option does not accept. */
const wrong = (option: string, wanted: string, text: string): CairnError =>
  new CairnError('usage', `${option} takes ${wanted}, not '${echoed(text)}'.`)

/** The largest number that options accept: exact, also as a number of milliseconds. */
const HIGHEST = 999_999_999_999_999

/**
 * Returns a reader for an option's value: a whole number of at least `minimum`, up to `HIGHEST`. The reader throws
 * CairnError `usage` for any other text.
 */
export const wholeNumber =
  (option: string, minimum = 0) =>
  (text: string): number => {
    const value = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN
    if (!(value >= minimum)) throw wrong(option, `a whole number of at least ${minimum}`, text)
    if (value > HIGHEST) throw wrong(option, `a whole number up to ${HIGHEST.toLocaleString('en-US')}`, text)
    return value
  }

/**
 * Returns a reader for an option's value: an amount in dollars, such as 0.5 for `0.50` or `$0.50`; 0 is allowed. The
 * reader throws CairnError `usage` for any other text, including signs, exponents and thousands separators.
 */
export const amountInUsd =
  (option: string) =>
  (text: string): number => {
    const plain = text.trim().replace(/^\$/, '')
    const value = /^\d+(?:\.\d*)?$|^\.\d+$/.test(plain) ? Number(plain) : Number.NaN
    if (!Number.isFinite(value)) throw wrong(option, 'an amount in USD such as 5 or 0.50', text)
    return value
  }

/**
 * Returns a reader for an option's value: a text that is not blank, unchanged. `wanted` describes the value in the
 * error. The reader throws CairnError `usage`.
 */
export const someText =
  (option: string, wanted: string) =>
  (text: string): string => {
    if (text.trim() === '') throw wrong(option, wanted, text)
    return text
  }

/**
 * Returns a reader for an option's value: an HTTP or HTTPS URL, trimmed. URLs with a user name or password are refused
 * and never repeated. The reader throws CairnError `usage` for any other text.
 * @param keyAdvice where a key belongs instead, as the end of the sentence
 */
export const httpAddress =
  (option: string, keyAdvice = 'keep the key with cairn secret set') =>
  (text: string): string => {
    const address = text.trim()
    const url = /^https?:\/\//i.test(address) ? URL.parse(address) : null
    if (url !== null && url.username + url.password !== '')
      throw new CairnError('usage', `${option} takes an address without a name or password in it: ${keyAdvice}.`)
    if (url === null) throw wrong(option, 'an address such as http://localhost:8080/v1', address.replace(/^.*@/s, '…@'))
    // The scheme in small letters, as it is compared.
    return address.replace(/^https?/i, (scheme) => scheme.toLowerCase())
  }

/**
 * Returns a reader for an option's value: exactly one of these words. The reader throws CairnError `usage`, with a
 * similar word if there is one.
 */
export const oneOf =
  <const T extends string>(option: string, choices: readonly T[]) =>
  (text: string): T => {
    const found = choices.find((choice) => choice === text)
    if (found === undefined)
      throw new CairnError(
        'usage',
        `${option} takes one of ${choices.join(', ')}, not '${echoed(text)}'.${didYouMean(text, choices)}`,
      )
    return found
  }

const collectors = new WeakSet<object>()

/** Whether a reader of an option's value was made by {@link collecting}; false for undefined. */
export const collects = (reader: object | undefined): boolean => reader !== undefined && collectors.has(reader)

/**
 * Returns a reader for an option that may be repeated: each call returns all values so far, in order, each read by
 * `read`.
 */
export const collecting = (read: (text: string) => string) => {
  const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, read(text)]
  collectors.add(collect)
  return collect
}

/** A range of times in ms; `since` is included, `until` is not. */
export interface TimeRange {
  readonly since?: number
  readonly until?: number
}

/**
 * Returns `--since` (inclusive) and `--until` (exclusive) as times in ms, read in a time zone; each is absent if it was
 * not given.
 * @throws CairnError `usage` for an invalid time, and if the first is not before the second
 */
export const timeRange = (
  options: { readonly since?: string; readonly until?: string },
  timeZone: string,
  now: number,
): TimeRange => {
  const since = options.since === undefined ? undefined : parseTime(options.since, timeZone, 'since', now)
  const until = options.until === undefined ? undefined : parseTime(options.until, timeZone, 'until', now)
  if (since !== undefined && until !== undefined && since >= until) {
    throw new CairnError(
      'usage',
      `--since ${echoed(options.since ?? '')} is not before --until ${echoed(options.until ?? '')}.`,
    )
  }
  return { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) }
}

/**
 * What callers without types may give: refused in one sentence, before anything is read or written. What an argument
 * means is checked where it is used; here is only what it is.
 */
import { CairnError } from './errors.ts'

/** Dates end here, ms before and after 1970. */
export const LATEST_TIME = 8.64e15

/** A value in a sentence: short, on one line. */
export const shownValue = (value: unknown): string => {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined)
    return String(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** So much of a text that was given is shown again, in characters. */
const ECHOED = 80

/** What was given, as part of a sentence: long texts are cut. */
export const echoed = (text: string): string =>
  text.length > ECHOED ? `${text.slice(0, ECHOED - 1).toWellFormed()}…` : text

/** Whether a value is a time as the log keeps it: whole ms since 1970, of which a date can be made. */
export const isTime = (value: unknown): value is number =>
  Number.isInteger(value) && Math.abs(value as number) <= LATEST_TIME

/** Whether a value is an array of strings. */
export const isListOfTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/** The `invalid-input` error for a value: what it is, and what is expected. */
export const invalidInput = (what: string, must: string, value: unknown): CairnError =>
  new CairnError('invalid-input', `${what} must be ${must}, not ${shownValue(value)}.`)

/** @throws CairnError `invalid-input` */
export const assertText = (value: unknown, what: string): void => {
  if (typeof value !== 'string') throw invalidInput(what, 'a text', value)
}

/** @throws CairnError `invalid-input` */
export const assertTextOrAbsent = (value: unknown, what: string): void => {
  if (value !== undefined) assertText(value, what)
}

/** For what is named by it: an id, a path. @throws CairnError `invalid-input` */
export const assertName = (value: unknown, what: string): void => {
  if (typeof value !== 'string' || value.trim() === '') throw invalidInput(what, 'a text that is not empty', value)
}

/** Options and queries. @throws CairnError `invalid-input` */
export const assertObject = (value: unknown, what: string): void => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidInput(what, 'an object', value)
}

/** A limit in time, which may be infinite. @throws CairnError `invalid-input` */
export const assertBound = (value: unknown, what: string): void => {
  if (value !== undefined && (typeof value !== 'number' || Number.isNaN(value)))
    throw invalidInput(what, 'a number of milliseconds since 1970', value)
}

/** A time that is shown, too. @throws CairnError `invalid-input` */
export const assertTimeOrAbsent = (value: unknown, what: string): void => {
  if (value !== undefined && !(typeof value === 'number' && Math.abs(value) <= LATEST_TIME))
    throw invalidInput(what, 'a number of milliseconds since 1970 of which a date can be made', value)
}

/** @throws CairnError `invalid-input` */
export const assertLimit = (value: unknown, what: string, least: 0 | 1): void => {
  if (value !== undefined && !(Number.isInteger(value) && (value as number) >= least))
    throw invalidInput(what, `a whole number from ${least} up`, value)
}

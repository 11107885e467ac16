/**
 * What callers without types may give: refused in one sentence, before anything is read or written. What an argument
 * means is checked where it is used; here is only what it is.
 */
import { CairnError } from './errors.ts'

/** Dates end here, ms before and after 1970. */
export const LATEST_TIME = 8.64e15

/**
 * A value as part of an error's sentence: short, on one line; texts are quoted and cut at 40 characters, lists and
 * objects only named as such.
 */
export const shownValue = (value: unknown): string => {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined)
    return String(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** So much of a text that was given is shown again, in characters. */
const ECHOED = 80

/**
 * A text that the user gave, as part of a sentence: at most 80 characters (UTF-16 units), a longer one ends with `…`.
 * Neither quoted nor cleaned.
 */
export const echoed = (text: string): string =>
  text.length > ECHOED ? `${text.slice(0, ECHOED - 1).toWellFormed()}…` : text

/**
 * Whether a value is a whole number of ms of which a date can be made, as times are in the log; negative ones are
 * before 1970.
 */
export const isTime = (value: unknown): value is number =>
  Number.isInteger(value) && Math.abs(value as number) <= LATEST_TIME

/** Whether a value is an array of strings; an empty one is. */
export const isListOfTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/**
 * Makes (does not throw) the `invalid-input` error "`what` must be `must`, not `value`."; the value as {@link
 * shownValue} shows it.
 */
export const invalidInput = (what: string, must: string, value: unknown): CairnError =>
  new CairnError('invalid-input', `${what} must be ${must}, not ${shownValue(value)}.`)

/**
 * Throws unless the value is a string; an empty one is fine. `what` begins the error's sentence.
 * @throws CairnError `invalid-input`
 */
export const assertText = (value: unknown, what: string): void => {
  if (typeof value !== 'string') throw invalidInput(what, 'a text', value)
}

/**
 * Throws unless the value is a string or undefined.
 * @throws CairnError `invalid-input`
 */
export const assertTextOrAbsent = (value: unknown, what: string): void => {
  if (value !== undefined) assertText(value, what)
}

/**
 * Throws unless the value is a string that is more than blanks: for ids, names and paths.
 * @throws CairnError `invalid-input`
 */
export const assertName = (value: unknown, what: string): void => {
  if (typeof value !== 'string' || value.trim() === '') throw invalidInput(what, 'a text that is not empty', value)
}

/**
 * Throws unless the value is an object that is no array: for options and queries.
 * @throws CairnError `invalid-input`
 */
export const assertObject = (value: unknown, what: string): void => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidInput(what, 'an object', value)
}

/**
 * Throws unless the value is undefined or a number of ms since 1970; infinite ones are fine, as limits of a period.
 * @throws CairnError `invalid-input`
 */
export const assertBound = (value: unknown, what: string): void => {
  if (value !== undefined && (typeof value !== 'number' || Number.isNaN(value)))
    throw invalidInput(what, 'a number of milliseconds since 1970', value)
}

/**
 * Throws unless the value is undefined or ms of which a date can be made: for times that are shown.
 * @throws CairnError `invalid-input`
 */
export const assertTimeOrAbsent = (value: unknown, what: string): void => {
  if (value !== undefined && !(typeof value === 'number' && Math.abs(value) <= LATEST_TIME))
    throw invalidInput(what, 'a number of milliseconds since 1970 of which a date can be made', value)
}

/**
 * Throws unless the value is undefined or a whole number from `least` up.
 * @throws CairnError `invalid-input`
 */
export const assertLimit = (value: unknown, what: string, least: 0 | 1): void => {
  if (value !== undefined && !(Number.isInteger(value) && (value as number) >= least))
    throw invalidInput(what, `a whole number from ${least} up`, value)
}

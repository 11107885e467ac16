/** Reads the input of a tool's call. Errors are one sentence that names the property. */
import { CairnError } from '../../errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts'
import { shownValue } from '../../input.ts'

/**
 * Creates the `invalid-input` error for a call that can't be run as it is; the caller throws it, and the model reads
 * its message.
 */
export const refused = (message: string): CairnError => new CairnError('invalid-input', message)

const wrong = (name: string, must: string, value: JsonValue): CairnError =>
  refused(`${name} must be ${must}, not ${shownValue(value)}.`)

/** A text, which may be empty. @throws CairnError `invalid-input` for anything else, and if absent */
export const textOf = (input: JsonObject, name: string): string => {
  const value = input[name]
  if (typeof value === 'string') return value
  throw value === undefined || value === null ? refused(`The call has no ${name}.`) : wrong(name, 'a text', value)
}

/** A text; undefined if absent or null. @throws CairnError `invalid-input` for anything else */
export const optionalText = (input: JsonObject, name: string): string | undefined =>
  input[name] === undefined || input[name] === null ? undefined : textOf(input, name)

/**
 * A whole number in a range, also if written as a text; undefined if absent or null. @throws CairnError `invalid-input`
 * for anything else
 */
export const optionalNumber = (
  input: JsonObject,
  name: string,
  { least, most }: { readonly least: number; readonly most: number },
): number | undefined => {
  const given = input[name]
  if (given === undefined || given === null) return undefined
  const value = typeof given === 'string' && /^\d{1,9}$/.test(given) ? Number(given) : given
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
  throw wrong(
    name,
    most === Infinity ? `a whole number from ${least} up` : `a whole number from ${least} to ${most}`,
    given,
  )
}

/**
 * The boolean in a field, also as "true" or "false"; false if absent or null.
 * @throws CairnError `invalid-input` for anything else
 */
export const flagOf = (input: JsonObject, name: string): boolean => {
  const given = input[name]
  if (given === undefined || given === null) return false
  if (typeof given === 'boolean') return given
  if (given === 'true' || given === 'false') return given === 'true'
  throw wrong(name, 'true or false', given)
}

/**
 * A list of objects; undefined if absent or null. Empty for an empty list.
 * @throws CairnError `invalid-input` for anything else
 */
export const optionalObjects = (input: JsonObject, name: string): readonly JsonObject[] | undefined => {
  const given = input[name]
  if (given === undefined || given === null) return undefined
  if (!Array.isArray(given)) throw wrong(name, 'a list', given)
  return (given as readonly JsonValue[]).map((one) => {
    if (isJsonObject(one)) return one
    throw refused(`${name} must be a list of objects, and holds ${shownValue(one)}.`)
  })
}

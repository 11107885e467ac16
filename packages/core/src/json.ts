/** Anything that JSON can hold; what a tool call's input or an importer's line is typed as. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined
}

/** Narrows a parsed value to an object (not an array). */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value when it is an object, else an empty one: for reading optional nested fields. */
export const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})

/** The value when it is a non-empty string. */
export const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** The value when it is an array, else none. */
export const arrayOf = (value: unknown): readonly JsonValue[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]) : []

/** No request has more tokens: a larger number is a mistake of the source. */
const HIGHEST_COUNT = 2_000_000_000

/** Whether a value is a token count, or is not there: what else stands in its place counts as 0, and should be named. */
export const isCountOrAbsent = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= HIGHEST_COUNT)

/** A token count: a number from 0 to two thousand million, rounded down; anything else counts as 0. */
export const countOf = (value: unknown): number =>
  typeof value === 'number' && value > 0 && value <= HIGHEST_COUNT ? Math.floor(value) : 0

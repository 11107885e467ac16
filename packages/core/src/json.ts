/** Anything that JSON can hold; what a tool call's input or an importer's line is typed as. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject
/** A JSON object; properties may be absent. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined
}

/** Narrows a parsed value to an object (not an array, not null). What is in it is not looked at. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value when it is an object, else an empty one: for reading optional nested fields. Never throws. */
export const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})

/** The value when it is a string that is not empty; else undefined, for '' too. */
export const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** The value when it is an array, itself and not a copy; else an empty one. */
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

/**
 * Arrays and objects within one another that are kept as values; what lies deeper is kept as its JSON text. It bounds every
 * walk over a value, ours and the runtime's (`JSON.stringify` ends at a few thousand), wherever the value is used later.
 */
export const JSON_LEVELS = 500
/** A shorter text has no room for so many brackets. */
const SHORTEST_DEEP_TEXT = 2 * JSON_LEVELS

/** A parsed value; `isCut` when what lies below the limit was put in as text. */
export interface ParsedJson {
  readonly value: JsonValue
  /** Some of it was nested too deeply and stands in the value as text. */
  readonly isCut: boolean
}

/**
 * The value that a JSON text stands for; what lies deeper than {@link JSON_LEVELS} levels is kept as its JSON text,
 * and `isCut` is true. Undefined when it is no JSON; never throws.
 */
export const parseJson = (text: string): ParsedJson | undefined => {
  let value: JsonValue
  try {
    value = JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
  return text.length >= SHORTEST_DEEP_TEXT && isNestedDeeper(value)
    ? { value: withTextBelow(value, JSON_LEVELS), isCut: true }
    : { value, isCut: false }
}

/** The object that a JSON text stands for, bounded in depth; an empty one for anything else. Never throws. */
export const parseJsonObject = (text: string): JsonObject => objectOf(parseJson(text)?.value)

/** Whether arrays and objects stand within one another more than `levels` deep. A circle is deeper than any number. */
export const isNestedDeeper = (value: unknown, levels = JSON_LEVELS): boolean => {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) return value.some((part) => isNestedDeeper(part, levels - 1))
  for (const key in value) if (isNestedDeeper((value as JsonObject)[key], levels - 1)) return true
  return false
}

/**
 * Shows `visit` the texts, numbers and truth values of a value in order, however deep they lie. Keys and null are
 * passed over.
 */
export const forEachLeaf = (value: JsonValue | undefined, visit: (leaf: string | number | boolean) => void): void => {
  /** What is still to be looked at, the next one last. */
  const left = [value]
  while (left.length > 0) {
    const next = left.pop()
    if (typeof next === 'object' && next !== null) {
      const parts = Object.values(next)
      for (let index = parts.length - 1; index >= 0; index--) left.push(parts[index])
    } else if (next !== undefined && next !== null) visit(next)
  }
}

/** A copy in which what lies below so many levels is its JSON text. What is above stays as it is. */
const withTextBelow = (value: JsonValue, levels: number): JsonValue => {
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return textOf(value)
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((part) => withTextBelow(part, levels - 1))
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withTextBelow(part ?? null, levels - 1)]))
}

/** The value as JSON, however deep it is. */
const textOf = (value: JsonValue): string => {
  const pieces: string[] = []
  /** What is still to be written, the next one last: a value, or text between values. */
  const left: ({ readonly value: JsonValue } | { readonly text: string })[] = [{ value }]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if ('text' in next) pieces.push(next.text)
    else if (typeof next.value !== 'object' || next.value === null) pieces.push(JSON.stringify(next.value))
    else {
      const isList = Array.isArray(next.value)
      const parts = Object.entries(next.value) as [string, JsonValue][]
      left.push({ text: isList ? ']' : '}' })
      for (const [index, [key, part]] of [...parts.entries()].reverse()) {
        const before = index === 0 ? '' : ','
        left.push({ value: part }, { text: isList ? before : `${before}${JSON.stringify(key)}:` })
      }
      pieces.push(isList ? '[' : '{')
    }
  }
  return pieces.join('')
}

/** Reading of parsed JSON whose form nobody has checked yet. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value is an object, and neither null nor an array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value when it is an object, else an empty one. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** The value when it is an array, else an empty one. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])

/** The value when it is a string, an empty one included; else ''. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Whether a value is a whole number, of any sign. */
export const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value)

/** The value that the text stands for; undefined when it is no JSON. */
export const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The value without the properties of these names, at any depth: for comparisons that must not see them. */
export const without = (value: unknown, names: ReadonlySet<string>): unknown => {
  if (Array.isArray(value)) return value.map((part) => without(part, names))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !names.has(name))
      .map(([name, part]) => [name, without(part, names)]),
  )
}

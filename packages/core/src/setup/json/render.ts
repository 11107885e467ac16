/** Writes the small values of setup as JSON, laid out like what stands around them. */
import type { JsonValue } from '../../json.ts'

/** On one line without blanks, on one line with them, or on lines of their own, indented by `unit`. */
export type Layout = 'minified' | 'spaced' | { readonly unit: string }

/**
 * A value as JSON text in a layout; its lines, if there are several, end with `\n`, and only those within it are
 * indented.
 */
export const render = (value: JsonValue, layout: Layout): string => {
  if (layout === 'minified') return JSON.stringify(value)
  return layout === 'spaced' ? onOneLine(value) : JSON.stringify(value, undefined, layout.unit)
}

/** A member of an object as JSON text in a layout, key and value, without a comma. */
export const renderMember = (key: string, value: JsonValue, layout: Layout): string =>
  `${JSON.stringify(key)}:${layout === 'minified' ? '' : ' '}${render(value, layout)}`

/** A value as JSON on one line, with a blank after each comma and colon. */
const onOneLine = (value: JsonValue): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(onOneLine).join(', ')}]`
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${onOneLine(member ?? null)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

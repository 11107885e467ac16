/** Formats setup's small values as JSON, in the style of the surrounding text. */
import type { JsonValue } from '../../json.ts'

/** On one line without spaces, on one line with spaces, or on separate lines indented by `unit`. */
export type Layout = 'minified' | 'spaced' | { readonly unit: string }

/** Formats a value as JSON in a layout; several lines end with `\n`, and only inner lines are indented. */
export const render = (value: JsonValue, layout: Layout): string => {
  if (layout === 'minified') return JSON.stringify(value)
  return layout === 'spaced' ? onOneLine(value) : JSON.stringify(value, undefined, layout.unit)
}

/** Formats a member of an object, key and value, without a comma. */
export const renderMember = (key: string, value: JsonValue, layout: Layout): string =>
  `${JSON.stringify(key)}:${layout === 'minified' ? '' : ' '}${render(value, layout)}`

/** Formats a value as JSON on one line, with a space after each comma and colon. */
const onOneLine = (value: JsonValue): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(onOneLine).join(', ')}]`
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${onOneLine(member ?? null)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** Counts of tokens as providers report them over a stream. */
import { countOf, isJsonObject, type JsonObject, type JsonValue } from '../../json.ts'

/**
 * Two reports of one request as one. Counts only grow while a reply comes, and a later report may leave out what an
 * earlier one had; so the larger count stands, in nested objects too; of other values the later, unless it is null. A
 * report that is no object changes nothing; `before` is never changed.
 */
export const mergeCounts = (before: JsonObject, report: JsonValue | undefined): JsonObject => {
  if (!isJsonObject(report)) return before
  const merged: Record<string, JsonValue | undefined> = { ...before }
  for (const [name, value] of Object.entries(report)) {
    const old = merged[name]
    if (typeof value === 'number') merged[name] = Math.max(countOf(old), countOf(value))
    else if (isJsonObject(value)) merged[name] = mergeCounts(isJsonObject(old) ? old : {}, value)
    else if (value !== null && value !== undefined) merged[name] = value
  }
  return merged
}

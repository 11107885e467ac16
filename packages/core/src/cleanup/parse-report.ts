/** A recorded report as it is read again, perhaps by another version. */
import { arrayOf, isJsonObject, objectOf, parseJson, stringOf } from '../json.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import type { CleanUpReport } from './clean-up.ts'

/** A number of an object; 0 where it has none of that name. */
const numberIn = (object: JsonObject, name: string): number => {
  const value = object[name]
  return typeof value === 'number' ? value : 0
}

/** A text of an object; '' where it has none of that name. */
const textIn = (object: JsonObject, name: string): string => stringOf(object[name]) ?? ''

const objectsIn = (value: JsonValue | undefined): readonly JsonObject[] => arrayOf(value).filter(isJsonObject)

/**
 * Reads a stored report. Undefined for what is no JSON object; what is missing in one is 0 or empty, and `dryRun`
 * always false: only real runs are stored.
 */
export const parseReport = (text: string): CleanUpReport | undefined => {
  const parsed = parseJson(text)
  if (parsed === undefined || !isJsonObject(parsed.value)) return undefined
  const report = objectOf(parsed.value)
  return {
    at: numberIn(report, 'at'),
    dryRun: false,
    ms: numberIn(report, 'ms'),
    rows: objectsIn(report['rows']).map((row) => ({
      source: textIn(row, 'source'),
      kind: textIn(row, 'kind'),
      found: numberIn(row, 'found'),
      removed: numberIn(row, 'removed'),
      bytes: numberIn(row, 'bytes'),
      reason: textIn(row, 'reason'),
    })),
    problems: objectsIn(report['problems']).map((problem) => ({
      source: textIn(problem, 'source'),
      message: textIn(problem, 'message'),
    })),
  }
}

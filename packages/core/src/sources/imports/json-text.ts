/** JSON as TypeScript's settings have it. */
import { isJsonObject, type JsonObject } from '../../json.ts'

const STRINGS_AND_COMMENTS = /"(?:[^"\\\n]|\\[^])*"|\/\/[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g
const STRINGS_AND_LAST_COMMAS = /"(?:[^"\\\n]|\\[^])*"|,(?=\s*[}\]])/g

/**
 * Parses JSON that may have a byte order mark, comments and trailing commas. Returns undefined if it is invalid or not
 * an object. Never throws.
 */
export const jsonObjectIn = (text: string): JsonObject | undefined => {
  const plain = text
    .replace(/^\ufeff/, '')
    .replace(STRINGS_AND_COMMENTS, (part) => (part.startsWith('"') ? part : ' '))
    .replace(STRINGS_AND_LAST_COMMAS, (part) => (part.startsWith('"') ? part : ''))
  try {
    const value: unknown = JSON.parse(plain)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

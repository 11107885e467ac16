/** JSON as TypeScript's settings have it. */
import { isJsonObject, type JsonObject } from '../../json.ts'

const STRINGS_AND_COMMENTS = /"(?:[^"\\\n]|\\[^])*"|\/\/[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g
const STRINGS_AND_LAST_COMMAS = /"(?:[^"\\\n]|\\[^])*"|,(?=\s*[}\]])/g

/** The object of a text with comments and trailing commas; undefined where it is none. Does not throw. */
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

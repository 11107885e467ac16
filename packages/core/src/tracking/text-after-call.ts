/**
 * Computes what a file contains after a tool's edit, if the call contains enough information: whole texts, and
 * replacements in a known text.
 */
import { arrayOf, isJsonObject, objectOf, parseJsonObject } from '../json.ts'
import type { JsonObject } from '../json.ts'
import type { ToolCallBlock } from '../messages.ts'

const WHOLE_KEYS = ['content', 'file_text', 'contents'] as const
const OLD_KEYS = ['old_string', 'oldString', 'old_str'] as const
const NEW_KEYS = ['new_string', 'newString', 'new_str'] as const
/** Marks a call in which secrets were replaced before it was stored: the file contains something else. */
const REPLACED = '[redacted:'

/**
 * Returns a function from a file's text before a call to the text after it. The result is undefined if it can't be
 * determined: the text before is needed but unknown, lacks the text to replace, or secrets were replaced in the call.
 */
export const textAfterCall = ({ input }: ToolCallBlock): ((before: string | undefined) => string | undefined) => {
  const given = typeof input === 'string' ? parseJsonObject(input) : objectOf(input)
  return (before) => {
    const text = textAfter(given, before)
    return text?.includes(REPLACED) === true ? undefined : text
  }
}

/**
 * A file's text after an edit, given the text before: by its list of edits in order, else by the whole text that it
 * gives, else by one replacement; undefined if it can't be determined.
 */
const textAfter = (given: JsonObject, before: string | undefined): string | undefined => {
  const edits = arrayOf(given.edits).filter(isJsonObject)
  if (edits.length > 0) return edits.reduce<string | undefined>((text, each) => replaced(each, text), before)
  const whole = stringIn(given, WHOLE_KEYS)
  return whole !== undefined && stringIn(given, OLD_KEYS) === undefined ? whole : replaced(given, before)
}

/**
 * The text after one replacement; undefined if the old text is not in it. Only the first one, unless the call says all.
 * Undefined, too, if something is not given.
 */
const replaced = (given: JsonObject, before: string | undefined): string | undefined => {
  const [former, present] = [stringIn(given, OLD_KEYS), stringIn(given, NEW_KEYS)]
  if (before === undefined || present === undefined || former === undefined || former === '') return undefined
  if (!before.includes(former)) return undefined
  const isEach = given.replace_all === true || given.replaceAll === true
  return isEach ? before.replaceAll(former, () => present) : before.replace(former, () => present)
}

/** The first of the keys with a text value; an empty text counts. */
const stringIn = (given: JsonObject, keys: readonly string[]): string | undefined => {
  for (const key of keys) if (typeof given[key] === 'string') return given[key]
  return undefined
}

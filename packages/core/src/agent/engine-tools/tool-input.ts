/** Reads the fields of a call's input; errors are one sentence for the model. */
import { CairnError } from '../../errors.ts'
import { shownValue } from '../../input.ts'
import type { JsonObject, JsonValue } from '../../json.ts'
import { escapeTags, wrapInTag } from '../../summary/markup.ts'
import type { PreparedCall, ToolOutcome } from '../agent-tool.ts'

const refused = (field: string, must: string, value: JsonValue | undefined): CairnError =>
  new CairnError('invalid-input', `"${field}" must be ${must}, not ${shownValue(value)}.`)

/**
 * A non-blank text of at most `longest` characters. Returned as given, not trimmed; an absent field is refused.
 * @throws CairnError `invalid-input`
 */
export const textIn = (input: JsonObject, field: string, longest = 8000): string => {
  const value = input[field]
  if (typeof value !== 'string' || value.trim() === '') throw refused(field, 'a text that is not empty', value)
  if (value.length > longest)
    throw new CairnError('invalid-input', `"${field}" has ${value.length} characters; at most ${longest} are taken.`)
  return value
}

/** Like {@link textIn}; undefined if absent or null. */
export const optionalTextIn = (input: JsonObject, field: string, longest?: number): string | undefined =>
  input[field] === undefined || input[field] === null ? undefined : textIn(input, field, longest)

/** One of the given words, case-sensitive. @throws CairnError `invalid-input` for any other, and if absent */
export const choiceIn = <T extends string>(input: JsonObject, field: string, choices: readonly T[]): T => {
  const found = choices.find((choice) => choice === input[field])
  if (found === undefined) throw refused(field, `one of ${choices.join(', ')}`, input[field])
  return found
}

/**
 * A whole number from 1 to `most`; `fallback` if absent or null. @throws CairnError `invalid-input` for anything else
 */
export const countIn = (input: JsonObject, field: string, most: number, fallback: number): number => {
  const value = input[field] ?? fallback
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > most)
    throw refused(field, `a whole number from 1 to ${most}`, value)
  return value
}

/**
 * The texts in a field, at most `most`; empty if absent or null. A list that is too long, or with an item of another
 * type, is refused.
 * @throws CairnError `invalid-input`
 */
export const textsIn = (input: JsonObject, field: string, most: number): readonly string[] => {
  const value = input[field] ?? []
  if (!Array.isArray(value) || value.length > most || !value.every((one) => typeof one === 'string'))
    throw refused(field, `a list of at most ${most} texts`, value)
  return value
}

/** A successful outcome with the tool's text for the model. */
export const answer = (text: string): ToolOutcome => ({ content: [{ type: 'text', text }] })

/**
 * The outcome of a call with results: `head`, a sentence of ours, then `body` as delimited and escaped data; only the
 * head if the body is empty.
 */
export const found = (head: string, body: string): ToolOutcome =>
  body === '' ? answer(head) : answer(`${head}\n${wrapInTag('recalled_data', escapeTags(body))}`)

/** A call that touches no files, ready to run; `title` is a line for people. */
export const callOf = (effect: 'none' | 'memory', title: string, run: () => Promise<ToolOutcome>): PreparedCall => ({
  effect,
  title,
  paths: [],
  run,
})

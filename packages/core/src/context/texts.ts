/** The short texts that replace what was taken out of the view. */
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts'
import { textOfBlock } from '../messages.ts'
import type { ViewBlock } from './view-block.ts'
import type { ContextView } from './view.ts'

export const CLEARED = '[cleared]'
/** Arguments longer than this are cut to half of it, characters. */
const LONG_ARGUMENT = 160

/**
 * The first `characters` UTF-16 units of a text with `…` behind them, which is not counted; a text that is no longer is
 * returned as it is. No surrogate pair is split.
 */
export const cutTo = (text: string, characters: number): string => {
  if (text.length <= characters) return text
  const end = isLowSurrogate(text, characters) ? characters - 1 : characters
  return `${text.slice(0, end)}…`
}

/**
 * The first and the last `characters` of a text (each down to half, cut at a line end where one is near), with a line
 * between that says how much is left out, and `advice` behind it: how the rest can be seen. The text must be longer
 * than both together; that is not checked.
 */
export const endsOf = (text: string, characters: number, advice = ''): string => {
  const headEnd = text.lastIndexOf('\n', characters)
  const head = headEnd > characters / 2 ? text.slice(0, headEnd) : cutTo(text, characters)
  const from = text.length - characters
  const tailStart = text.indexOf('\n', from)
  const tail =
    tailStart >= 0 && tailStart < text.length - characters / 2
      ? text.slice(tailStart + 1)
      : text.slice(isLowSurrogate(text, from) ? from + 1 : from)
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out${advice} …]\n${tail}`
}

/** Whether the character at an index is the second half of a surrogate pair. */
const isLowSurrogate = (text: string, index: number): boolean => {
  const unit = text.charCodeAt(index)
  return unit >= 0xdc00 && unit <= 0xdfff
}

/**
 * A tool call's arguments as JSON: texts over `LONG_ARGUMENT` characters are cut to half of that, other values as long
 * become `…`. Arguments that are no object stand under `cut`. '' for a block that is no call.
 */
export const shortCall = ({ source: { original } }: ViewBlock): string => {
  if (original.type !== 'tool_call') return ''
  if (!isJsonObject(original.input))
    return JSON.stringify({
      cut: cutTo(typeof original.input === 'string' ? original.input : JSON.stringify(original.input), LONG_ARGUMENT),
    })
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(original.input).map(([name, value]): [string, JsonValue] => [name, shortArgument(value)]),
    ),
  )
}

/** What agents' tools call the text that an edit replaces. */
const OLD_TEXT = /^old_?(?:string|str|text)$/i

/**
 * An edit's arguments as JSON, with the beginnings of the long texts that it replaced: no file has these any more. The
 * new texts stay whole. Undefined for a block that is no call, or has no such text.
 */
export const withoutOldText = ({ source: { original } }: ViewBlock): string | undefined => {
  if (original.type !== 'tool_call' || !isJsonObject(original.input)) return undefined
  const { input } = original
  const short = cutOldText(input)
  return short === input ? undefined : JSON.stringify(short)
}

/**
 * The arguments with their old texts of over `LONG_ARGUMENT` characters cut to half of that, also in a list of `edits`;
 * the same object where there is none to cut.
 */
const cutOldText = (given: JsonObject): JsonObject => {
  const short = Object.fromEntries(
    Object.entries(given).map(([name, value]): [string, JsonValue] => [name, cutOldArgument(name, value) ?? null]),
  )
  return Object.keys(given).some((name) => short[name] !== given[name]) ? short : given
}

/**
 * An argument with its old text cut, or the old texts in a list of `edits`; the same value where there is none to cut.
 */
const cutOldArgument = (name: string, value: JsonValue | undefined): JsonValue | undefined => {
  if (typeof value === 'string' && value.length > LONG_ARGUMENT && OLD_TEXT.test(name))
    return cutTo(value, LONG_ARGUMENT / 2)
  if (name !== 'edits' || !Array.isArray(value)) return value
  const edits = value as readonly JsonValue[]
  const short = edits.map((edit) => (isJsonObject(edit) ? cutOldText(edit) : edit))
  return short.some((edit, index) => edit !== edits[index]) ? short : edits
}

/** The value, or a cut text or '…' if it is longer than `LONG_ARGUMENT` characters; null for none. */
const shortArgument = (value: JsonValue | undefined): JsonValue => {
  if (value === undefined) return null
  if (typeof value === 'string') return value.length > LONG_ARGUMENT ? cutTo(value, LONG_ARGUMENT / 2) : value
  const text = JSON.stringify(value)
  return text.length > LONG_ARGUMENT ? '…' : value
}

/** All text of a block as it was recorded, whatever the view shows of it now: of a call, its name and arguments. */
export const plainText = ({ source: { original } }: ViewBlock): string => textOfBlock(original)

/** Tokens converted to characters by the view's ratio, rounded down. */
export const charactersIn = (tokens: number, view: Pick<ContextView, 'charactersPerToken'>): number =>
  Math.floor(tokens * view.charactersPerToken)

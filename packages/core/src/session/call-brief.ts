/** What a tool call is about, on one line: for lists, where the call itself has no space. */
import { isJsonObject, type JsonValue } from '../json.ts'
import { textOfJson } from '../messages.ts'

const LONGEST_LINE = 140
/** Characters that are looked at: a result may be megabytes. */
const LOOKED_AT = 2_000

/** The first line of a text that says something, trimmed; cut at 140 characters. */
export const firstLine = (text: string): string => {
  const line =
    text
      .slice(0, LOOKED_AT)
      .split('\n')
      .find((one) => one.trim() !== '')
      ?.trim() ?? ''
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE).toWellFormed()}…` : line
}

/** Arguments that name what a call is about, the clearest first. */
const NAMING_ARGUMENTS = ['file_path', 'path', 'command', 'pattern', 'query', 'url', 'description', 'prompt'] as const

/** The first line of the argument that names what a call is about, else of its first text; '' without any. */
export const callBrief = (input: JsonValue): string => {
  if (isJsonObject(input))
    for (const name of NAMING_ARGUMENTS) {
      const value = input[name]
      if (typeof value === 'string' && value !== '') return firstLine(value)
      if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return firstLine(value.join(' '))
    }
  return firstLine(textOfJson(input))
}

/** A one-line description of a tool call, for lists that have no space for the call itself. */
import { isJsonObject, type JsonValue } from '../json.ts'
import { textOfJson } from '../messages.ts'

const LONGEST_LINE = 140
/** Only this many characters are examined, because a result may be megabytes long. */
const LOOKED_AT = 2_000

/**
 * The first non-blank line among the first 2,000 characters of a text, trimmed and cut at 140 characters with `…`.
 * Empty without one.
 */
export const firstLine = (text: string): string => {
  const line =
    text
      .slice(0, LOOKED_AT)
      .split('\n')
      .find((one) => one.trim() !== '')
      ?.trim() ?? ''
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE).toWellFormed()}…` : line
}

/** Arguments that identify what a call is about, in order of preference. */
const NAMING_ARGUMENTS = ['file_path', 'path', 'command', 'pattern', 'query', 'url', 'description', 'prompt'] as const

const PATCH_BEGINS = '*** Begin Patch'
const PATCHED_FILE = /^\*\*\* (?:Update|Add|Delete) File: (.+?)\s*$/gm
/** Characters of a patch that are examined for its files. */
const PATCH_LOOKED_AT = 200_000

/** The file that a patch changes, or how many; undefined for any other text. */
const patchBrief = (text: string): string | undefined => {
  if (!text.slice(0, LOOKED_AT).includes(PATCH_BEGINS)) return undefined
  const paths = [...new Set([...text.slice(0, PATCH_LOOKED_AT).matchAll(PATCHED_FILE)].map(([, path = '']) => path))]
  const [only] = paths
  return only === undefined ? undefined : paths.length === 1 ? firstLine(only) : `${paths.length} files`
}

/** The first line of an argument; of a patch, what it changes. */
const briefOf = (text: string): string => patchBrief(text) ?? firstLine(text)

/**
 * The first line that is not blank, cut at 140 characters with `…`, of the argument that identifies what a call is
 * about (a list of texts as one), or else of its first text, number or truth value; '' if there is none. Of a patch,
 * the file that it changes, or how many.
 */
export const callBrief = (input: JsonValue): string => {
  if (isJsonObject(input))
    for (const name of NAMING_ARGUMENTS) {
      const value = input[name]
      if (typeof value === 'string' && value !== '') return briefOf(value)
      if (Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string'))
        return briefOf(value.join(' '))
    }
  return briefOf(textOfJson(input))
}

/** A file of `opencode export`: one object with the session's `info` and its `messages`. */
import { parseJson, objectOf, isJsonObject, type JsonObject, type JsonValue } from '../json.ts'
import type { FileSystem } from '../ports/file-system.ts'

/** Characters in which the session's own object must end; what follows it is read as elements. */
const HEAD_CHARACTERS = 4 << 20

const BEGINNING = /^\uFEFF?\s*\{\s*"info"\s*:\s*(?=\{)/
const SESSION = /"id"\s*:\s*"ses_/

/** Whether a text begins as an export does, and has the id of a session in it. */
export const isExportText = (head: string): boolean => BEGINNING.test(head) && SESSION.test(head)

/** Whether a value is a whole export: a session with its messages. */
export const isExport = (value: JsonValue): boolean => {
  const { info, messages } = objectOf(value)
  const { id } = objectOf(info)
  return typeof id === 'string' && id.startsWith('ses_') && Array.isArray(messages)
}

/**
 * The session that an export is of; undefined when it does not stand at the file's beginning (in its first 4 Mi
 * characters) or is damaged. Rejects when the file can't be read.
 */
export const exportedSession = async (
  path: string,
  fileSystem: Pick<FileSystem, 'read'>,
): Promise<JsonObject | undefined> => {
  const decoder = new TextDecoder()
  let head = ''
  for await (const chunk of fileSystem.read(path)) {
    head += decoder.decode(chunk, { stream: true })
    const session = sessionIn(head)
    if (session !== undefined || head.length >= HEAD_CHARACTERS) return session
  }
  return undefined
}

/** The session at the beginning of an export; undefined where it does not end in this text. */
const sessionIn = (head: string): JsonObject | undefined => {
  const start = BEGINNING.exec(head)?.[0].length
  const end = start === undefined ? undefined : objectEnd(head, start)
  if (start === undefined || end === undefined) return undefined
  const value = parseJson(head.slice(start, end))?.value
  return isJsonObject(value) ? value : undefined
}

/**
 * The index behind the object that begins at `start`, an opening bracket; undefined when it goes on beyond the text.
 */
const objectEnd = (text: string, start: number): number | undefined => {
  let depth = 0
  for (let index = start; index < text.length; index++) {
    const character = text[index]
    if (character === '"') {
      index = stringEnd(text, index)
    } else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') {
      depth--
      if (depth === 0) return index + 1
    }
  }
  return undefined
}

/** The index of the quote that ends a string, which begins at `start`; behind the text's end if it has none. */
const stringEnd = (text: string, start: number): number => {
  let index = start + 1
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1
  return index
}

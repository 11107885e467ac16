/** What a tool call puts into the context of which file: the file read, or the whole of it written. */
import { objectOf, parseJsonObject, stringOf, type JsonObject, type JsonValue } from '../../../json.ts'
import { fileOperationsOf } from '../../../file-activity/file-tools.ts'

/** A file, or a part of one (empty: the whole), that a call's result or a text holds. */
export interface FilePart {
  readonly path: string
  readonly part: string
}

interface Call {
  readonly id: string
  readonly name: string
  readonly input: JsonValue
}

const WRITE_TOOLS = new Set(['write', 'write_to_file', 'write_file', 'create_file', 'new_file', 'fs_write'])
const CONTENT_KEYS = ['content', 'contents', 'file_text', 'text'] as const
const PATH_KEYS = ['path', 'file_path', 'filePath', 'paths', 'files'] as const

/** A command that does nothing but print files; with a pipe or a second command, more than files comes out. */
const PRINTING = /^\s*(cat|nl|bat|sed|head|tail)\s[^|&;<>\n`$*?[\]{}]*$/

/**
 * The files that a call reads, when its result holds them and nothing else; empty for any other call. For a shell
 * command: only one that prints files and nothing more; what `head`, `tail` and `sed` print counts as a part of the
 * file.
 */
export const filesRead = ({ id, name, input }: Call): readonly FilePart[] => {
  const operations = fileOperationsOf({ type: 'tool_call', id, name, input })
  if (operations.length === 0 || operations.some(({ operation }) => operation !== 'read')) return []
  const command = commandOf(input)
  if (command === undefined) return operations.map(({ path, part = '' }) => ({ path, part }))
  const program = PRINTING.exec(command)?.[1]
  if (program === undefined) return []
  // Without a count these print ten lines, not the file.
  const isPart = program === 'head' || program === 'tail' || program === 'sed'
  return operations.map(({ path, part = '' }) => ({ path, part: isPart ? `${program} ${part}`.trim() : '' }))
}

/**
 * The file whose whole content a call writes: afterwards the call's input is its newest content. Undefined for any
 * other call.
 */
export const fileWritten = ({ id, name, input }: Call): FilePart | undefined => {
  const tool = (name.split(/[.:/]|__/).at(-1) ?? name).toLowerCase()
  if (!WRITE_TOOLS.has(tool)) return undefined
  const given = argumentsOf(input)
  if (CONTENT_KEYS.every((key) => stringOf(given[key]) === undefined)) return undefined
  const [operation] = fileOperationsOf({ type: 'tool_call', id, name, input })
  return operation === undefined ? undefined : { path: operation.path, part: '' }
}

/** Whether a tool of that name reads the file that it is given, by the name alone. */
export const isReadTool = (name: string): boolean =>
  fileOperationsOf({ type: 'tool_call', id: '', name, input: { path: 'a' } })[0]?.operation === 'read'

const argumentsOf = (input: JsonValue): JsonObject =>
  typeof input === 'string' ? parseJsonObject(input) : objectOf(input)

/** The shell command of a call; for `bash -c` its script. Undefined if it names a path or has no command. */
const commandOf = (input: JsonValue): string | undefined => {
  const given = argumentsOf(input)
  if (PATH_KEYS.some((key) => given[key] !== undefined)) return undefined
  const command = given.command ?? given.cmd ?? given.script
  if (typeof command === 'string') return command
  if (!Array.isArray(command)) return undefined
  const words = (command as readonly JsonValue[]).filter((word) => typeof word === 'string')
  return /^(?:bash|sh|zsh)$/.test(words[0] ?? '') ? words.at(-1) : words.join(' ')
}

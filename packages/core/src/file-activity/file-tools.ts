/**
 * Which files a tool call reads or edits. Agents name their tools and arguments differently, so this is a table of
 * names and, for the shell, the few commands that print a file.
 */
import { arrayOf, isJsonObject, objectOf, parseJsonObject, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import type { ContentBlock, ToolCallBlock } from '../messages.ts'

/** A file that a call reads or edits. */
export interface FileOperation {
  readonly path: string
  readonly operation: 'read' | 'edit'
  /** The part that is read, if the call names one: reads of different parts are not repetitions. */
  readonly part?: string
}

const READ_TOOLS = new Set([
  'read',
  'read_file',
  'readfile',
  'view',
  'cat',
  'open_file',
  'fs_read',
  'notebookread',
  'view_file',
])
const EDIT_TOOLS = new Set([
  'edit',
  'multiedit',
  'write',
  'write_to_file',
  'write_file',
  'replace',
  'replace_in_file',
  'apply_diff',
  'insert_content',
  'search_and_replace',
  'search_replace',
  'notebookedit',
  'create_file',
  'create_new_file',
  'edit_file',
  'edit_existing_file',
  'single_find_and_replace',
  'fs_write',
  'new_file',
])
/** Names that other tools may share: they write a file if the input has its text. */
const CREATE_TOOLS = new Set(['create'])
/** Tools that both read and edit, depending on their command. */
const EDITOR_TOOLS = new Set(['str_replace_editor', 'str_replace_based_edit_tool'])
/** CLIO's tool for all file operations, and its names for reading and editing. */
const OPERATIONS_TOOL = 'file_operations'
const READ_OPERATION = /^read(?:_file)?$/
const EDIT_OPERATION = /^(?:(?:write|append|create|edit)(?:_file)?|(?:multi_)?replace_string|insert_at_line)$/
/** Cursor adds a version to tools that it rewrote. */
const TOOL_VERSION = /_v\d+$/
const SHELL_TOOLS = new Set([
  'bash',
  'shell',
  'exec_command',
  'execute_command',
  'run_command',
  'run_shell_command',
  'run_terminal_cmd',
  'run_terminal_command',
  'terminal_operations',
  'local_shell',
])
const PATCH_TOOLS = new Set(['apply_patch', 'patch'])
const PATH_KEYS = [
  'file_path',
  'path',
  'filePath',
  'filepath',
  'notebook_path',
  'target_file',
  'targetFile',
  'relativeWorkspacePath',
  'absolute_path',
  'filename',
  'file',
] as const
const PART_KEYS = [
  'offset',
  'limit',
  'start_line',
  'end_line',
  'line_start',
  'line_end',
  'view_range',
  'pages',
] as const

/**
 * The files of a call, in the order it names them, with the operation on each; empty for tools that don't work on
 * files. A shell's are those that a patch in its command names, then those it prints (`cat`, `sed -n`, …); an unknown
 * tool's only if its input says `kind` read or edit. Whether the call succeeded is unknown. Paths are as written.
 */
export const fileOperationsOf = ({ name, input }: ToolCallBlock): readonly FileOperation[] => {
  const tool = toolName(name)
  const given = argumentsOf(input)
  if (PATCH_TOOLS.has(tool)) {
    const patched = patchedFiles(
      typeof input === 'string' && !isJsonText(input)
        ? input
        : (stringOf(given.input) ?? stringOf(given.patch) ?? stringOf(given.patchText) ?? ''),
    )
    return patched.length > 0 ? patched : pathsOf(given).map((path) => ({ path, operation: 'edit' }))
  }
  const operation = operationOf(tool, given)
  if (operation === 'read') return pathsOf(given).map((path) => ({ path, operation, ...partOf(given) }))
  if (operation === 'edit') return pathsOf(given).map((path) => ({ path, operation }))
  if (SHELL_TOOLS.has(tool)) return shellFiles(commandOf(given))
  // A tool that says itself what it does to which file (generic transcripts).
  const kind = given.kind
  return kind === 'read' || kind === 'edit' ? pathsOf(given).map((path) => ({ path, operation: kind })) : []
}

/**
 * The operation of a file tool (`tool` as `toolName` gives it); undefined for other tools. An editor tool's `view` is a
 * read, all else it does an edit; `create` is an edit only with a `file_text`; CLIO's tool does what its `operation`
 * says, undefined for one that is neither.
 */
const operationOf = (tool: string, given: JsonObject): 'read' | 'edit' | undefined => {
  if (READ_TOOLS.has(tool)) return 'read'
  if (EDITOR_TOOLS.has(tool)) return given.command === 'view' ? 'read' : 'edit'
  if (tool === OPERATIONS_TOOL) {
    const operation = stringOf(given.operation) ?? ''
    return READ_OPERATION.test(operation) ? 'read' : EDIT_OPERATION.test(operation) ? 'edit' : undefined
  }
  return EDIT_TOOLS.has(tool) || (CREATE_TOOLS.has(tool) && given.file_text !== undefined) ? 'edit' : undefined
}

/**
 * The call in a block; undefined if it is not one. A tool named by a message of the generic format (`{ tool: { name,
 * path?, kind?, input? } }`) counts; it has neither an id nor a result, and its input is the tool's input together with
 * path and kind.
 */
export const toolCallIn = (block: ContentBlock): ToolCallBlock | undefined => {
  if (block.type === 'tool_call') return block
  const tool =
    block.type === 'other' && isJsonObject(block.value) && Object.keys(block.value).length === 1
      ? objectOf(block.value.tool)
      : {}
  const name = stringOf(tool.name)
  return name === undefined ? undefined : { type: 'tool_call', id: '', name, input: inputOf(tool) }
}

/**
 * The whole input of a tool in the generic format: the fields of its input together with its own (name, path, kind),
 * which win; of an input that is no object (a patch, a command) that alone, unless a path is told beside it.
 */
const inputOf = (tool: JsonObject): JsonValue => {
  const { input, ...named } = tool
  if (isJsonObject(input)) return { ...input, ...named }
  return input === undefined ? tool : named.path === undefined ? input : { ...named, input }
}

const isJsonText = (text: string): boolean => /^\s*\{/.test(text)

/** The command that a call passes to a shell; '' for a call without a command, undefined for other tools. */
export const shellCommandOf = ({ name, input }: ToolCallBlock): string | undefined =>
  SHELL_TOOLS.has(toolName(name)) ? commandOf(argumentsOf(input)) : undefined

/** A tool's name as in the tables: lower case, without a server prefix or a version. */
const toolName = (name: string): string =>
  (name.split(/[.:/]|__/).at(-1) ?? name).toLowerCase().replace(TOOL_VERSION, '')

/** Arguments as an object; some providers pass them as JSON text. */
const argumentsOf = (input: JsonValue): JsonObject => {
  if (typeof input !== 'string' || !isJsonText(input)) return objectOf(input)
  return parseJsonObject(input)
}

/** The one path under the first of `PATH_KEYS` with a text, else all in the list `paths` or `files`; empty if none. */
const pathsOf = (given: JsonObject): readonly string[] => {
  for (const key of PATH_KEYS) {
    const path = stringOf(given[key])
    if (path !== undefined) return [path]
  }
  return arrayOf(given.paths ?? given.files).flatMap((item) => {
    const path = stringOf(item) ?? stringOf(objectOf(item).path)
    return path === undefined ? [] : [path]
  })
}

/** What limits a read to a part of the file, as `key=value`; nothing for a whole file. Several are joined by spaces. */
const partOf = (given: JsonObject): { readonly part?: string } => {
  const parts = PART_KEYS.flatMap((key) =>
    given[key] === undefined || given[key] === null ? [] : [`${key}=${JSON.stringify(given[key])}`],
  )
  return parts.length === 0 ? {} : { part: parts.join(' ') }
}

const PATCHED = /^\*\*\* (?:Update|Add|Delete) File: (.+?)\s*$/gm

const patchedFiles = (patch: string): readonly FileOperation[] =>
  [...patch.matchAll(PATCHED)].map(([, path = '']) => ({ path, operation: 'edit' }))

/**
 * The command line of a call: its text, or its words with spaces between; of a list that starts with a shell (`bash`,
 * `sh`, `zsh`) only the last word, the script. '' if it has none.
 */
const commandOf = (given: JsonObject): string => {
  const command = given.command ?? given.cmd ?? given.script
  if (typeof command === 'string') return command
  const words = arrayOf(command).filter((word) => typeof word === 'string')
  // `bash -lc "…"` hands the command over as its last word.
  return /^(?:bash|sh|zsh)$/.test(words[0] ?? '') ? (words.at(-1) ?? '') : words.join(' ')
}

/**
 * `cat a b`, `sed -n '1,80p' a`, `head -n 5 a`, `nl -ba a`: alone or at the start of a chain. A command that reads from
 * a pipe names no file.
 */
const PRINTING = /(?:^|&&|;|\n)\s*(cat|sed|head|tail|nl|bat|less|more)\s+([^|&;\n<>]+)/g
const WORD = /"([^"]*)"|'([^']*)'|(\S+)/g

/** The files that a shell command patches, then those that it prints. */
const shellFiles = (command: string): readonly FileOperation[] => [
  ...patchedFiles(command),
  ...[...command.matchAll(PRINTING)].flatMap(([, program = '', rest = '']) => printedFiles(program, rest)),
]

/**
 * The files that a command such as `cat` or `sed -n` prints, with its options, numbers and script as the part; empty
 * for a `sed` without `-n`, or in place.
 */
const printedFiles = (program: string, rest: string): readonly FileOperation[] => {
  const words = [...rest.matchAll(WORD)].map(([, double, single, bare]) => double ?? single ?? bare ?? '')
  // What edits in place is no reading, and what it does to the file is not told.
  if (program === 'sed' && (!words.includes('-n') || words.some((word) => word.startsWith('-i')))) return []
  const isOption = (word: string, index: number): boolean =>
    word.startsWith('-') || /^\d+$/.test(word) || (program === 'sed' && index === words.indexOf('-n') + 1)
  const files = words.filter((word, index) => word !== '' && !isOption(word, index))
  const part = words.filter((word, index) => isOption(word, index)).join(' ')
  return files.map((path) => ({ path, operation: 'read', ...(part === '' ? {} : { part }) }))
}

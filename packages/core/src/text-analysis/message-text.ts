/** Takes from the content blocks of a message what the search needs: its texts, its kind and its files. */
import { isJsonObject, stringOf, type JsonValue } from '../json.ts'
import { textOfBlock, textOfJson, type ContentBlock, type Message, type ToolCallBlock } from '../messages.ts'
import { messageOrigin, type AuthoredMessage } from '../user-words/user-words.ts'
import type { TouchedFile, MessageKind, MessageToAnalyse } from './message-analysis.ts'

/** Lists the files that a tool call reads or edits; see file-activity/file-tools. */
export type ListFileOperations = (
  call: ToolCallBlock,
) => readonly { readonly path: string; readonly operation: 'read' | 'edit' }[]

/**
 * The input of `analyseMessage` for a message. Text that a program wrote under the user's name gets the role `system`.
 * Images and what else has no text are left out.
 */
export const prepareForAnalysis = (
  message: AuthoredMessage & { readonly author?: string },
  listOperations: ListFileOperations,
): MessageToAnalyse => {
  const found: FoundContent = { texts: [], files: [], sizes: { text: 0, call: 0, result: 0 }, edits: false }
  for (const block of message.content) {
    const tool = block.type === 'other' ? genericTool(block.value) : undefined
    if (tool === undefined) readBlock(block, found, listOperations)
    else readGenericTool(tool, message.role === 'tool', found, listOperations)
  }
  return {
    role: message.role === 'user' && messageOrigin(message) === 'meta' ? 'system' : message.role,
    kind: kindOf(message.role, found.sizes, found.edits),
    texts: found.texts,
    files: found.files,
    ...(message.author === undefined ? {} : { author: message.author }),
  }
}

/** What was read of a message so far. */
interface FoundContent {
  readonly texts: string[]
  readonly files: TouchedFile[]
  /** Characters of text, of tool calls and of tool results. */
  readonly sizes: { text: number; call: number; result: number }
  edits: boolean
}

/** Takes a block's text, files and sizes in. Changes `found`. */
const readBlock = (block: ContentBlock, found: FoundContent, listOperations: ListFileOperations): void => {
  const text = textOfBlock(block)
  if (text !== '') found.texts.push(text)
  if (block.type === 'tool_call') {
    for (const { path, operation } of listOperations(block)) {
      found.files.push({ path, operation })
      found.edits ||= operation === 'edit'
    }
    found.sizes.call += text.length + 1
  } else if (block.type === 'tool_result') found.sizes.result += text.length + 1
  else {
    found.sizes.text += text.length
    if (block.type === 'file') found.files.push({ path: block.path, operation: 'mention' })
  }
}

/**
 * Takes in a tool of a generic transcript, whose call or result is the text beside it. Changes `found`. Its size counts
 * as unlimited.
 */
const readGenericTool = (
  tool: NamedTool,
  isResult: boolean,
  found: FoundContent,
  listOperations: ListFileOperations,
): void => {
  const { texts, files } = found
  const touched = isResult ? [] : touchedBy(tool, listOperations)
  found.edits ||= !isResult && (tool.kind === 'edit' || touched.some(({ operation }) => operation === 'edit'))
  found.sizes[isResult ? 'result' : 'call'] = Infinity
  for (const file of touched) files.push(file)
  if (touched.length === 0 && tool.path !== undefined) files.push({ path: tool.path, operation: 'mention' })
  // A call is also found by the names of the tool and the file, a result only by its text.
  const named = [tool.name, ...(tool.path === undefined ? [] : [tool.path])].filter(
    (name) => !texts.some((text) => text.includes(name)),
  )
  if (!isResult && named.length > 0) texts.push(named.join(' '))
  const input = textOfJson(tool.input)
  if (input !== '' && !texts.some((text) => text.includes(input))) texts.push(input)
}

/** The kind of a message, by what most of it is; an edit whatever else it is. */
const kindOf = (
  role: Message['role'],
  sizes: Readonly<Record<'text' | 'call' | 'result', number>>,
  edits: boolean,
): MessageKind => {
  if (edits) return 'edit'
  if (role === 'tool' || sizes.result > sizes.text) return 'result'
  return sizes.call > sizes.text ? 'call' : 'text'
}

interface NamedTool {
  readonly name: string
  readonly path?: string
  readonly kind?: string
  readonly input?: JsonValue
}

/**
 * The files of a generic tool entry: as it states them, else as for any call of a tool of that name. None of a search.
 */
const touchedBy = (
  { name, path, kind, input }: NamedTool,
  listOperations: ListFileOperations,
): readonly TouchedFile[] => {
  if (path !== undefined && (kind === 'edit' || kind === 'read')) return [{ path, operation: kind }]
  if (kind === 'search' || (kind !== undefined && input === undefined)) return []
  const callInput =
    path === undefined ? input : { ...(isJsonObject(input) ? input : input === undefined ? {} : { input }), path }
  return listOperations({ type: 'tool_call', id: '', name, input: callInput ?? {} }).map(
    ({ path: touchedPath, operation }) => ({
      path: touchedPath,
      operation,
    }),
  )
}

/**
 * Reads `{ tool: { name, path?, kind?, input? } }`, the form in which the importer of the generic format keeps tools.
 * Undefined for any other value.
 */
const genericTool = (value: JsonValue): NamedTool | undefined => {
  const tool = isJsonObject(value) && Object.keys(value).length === 1 ? value.tool : undefined
  if (!isJsonObject(tool) || typeof tool.name !== 'string') return undefined
  const path = stringOf(tool.path)
  const kind = stringOf(tool.kind)
  return {
    name: tool.name,
    ...(path === undefined ? {} : { path }),
    ...(kind === undefined ? {} : { kind }),
    ...(tool.input === undefined ? {} : { input: tool.input }),
  }
}

/**
 * The text of a message that is searched, and shown in a hit: that of all its blocks ({@link textOfBlock}: thinking, tool
 * calls and results too), joined by line breaks. A tool of a generic transcript gives only its
 * input. Blocks without text, such as images, are left out; '' if none has any.
 */
export const searchableText = (content: readonly ContentBlock[]): string =>
  content
    .map((block) => {
      const tool = block.type === 'other' ? genericTool(block.value) : undefined
      return tool === undefined ? textOfBlock(block) : textOfJson(tool.input)
    })
    .filter((text) => text !== '')
    .join('\n')

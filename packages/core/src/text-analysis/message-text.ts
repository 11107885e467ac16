/** What the search looks at of a message's content blocks: its texts, what kind of message it is, and which files it is about. */
import { isJsonObject, stringOf, type JsonValue } from '../json.ts'
import { textOfBlock, textOfJson, type ContentBlock, type Message, type ToolCallBlock } from '../messages.ts'
import { messageOrigin, type AuthoredMessage } from '../user-words/user-words.ts'
import type { FileTouched, MessageKind, MessageToAnalyse } from './message-analysis.ts'

/** Which files a call reads or edits; tracking knows the tools of the agents. */
export type OperationsOf = (
  call: ToolCallBlock,
) => readonly { readonly path: string; readonly operation: 'read' | 'edit' }[]

/** Ready for `analyseMessage`. */
export const messageToAnalyse = (
  message: AuthoredMessage & { readonly author?: string },
  operationsOf: OperationsOf,
): MessageToAnalyse => {
  const texts: string[] = []
  const files: FileTouched[] = []
  /** Characters of what is said, called and returned. */
  const sizes = { said: 0, call: 0, result: 0 }
  let edits = false
  for (const block of message.content) {
    const tool = block.type === 'other' ? toolOf(block.value) : undefined
    if (tool === undefined) {
      const text = textOfBlock(block)
      if (text !== '') texts.push(text)
      if (block.type === 'tool_call') {
        for (const { path, operation } of operationsOf(block)) {
          files.push({ path, operation })
          edits ||= operation === 'edit'
        }
        sizes.call += text.length + 1
      } else if (block.type === 'tool_result') sizes.result += text.length + 1
      else {
        sizes.said += text.length
        if (block.type === 'file') files.push({ path: block.path, operation: 'mention' })
      }
      continue
    }
    // A generic transcript: the text beside it is the tool's.
    const isResult = message.role === 'tool'
    const touched = isResult ? [] : touchedBy(tool, operationsOf)
    edits ||= !isResult && (tool.kind === 'edit' || touched.some(({ operation }) => operation === 'edit'))
    sizes[isResult ? 'result' : 'call'] = Infinity
    for (const file of touched) files.push(file)
    if (touched.length === 0 && tool.path !== undefined) files.push({ path: tool.path, operation: 'mention' })
    // A result is found by what it says, its call by the file too.
    const named = [tool.name, ...(tool.path === undefined ? [] : [tool.path])].filter(
      (name) => !texts.some((text) => text.includes(name)),
    )
    if (!isResult && named.length > 0) texts.push(named.join(' '))
    const input = textOfJson(tool.input)
    if (input !== '' && !texts.some((text) => text.includes(input))) texts.push(input)
  }
  return {
    // What the agent's program wrote is not found as the user's.
    role: message.role === 'user' && messageOrigin(message) === 'meta' ? 'system' : message.role,
    kind: kindOf(message.role, sizes, edits),
    texts,
    files,
    ...(message.author === undefined ? {} : { author: message.author }),
  }
}

const kindOf = (
  role: Message['role'],
  sizes: Readonly<Record<'said' | 'call' | 'result', number>>,
  edits: boolean,
): MessageKind => {
  if (edits) return 'edit'
  if (role === 'tool' || sizes.result > sizes.said) return 'result'
  return sizes.call > sizes.said ? 'call' : 'said'
}

interface NamedTool {
  readonly name: string
  readonly path?: string
  readonly kind?: string
  readonly input?: JsonValue
}

/** What it says itself; otherwise as of any call, by the tool's name. */
const touchedBy = ({ name, path, kind, input }: NamedTool, operationsOf: OperationsOf): readonly FileTouched[] => {
  if (path !== undefined && (kind === 'edit' || kind === 'read')) return [{ path, operation: kind }]
  if (kind === 'search' || (kind !== undefined && input === undefined)) return []
  const given =
    path === undefined ? input : { ...(isJsonObject(input) ? input : input === undefined ? {} : { input }), path }
  return operationsOf({ type: 'tool_call', id: '', name, input: given ?? {} }).map(({ path: own, operation }) => ({
    path: own,
    operation,
  }))
}

/** `{ tool: { name, path?, kind?, input? } }`, as the importer of the generic format keeps it. */
const toolOf = (value: JsonValue): NamedTool | undefined => {
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

/** All text of the blocks that is searched, as a person reads it in a hit. */
export const searchedText = (content: readonly ContentBlock[]): string =>
  content
    .map((block) => {
      const tool = block.type === 'other' ? toolOf(block.value) : undefined
      return tool === undefined ? textOfBlock(block) : textOfJson(tool.input)
    })
    .filter((text) => text !== '')
    .join('\n')

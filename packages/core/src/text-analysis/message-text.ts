/** What the search looks at of a message's content blocks: its texts, what kind of message it is, and which files it is about. */
import { isJsonObject, stringOf, type JsonValue } from '../json.ts'
import { textOfBlock, type ContentBlock, type Message, type ToolCallBlock } from '../messages.ts'
import type { FileTouched, MessageKind, MessageToAnalyse } from './message-analysis.ts'

/** Which files a call reads or edits; tracking knows the tools of the agents. */
export type OperationsOf = (call: ToolCallBlock) => readonly { readonly path: string; readonly operation: 'read' | 'edit' }[]

/** Ready for `analyseMessage`. */
export const messageToAnalyse = (message: Message & { readonly author?: string }, operationsOf: OperationsOf): MessageToAnalyse => {
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
    const operation = isResult ? 'mention' : tool.kind === 'edit' || tool.kind === 'read' ? tool.kind : 'mention'
    edits ||= operation === 'edit'
    sizes[isResult ? 'result' : 'call'] = Infinity
    if (tool.path !== undefined) files.push({ path: tool.path, operation })
    // A result is found by what it says, its call by the file too.
    const named = [tool.name, ...(tool.path === undefined ? [] : [tool.path])].filter((name) => !texts.some((text) => text.includes(name)))
    if (!isResult && named.length > 0) texts.push(named.join(' '))
  }
  return { role: message.role, kind: kindOf(message.role, sizes, edits), texts, files, ...(message.author === undefined ? {} : { author: message.author }) }
}

const kindOf = (role: Message['role'], sizes: Readonly<Record<'said' | 'call' | 'result', number>>, edits: boolean): MessageKind => {
  if (edits) return 'edit'
  if (role === 'tool' || sizes.result > sizes.said) return 'result'
  return sizes.call > sizes.said ? 'call' : 'said'
}

/** `{ tool: { name, path?, kind? } }`, as the importer of the generic format keeps it. */
const toolOf = (value: JsonValue): { readonly name: string; readonly path?: string; readonly kind?: string } | undefined => {
  const tool = isJsonObject(value) && Object.keys(value).length === 1 ? value.tool : undefined
  if (!isJsonObject(tool) || typeof tool.name !== 'string') return undefined
  const path = stringOf(tool.path)
  const kind = stringOf(tool.kind)
  return { name: tool.name, ...(path === undefined ? {} : { path }), ...(kind === undefined ? {} : { kind }) }
}

/** All text of the blocks that is searched, as a person reads it in a hit. */
export const searchedText = (content: readonly ContentBlock[]): string =>
  content
    .filter((block) => block.type !== 'other' || toolOf(block.value) === undefined)
    .map(textOfBlock)
    .filter((text) => text !== '')
    .join('\n')

/**
 * Messages as the session log holds them: provider-neutral content blocks. Whatever a provider or a
 * transcript holds that has no block of its own is kept whole in an `other` block, never dropped.
 */
import { forEachLeaf, type JsonValue } from './json.ts'

export type Role = 'user' | 'assistant' | 'system' | 'tool'

export interface TextBlock {
  readonly type: 'text'
  readonly text: string
  /** OpenAI's mark of a text on the way, or of the answer; it goes back to it. */
  readonly phase?: 'commentary' | 'final_answer'
}

/** The model's visible reasoning. `signature` is the provider's seal; it is sent back unchanged. */
export interface ThinkingBlock {
  readonly type: 'thinking'
  readonly text: string
  readonly signature?: string
  /** Whose API signed it, where the form that it came in says so. */
  readonly signedBy?: 'openai' | 'google'
}

/** A request by the model to run a tool. A string `input` is the provider's raw arguments text. */
export interface ToolCallBlock {
  readonly type: 'tool_call'
  readonly id: string
  readonly name: string
  readonly input: JsonValue
}

export interface ToolResultBlock {
  readonly type: 'tool_result'
  readonly callId: string
  readonly content: readonly (TextBlock | ImageBlock | OtherBlock)[]
  readonly isError?: boolean
}

/** An image: base64 `data`, or a `url`. */
export interface ImageBlock {
  readonly type: 'image'
  readonly mediaType: string
  readonly data?: string
  readonly url?: string
}

/** A file that the user attached or selected in the editor: its text, or base64 `data` or a `url` of a document. */
export interface FileBlock {
  readonly type: 'file'
  readonly path: string
  readonly text?: string
  readonly mediaType?: string
  readonly data?: string
  readonly url?: string
}

/** A block of a kind that Cairn does not model, kept as it came. */
export interface OtherBlock {
  readonly type: 'other'
  readonly value: JsonValue
}

export type ContentBlock =
  TextBlock | ThinkingBlock | ToolCallBlock | ToolResultBlock | ImageBlock | FileBlock | OtherBlock

/** A message in the form that a model is given. */
export interface Message {
  readonly role: Role
  readonly content: readonly ContentBlock[]
}

/**
 * All text of a block that a person or a search could look for; of a tool call the name and the texts of its input.
 * Images have none.
 */
export const textOfBlock = (block: ContentBlock): string => {
  switch (block.type) {
    case 'text':
    case 'thinking':
      return block.text
    case 'tool_call':
      return `${block.name} ${textOfJson(block.input)}`
    case 'tool_result':
      return block.content.map(textOfBlock).join('\n')
    case 'file':
      return block.text === undefined ? block.path : `${block.path}\n${block.text}`
    case 'other':
      return textOfJson(block.value)
    case 'image':
      return ''
  }
}

/**
 * The texts, numbers and truth values inside a JSON value, one a line, in order; keys and empty texts are left out.
 * Empty for undefined.
 */
export const textOfJson = (value: JsonValue | undefined): string => {
  if (typeof value === 'string') return value
  const found: string[] = []
  forEachLeaf(value, (leaf) => {
    if (leaf !== '') found.push(String(leaf))
  })
  return found.join('\n')
}

/**
 * Characters (UTF-16 units) of a model's output that a person can see: text, reasoning, and tool calls with their
 * arguments as JSON. 0 for no content.
 */
export const visibleCharacters = (content: readonly ContentBlock[]): number => {
  let total = 0
  for (const block of content) {
    if (block.type === 'text' || block.type === 'thinking') total += block.text.length
    else if (block.type === 'tool_call')
      total +=
        block.name.length + (typeof block.input === 'string' ? block.input.length : JSON.stringify(block.input).length)
  }
  return total
}

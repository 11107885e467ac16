/** Messages and tools that the suites ask with. */
import type { ContentBlock, Message, ToolCallBlock } from '../../../messages.ts'
import type { ToolDefinition } from '../../../ports/language-model.ts'

/** A message of one text block. */
export const textMessage = (role: Message['role'], text: string): Message => ({
  role,
  content: [{ type: 'text', text }],
})

export const READ_TOOL: ToolDefinition = {
  name: 'read_file',
  description: 'Reads a file of the workspace.',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string' }, lines: { type: 'array', items: { type: 'integer' } } },
    required: ['path'],
  },
}

export const LIST_TOOL: ToolDefinition = {
  name: 'list-files',
  description: 'Lists a folder.',
  inputSchema: { type: 'object', properties: {} },
}

export const TOOLS: readonly ToolDefinition[] = [READ_TOOL, LIST_TOOL]

const isCall = (block: ContentBlock): block is ToolCallBlock => block.type === 'tool_call'

/** The tool calls among the blocks, in order. */
export const callsIn = (blocks: readonly ContentBlock[]): ToolCallBlock[] => blocks.filter(isCall)

/** The reply, and results of its calls (`found 0`, `found 1`, …), as two messages; the second is empty without calls. */
export const answered = (blocks: readonly ContentBlock[], result = 'found'): Message[] => [
  { role: 'assistant', content: blocks },
  {
    role: 'tool',
    content: callsIn(blocks).map(({ id }, index) => ({
      type: 'tool_result',
      callId: id,
      content: [{ type: 'text', text: `${result} ${index}` }],
    })),
  },
]

/** One red pixel. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=='

/** A text of so many words, `name0 name1 …`; empty for 0. */
export const longText = (name: string, words: number): string =>
  Array.from({ length: words }, (_, index) => `${name}${index}`).join(' ')

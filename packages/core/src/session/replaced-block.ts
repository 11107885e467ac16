/** Builds the block that stands for one whose text was replaced. */
import { objectOf, parseJson, type JsonObject } from '../json.ts'
import type { ContentBlock } from '../messages.ts'

/**
 * The block that stands for a replaced one. It keeps the id that links a call and its result. A call's text becomes its
 * arguments, as JSON or a notice. Any other block becomes a text block.
 */
export const replacedBlock = (block: ContentBlock, text: string): ContentBlock => {
  switch (block.type) {
    case 'tool_result':
      return { ...block, content: [{ type: 'text', text }] }
    case 'tool_call':
      return { ...block, input: argumentsIn(text) }
    default:
      return { type: 'text', text }
  }
}

/** Parses a text as a call's arguments: a JSON object, or a notice. */
const argumentsIn = (text: string): JsonObject => {
  if (!text.startsWith('{')) return { notice: text }
  const parsed = parseJson(text)
  return parsed === undefined ? { notice: text } : objectOf(parsed.value)
}

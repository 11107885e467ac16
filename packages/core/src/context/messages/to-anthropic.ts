/** Prepared messages in the form of Anthropic's API; other providers' forms are their adapters' concern. */
import { isJsonObject, parseJson, type JsonValue } from '../../json.ts'
import type { ContentBlock, FileBlock, ImageBlock, Message } from '../../messages.ts'
import { isSignedThinking, isThinking } from '../thinking.ts'

/** A message as `messages.create` takes it. */
export interface AnthropicMessage {
  readonly role: 'user' | 'assistant'
  readonly content: readonly Readonly<Record<string, unknown>>[]
}

/**
 * The messages for a request, with nothing of Cairn's own in them; turns of the same role are joined, results
 * first. System messages become texts of the user's turn: put the system prompt itself into `system`.
 * @param cacheBreakpoints places in `messages` (`Prepared.cacheBreakpoints`): the last block of each is marked
 */
export const toAnthropicMessages = (
  messages: readonly Message[],
  cacheBreakpoints: readonly number[] = [],
): readonly AnthropicMessage[] => {
  const marks = new Set(cacheBreakpoints)
  const turns: { role: 'user' | 'assistant'; content: Record<string, unknown>[] }[] = []
  messages.forEach(({ role, content }, index) => {
    const turnRole = role === 'assistant' ? 'assistant' : 'user'
    // The API refuses reasoning that isn't as it was signed.
    const blocks = content.filter((block) => !isThinking(block) || isSignedThinking(block)).map(anthropicBlock)
    if (blocks.length === 0) return
    const last = blocks.at(-1)
    if (marks.has(index) && last !== undefined)
      blocks[blocks.length - 1] = { ...last, cache_control: { type: 'ephemeral' } }
    const turn = turns.at(-1)
    if (turn?.role === turnRole) for (const block of blocks) turn.content.push(block)
    else turns.push({ role: turnRole, content: blocks })
  })
  return turns
}

const anthropicBlock = (block: ContentBlock): Record<string, unknown> => {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'thinking':
      return {
        type: 'thinking',
        thinking: block.text,
        ...(block.signature === undefined ? {} : { signature: block.signature }),
      }
    case 'tool_call':
      return { type: 'tool_use', id: block.id, name: block.name, input: argumentsOf(block.input) }
    case 'tool_result':
      return {
        type: 'tool_result',
        tool_use_id: block.callId,
        content: block.content.map(anthropicBlock),
        ...(block.isError === true ? { is_error: true } : {}),
      }
    case 'image':
      return { type: 'image', source: sourceOf(block) }
    case 'file':
      if (block.data !== undefined || block.url !== undefined)
        return { type: 'document', source: sourceOf(block), ...(block.path === '' ? {} : { title: block.path }) }
      return { type: 'text', text: block.text === undefined ? block.path : `${block.path}\n${block.text}` }
    case 'other':
      return isJsonObject(block.value) ? { ...block.value } : { type: 'text', text: JSON.stringify(block.value) }
  }
}

const sourceOf = ({ data, url = '', mediaType = 'application/pdf' }: ImageBlock | FileBlock): JsonValue =>
  data === undefined ? { type: 'url', url } : { type: 'base64', media_type: mediaType, data }

/** The API wants an object; raw arguments are parsed where they can be. */
const argumentsOf = (input: JsonValue): JsonValue => {
  if (typeof input !== 'string') return isJsonObject(input) ? input : { value: input }
  const parsed = parseJson(input)
  if (parsed === undefined) return { text: input }
  return isJsonObject(parsed.value) ? parsed.value : { value: parsed.value }
}

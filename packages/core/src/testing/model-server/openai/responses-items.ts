/** The items of replies, and what is known of them when they come back. */
import { createHmac, randomBytes } from 'node:crypto'
import { listOf, objectOf, textOf, type JsonObject } from '../json.ts'
import type { PreparedReply } from '../reply.ts'
import type { Call } from '../wire.ts'

export interface IssuedItems {
  /** The reasoning directly before an item, by the item's id. */
  readonly reasoningBefore: ReadonlyMap<string, string>
  /** The id of the reasoning that is encrypted so, by account and content. */
  readonly encrypted: ReadonlyMap<string, string>
}

/**
 * Makes the output items of replies, and remembers what it `issued`: encrypted reasoning, and the reasoning before each
 * item, without which a request would be refused.
 */
export const createItems = (newId: (prefix: string) => string) => {
  const secret = randomBytes(32)
  const reasoningBefore = new Map<string, string>()
  const encrypted = new Map<string, string>()

  const reasoningItem = (call: Call, id: string, text: string): JsonObject => {
    const content = createHmac('sha256', secret).update(`${call.account} ${id} ${text}`).digest('base64')
    encrypted.set(`${call.account} ${content}`, id)
    const isShown = text !== '' && typeof objectOf(call.body.reasoning).summary === 'string'
    const isIncluded = listOf(call.body.include).includes('reasoning.encrypted_content')
    return {
      id,
      type: 'reasoning',
      summary: isShown ? [{ type: 'summary_text', text }] : [],
      ...(isIncluded && { encrypted_content: content }),
    }
  }

  const outputOf = (reply: PreparedReply, call: Call): JsonObject[] => {
    let before: string | undefined
    return reply.blocks.map((block, index) => {
      const isCut = reply.stop === 'max-output' && index === reply.blocks.length - 1
      const status = isCut ? 'incomplete' : 'completed'
      if (block.type === 'thinking') {
        const item = reasoningItem(call, newId('rs'), block.isHidden === true ? '' : block.text)
        before = textOf(item.id)
        return item
      }
      const id = newId(block.type === 'text' ? 'msg' : 'fc')
      if (before !== undefined) reasoningBefore.set(id, before)
      before = undefined
      if (block.type === 'tool-call')
        return { id, type: 'function_call', call_id: block.id, name: block.name, arguments: block.rawInput, status }
      const content =
        reply.stop === 'refusal'
          ? { type: 'refusal', refusal: block.text }
          : { type: 'output_text', text: block.text, annotations: [] }
      return { id, type: 'message', role: 'assistant', status, content: [content] }
    })
  }
  const issued: IssuedItems = { reasoningBefore, encrypted }
  return { outputOf, issued }
}

/** Expands a message's mentions, with notices about them. */
import type { ContentBlock } from '@cairn/core'
import { mentionInput } from '../runtime/mention-input.ts'
import { formatCount } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import type { ChatParts } from './chat.ts'

/** A message as it is sent. */
export interface MessageContent {
  readonly message: string | readonly ContentBlock[]
  /** What is sent with it, and what is not, a line each. */
  readonly told: readonly string[]
}

/**
 * Returns the content of a message: its text and what it mentions, read now, with one sentence for each mention that
 * was or was not sent. Just the text if nothing is sent with it. Rejects as the store does.
 */
export const messageContent = async (text: string, chat: ChatParts): Promise<MessageContent> => {
  if (!text.includes('@')) return { message: text, told: [] }
  const { engine, workspace, session, isPlain } = chat
  const { content, sent, refused } = await engine.mentions.expand(text, {
    ...mentionInput(workspace),
    ...(session.id === undefined ? {} : { sessionId: session.id }),
  })
  const told = [
    ...sent.map(({ name, tokens, leftOut, containedIn, notice }) => {
      const already = containedIn === undefined ? 'sent already' : `part of ${neutraliseLine(containedIn)}`
      const size = tokens === 0 ? already : `about ${formatCount(tokens)} tokens`
      const rest = leftOut === undefined ? '' : `; ${leftOut} left out for its length`
      return `${isPlain ? 'Sent with it: ' : '+ '}${neutraliseLine(name)}, ${size}${rest}${notice === undefined ? '' : `; it ${notice}`}`
    }),
    ...refused.map(({ reason }) => neutraliseLine(reason)),
  ]
  return { message: content.length > 1 ? content : text, told }
}

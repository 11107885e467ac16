/** Messages as callers have them, in either form, as entries of a log. */
import { CairnError } from '../../errors.ts'
import { JSON_LEVELS, isNestedDeeper } from '../../json.ts'
import type { Role } from '../../messages.ts'
import type { MessageEntry } from '../../session-log.ts'
import { knownBlock } from '../../tokens/loose-block.ts'
import { assertMessages, blocksOf, type LooseMessage } from './loose.ts'

const ROLES: Readonly<Record<string, Role>> = {
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  model: 'assistant',
  system: 'system',
  developer: 'system',
  tool: 'tool',
}

/**
 * Entries of a conversation that has no log, numbered from 0; `at` is the time of all of them.
 * @throws CairnError `invalid-input` for what is not an array of messages.
 */
export const entriesOf = (messages: readonly LooseMessage[], at: number | null): readonly MessageEntry[] => {
  assertMessages(messages, 'prepare')
  return messages.map((message, seq): MessageEntry => {
    assertContent(message, seq)
    if (isNestedDeeper(message.content))
      throw new CairnError(
        'invalid-input',
        `prepare was given something that it can't read: message ${seq} refers to itself, or is nested over ${JSON_LEVELS} levels deep.`,
      )
    const content = blocksOf(message).map(knownBlock)
    const onlyResults = content.length > 0 && content.every(({ type }) => type === 'tool_result')
    const role = ROLES[message.role.toLowerCase()]
    if (role === undefined)
      throw new CairnError(
        'invalid-input',
        `Message ${seq} has the role ${JSON.stringify(message.role.slice(0, 40))}; known are user, assistant, system and tool.`,
      )
    return {
      kind: 'message',
      seq,
      at,
      id: `message:${seq}`,
      role: role === 'user' && onlyResults ? 'tool' : role,
      content,
      ...originOf(message),
    }
  })
}

const assertContent = ({ content }: LooseMessage, seq: number): void => {
  if (content === undefined || content === null || typeof content === 'string' || Array.isArray(content)) return
  throw new CairnError(
    'invalid-input',
    `The content of message ${seq} must be a text or an array of blocks, not ${typeof content}.`,
  )
}

/** What a message says of itself beside the provider's fields: made up rather than said. */
const originOf = (message: LooseMessage): Pick<MessageEntry, 'origin'> => {
  const origin = 'origin' in message ? message.origin : undefined
  return origin === 'summary' || origin === 'meta' ? { origin } : {}
}

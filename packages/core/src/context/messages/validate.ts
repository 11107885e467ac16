/** What a provider would refuse a conversation for, as a list of problems. Nothing is changed here. */
import { CairnError } from '../../errors.ts'
import { blocksOf, isFields, viewOf, type LooseMessage } from './loose.ts'

export type MessageProblemCode =
  | 'not-a-message'
  | 'role'
  | 'first-role'
  | 'empty'
  | 'block'
  | 'call-role'
  | 'call-id'
  | 'call-without-result'
  | 'result-role'
  | 'result-without-call'
  | 'result-repeated'
  | 'result-not-first'
  | 'thinking-role'
  | 'thinking-unsigned'
  | 'thinking-last'

export interface MessageProblem {
  readonly code: MessageProblemCode
  /** One sentence. */
  readonly message: string
  /** Of the message, from 0. */
  readonly index: number
  /** Of the block in its content, where the problem is one block's. */
  readonly block?: number
}

const ROLES = new Set(['user', 'assistant', 'tool', 'system'])

/**
 * Checks that roles are known and the user's comes first (system messages aside), that nothing is empty,
 * that each result has its call in the message directly before (tool messages in a row count as one), and
 * that each call has its result directly after, unless it is in the last message, and that reasoning is the
 * assistant's, is signed, and does not end a message.
 *
 * @throws CairnError `invalid-input` when it is not given an array.
 */
export const validateMessages = (messages: readonly LooseMessage[]): readonly MessageProblem[] => {
  const given: unknown = messages
  if (!Array.isArray(given)) throw new CairnError('invalid-input', 'validateMessages needs an array of messages.')
  const problems: MessageProblem[] = []
  /** Calls of the assistant's message before, that are not answered yet: their ids and blocks. */
  let open = new Map<string, number>()
  let answered = new Set<string>()
  let caller = -1
  let hasBegun = false

  const close = (): void => {
    for (const [id, block] of open)
      problems.push({
        code: 'call-without-result',
        message: `The tool call ${id} has no result in the message after it.`,
        index: caller,
        block,
      })
    open = new Map()
    answered = new Set()
    caller = -1
  }

  for (const [index, message] of (given as readonly unknown[]).entries()) {
    const add = (code: MessageProblemCode, text: string, block?: number): void => {
      problems.push({ code, message: text, index, ...(block === undefined ? {} : { block }) })
    }
    if (!isFields(message) || typeof message.role !== 'string') {
      add('not-a-message', `Message ${index} is not an object with a role.`)
      close()
      continue
    }
    const loose: LooseMessage = { role: message.role, content: message.content }
    const { role } = loose
    if (!ROLES.has(role)) add('role', `Message ${index} has the unknown role "${role}".`)
    if (!hasBegun && role !== 'system') {
      hasBegun = true
      if (role !== 'user') add('first-role', `The conversation begins with the role "${role}", not with the user.`)
    }
    const continues = role === 'tool' && messages[index - 1]?.role === 'tool'
    if (caller !== -1 && caller !== index - 1 && !continues) close()
    const blocks = blocksOf(loose)
    if (blocks.length === 0) add('empty', `Message ${index} has no content.`)
    let hasOther = false
    const calls = new Map<string, number>()
    for (const [block, value] of blocks.entries()) {
      const view = viewOf(value)
      if (typeof value !== 'string' && (!isFields(value) || typeof value.type !== 'string'))
        add('block', `Block ${block} of message ${index} has no type.`, block)
      if (view.kind === 'text' && view.text.trim() === '')
        add('empty', `Block ${block} of message ${index} is an empty text.`, block)
      if (view.kind === 'thinking') {
        if (role !== 'assistant')
          add('thinking-role', `The reasoning in message ${index} is not the assistant's.`, block)
        else if (!view.isSigned) add('thinking-unsigned', `The reasoning in message ${index} has no signature.`, block)
        if (block === blocks.length - 1) add('thinking-last', `Message ${index} ends with reasoning.`, block)
      }
      if (view.kind === 'call') {
        if (role !== 'assistant') add('call-role', `The tool call ${view.id} is not the assistant's.`, block)
        else if (view.id === '' || calls.has(view.id))
          add('call-id', `A tool call in message ${index} has no id of its own.`, block)
        else calls.set(view.id, block)
      }
      if (view.kind !== 'result') {
        hasOther = true
        continue
      }
      if (role !== 'user' && role !== 'tool')
        add('result-role', `The result of ${view.id} is in a message with the role "${role}".`, block)
      else if (answered.has(view.id))
        add('result-repeated', `The tool call ${view.id} has more than one result.`, block)
      else if (!open.has(view.id))
        add('result-without-call', `The result of ${view.id} has no call in the message before it.`, block)
      else {
        open.delete(view.id)
        answered.add(view.id)
        if (hasOther) add('result-not-first', `The result of ${view.id} stands behind other content.`, block)
      }
    }
    if (role === 'assistant') {
      close()
      open = calls
      caller = index
    }
  }
  if (caller !== given.length - 1) close()
  return problems.sort((left, right) => left.index - right.index || (left.block ?? -1) - (right.block ?? -1))
}

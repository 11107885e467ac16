/** Lists what a provider would refuse in a conversation. Nothing is changed here. */
import { CairnError } from '../../errors.ts'
import { blocksOf, isFields, viewOf, type BlockView, type LooseMessage } from './loose.ts'

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

/**
 * Checks that:
 * - roles are known, and the first message that is not the system's is the user's;
 * - no message or text is empty;
 * - each result has its call in the message directly before it (consecutive tool messages count as one);
 * - each call has its result directly after it, unless it is in the last message;
 * - reasoning is the assistant's, is signed, and does not end a message.
 *
 * @returns The problems in the order of the messages and blocks; empty when a provider would take the conversation.
 * @throws CairnError `invalid-input` when it is not given an array.
 */
export const validateMessages = (messages: readonly LooseMessage[]): readonly MessageProblem[] => {
  const given: unknown = messages
  if (!Array.isArray(given)) throw new CairnError('invalid-input', 'validateMessages needs an array of messages.')
  const problems: MessageProblem[] = []
  const exchange = new ToolExchange(problems)
  let hasBegun = false
  for (const [index, value] of (given as readonly unknown[]).entries()) {
    if (!isFields(value) || typeof value.role !== 'string') {
      problems.push({ code: 'not-a-message', message: `Message ${index} is not an object with a role.`, index })
      exchange.skip()
      continue
    }
    const { role, content } = value
    const isFirst: boolean = !hasBegun && role !== 'system'
    hasBegun ||= isFirst
    const message: CheckedMessage = { index, role, isFirst, blocks: blocksOf({ role, content }) }
    for (const rule of MESSAGE_RULES) report(problems, rule(message), index)
    checkBlocks(message, exchange, problems)
  }
  exchange.end(given.length)
  return problems.sort((left, right) => left.index - right.index || (left.block ?? -1) - (right.block ?? -1))
}

/** A message that has a role. */
interface CheckedMessage {
  readonly index: number
  readonly role: string
  /** It is the first that is not the system's. */
  readonly isFirst: boolean
  readonly blocks: readonly unknown[]
}

interface CheckedBlock {
  readonly message: CheckedMessage
  readonly block: number
  readonly value: unknown
  readonly view: BlockView
}

type Finding = readonly [code: MessageProblemCode, message: string]

/** Adds the finding to `problems`; nothing if it is undefined. `block`: its number, if it is about one. */
const report = (problems: MessageProblem[], finding: Finding | undefined, index: number, block?: number): void => {
  if (finding === undefined) return
  const [code, message] = finding
  problems.push({ code, message, index, ...(block === undefined ? {} : { block }) })
}

const ROLES = new Set(['user', 'assistant', 'tool', 'system'])

const MESSAGE_RULES: readonly ((message: CheckedMessage) => Finding | undefined)[] = [
  ({ index, role }) => (ROLES.has(role) ? undefined : ['role', `Message ${index} has the unknown role "${role}".`]),
  ({ role, isFirst }) =>
    isFirst && role !== 'user'
      ? ['first-role', `The conversation begins with the role "${role}", not with the user.`]
      : undefined,
  ({ index, blocks }) => (blocks.length === 0 ? ['empty', `Message ${index} has no content.`] : undefined),
]

/** What can be wrong with a block by itself. */
const BLOCK_RULES: readonly ((block: CheckedBlock) => Finding | undefined)[] = [
  ({ message, block, value }) =>
    typeof value !== 'string' && (!isFields(value) || typeof value.type !== 'string')
      ? ['block', `Block ${block} of message ${message.index} has no type.`]
      : undefined,
  ({ message, block, view }) =>
    view.kind === 'text' && view.text.trim() === ''
      ? ['empty', `Block ${block} of message ${message.index} is an empty text.`]
      : undefined,
  ({ message, view }) =>
    view.kind === 'thinking' && message.role !== 'assistant'
      ? ['thinking-role', `The reasoning in message ${message.index} is not the assistant's.`]
      : undefined,
  ({ message, view }) =>
    view.kind === 'thinking' && message.role === 'assistant' && !view.isSigned
      ? ['thinking-unsigned', `The reasoning in message ${message.index} has no valid signature.`]
      : undefined,
  ({ message, block, view }) =>
    view.kind === 'thinking' && block === message.blocks.length - 1
      ? ['thinking-last', `Message ${message.index} ends with reasoning.`]
      : undefined,
]

/** Adds the problems of a message's blocks, in order, and follows its calls and results in `exchange`. */
const checkBlocks = (message: CheckedMessage, exchange: ToolExchange, problems: MessageProblem[]): void => {
  exchange.begin(message)
  let isBehindOther = false
  for (const [block, value] of message.blocks.entries()) {
    const checked: CheckedBlock = { message, block, value, view: viewOf(value) }
    const { view } = checked
    for (const rule of BLOCK_RULES) report(problems, rule(checked), message.index, block)
    if (view.kind === 'call') report(problems, exchange.call(message, block, view.id), message.index, block)
    if (view.kind === 'result') report(problems, exchange.result(message, view.id, isBehindOther), message.index, block)
    else isBehindOther = true
  }
}

/** Follows which calls wait for their results, and finds what is wrong with calls and results. */
class ToolExchange {
  readonly #problems: MessageProblem[]
  /** Calls of the assistant's newest message that have no result yet: their ids and blocks. */
  #open = new Map<string, number>()
  #answered = new Set<string>()
  /** The index of that message; undefined when the next may hold no results. */
  #caller: number | undefined
  #lastRole: string | undefined

  constructor(problems: MessageProblem[]) {
    this.#problems = problems
  }

  /** Takes something that is not a message: it ends the exchange. */
  skip(): void {
    this.#close()
    this.#lastRole = undefined
  }

  /**
   * A message begins: results are taken right after the assistant's, and in tool messages in a row. Calls that nothing
   * can answer any more become problems.
   */
  begin({ index, role }: CheckedMessage): void {
    const mayAnswer = this.#caller === index - 1 || (role === 'tool' && this.#lastRole === 'tool')
    if (role === 'assistant' || !mayAnswer) this.#close()
    if (role === 'assistant') this.#caller = index
    this.#lastRole = role
  }

  /**
   * Takes a call, and says what is wrong with it: not the assistant's, or no id of its own. undefined for a good one,
   * which waits for its result from now on.
   */
  call({ index, role }: CheckedMessage, block: number, id: string): Finding | undefined {
    if (role !== 'assistant') return ['call-role', `The tool call ${id} is not the assistant's.`]
    if (id === '' || this.#open.has(id)) return ['call-id', `A tool call in message ${index} has no id of its own.`]
    this.#open.set(id, block)
    return undefined
  }

  /**
   * Takes a result, and says what is wrong with it: wrong role, repeated, without a call, or behind other content;
   * undefined for a good one. One behind other content (`isBehindOther`) answers its call all the same; one in a wrong
   * role does not.
   */
  result({ role }: CheckedMessage, id: string, isBehindOther: boolean): Finding | undefined {
    if (role !== 'user' && role !== 'tool')
      return ['result-role', `The result of ${id} is in a message with the role "${role}".`]
    if (this.#answered.has(id)) return ['result-repeated', `The tool call ${id} has more than one result.`]
    if (!this.#open.delete(id))
      return ['result-without-call', `The result of ${id} has no call in the message before it.`]
    this.#answered.add(id)
    return isBehindOther ? ['result-not-first', `The result of ${id} stands behind other content.`] : undefined
  }

  /** The conversation ends after so many messages: calls in the last of them may still be answered. */
  end(messages: number): void {
    if (this.#caller !== messages - 1) this.#close()
  }

  /** Ends the exchange: every call without a result is a problem of the message that made it. */
  #close(): void {
    for (const [id, block] of this.#open)
      this.#problems.push({
        code: 'call-without-result',
        message: `The tool call ${id} has no result in the message after it.`,
        index: this.#caller ?? 0,
        block,
      })
    this.#open = new Map()
    this.#answered = new Set()
    this.#caller = undefined
  }
}

/**
 * Signatures of thinking: made with a reply, checked when they come back. A signature has two halves, of what was thought
 * and of where: model, account and the conversation before it.
 */
import { createHmac, randomBytes } from 'node:crypto'
import type { PreparedBlock, PreparedReply } from '../reply.ts'
import { objectOf, textOf, type JsonObject } from '../json.ts'
import type { Call, Problem } from '../wire.ts'
import { plainBlock, turnsOf, type Block, type Turn } from './request.ts'

export interface Signatures {
  /** The blocks of a reply to the call, as JSON, thinking signed. */
  sign(call: Call, reply: PreparedReply): readonly JsonObject[]
  check(call: Call): Problem | undefined
}

/** A text that is the same for messages with the same thinking in the same order. */
const thinkingOf = (blocks: readonly JsonObject[]): string =>
  JSON.stringify(
    blocks.flatMap((block) =>
      block.type === 'thinking' ? [block.signature] : block.type === 'redacted_thinking' ? [block.data] : [],
    ),
  )

const sealOf = (block: JsonObject): string => textOf(block.type === 'thinking' ? block.signature : block.data)

/** Whether the user spoke in this turn, and did not only hand in results. */
const isSpoken = ({ role, blocks }: Turn): boolean =>
  role === 'user' && blocks.some(({ type }) => type !== 'tool_result')

/** Whether thinking comes without its text; newer models leave it out unless it is asked for. */
const isOmitted = ({ body, model }: Call): boolean => {
  const { display } = objectOf(body.thinking)
  return display === 'omitted' || (display !== 'summarized' && model.signature === 'conversation')
}

/** What of the reply is signed: its text, and what it is bound to. */
interface Signer {
  readonly hash: (...parts: readonly unknown[]) => string
}

/** A block as Anthropic's API sends it, thinking sealed to its text and to all before it. */
const blockJson = ({ hash }: Signer, call: Call, block: PreparedBlock, before: string): JsonObject => {
  if (block.type === 'text') return { type: 'text', text: block.text }
  if (block.type === 'tool-call')
    return { type: 'tool_use', id: block.id, name: block.name, input: inputOf(block.rawInput) }
  const text = block.isHidden === true || isOmitted(call) ? '' : block.text
  const seal = `${hash('text', text)}.${hash('bound', before)}`
  return block.isHidden === true
    ? { type: 'redacted_thinking', data: seal }
    : { type: 'thinking', thinking: text, signature: seal }
}

/** What is wrong with the seal of a block of thinking; undefined if nothing is. */
const checkBlock = ({ hash }: Signer, call: Call, block: Block, before: string): Problem | undefined => {
  const { type, value, path } = block
  const text = type === 'thinking' ? textOf(value.thinking) : ''
  const field = type === 'thinking' ? 'signature' : 'data'
  const [textSeal, boundSeal] = sealOf(value).split('.')
  if (textSeal !== hash('text', text))
    return { condition: 'bad-request', message: `${path}: Invalid \`${field}\` in \`${type}\` block` }
  if (call.model.signature !== 'conversation' || boundSeal === hash('bound', before)) return undefined
  const message = `${path}: \`${field}\` in \`${type}\` block is bound to a different conversation`
  return { condition: 'bad-request', message }
}

/**
 * Within a turn of tools the thinking of each message is sent back whole. Gives what is wrong with the running turn;
 * undefined if nothing is.
 */
const checkTurn = (issued: ReadonlyMap<string, string>, call: Call, turns: readonly Turn[]): Problem | undefined => {
  if (call.model.signature === 'conversation' || objectOf(call.body.thinking).type === 'disabled') return undefined
  for (const { role, blocks, path } of turns.slice(turns.findLastIndex(isSpoken) + 1)) {
    const first = blocks.find(({ type }) => type === 'tool_use')
    const expected = first === undefined ? undefined : issued.get(textOf(first.value.id))
    if (role !== 'assistant' || expected === undefined) continue
    if (thinkingOf(blocks.map(({ value }) => value)) === expected) continue
    const which = `${path}.content: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message`
    const message = `${which} cannot be modified. These blocks must remain as they were in the original response.`
    return { condition: 'bad-request', message }
  }
  return undefined
}

/**
 * Signs the thinking of replies, and checks the thinking of requests: `check` gives undefined, or why it is refused, as
 * one that was changed or belongs to another conversation or account.
 */
export const createSignatures = (): Signatures => {
  const secret = randomBytes(32)
  /** The thinking that came with a call, by the call's id. */
  const issued = new Map<string, string>()
  const hash = (...parts: readonly unknown[]): string =>
    createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64')
  const start = (call: Call): string => hash(call.account, call.model.name)
  /** A running hash of the conversation, from block to block. */
  const extend = (before: string, role: string, block: JsonObject): string => hash(before, role, block)

  return {
    sign: (call, reply) => {
      let before = start(call)
      for (const { role, blocks } of turnsOf(call.body))
        for (const block of blocks) before = extend(before, role, plainBlock(block))
      const blocks = reply.blocks.map((block) => {
        const json = blockJson({ hash }, call, block, before)
        before = extend(before, 'assistant', json)
        return json
      })
      for (const block of blocks) if (block.type === 'tool_use') issued.set(textOf(block.id), thinkingOf(blocks))
      return blocks
    },
    check: (call) => {
      const turns = turnsOf(call.body)
      let before = start(call)
      for (const { role, blocks } of turns)
        for (const block of blocks) {
          const isThinking = block.type === 'thinking' || block.type === 'redacted_thinking'
          const problem = isThinking ? checkBlock({ hash }, call, block, before) : undefined
          if (problem !== undefined) return problem
          before = extend(before, role, plainBlock(block))
        }
      return checkTurn(issued, call, turns)
    },
  }
}

/** A call's input as an object; `{}` for a broken one, which can't come back. */
const inputOf = (raw: string): unknown => {
  try {
    return JSON.parse(raw) as unknown
  } catch {
    return {}
  }
}

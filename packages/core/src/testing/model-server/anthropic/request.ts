/** A Messages request taken apart: turns of blocks, and segments in the order in which prefixes are made of them. */
import { listOf, objectOf, textOf, without, type JsonObject } from '../json.ts'
import type { Lifetime, Segment } from '../tokens.ts'

export interface Block {
  readonly type: string
  readonly value: JsonObject
  /** As errors name it: `messages.2.content.0`. */
  readonly path: string
}

/** Consecutive messages of one role are one turn. */
export interface Turn {
  readonly role: string
  readonly blocks: readonly Block[]
  /** Of its first message. */
  readonly path: string
}

const MARKS = new Set(['cache_control'])

/** The blocks of a message's content; a text is one block. */
const blocksOf = (content: unknown, path: string): Block[] =>
  typeof content === 'string'
    ? [{ type: 'text', value: { type: 'text', text: content }, path }]
    : listOf(content).map((value, index) => ({
        type: textOf(objectOf(value).type),
        value: objectOf(value),
        path: `${path}.content.${index}`,
      }))

/** The messages of a request, of which those of one role that follow each other are one turn; empty without any. */
export const turnsOf = (body: JsonObject): Turn[] => {
  const turns: { role: string; blocks: Block[]; path: string }[] = []
  for (const [index, message] of listOf(body.messages).map(objectOf).entries()) {
    const role = textOf(message.role)
    const path = `messages.${index}`
    const blocks = blocksOf(message.content, path)
    const last = turns.at(-1)
    if (last?.role === role) last.blocks.push(...blocks)
    else turns.push({ role, blocks, path })
  }
  return turns
}

/** The blocks of a tool result, with a text as one block; empty for any other block. */
export const innerBlocks = (block: Block): Block[] =>
  block.type === 'tool_result' && block.value.content !== undefined ? blocksOf(block.value.content, block.path) : []

/** The block as the model reads it: without cache breakpoints, and a text content as a block. */
export const plainBlock = (block: Block): JsonObject => {
  const value = objectOf(without(block.value, MARKS))
  return typeof value.content === 'string' ? { ...value, content: [{ type: 'text', text: value.content }] } : value
}

/** The blocks of the system prompt; a text is one block, none for a request without it. */
export const systemBlocks = (body: JsonObject): Block[] =>
  blocksOf(body.system, 'system').map((block) => ({ ...block, path: block.path.replace('.content.', '.') }))

/** The definitions of tools as blocks, in order. */
export const toolBlocks = (body: JsonObject): Block[] =>
  listOf(body.tools).map((tool, index) => ({ type: 'tool', value: objectOf(tool), path: `tools.${index}` }))

/** For how long a block asks to be cached, five minutes unless it says an hour; undefined without a breakpoint. */
export const lifetimeOf = (block: Block): Lifetime | undefined => {
  const control = block.value.cache_control
  if (control === undefined || control === null) return undefined
  return objectOf(control).ttl === '1h' ? '1h' : '5m'
}

/**
 * Everything that the model reads, in its order (tools, system, settings, messages), with the breakpoints that the
 * request sets.
 */
export const segmentsOf = (body: JsonObject): Segment[] => {
  const turns = turnsOf(body)
  const segment = (label: string, block: Block): Segment => {
    const breakpoint = lifetimeOf(block)
    const text = `${label}:${JSON.stringify(plainBlock(block))}`
    return breakpoint === undefined ? { text } : { text, breakpoint }
  }
  // A change of these leaves tools and system prompt cached, and nothing of the messages.
  const settings = { text: JSON.stringify([body.thinking ?? null, body.tool_choice ?? null]) }
  const segments = [
    ...toolBlocks(body).map((block) => segment('tool', block)),
    ...systemBlocks(body).map((block) => segment('system', block)),
    settings,
    ...turns.flatMap(({ role, blocks }) => blocks.map((block) => segment(role, block))),
  ]
  if (body.cache_control === undefined || body.cache_control === null) return segments
  const last = turns.flatMap(({ blocks }) => blocks).findLastIndex(({ type }) => !type.endsWith('thinking'))
  const index = segments.length - turns.reduce((total, { blocks }) => total + blocks.length, 0) + last
  const breakpoint = objectOf(body.cache_control).ttl === '1h' ? '1h' : '5m'
  return segments.map((part, at) => (at === index ? { ...part, breakpoint } : part))
}

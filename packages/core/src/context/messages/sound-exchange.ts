/** A reply with what follows it, as a provider takes it: nothing blank, no half characters, every call answered. */
import type { JsonValue } from '../../json.ts'
import type { ContentBlock, Message, ToolResultBlock } from '../../messages.ts'
import { withoutLastThinking } from '../thinking.ts'
import { RESULT_MISSING, repairPairs } from './repair.ts'
import { validateMessages } from './validate.ts'

/** A result that was made for a call without one. */
export interface MessageRepair {
  readonly callId: string
  readonly tool: string
  /** `interrupted`: nothing stands behind the call. `missing`: the conversation went on without its result. */
  readonly why: 'interrupted' | 'missing'
  /** One sentence. */
  readonly message: string
}

/** A provider wants the user to begin; a conversation that was cut, or that a program began, does not. */
export const OPENING: Message = {
  role: 'user',
  content: [{ type: 'text', text: '(The beginning of the conversation is not shown.)' }],
}
/** Follows the last call where it has to be answered: nothing stands after an exchange that is not the last. */
const NEXT: Message = { role: 'assistant', content: [{ type: 'text', text: '.' }] }

/** What the model is told of a call that nothing was heard of any more. */
const INTERRUPTED = '[Interrupted: this call was not finished, and what it did is not known.]'

/**
 * The messages of an exchange, the same ones where they are sound, and what was added to them.
 * @param isLast nothing follows: a call at the end was interrupted
 */
export const soundExchange = (
  given: readonly Message[],
  isLast: boolean,
): { readonly messages: readonly Message[]; readonly repairs: readonly MessageRepair[] } => {
  const full = given
    .map((message) => withoutLastThinking(soundMessage(message)))
    .filter(({ content }) => content.length > 0)
  const messages = isLast ? withAnswers(full) : [...full, NEXT]
  const isSound = validateMessages([OPENING, ...messages]).length === 0
  const repaired = isSound ? messages : repairPairs(messages)
  const all = isLast ? repaired : repaired.slice(0, -1)
  return { messages: all, repairs: isSound && messages.length === full.length + (isLast ? 0 : 1) ? [] : repairsIn(all) }
}

/** A request never ends with calls: those of the last message get the result that they were interrupted. */
const withAnswers = (messages: readonly Message[]): readonly Message[] => {
  const last = messages.at(-1)
  const calls = last?.role === 'assistant' ? last.content.filter((block) => block.type === 'tool_call') : []
  const ids = new Set(calls.map(({ id }) => id).filter((id) => id !== ''))
  if (ids.size === 0) return messages
  const content = [...ids].map((callId): ToolResultBlock => ({
    type: 'tool_result',
    callId,
    content: [{ type: 'text', text: INTERRUPTED }],
    isError: true,
  }))
  return [...messages, { role: 'tool', content }]
}

const WHY: ReadonlyMap<string, MessageRepair['why']> = new Map([
  [INTERRUPTED, 'interrupted'],
  [RESULT_MISSING, 'missing'],
])

const repairsIn = (messages: readonly Message[]): readonly MessageRepair[] => {
  const tools = new Map(
    messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'tool_call' ? [[block.id, block.name] as const] : [])),
    ),
  )
  return messages.flatMap(({ content }) =>
    content.flatMap((block): MessageRepair[] => {
      if (block.type !== 'tool_result') return []
      const [part] = block.content
      const why = part?.type === 'text' ? WHY.get(part.text) : undefined
      if (why === undefined) return []
      const tool = tools.get(block.callId) ?? ''
      const message =
        why === 'interrupted'
          ? `The call ${block.callId} of ${tool} at the end has no result; it is sent as interrupted.`
          : `The call ${block.callId} of ${tool} has no result in the conversation; it is sent as "${RESULT_MISSING}".`
      return [{ callId: block.callId, tool, why, message }]
    }),
  )
}

/** Providers refuse texts that are blank, in results too, and halves of surrogate pairs. */
const soundMessage = (message: Message): Message => {
  const content = soundBlocks(message.content)
  return content === message.content ? message : { ...message, content }
}

/** The same list where every block of it is sound. */
const soundBlocks = <Block extends ContentBlock>(blocks: readonly Block[]): readonly Block[] => {
  const sound = blocks.flatMap((block) => (isBlank(block) ? [] : [soundBlock(block)]))
  return sound.length === blocks.length && sound.every((block, index) => block === blocks[index]) ? blocks : sound
}

const isBlank = (block: ContentBlock): boolean => block.type === 'text' && block.text.trim() === ''

const soundBlock = <Block extends ContentBlock>(block: Block): Block => {
  switch (block.type) {
    case 'text':
    case 'thinking':
      return block.text.isWellFormed() ? block : { ...block, text: block.text.toWellFormed() }
    case 'tool_call': {
      const input = soundJson(block.input)
      return input === block.input ? block : { ...block, input }
    }
    case 'tool_result': {
      const content = soundBlocks(block.content)
      return content === block.content ? block : { ...block, content }
    }
    case 'file':
      return block.path.isWellFormed() && (block.text ?? '').isWellFormed()
        ? block
        : {
            ...block,
            path: block.path.toWellFormed(),
            ...(block.text === undefined ? {} : { text: block.text.toWellFormed() }),
          }
    case 'other': {
      const value = soundJson(block.value)
      return value === block.value ? block : { ...block, value }
    }
    case 'image':
      return block
  }
}

const HALF = /\\ud[89a-f][0-9a-f]{2}/i
const ESCAPES = /\\(?:u(d[89a-f][0-9a-f]{2})|[^])/gi

/** JSON writes whole pairs as they are and halves as escapes, so that its text shows them, keys included. */
const soundJson = (value: JsonValue): JsonValue => {
  if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed()
  const text = JSON.stringify(value)
  if (!HALF.test(text)) return value
  const sound = text.replace(ESCAPES, (escape, half: string | undefined) => (half === undefined ? escape : '\ufffd'))
  return sound === text ? value : (JSON.parse(sound) as JsonValue)
}

/** The units of a conversation: a message, or a reply with the results of its calls, which are never separated. */
import { textOfBlock, textOfJson, type ContentBlock } from '../messages.ts'
import { cleanText, cutText, indentContinuation, oneLine } from './bounded-text.ts'
import type { ConversationMessage, FileOperationsOf } from './conversation.ts'
import { escapeTags } from './markup.ts'

/** Messages that stay or go together: a user's message, or a reply with the results of its calls. */
export interface ConversationUnit {
  readonly messages: readonly ConversationMessage[]
}

/** Whose unit it is: the role of its first message, or what it stands for. */
export type UnitKind = 'user' | 'agent' | 'system' | 'program' | 'summary'

/**
 * Groups messages into units, oldest first; each message is in exactly one. A reply whose results come only after
 * further messages forms one unit with these.
 */
export const groupIntoUnits = (messages: readonly ConversationMessage[]): readonly ConversationUnit[] => {
  const units: { readonly messages: ConversationMessage[] }[] = []
  const callers = new Map<string, number>()
  for (const message of messages) {
    const asked = message.content.flatMap((block) =>
      block.type === 'tool_result' ? (callers.get(block.callId) ?? []) : [],
    )
    // A unit that was joined to an earlier one is found there.
    const first = Math.min(...asked, units.length)
    const joined = units.splice(first).flatMap((unit) => unit.messages)
    units.push({ messages: [...joined, message] })
    for (const each of asked.length > 0 ? [...joined, message] : [message])
      for (const block of each.content) if (block.type === 'tool_call') callers.set(block.id, first)
  }
  return units
}

/** The kind of a unit, told by its first message; of one without a message the user's. */
export const unitKind = ({ messages: [first] }: ConversationUnit): UnitKind => {
  if (first?.origin === 'summary') return 'summary'
  if (first?.origin === 'meta') return 'program'
  return first?.role === 'assistant' ? 'agent' : first?.role === 'system' ? 'system' : 'user'
}

/**
 * All that was said and done in a unit, escaped; a line that begins without a space begins a part of it. Empty for a
 * unit without blocks.
 */
export const unitText = (unit: ConversationUnit): string =>
  unit.messages.flatMap((message) => message.content.flatMap((block) => blockText(block, unit))).join('\n')

/**
 * The unit in one escaped line of bounded length: what was said, the tools with their files, and how many failed.
 * Without words and calls the other blocks' texts.
 */
export const unitLine = (unit: ConversationUnit, fileOperations: FileOperationsOf): string => {
  const blocks = unit.messages.flatMap(({ content }) => content)
  const spokenText = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(' ')
  const calls = blocks.flatMap((block) => {
    if (block.type !== 'tool_call') return []
    const paths = fileOperations(block).map(({ path }) => path)
    return [
      `${block.name}(${cutText(oneLine(paths.length > 0 ? paths.join(', ') : textOfJson(block.input)), CALL_CHARACTERS)})`,
    ]
  })
  const failures = blocks.filter((block) => block.type === 'tool_result' && block.isError === true).length
  const parts = [...calls, ...(failures === 0 ? [] : [`${failures} failed`])]
  const done = parts.length === 0 ? '' : `[${parts.join(', ')}]`
  const rest = spokenText === '' && done === '' ? blocks.map(textOfBlock).join(' ') : spokenText
  // Cut before the tools are added: they are shorter and say more.
  const short = cutText(oneLine(cleanText(rest)), SPOKEN_CHARACTERS)
  const line = [short, oneLine(cleanText(done))].filter((part) => part !== '').join(' ')
  return cutText(escapeTags(`${LABELS[unitKind(unit)]}: ${line}`), LINE_CHARACTERS)
}

const CALL_CHARACTERS = 60
const SPOKEN_CHARACTERS = 100
const LINE_CHARACTERS = 300

const LABELS: Readonly<Record<UnitKind, string>> = {
  user: 'User',
  agent: 'Agent',
  system: 'System',
  program: 'Program',
  summary: 'Summary',
}

/** A block as escaped text behind its label; nothing for an empty one. An image is named as one. */
const blockText = (block: ContentBlock, unit: ConversationUnit): readonly string[] => {
  const text = cleanText(textOfBlock(block)).trim()
  if (block.type === 'image') return ['(image)']
  if (text === '') return []
  return [escapeTags(indentContinuation(`${blockLabel(block, unit)}: `, text))]
}

/** The heading of a block in a conversation given to a model; texts are named by who said them. */
const blockLabel = (block: ContentBlock, unit: ConversationUnit): string => {
  switch (block.type) {
    case 'tool_call':
      return 'Call'
    case 'tool_result':
      return block.isError === true ? 'Result (failed)' : 'Result'
    case 'thinking':
      return 'Thinking'
    case 'file':
      return 'File'
    default:
      return LABELS[unitKind(unit)]
  }
}

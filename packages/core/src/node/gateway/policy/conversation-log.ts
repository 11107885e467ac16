/**
 * The conversation of one request as a log of its own, for a policy to decide on: what the client sends is what counts,
 * not what the session's log holds of it. So a client that rewinds, edits or compacts its history is followed.
 */
import { parseJson } from '../../../json.ts'
import type { ContentBlock, Message, Role } from '../../../messages.ts'
import type { Hasher } from '../../../ports/hasher.ts'
import { isThinking } from '../../../context/thinking.ts'
import { todoListIn } from '../../../session/todo-calls.ts'
import type { NewLogEntry } from '../../../session-log.ts'
import { otherIdentity, type IdentifiedMessage } from '../message-ids.ts'
import type { BlockPosition, ReadMessage } from '../read-request.ts'

/** A message of the conversation, and the entries that stand for it in the policy's log. */
export interface Spoken {
  /** Of the message in the session's log. */
  readonly messageId: string
  /** Index of its first block in that message. */
  readonly firstBlock: number
  readonly role: Role
  readonly content: readonly ContentBlock[]
  /** Where each block stands in the body. */
  readonly positions: readonly BlockPosition[]
  /** Of all that was said up to here, this included: the same words give the same mark. */
  readonly mark: string
}

/** Messages of the policy's log by their numbers there. */
export type SpokenBySeq = ReadonlyMap<number, Spoken>

/** Hexadecimal digits of a mark; many enough that no two conversations share one. */
const MARK_LENGTH = 32

/**
 * The conversation cut so that tools' results are messages of their own, as policies know them; several APIs put them
 * into the user's. The `mark` of each is a hash over it and all before it, so equal beginnings have equal marks.
 */
export const spokenOf = (messages: readonly IdentifiedMessage<ReadMessage>[], hasher: Hasher): readonly Spoken[] => {
  let mark = ''
  return messages.flatMap((message) =>
    partsOf(message).map((part) => {
      mark = hasher
        .sha256(`${mark}\n${JSON.stringify([part.role, part.content.flatMap(markedOf)])}`)
        .slice(0, MARK_LENGTH)
      return { ...part, mark }
    }),
  )
}

/**
 * A message in parts of one role, in order, each with the index of its first block: tools' results apart from what the
 * user says.
 */
const partsOf = ({ id, role, content, positions }: IdentifiedMessage<ReadMessage>): readonly Omit<Spoken, 'mark'>[] => {
  const parts: {
    messageId: string
    firstBlock: number
    role: Role
    content: ContentBlock[]
    positions: BlockPosition[]
  }[] = []
  for (const [index, block] of content.entries()) {
    const own = role === 'user' || role === 'tool' ? (block.type === 'tool_result' ? 'tool' : 'user') : role
    const position = positions[index]
    if (position === undefined) continue
    const last = parts.at(-1)
    if (last?.role === own) {
      last.content.push(block)
      last.positions.push(position)
    } else parts.push({ messageId: id, firstBlock: index, role: own, content: [block], positions: [position] })
  }
  return parts
}

/**
 * What of a block counts for the mark: all but reasoning, which clients leave out later (empty for it), and marks for
 * the cache. Arguments as text and as JSON count the same.
 */
const markedOf = (block: ContentBlock): readonly unknown[] => {
  if (isThinking(block)) return []
  if (block.type === 'other') return [otherIdentity(block.value)]
  if (block.type === 'tool_call' && typeof block.input === 'string')
    return [{ ...block, input: parseJson(block.input)?.value ?? block.input }]
  return [block]
}

/**
 * The entries that stand for a message: itself, what can't be touched in it, and the todo lists that it writes.
 * @param at when it was said, ms, where that is known
 * @param id unique in the conversation
 */
export const entriesFor = ({ role, content }: Spoken, id: string, at: number | null): readonly NewLogEntry[] => [
  { kind: 'message', id, at, role, content },
  ...content.flatMap((block, index): readonly NewLogEntry[] =>
    isUnknown(block) ? [{ kind: 'pin', at, messageId: id, block: index, state: 'pinned' }] : [],
  ),
  ...(role === 'assistant' ? content : []).flatMap((block, index): readonly NewLogEntry[] => {
    const items = todoListIn(block)
    return items === undefined ? [] : [{ kind: 'todo', at, items, toldBy: { messageId: id, block: index } }]
  }),
]

/** Whether a block is of a kind that nobody here knows, and so is never touched. */
export const isUnknown = (block: ContentBlock): boolean => block.type === 'other' && !isThinking(block)

/** The blocks that are no reasoning, with their indexes: an order that stays when a client leaves the reasoning out. */
export const lastingBlocks = ({ content }: Pick<Message, 'content'>): readonly number[] =>
  content.flatMap((block, index) => (isThinking(block) ? [] : [index]))

/**
 * What the user decided about a session's context (`cairn context pin`, `drop`, `restore`), found again in the conversation that
 * the client sends. The session's log may have the messages from the agent's transcript, under other ids and cut in another way.
 */
import { isThinking } from '../../../context/thinking.ts'
import type { ContentBlock, Role } from '../../../messages.ts'
import type { EntryKind, LogEntry, PinEntry } from '../../../session-log.ts'
import { createModelHistory, type HistoryBlock } from '../../../session/model-history.ts'
import { GATEWAY_MESSAGE } from '../message-ids.ts'
import { isUnknown, lastingBlocks, type SpokenBySeq } from './conversation-log.ts'

/** A block of the conversation and what the user decided about it. */
export interface BlockPin {
  /** Of the message in the policy's log. */
  readonly seq: number
  /** Its position among the blocks that last. */
  readonly block: number
  readonly state: PinEntry['state']
}

/** Entries that say what is pinned; a rewind takes pins back with all else. */
export const PIN_KINDS: readonly EntryKind[] = ['pin', 'rewind']

/**
 * All blocks of the conversation that the user pinned or dropped, but for reasoning. One that is found several times is
 * pinned everywhere, and dropped nowhere. `log`: the session's messages, and the entries of `PIN_KINDS`.
 */
export const userPins = (log: readonly LogEntry[], spoken: SpokenBySeq): readonly BlockPin[] => {
  const decided = decidedBlocks(log)
  if (decided.length === 0) return []
  const locations = locationsOf(spoken)
  return decided.flatMap((source): readonly BlockPin[] => {
    const { pin: state } = source
    const found = locationsFor(source, locations)
    // Which one of several is not known: all of them may stay, but none of them is left out.
    if (state === 'dropped' && found.length > 1) return []
    return found.map(({ seq, block }) => ({ seq, block, state }))
  })
}

/**
 * Where a block of the session's log stands in the conversation, by its content; of a message that the gateway wrote
 * only in that message, by its place where its content is another. None if it is not there any more.
 */
const locationsFor = ({ entry, original, block }: HistoryBlock, locations: Locations): readonly Location[] => {
  const alike = locations.byContent.get(keyOf(original, entry.role)) ?? []
  if (!entry.id.startsWith(GATEWAY_MESSAGE)) return alike
  const own = alike.filter(({ messageId }) => messageId === entry.id)
  // A text with a secret is not in the log as it was said.
  return own.length > 0 ? own : (locations.byMessage.get(entry.id) ?? []).filter(({ index }) => index === block)
}

/** The blocks that the user pinned or dropped, in the order of the log, without reasoning. */
const decidedBlocks = (log: readonly LogEntry[]): readonly HistoryBlock[] => {
  const history = createModelHistory()
  for (const entry of log) history.step(entry)
  return log
    .flatMap((entry) => (entry.kind === 'message' ? history.blocksOf(entry.seq) : []))
    .filter(({ pin, original }) => pin !== 'automatic' && !isThinking(original))
}

interface Location extends Omit<BlockPin, 'state'> {
  readonly messageId: string
  /** Its position in that message. */
  readonly index: number
}

interface Locations {
  readonly byContent: ReadonlyMap<string, readonly Location[]>
  readonly byMessage: ReadonlyMap<string, readonly Location[]>
}

/** Where each block of the conversation is, by its content and by its message. */
const locationsOf = (spoken: SpokenBySeq): Locations => {
  const all = [...spoken].flatMap(([seq, message]) =>
    lastingBlocks(message).flatMap((at, block) => {
      const content = message.content[at]
      if (content === undefined || isUnknown(content)) return []
      const location: Location = { seq, block, messageId: message.messageId, index: message.firstBlock + at }
      return [{ key: keyOf(content, message.role), location }]
    }),
  )
  const grouped = (keyOfLocation: (each: (typeof all)[number]) => string): ReadonlyMap<string, readonly Location[]> =>
    new Map([...Map.groupBy(all, keyOfLocation)].map(([key, each]) => [key, each.map(({ location }) => location)]))
  return { byContent: grouped(({ key }) => key), byMessage: grouped(({ location }) => location.messageId) }
}

/**
 * A key that is the same for the same block, wherever it was read: a call's or result's id, a text with its role, all
 * else as it is.
 */
const keyOf = (block: ContentBlock, role: Role): string => {
  if (block.type === 'tool_call') return `call ${block.id}`
  if (block.type === 'tool_result') return `result ${block.callId}`
  return block.type === 'text' ? `${role} ${block.text.trim()}` : JSON.stringify(block)
}

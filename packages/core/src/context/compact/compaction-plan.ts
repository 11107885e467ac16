/**
 * What a compaction would take out of the view: the older units of the conversation, whole, but for what has to
 * stay word for word. Nothing is changed here.
 */
import type { ContentBlock, Message } from '../../messages.ts'
import type { ConversationMessage } from '../../summary/conversation.ts'
import { unitKind, groupIntoUnits, type ConversationUnit } from '../../summary/conversation-units.ts'
import type { ViewBlock } from '../view-block.ts'
import { repairPairs } from '../messages/repair.ts'
import { visibleMessages } from '../steps/visible-messages.ts'
import { protectedItems } from '../policies/cline/protected-items.ts'
import { withoutLastThinking } from '../thinking.ts'
import type { ContextView } from '../view.ts'

export interface CompactionPlan {
  /** The older part as a provider takes it, what stays word for word included: it is needed to understand the rest. */
  readonly messages: readonly ConversationMessage[]
  /** The blocks that the summary takes the place of; never one of a pair alone. */
  readonly gone: readonly ViewBlock[]
  /** Their tokens as they are sent now. */
  readonly goneTokens: number
}

/**
 * The plan by which the newest units stay, as many as fit `keepTokens`, and at least the newest reply with what follows
 * it; all older ones are summarised, and leave but for the blocks that have to stay. undefined when nothing that the
 * user, the agent or a tool said would leave: summarising only former summaries and a program's texts is no use.
 */
export const planCompaction = (view: ContextView, keepTokens: number): CompactionPlan | undefined => {
  const visible = visibleMessages(view)
  const blocksByMessage = new Map<unknown, readonly ViewBlock[]>(
    visible.map(({ message, blocks }) => [message, blocks]),
  )
  const blocksIn = (unit: ConversationUnit): readonly ViewBlock[] =>
    unit.messages.flatMap((message) => blocksByMessage.get(message) ?? [])
  const units = groupIntoUnits(visible.map(({ message }) => message))
  const older = units.slice(
    0,
    firstKept(units, keepTokens, (unit) => sumTokens(view, blocksIn(unit))),
  )

  const fixed = protectedItems(view)
  const gone = older.flatMap(blocksIn).filter((block) => !fixed.has(block))
  if (!gone.some(isNew)) return undefined
  return { messages: soundMessages(older.flatMap(({ messages }) => messages)), gone, goneTokens: sumTokens(view, gone) }
}

/**
 * All visible messages as a provider takes them (pairs repaired), for a summary of the whole; empty for an empty view.
 */
export const wholeConversation = (view: ContextView): readonly ConversationMessage[] =>
  soundMessages(visibleMessages(view).map(({ message }) => message))

/**
 * Whether a block stands for earlier ones: a text that a rewrite put in, or a summary that came with an imported
 * session.
 */
export const isFormer = ({ kind }: Pick<ViewBlock, 'kind'>): boolean => kind === 'inserted' || kind === 'summary'

/** Said by the user, the agent or a tool. */
const isNew = (block: ViewBlock): boolean => !isFormer(block) && block.kind !== 'program'

const sumTokens = (view: ContextView, blocks: readonly ViewBlock[]): number =>
  blocks.reduce((sum, block) => sum + view.tokensSent(block), 0)

/**
 * The index of the first unit that stays: the newest reply and all after it, or the last unit where there is no reply,
 * whatever their size; before it, as many as fit into `keepTokens` together with these.
 */
const firstKept = (
  units: readonly ConversationUnit[],
  keepTokens: number,
  tokensOf: (unit: ConversationUnit) => number,
): number => {
  const newestReply = units.findLastIndex((unit) => unitKind(unit) === 'agent')
  let first = newestReply === -1 ? Math.max(0, units.length - 1) : newestReply
  let tokens = units.slice(first).reduce((sum, unit) => sum + tokensOf(unit), 0)
  for (let before = units[first - 1]; before !== undefined; before = units[first - 1]) {
    tokens += tokensOf(before)
    if (tokens > keepTokens) break
    first -= 1
  }
  return first
}

const OPENING: Message = {
  role: 'user',
  content: [{ type: 'text', text: '(The beginning of the conversation is not shown.)' }],
}
/** Follows the last call, so that it has to be answered. */
const NEXT: Message = { role: 'assistant', content: [{ type: 'text', text: '.' }] }

/**
 * As the conversation's own requests would have them: calls and results paired (also for a call at the end), no blank
 * texts, no reasoning at the end of a reply, the user first, if need be with a made-up message.
 */
const soundMessages = (messages: readonly ConversationMessage[]): readonly ConversationMessage[] => {
  const full = messages
    .map(withoutBlanks)
    .map(withoutLastThinking)
    .filter(({ content }) => content.length > 0)
  const sound: readonly ConversationMessage[] = repairPairs([...full, NEXT]).slice(0, -1)
  const first = sound.find(({ role }) => role !== 'system')
  return first === undefined || first.role === 'user' ? sound : [OPENING, ...sound]
}

const withoutBlanks = (message: ConversationMessage): ConversationMessage =>
  message.content.some(isBlank) ? { ...message, content: message.content.filter((block) => !isBlank(block)) } : message

const isBlank = (block: ContentBlock): boolean => block.type === 'text' && block.text.trim() === ''

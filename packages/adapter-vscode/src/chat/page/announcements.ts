/** What a screen reader is told as the state changes: whole things only, never pieces of a text that is under way. */
import { neutraliseLine, shorten } from '../../text/neutralise.ts'
import type { ChatItem, ChatState, ToolItem } from '../conversation/chat-state.ts'

const LONGEST = 600

/**
 * Returns the sentences that a screen reader says about what is new or changed in the state, and that a turn began or
 * ended; empty if there is nothing to say, and after a change from one session to another or to none.
 */
export const announcements = (before: ChatState, after: ChatState): readonly string[] => {
  if (before.session?.id !== after.session?.id && before.session !== null) return []
  const earlier = new Map(before.items.map((item) => [item.id, item]))
  const sentences = after.items.flatMap((item) =>
    earlier.get(item.id) === item ? [] : sentenceOf(item, earlier.get(item.id)),
  )
  if (before.isWorking && !after.isWorking) return [...sentences, 'The turn has ended.']
  return !before.isWorking && after.isWorking ? ['Working.', ...sentences] : sentences
}

/** Returns what is said about a new or changed item; empty for nothing. A reply is said when it is whole. */
const sentenceOf = (item: ChatItem, before: ChatItem | undefined): readonly string[] => {
  switch (item.kind) {
    case 'reply':
      return item.isOpen ? [] : [shorten(neutraliseLine(item.text), LONGEST)]
    case 'notice':
      return [neutraliseLine(item.text)]
    case 'tool':
      return before?.kind === 'tool' && before.progress === item.progress ? [] : toolSentence(item)
    case 'removed':
      return [`${item.removals.length} blocks left the model's context.`]
    case 'user':
    case 'thinking':
      return []
  }
}

/**
 * Returns what is said about a call: that it needs approval and why, its title when it runs, that it failed, was not
 * run or was interrupted; empty for one that is being prepared or is done.
 */
const toolSentence = ({ title, progress, why = '' }: ToolItem): readonly string[] => {
  const name = neutraliseLine(title)
  switch (progress) {
    case 'waiting':
      return [`Approval needed: ${name}. ${neutraliseLine(why)}`]
    case 'running':
      return [name]
    case 'failed':
      return [`${name} failed.`]
    case 'skipped':
      return [`${name} was not run.`]
    case 'unknown':
      return [`${name} was interrupted.`]
    case 'preparing':
    case 'done':
      return []
  }
}

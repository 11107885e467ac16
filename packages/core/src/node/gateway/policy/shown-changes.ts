/** A decision by the session's own entries, for those who read its log: what was left out of which message. */
import type { BlockChange, Insertion, LogEntry, MessageEntry, RewriteEntry } from '../../../session-log.ts'
import { isThinking } from '../../../context/thinking.ts'
import type { ContentBlock } from '../../../messages.ts'
import type { LiveConversation } from './live-conversation.ts'

/**
 * The changes and texts of a rewrite by the numbers and blocks of the session's log; what that does not hold is left
 * out.
 * @param log the session's messages; without any there are no changes
 * @param rewrites all that are written together, from `logSeq` on
 */
export const shownChanges = (
  rewrite: RewriteEntry,
  log: readonly LogEntry[],
  live: LiveConversation,
  rewrites: readonly RewriteEntry[],
  logSeq: number,
): Pick<RewriteEntry, 'changes' | 'insertions'> => {
  const messages = new Map(log.flatMap((entry) => (entry.kind === 'message' ? [[entry.id, entry] as const] : [])))
  if (messages.size === 0) return { changes: [] }
  const seqOfRewrite = (seq: number): number | undefined => {
    const written = rewrites.findIndex((each) => each.seq === seq)
    return written === -1 ? live.logSeqOf(seq) : logSeq + written
  }
  const changes = rewrite.changes.flatMap((change): readonly BlockChange[] => {
    const spoken = live.spokenBySeq.get(change.seq)
    if (spoken === undefined) {
      const seq = seqOfRewrite(change.seq)
      return seq === undefined ? [] : [{ ...change, seq }]
    }
    const entry = messages.get(spoken.messageId)
    const block =
      entry === undefined ? -1 : positionIn(entry, spoken.content[change.block], spoken.firstBlock + change.block)
    return entry === undefined || block === -1 ? [] : [{ ...change, seq: entry.seq, block }]
  })
  const insertions = rewrite.insertions?.flatMap(({ before, ...insertion }): readonly Insertion[] => {
    if (before === undefined) return [insertion]
    const entry = messages.get(live.spokenBySeq.get(before)?.messageId ?? '')
    return entry === undefined ? [] : [{ ...insertion, before: entry.seq }]
  })
  return { changes, ...(insertions === undefined ? {} : { insertions }) }
}

/**
 * The block of an entry that the client sent as this one: at the same position, or elsewhere where reasoning was left
 * out; -1 for none.
 */
const positionIn = ({ content }: MessageEntry, block: ContentBlock | undefined, at: number): number => {
  if (block === undefined) return -1
  return isSame(content[at], block) ? at : content.findIndex((each) => isSame(each, block))
}

/**
 * Whether two blocks are the same to a client. Never those of different types, or without `left`. Calls and results are
 * compared by id, texts without surrounding space; any two others of one type (images, files, reasoning) are the same,
 * but of type `other` encrypted reasoning only as other such.
 */
const isSame = (left: ContentBlock | undefined, right: ContentBlock): boolean => {
  if (left?.type !== right.type) return false
  if (left.type === 'tool_call' && right.type === 'tool_call') return left.id === right.id
  if (left.type === 'tool_result' && right.type === 'tool_result') return left.callId === right.callId
  if (isThinking(left) || isThinking(right)) return isThinking(left) && isThinking(right)
  return left.type !== 'text' || right.type !== 'text' || left.text.trim() === right.text.trim()
}

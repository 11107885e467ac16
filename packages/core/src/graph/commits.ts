/** Commits in a stretch of a session's log, each where git reported it. */
import type { ToolCallBlock } from '../messages.ts'
import type { LogEntry } from '../session-log.ts'
import { cutText, oneLine } from '../summary/bounded-text.ts'
import { resultText } from '../summary/conversation.ts'
import { commitsIn } from '../summary/git-commits.ts'
import { fileOperationsOf } from '../tracking/file-tools.ts'
import type { GraphNode } from './graph.ts'
import { GRAPH_LIMITS } from './limits.ts'

export interface PlacedCommit {
  readonly hash: string
  readonly subject: string
  /** Git said that it made it; else it was listed. */
  readonly made: boolean
  readonly seq: number
  readonly at: number | null
}

/** In the order of the log. A result whose call is not in the stretch says nothing. */
export const commitsOf = (entries: readonly LogEntry[]): readonly PlacedCommit[] => {
  const calls = new Map<string, ToolCallBlock>()
  return entries.flatMap((entry) => {
    if (entry.kind !== 'message') return []
    return entry.content.flatMap((block): readonly PlacedCommit[] => {
      if (block.type === 'tool_call') calls.set(block.id, block)
      if (block.type !== 'tool_result') return []
      const call = calls.get(block.callId)
      if (call === undefined) return []
      return commitsIn(call, resultText(block), fileOperationsOf(call).length > 0).map((commit) => ({ ...commit, seq: entry.seq, at: entry.at }))
    })
  })
}

/** Abbreviations of one hash differ in length. */
export const isSameHash = (left: string, right: string): boolean => left.startsWith(right) || right.startsWith(left)

/** Of git's shortest abbreviation on, so that one commit is one node however it was written. */
export const commitNode = ({ hash, subject, at }: Pick<PlacedCommit, 'hash' | 'subject' | 'at'>): GraphNode => {
  const id = hash.slice(0, SHORT)
  return { kind: 'commit', id, label: cutText(oneLine(`${id} ${subject}`), GRAPH_LIMITS.labelCharacters), at }
}

const SHORT = 7

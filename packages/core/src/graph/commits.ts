/** Commits in part of a session's log, as reported by git. */
import type { ToolCallBlock } from '../messages.ts'
import { createPendingCalls } from '../pending-calls.ts'
import type { LogEntry } from '../session-log.ts'
import { cutText, oneLine } from '../summary/bounded-text.ts'
import { resultText } from '../summary/conversation.ts'
import { commitsIn } from '../summary/git-commits.ts'
import { fileOperationsOf } from '../file-activity/file-tools.ts'
import type { GraphNode } from './graph.ts'
import { GRAPH_LIMITS } from './limits.ts'
import { messageText } from './question.ts'

/** A commit that a log reports or mentions, and the message. */
export interface LoggedCommit {
  readonly hash: string
  readonly subject: string
  /** Whether git reported creating the commit; otherwise it was only listed. */
  readonly made: boolean
  readonly seq: number
  readonly at: number | null
}

/**
 * The commits reported by results of git calls, in log order. A result whose call is not among `entries` is skipped. A
 * commit only mentioned by a result has `made` false.
 */
export const commitsReported = (entries: readonly LogEntry[]): readonly LoggedCommit[] => {
  const calls = createPendingCalls<ToolCallBlock>({ keepsAnswered: true })
  return entries.flatMap((entry) => {
    if (entry.kind !== 'message') return []
    calls.begin(entry.role)
    return entry.content.flatMap((block): readonly LoggedCommit[] => {
      if (block.type === 'tool_call') calls.add(block.id, block)
      if (block.type !== 'tool_result') return []
      const call = calls.answer(block.callId)
      if (call === undefined) return []
      return commitsIn(call, resultText(block), fileOperationsOf(call).length > 0).map((commit) => ({
        ...commit,
        seq: entry.seq,
        at: entry.at,
      }))
    })
  })
}

/** Whether two hashes, full or abbreviated, may be the same commit: one starts with the other. */
export const isSameHash = (left: string, right: string): boolean => left.startsWith(right) || right.startsWith(left)

const HASHES = /(?<![\w])[0-9a-f]{7,40}(?![\w])/g

/** Possible commit hashes in a text: words of 7 to 40 lower-case hex digits, in order, including repetitions. */
export const hashesIn = (text: string): readonly string[] => [...text.matchAll(HASHES)].map(([hash]) => hash)

/**
 * Gives all reports of one commit the same hash: the shortest abbreviation among them, because a search finds it. The
 * commits keep their order.
 */
export const unifyHashes = <T extends Pick<LoggedCommit, 'hash'>>(commits: readonly T[]): readonly T[] => {
  const hashes = [...new Set(commits.map(({ hash }) => hash))].sort()
  const shown = new Map<string, string>()
  let shortest = ''
  // In order, a hash stands behind its abbreviations.
  for (const hash of hashes) {
    if (shortest === '' || !hash.startsWith(shortest)) shortest = hash
    shown.set(hash, shortest)
  }
  return commits.map((commit) => ({ ...commit, hash: shown.get(commit.hash) ?? commit.hash }))
}

/**
 * The commits of a whole log and the messages that mention them: for a commit made there, where git made it; for any
 * other, every message that mentions it. A session's commits and a commit's sessions therefore count the same way.
 * `wanted` limits the result to this commit, even if it is only mentioned. `made` ones come first.
 */
export const commitsInLog = (log: readonly LogEntry[], wanted?: string): readonly LoggedCommit[] => {
  const reports = unifyHashes(
    commitsReported(log).filter(({ hash }) => wanted === undefined || isSameHash(hash, wanted)),
  )
  const made = reports.filter((commit) => commit.made)
  const makers = new Set(made.map(({ hash }) => hash))
  const others = new Map<string, LoggedCommit>()
  for (const commit of reports) if (!makers.has(commit.hash)) others.set(commit.hash, commit)
  if (wanted !== undefined && makers.size === 0 && others.size === 0)
    others.set(wanted, { hash: wanted, subject: '', made: false, seq: 0, at: null })
  if (others.size === 0) return made
  const named = log.flatMap((entry) => {
    if (entry.kind !== 'message') return []
    const hashes = hashesIn(messageText(entry))
    if (hashes.length === 0) return []
    return [...others.values()].flatMap((commit) =>
      hashes.some((hash) => isSameHash(hash, commit.hash)) ? [{ ...commit, seq: entry.seq, at: entry.at }] : [],
    )
  })
  return [...made, ...named]
}

/**
 * The graph node of a commit, labelled with its hash and shortened subject; see {@link unifyHashes} for its id. `at` is
 * in ms.
 */
export const commitNode = ({ hash, subject, at }: Pick<LoggedCommit, 'hash' | 'subject' | 'at'>): GraphNode => ({
  kind: 'commit',
  id: hash,
  label: cutText(oneLine(`${hash} ${subject}`), GRAPH_LIMITS.labelCharacters),
  at,
})

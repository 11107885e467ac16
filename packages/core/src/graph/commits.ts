/** Commits in a stretch of a session's log, each where git reported it. */
import type { ToolCallBlock } from '../messages.ts'
import type { LogEntry } from '../session-log.ts'
import { cutText, oneLine } from '../summary/bounded-text.ts'
import { resultText } from '../summary/conversation.ts'
import { commitsIn } from '../summary/git-commits.ts'
import { fileOperationsOf } from '../file-activity/file-tools.ts'
import type { GraphNode } from './graph.ts'
import { GRAPH_LIMITS } from './limits.ts'
import { messageText } from './question.ts'

/** A commit that a log reports or names, and at which message. */
export interface LoggedCommit {
  readonly hash: string
  readonly subject: string
  /** Whether git reported that it created the commit; else it was only listed. */
  readonly made: boolean
  readonly seq: number
  readonly at: number | null
}

/**
 * The commits that results of git calls report, in log order. A result whose call is not among `entries` is left out.
 */
export const commitsReported = (entries: readonly LogEntry[]): readonly LoggedCommit[] => {
  const calls = new Map<string, ToolCallBlock>()
  return entries.flatMap((entry) => {
    if (entry.kind !== 'message') return []
    return entry.content.flatMap((block): readonly LoggedCommit[] => {
      if (block.type === 'tool_call') calls.set(block.id, block)
      if (block.type !== 'tool_result') return []
      const call = calls.get(block.callId)
      if (call === undefined) return []
      return commitsIn(call, resultText(block), fileOperationsOf(call).length > 0).map((commit) => ({
        ...commit,
        seq: entry.seq,
        at: entry.at,
      }))
    })
  })
}

/** Whether two hashes, whole or abbreviated, may be of one commit: one begins with the other. */
export const isSameHash = (left: string, right: string): boolean => left.startsWith(right) || right.startsWith(left)

const HASHES = /(?<![\w])[0-9a-f]{7,40}(?![\w])/g

/** What may be a commit hash: words of 7 to 40 lower-case hex digits, in order, repeated ones too. */
export const hashesIn = (text: string): readonly string[] => [...text.matchAll(HASHES)].map(([hash]) => hash)

/**
 * Gives all reports of one commit the same hash: the shortest abbreviation among them, as that one is found by a
 * search.
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
 * The commits of a whole log and the messages that name them: of one that git made there, where it did; of another one
 * every message that names it. So a session's commits and a commit's sessions count the same. `wanted`: only this
 * commit, also where it is only named.
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
 * The graph node of a commit, labelled with its hash and subject, cut; see {@link unifyHashes} for its id. `at`: ms.
 */
export const commitNode = ({ hash, subject, at }: Pick<LoggedCommit, 'hash' | 'subject' | 'at'>): GraphNode => ({
  kind: 'commit',
  id: hash,
  label: cutText(oneLine(`${hash} ${subject}`), GRAPH_LIMITS.labelCharacters),
  at,
})

/** Commits in a stretch of a session's log, each where git reported it. */
import type { ToolCallBlock } from '../messages.ts'
import type { LogEntry } from '../session-log.ts'
import { cutText, oneLine } from '../summary/bounded-text.ts'
import { resultText } from '../summary/conversation.ts'
import { commitsIn } from '../summary/git-commits.ts'
import { fileOperationsOf } from '../file-activity/file-tools.ts'
import type { GraphNode } from './graph.ts'
import { GRAPH_LIMITS } from './limits.ts'
import { textOfMessage } from './question.ts'

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
      return commitsIn(call, resultText(block), fileOperationsOf(call).length > 0).map((commit) => ({
        ...commit,
        seq: entry.seq,
        at: entry.at,
      }))
    })
  })
}

/** Abbreviations of one hash differ in length. */
export const isSameHash = (left: string, right: string): boolean => left.startsWith(right) || right.startsWith(left)

const HASHES = /(?<![\w])[0-9a-f]{7,40}(?![\w])/g

/** What may be a commit's hash in a text, in any of its lengths. */
export const hashesIn = (text: string): readonly string[] => [...text.matchAll(HASHES)].map(([hash]) => hash)

/** Gives reports of one commit one hash: the shortest form in which it stands there, which is a word that can be looked for. */
export const asOneHash = <T extends Pick<PlacedCommit, 'hash'>>(commits: readonly T[]): readonly T[] => {
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
 * every message that names it. So a session's commits and a commit's sessions count the same.
 */
export const commitsNamedIn = (log: readonly LogEntry[], wanted?: string): readonly PlacedCommit[] => {
  const reports = asOneHash(commitsOf(log).filter(({ hash }) => wanted === undefined || isSameHash(hash, wanted)))
  const made = reports.filter((commit) => commit.made)
  const makers = new Set(made.map(({ hash }) => hash))
  const others = new Map<string, PlacedCommit>()
  for (const commit of reports) if (!makers.has(commit.hash)) others.set(commit.hash, commit)
  if (wanted !== undefined && makers.size === 0 && others.size === 0)
    others.set(wanted, { hash: wanted, subject: '', made: false, seq: 0, at: null })
  if (others.size === 0) return made
  const named = log.flatMap((entry) => {
    if (entry.kind !== 'message') return []
    const hashes = hashesIn(textOfMessage(entry))
    if (hashes.length === 0) return []
    return [...others.values()].flatMap((commit) =>
      hashes.some((hash) => isSameHash(hash, commit.hash)) ? [{ ...commit, seq: entry.seq, at: entry.at }] : [],
    )
  })
  return [...made, ...named]
}

/** A commit is one node by its hash as it stands: see {@link asOneHash}. */
export const commitNode = ({ hash, subject, at }: Pick<PlacedCommit, 'hash' | 'subject' | 'at'>): GraphNode => ({
  kind: 'commit',
  id: hash,
  label: cutText(oneLine(`${hash} ${subject}`), GRAPH_LIMITS.labelCharacters),
  at,
})

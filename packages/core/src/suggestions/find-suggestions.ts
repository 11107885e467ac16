/**
 * What the last sessions of a project have in common. The thresholds were measured on recorded sessions, by how often a
 * finding is used again in the next five: a check in four of ten sessions 86 %, a first file in five of ten 80 % (in three
 * of ten only 53 %), the branch's edited files in its next session 86 %.
 */
import type { MemoryKind } from '../ports/memory-storage.ts'
import type { SessionSummary } from '../ports/session-storage.ts'
import { dayText } from '../time-text.ts'
import type { SessionHabits } from './session-habits.ts'
import type { SuggestionEvidence, SuggestionRule } from './suggestions.ts'

/** A session with what it did. */
export interface ObservedSession {
  readonly session: SessionSummary
  readonly habits: SessionHabits
}

/** A finding before it is compared with what is known. */
export interface Finding {
  readonly rule: SuggestionRule
  readonly kind: MemoryKind
  /** What it is about, exactly: the command, the path, the branch. */
  readonly subject: string
  readonly text: string
  readonly sessions: number
  readonly of: number
  readonly evidence: readonly SuggestionEvidence[]
  /** Files that the memory entry cites. */
  readonly files: readonly string[]
}

/** So many of the last sessions are looked at. */
export const SESSIONS_LOOKED_AT = 10
const LEAST_FOR_CHECK = 4
const LEAST_FOR_FIRST_FILE = 5
const BRANCH_FILES = 5
/** Branches on which everybody works on everything. */
const TRUNKS = new Set(['main', 'master', 'trunk', 'develop', 'development', 'dev', 'HEAD'])

/**
 * Whether the files of a branch's last session say anything about its next one: not for an empty name or a trunk such
 * as `main`.
 */
export const isTopicBranch = (branch: string): boolean => branch !== '' && !TRUNKS.has(branch)

/**
 * Checks that at least 4 of the sessions ran, then files that at least 5 began with; of each the most frequent first,
 * then by name. `observed` holds at most a window.
 */
export const sharedFindings = (observed: readonly ObservedSession[]): readonly Finding[] => [
  ...frequent(observed, ({ checks }) => checks, LEAST_FOR_CHECK).map(({ subject, seen }): Finding => ({
    rule: 'check-command',
    kind: 'workflow',
    subject,
    text: `Sessions check their work with: ${subject}`,
    sessions: seen.length,
    of: observed.length,
    evidence: seen,
    files: [],
  })),
  ...frequent(observed, ({ firstFiles }) => firstFiles, LEAST_FOR_FIRST_FILE).map(({ subject, seen }): Finding => ({
    rule: 'first-file',
    kind: 'discovery',
    subject,
    text: `Sessions begin with this file: ${subject}`,
    sessions: seen.length,
    of: observed.length,
    evidence: seen,
    files: [subject],
  })),
]

/**
 * The files that the branch's last session edited, the last edited first, at most `BRANCH_FILES` of them by name;
 * undefined when it edited none.
 */
export const branchFinding = (branch: string, { session, habits }: ObservedSession): Finding | undefined => {
  const edited = [...habits.edited].reverse()
  const [last] = edited
  if (last === undefined) return undefined
  const files = edited.slice(0, BRANCH_FILES).map(([path]) => path)
  const more = edited.length - files.length
  const when = session.updatedAt === null ? '' : ` on ${dayText(session.updatedAt)}`
  return {
    rule: 'branch-files',
    kind: 'discovery',
    subject: JSON.stringify([branch, session.id]),
    text: `The last session of branch ${branch}${when} edited: ${files.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
    sessions: 1,
    of: 1,
    evidence: [evidenceOf(session, last[1])],
    files,
  }
}

interface Seen {
  readonly subject: string
  readonly seen: readonly SuggestionEvidence[]
}

/**
 * What at least so many sessions have, the most frequent first, with the message of each. Equally frequent ones by
 * name.
 */
const frequent = (
  observed: readonly ObservedSession[],
  namesOf: (habits: SessionHabits) => ReadonlyMap<string, string>,
  least: number,
): readonly Seen[] => {
  const seen = new Map<string, SuggestionEvidence[]>()
  for (const { session, habits } of observed)
    for (const [name, messageId] of namesOf(habits))
      seen.set(name, [...(seen.get(name) ?? []), evidenceOf(session, messageId)])
  return [...seen]
    .flatMap(([subject, evidence]) => (evidence.length >= least ? [{ subject, seen: evidence }] : []))
    .sort((left, right) => right.seen.length - left.seen.length || (left.subject < right.subject ? -1 : 1))
}

/** A session as evidence, by one of its messages. */
const evidenceOf = ({ id, externalId, updatedAt, title }: SessionSummary, messageId: string): SuggestionEvidence => ({
  sessionId: id,
  externalId,
  messageId,
  at: updatedAt,
  title,
})

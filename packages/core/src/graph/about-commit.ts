/**
 * What is known about a commit: the session that made it, files edited before it, sessions that mention it, entries
 * learned from it.
 */
import { relativePath } from '../file-activity/file-activity.ts'
import { findCommitMentions, type Mention } from './commit-mentions.ts'
import { commitNode, commitsInLog, commitsReported, hashesIn, isSameHash, type LoggedCommit } from './commits.ts'
import type { GraphNode } from './graph.ts'
import { GRAPH_LIMITS } from './limits.ts'
import { plainPath } from './paths.ts'
import { entryNode, fileNode, sessionNodeById, type Question } from './question.ts'
import type { LogEntry } from '../session-log.ts'

/** A commit hash, full or abbreviated to at least seven digits. */
export const HASH = /^[0-9a-f]{7,40}$/i

/**
 * The node of a commit (by its full or abbreviated hash). Adds to the question's links the sessions that report or
 * mention it, and related files and entries. Undefined if it is not 7 to 40 hex digits, or if no message and no entry
 * names it. Files are linked only for a commit made in a session, within the question's period.
 */
export const aboutCommit = async (text: string, question: Question): Promise<GraphNode | undefined> => {
  const hash = text.trim().toLowerCase()
  if (!HASH.test(hash)) return undefined
  const mentions = await findCommitMentions(hash, question)
  const logs = await readCommitLogs(hash, mentions, question)
  addSessions(logs, mentions, question)
  for (const commitLog of logs)
    for (const commit of commitLog.commits)
      if (commit.made && question.isInPeriod(commit.at)) await addFiles(commit, commitLog, question)
  const makers = logs.filter(({ commits }) => commits.some(({ made }) => made))
  const hasEntries = await addEntries(hash, new Set(makers.map(({ sessionId }) => sessionId)), question)
  if (mentions.length === 0 && !hasEntries) return undefined
  return nodeOf(
    hash,
    logs.flatMap(({ commits }) => commits),
    mentions,
  )
}

/**
 * The node of a commit: the shortest hash that it was asked or logged by; subject and time from where it was made, else
 * from a report with a subject; without one, no subject and the time of the newest mention.
 */
const nodeOf = (hash: string, commits: readonly LoggedCommit[], mentions: readonly Mention[]): GraphNode => {
  const told = commits.find(({ made }) => made) ?? commits.find(({ subject }) => subject !== '')
  const shortest = commits.reduce((least, commit) => (commit.hash.length < least.length ? commit.hash : least), hash)
  return commitNode({ hash: shortest, subject: told?.subject ?? '', at: told?.at ?? mentions[0]?.at ?? null })
}

/**
 * Links the sessions that made or mention the commit, once per message, within the question's period; from `mentions`
 * only sessions whose log was not read or does not show it.
 */
const addSessions = (
  logs: readonly CommitLog[],
  mentions: readonly Mention[],
  { links, isInPeriod }: Question,
): void => {
  for (const { sessionId, commits } of logs)
    for (const { made, at } of commits)
      if (isInPeriod(at)) links.add(made ? 'committed' : 'mentions', sessionNodeById(sessionId, at), at)
  // Of sessions that were not read, and of messages whose text only the index has.
  const counted = new Set(logs.flatMap(({ sessionId, commits }) => (commits.length > 0 ? [sessionId] : [])))
  for (const { sessionId, at } of mentions)
    if (!counted.has(sessionId)) links.add('mentions', sessionNodeById(sessionId, at), at)
}

interface CommitLog {
  readonly sessionId: string
  readonly log: readonly LogEntry[]
  readonly commits: readonly LoggedCommit[]
}

/**
 * What sessions' logs say about the commit. The oldest mentions come first, because a commit is made before it is
 * mentioned. At most `GRAPH_LIMITS.sessions` logs are read.
 */
const readCommitLogs = async (
  hash: string,
  mentions: readonly Mention[],
  { sessions }: Question,
): Promise<readonly CommitLog[]> => {
  const oldestFirst = [
    ...new Set(
      mentions
        .toSorted((left, right) => (left.at ?? Infinity) - (right.at ?? Infinity))
        .map(({ sessionId }) => sessionId),
    ),
  ]
  const logs: CommitLog[] = []
  for (const sessionId of oldestFirst.slice(0, GRAPH_LIMITS.sessions)) {
    const log = await sessions.read(sessionId, { kinds: ['message'] })
    logs.push({ sessionId, log, commits: commitsInLog(log, hash) })
  }
  return logs
}

/**
 * Links the files that the session edited between its previous commit and this one. Without an earlier commit, from the
 * session's start.
 */
const addFiles = async (
  { seq, at }: LoggedCommit,
  { sessionId, log }: CommitLog,
  { links, search, session }: Question,
): Promise<void> => {
  if (!links.wants('file')) return
  const before = commitsReported(log).findLast((commit) => commit.made && commit.seq < seq)
  const its = await session(sessionId)
  const touches = await search.touches({
    sessionId,
    ...(at === null ? {} : { until: at + 1 }),
    limit: GRAPH_LIMITS.touches,
  })
  for (const touch of touches)
    if (touch.operation === 'edit' && touch.seq < seq && touch.seq > (before?.seq ?? -1))
      links.add(
        'edited',
        fileNode(relativePath(plainPath(touch.path), its?.workspace ?? undefined), touch.at),
        touch.at,
      )
}

/**
 * Links the memory entries that were learnt at the commit or cite its hash in text or examples (learnt wins); false if
 * there are none. Only entries in the period count, of the query's workspace, else of these sessions', else of all.
 * `sessionIds`: those that made the commit.
 */
const addEntries = async (hash: string, sessionIds: ReadonlySet<string>, question: Question): Promise<boolean> => {
  const sessions = await Promise.all([...sessionIds].map((id) => question.session(id)))
  const entries = (await question.entriesOf(sessions.flatMap((each) => each ?? []))).filter(({ lastConfirmedAt }) =>
    question.isInPeriod(lastConfirmedAt),
  )
  let isAny = false
  for (const entry of entries) {
    const isLearnt = entry.commit !== null && isSameHash(entry.commit.toLowerCase(), hash)
    const isCited = [entry.text, ...entry.examples].some((part) =>
      hashesIn(part).some((each) => isSameHash(each, hash)),
    )
    if (!isLearnt && !isCited) continue
    isAny = true
    question.links.add(isLearnt ? 'learnt-in' : 'cites', entryNode(entry), entry.lastConfirmedAt)
  }
  return isAny
}

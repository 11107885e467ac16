/**
 * What is known about a session: its files, commits and symbols, what was learned in it, and its origin. Reads one log.
 */
import type { SessionSummary } from '../ports/session-storage.ts'
import { relativePath } from '../file-activity/file-activity.ts'
import { RELATION_BY_OPERATION } from './about-file.ts'
import { commitNode, commitsInLog } from './commits.ts'
import type { GraphNode } from './graph.ts'
import { GRAPH_LIMITS } from './limits.ts'
import { plainPath } from './paths.ts'
import {
  addSymbols,
  ambiguousError,
  editsIn,
  entryNode,
  fileNode,
  sessionNodeById,
  sessionNode,
  type Question,
} from './question.ts'

/**
 * The node of a session. Adds to the question's links its files, commits, symbols, entries and the session it was
 * forked from. Undefined if no session is found (see {@link findSession}); rejects with `ambiguous` for several. With
 * times in the query, only what happened in them is linked; the session it was forked from always is.
 */
export const aboutSession = async (text: string, question: Question): Promise<GraphNode | undefined> => {
  const session = await findSession(text, question)
  if (session === undefined) return undefined
  const { links, isInPeriod } = question
  const log =
    links.wants('commit') || links.wants('symbol')
      ? (await question.sessions.read(session.id, { kinds: ['message'] })).filter(({ at }) => isInPeriod(at))
      : []
  await addFiles(session, question)
  if (session.forkedFrom !== undefined)
    links.add('forked-from', sessionNodeById(session.forkedFrom, session.startedAt), session.startedAt)
  if (links.wants('commit'))
    for (const commit of commitsInLog(log))
      links.add(commit.made ? 'committed' : 'mentions', commitNode(commit), commit.at)
  if (links.wants('symbol')) {
    const edits = log.flatMap((entry) => editsIn(entry))
    addSymbols(question, edits.slice(-GRAPH_LIMITS.edits))
  }
  if (links.wants('entry')) {
    // What was learnt in it may be kept for another project.
    const entries = await question.entriesOfAll()
    for (const entry of entries)
      if (entry.sessionId === session.id && isInPeriod(entry.lastConfirmedAt))
        links.add('learnt-in', entryNode(entry), entry.lastConfirmedAt)
  }
  return sessionNode(session)
}

/** Links the files of its newest reads, edits and mentions, from the index; nothing unless files are asked for. */
const addFiles = async (
  { id, workspace }: SessionSummary,
  { links, search, period: { since, until } }: Question,
): Promise<void> => {
  if (!links.wants('file')) return
  const touches = await search.touches({
    sessionId: id,
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    limit: GRAPH_LIMITS.touches,
  })
  for (const { path, operation, at } of touches)
    links.add(RELATION_BY_OPERATION[operation], fileNode(relativePath(plainPath(path), workspace ?? undefined), at), at)
}

/**
 * The session whose id, in the store or in its agent, is the text, else starts with it. Undefined for an empty text or
 * if there is none.
 * @throws CairnError `ambiguous` if there are several
 */
export const findSession = async (
  text: string,
  { sessions }: Pick<Question, 'sessions'>,
): Promise<SessionSummary | undefined> => {
  if (text === '') return undefined
  const found = await sessions.resolve(text, GRAPH_LIMITS.named + 1)
  if (found.length > 1)
    throw ambiguousError(
      text,
      'sessions',
      found.map(({ id }) => id),
    )
  return found[0]
}

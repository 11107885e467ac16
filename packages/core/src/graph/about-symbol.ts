/**
 * What is known about a symbol: messages and sessions that mention it, files touched there, entries that mention it.
 */
import type { SearchHit } from '../ports/search-index.ts'
import { relativePath } from '../file-activity/file-activity.ts'
import { RELATION_BY_OPERATION } from './about-file.ts'
import type { GraphNode } from './graph.ts'
import { GRAPH_LIMITS } from './limits.ts'
import { latest, newestFirst } from './links.ts'
import { plainPath } from './paths.ts'
import {
  entryNode,
  fileNode,
  firstDistinct,
  messageNode,
  sessionNodeById,
  symbolNode,
  touchesIn,
  type Question,
} from './question.ts'
import { wholeWordPattern } from './symbols.ts'

/**
 * The node of a symbol. Adds to the question's links the messages, sessions and entries that contain it as a whole
 * word, and files that such messages touched. Undefined if no message or entry does. Of the best `GRAPH_LIMITS.hits`
 * found by a search; case counts.
 */
export const aboutSymbol = async (text: string, question: Question): Promise<GraphNode | undefined> => {
  const name = text.trim()
  const pattern = wholeWordPattern(name)
  const found = await question.search.search({ text: name, ...question.period, limit: GRAPH_LIMITS.hits })
  const hits = found.filter((hit) => pattern.test(hit.text)).toSorted(newestFirst)
  for (const hit of hits) question.links.add('mentions', sessionNodeById(hit.sessionId, hit.at), hit.at)
  for (const { sessionId, seq, text: hitText, at } of hits.slice(0, GRAPH_LIMITS.messages))
    question.links.add('mentions', messageNode(sessionId, seq, lineWith(pattern, hitText), at), at)
  const newest = firstDistinct(
    hits.map(({ sessionId }) => sessionId),
    GRAPH_LIMITS.sessions,
  )
  await addFiles(hits, newest, question)
  const entries = await addEntries(pattern, newest, question)
  if (hits.length === 0 && !entries) return undefined
  return symbolNode(
    name,
    hits.reduce<number | null>((at, hit) => latest(at, hit.at), null),
  )
}

/**
 * Links files touched by the messages that mention it: by the message's own call, or by the call whose result it is.
 * Nothing unless files are asked for.
 */
const addFiles = async (
  hits: readonly SearchHit[],
  sessionIds: readonly string[],
  { links, search, session, period }: Question,
): Promise<void> => {
  if (!links.wants('file')) return
  const bySession = await touchesIn(sessionIds, { search, period })
  for (const [sessionId, touches] of bySession) {
    const positions = new Set(
      hits.flatMap((hit) =>
        hit.sessionId === sessionId ? (hit.role === 'tool' ? [hit.seq, hit.seq - 1] : [hit.seq]) : [],
      ),
    )
    const its = await session(sessionId)
    for (const { path, operation, seq, at } of touches)
      if (positions.has(seq))
        links.add(
          RELATION_BY_OPERATION[operation],
          fileNode(relativePath(plainPath(path), its?.workspace ?? undefined), at),
          at,
        )
  }
}

/**
 * Links the memory entries whose text or examples match, in the period: of the query's workspace, else of these
 * sessions', else of all; false if there are none.
 */
const addEntries = async (pattern: RegExp, sessionIds: readonly string[], question: Question): Promise<boolean> => {
  const sessions = await Promise.all(sessionIds.map((id) => question.session(id)))
  const entries = (await question.entriesOf(sessions.flatMap((each) => each ?? []))).filter(
    ({ text, examples, lastConfirmedAt }) =>
      question.isInPeriod(lastConfirmedAt) && [text, ...examples].some((part) => pattern.test(part)),
  )
  for (const entry of entries) question.links.add('names', entryNode(entry), entry.lastConfirmedAt)
  return entries.length > 0
}

const lineWith = (pattern: RegExp, text: string): string => text.split('\n').find((line) => pattern.test(line)) ?? text

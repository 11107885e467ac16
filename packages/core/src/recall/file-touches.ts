/** Which messages touched which files by their tools. */
import type { FileTouch, TouchQuery } from '../ports/search-index.ts'
import { limitsOf } from './conditions.ts'
import { corpusOf } from './index/corpus.ts'
import { FILE_OPERATIONS } from './index/document.ts'
import { touchesOf } from './index/touches.ts'
import { firstOf } from './order.ts'
import type { RecallSource } from './recall-source.ts'

const DEFAULT_TOUCHES = 1_000

export const fileTouches = async (source: RecallSource, query: TouchQuery): Promise<readonly FileTouch[]> => {
  const index = await source.open({ workspace: query.workspace, sessionId: query.sessionId })
  const { limit = DEFAULT_TOUCHES } = query
  const near = firstOf(
    touchesOf(index.view, corpusOf(index.view, limitsOf(query, index)), query.file).map((touch) => ({
      ...touch,
      score: 0,
    })),
    limit,
    undefined,
  )
  const facts = await source.sessions([...new Set(near.map(({ session }) => session))])
  const known = near.filter(({ session }) => facts.has(session))
  return firstOf(known, limit, (session) => facts.get(session)?.id ?? '').map(
    ({ path, operation, session, seq, at }) => ({
      path,
      operation: FILE_OPERATIONS[operation] ?? 'mention',
      sessionId: facts.get(session)?.id ?? '',
      seq,
      at: Number.isNaN(at) ? null : at,
    }),
  )
}

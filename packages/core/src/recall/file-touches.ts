/** Lists which messages touched which files by tools. */
import type { FileTouch, TouchQuery } from '../ports/search-index.ts'
import { corpusLimits } from './conditions.ts'
import { selectCorpus } from './index/corpus.ts'
import { FILE_OPERATIONS } from './index/message-codec.ts'
import { listFileTouches } from './index/touches.ts'
import { takeBest } from './result-order.ts'
import type { RecallSource } from './recall-source.ts'

const DEFAULT_TOUCHES = 1_000

/**
 * What tools did (`read`, `edit`, `mention`) to a file, given by its path or the last parts of one, or to all files,
 * newest first; at most `limit` (default 1,000). Touches of deleted sessions are left out; one whose time is not known
 * has null. Rejects as the source does.
 */
export const fileTouches = async (source: RecallSource, query: TouchQuery): Promise<readonly FileTouch[]> => {
  const index = await source.open({
    workspace: query.workspace,
    sessionId: query.sessionId,
    sessionIds: query.sessionIds,
  })
  const { limit = DEFAULT_TOUCHES } = query
  const near = takeBest(
    listFileTouches(index.view, selectCorpus(index.view, corpusLimits(query, index)), query.file).map((touch) => ({
      ...touch,
      score: 0,
    })),
    limit,
    undefined,
  )
  const facts = await source.sessions([...new Set(near.map(({ session }) => session))])
  const known = near.filter(({ session }) => facts.has(session))
  return takeBest(known, limit, (session) => facts.get(session)?.id ?? '').map(
    ({ path, operation, session, seq, at }) => ({
      path,
      operation: FILE_OPERATIONS[operation] ?? 'mention',
      sessionId: facts.get(session)?.id ?? '',
      seq,
      at: Number.isNaN(at) ? null : at,
    }),
  )
}

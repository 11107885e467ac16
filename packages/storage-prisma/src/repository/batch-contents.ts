/** What an import batch has of each session. */
import type { ImportBatch } from '@cairn/core'
import type { SessionContent } from './prepared-content.ts'

/** The batch by session: entries and source lines of a session share a pack. */
export const contentsOf = (batch: Pick<ImportBatch, 'sessions' | 'source'>): readonly SessionContent[] => {
  const byId = new Map<
    string,
    {
      session: SessionContent['session']
      writes: SessionContent['writes'][number][]
      runs: SessionContent['runs'][number][]
    }
  >()
  for (const { session, writes } of batch.sessions) {
    const known = byId.get(session.id)
    if (known === undefined) byId.set(session.id, { session, writes: [...writes], runs: [] })
    else {
      known.session = { ...known.session, ...session }
      known.writes.push(...writes)
    }
  }
  for (const run of batch.source) byId.get(run.sessionId)?.runs.push(run)
  return [...byId.values()]
}

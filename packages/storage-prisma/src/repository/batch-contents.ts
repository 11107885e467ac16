/** The content of a batch, session by session, on its way to being prepared: drafted by this thread or by another. */
import type { ImportBatch } from '@cairn/core'
import type { TextFacts } from '../packs/pack-draft.ts'
import type { CompletedContent, RunFacts, SessionContent, StoredTexts } from './prepared-content.ts'

/** A session's drafted content. */
interface DraftedContent extends Pick<SessionContent, 'session' | 'writes'> {
  readonly runs: readonly RunFacts[]
  readonly texts: readonly TextFacts[]
}

export interface CompleteOptions {
  /** Messages may have to go to the tail one by one, also where they are many. */
  readonly forTail?: boolean
}

/** Drafted contents, and what completes them. */
export interface ContentWork {
  readonly contents: readonly DraftedContent[]
  /** Completes all contents, once it is known what is stored of each; may be called again. */
  readonly complete: (stored: readonly StoredTexts[], options: CompleteOptions) => Promise<readonly CompletedContent[]>
  /** The drafts are not needed any more. */
  readonly release: () => void
}

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

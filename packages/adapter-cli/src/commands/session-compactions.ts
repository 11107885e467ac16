/** What each compaction of a session left of its context: the log says at most what was there before. */
import type { Engine } from '@cairn/core'

/** How large a session's context was around a compaction. */
export interface CompactionSizes {
  /** The compaction's number in the log. */
  readonly seq: number
  /** Tokens, as the log says or the request before was counted; null where neither is known. */
  readonly tokensBefore: number | null
  /** Tokens of the next request's input; null where none came after it. */
  readonly tokensAfter: number | null
}

/**
 * The compactions of a session in the order of its log; empty, and nothing else is read, where there is none.
 * @param at ms: without what came later; undefined: as the session is now
 */
export const compactionSizes = async (
  sessionId: string,
  at: number | undefined,
  { store, insights }: Pick<Engine, 'store' | 'insights'>,
): Promise<readonly CompactionSizes[]> => {
  const [first] = await store.sessions.read(sessionId, { kinds: ['compaction'], limit: 1 })
  if (first === undefined) return []
  const isThere = (time: number | null): boolean => at === undefined || time === null || time <= at
  const { marks, requests } = await insights.outline(sessionId)
  return marks.flatMap((mark): readonly CompactionSizes[] => {
    const { kind, seq, tokensBefore, tokensAfter, before } = mark
    if (kind !== 'compaction' || seq === null || !isThere(mark.at)) return []
    return [{ seq, tokensBefore, tokensAfter: isThere(requests[before]?.at ?? null) ? tokensAfter : null }]
  })
}

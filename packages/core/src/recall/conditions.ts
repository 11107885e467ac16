/** Applies the conditions of a query to a view: which messages are counted, and which of them are found. */
import type { SearchQuery } from '../ports/search-index.ts'
import { authorHash } from '../text-analysis/author.ts'
import { ROLE_BITS } from '../text-analysis/message-analysis.ts'
import type { CorpusLimits } from './index/corpus.ts'
import type { Segment } from './index/segment.ts'
import { narrowMaskToFile } from './index/touches.ts'
import { segmentOfMessage, type View } from './index/view.ts'
import type { MessagePosition, RecallIndex } from './recall-source.ts'

/**
 * The conditions of a query that narrow the statistics which scores are computed from: sessions of the scope, and
 * times. Author, role, file and branch only narrow what is found ({@link messageMask}).
 */
export const corpusLimits = (
  { since, until }: Pick<SearchQuery, 'since' | 'until'>,
  { sessions }: RecallIndex,
): CorpusLimits => ({
  ...(sessions === undefined ? {} : { sessions }),
  ...(since === undefined ? {} : { since }),
  ...(until === undefined ? {} : { until }),
})

/**
 * By message in storage order, 1 when role, author, file and branch let it through; undefined when all are let through.
 * These conditions narrow what is found, not the statistics that scores are computed from.
 */
export const messageMask = (
  view: View,
  { role, author, file }: Pick<SearchQuery, 'role' | 'author' | 'file'>,
  { onBranch }: RecallIndex,
): Uint8Array | undefined => {
  if (role === undefined && author === undefined && file === undefined && onBranch === undefined) return undefined
  const mask = new Uint8Array(view.messages)
  const isWanted = messageCondition(role, author)
  for (const { segment, messageBase } of view.segments) {
    for (const [run, session] of segment.runSession.entries()) {
      if (onBranch?.has(session) === false) continue
      const end = segment.runStart[run + 1] ?? 0
      for (let message = segment.runStart[run] ?? 0; message < end; message += 1)
        if (isWanted(segment, message)) mask[messageBase + message] = 1
    }
  }
  if (file !== undefined) narrowMaskToFile(view, mask, file)
  return mask
}

/** A test for messages by role and author; without both all pass. */
const messageCondition = (role: SearchQuery['role'], author: string | undefined) => {
  const wantedAuthor = author === undefined ? undefined : authorHash(author)
  const wantedRole = role === undefined ? undefined : ROLE_BITS[role]
  return ({ author: authors, flags }: Segment, message: number): boolean =>
    (wantedAuthor === undefined || authors[message] === wantedAuthor) &&
    (wantedRole === undefined || ((flags[message] ?? 0) & 3) === wantedRole)
}

/** Session, sequence number and time (ms, NaN when not known) of a message, given its number in storage order. */
export const messagePosition = (view: View, message: number): MessagePosition & { readonly at: number } => {
  const { segment, messageBase, passageBase } = segmentOfMessage(view, message)
  const local = message - messageBase
  return {
    session: view.sessions[view.sessionOf[passageBase + (segment.firstPassage[local] ?? 0)] ?? 0] ?? 0,
    seq: segment.seq[local] ?? 0,
    at: segment.at[local] ?? Number.NaN,
  }
}

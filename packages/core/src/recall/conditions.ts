/** A question's conditions on a view: what is counted, and what of it is shown. */
import type { SearchQuery } from '../ports/search-index.ts'
import { authorHash } from '../text-analysis/author.ts'
import { ROLE_BITS } from '../text-analysis/message-analysis.ts'
import type { CorpusLimits } from './index/corpus.ts'
import { keepTouching } from './index/touches.ts'
import { segmentOf, type View } from './index/view.ts'
import type { MessagePlace, RecallIndex } from './recall-source.ts'

export const limitsOf = (
  { since, until }: Pick<SearchQuery, 'since' | 'until'>,
  { sessions }: RecallIndex,
): CorpusLimits => ({
  ...(sessions === undefined ? {} : { sessions }),
  ...(since === undefined ? {} : { since }),
  ...(until === undefined ? {} : { until }),
})

/** By message in storage order, 1: role, author, file and branch let it through; undefined: all. They only narrow what is found, not what is counted. */
export const maskOf = (
  view: View,
  { role, author, file }: Pick<SearchQuery, 'role' | 'author' | 'file'>,
  { onBranch }: RecallIndex,
): Uint8Array | undefined => {
  if (role === undefined && author === undefined && file === undefined && onBranch === undefined) return undefined
  const mask = new Uint8Array(view.messages)
  const by = author === undefined ? undefined : authorHash(author)
  for (const { segment, messageBase } of view.segments) {
    for (let run = 0; run < segment.runSession.length; run += 1) {
      if (onBranch?.has(segment.runSession[run] ?? 0) === false) continue
      for (let message = segment.runStart[run] ?? 0; message < (segment.runStart[run + 1] ?? 0); message += 1) {
        if (by !== undefined && segment.author[message] !== by) continue
        if (role === undefined || ((segment.flags[message] ?? 0) & 3) === ROLE_BITS[role])
          mask[messageBase + message] = 1
      }
    }
  }
  if (file !== undefined) keepTouching(view, mask, file)
  return mask
}

/** Where a message (by its number in storage order) lies in the log. */
export const placeOf = (view: View, message: number): MessagePlace & { readonly at: number } => {
  const { segment, messageBase, passageBase } = segmentOf(view, message)
  const local = message - messageBase
  return {
    session: view.sessions[view.sessionOf[passageBase + (segment.firstPassage[local] ?? 0)] ?? 0] ?? 0,
    seq: segment.seq[local] ?? 0,
    at: segment.at[local] ?? Number.NaN,
  }
}

/** The score of CLIO's session search: points for the query as a phrase and for each keyword, as substrings. */
import type { Baseline, BaselineMessage } from './baseline.ts'

const PHRASE = 3
const KEYWORD = 1
/** For a message that holds most of several keywords. */
const MOST_KEYWORDS = 1.5
const MOST_SHARE = 0.7
const TITLE_PHRASE = 2
const TITLE_KEYWORD = 0.5
const ROLE_POINTS: Partial<Record<BaselineMessage['role'], number>> = { assistant: 0.3, user: 0.2 }
const SHORTEST_MESSAGE = 11

const STOP_WORDS = new Set(
  'a about after all also an and any are as at be been before but by can could did do does for from had has have he her him his how i if in into is it its just like may me might more my no not of on or our out she should so some such than that the their them then there these they this to too up us was we were what when where which who why will with would you your'.split(
    ' ',
  ),
)

/**
 * A score for each message, in the order given, as CLIO computes it; 0 for no match. Messages of ten characters or
 * fewer do not match, and none does a blank query.
 */
export const clioScore: Baseline = (query, messages) => {
  const phrase = query.trim().toLowerCase()
  const keywords = [
    ...new Set((phrase.match(/[\p{L}\p{N}_]+/gu) ?? []).filter((word) => word.length > 1 && !STOP_WORDS.has(word))),
  ]
  if (phrase === '') return new Float64Array(messages.length)
  return Float64Array.from(messages, ({ role, text, title = '' }) => {
    if (text.length < SHORTEST_MESSAGE) return 0
    const content = text.toLowerCase()
    const found = keywords.filter((word) => content.includes(word)).length
    const points =
      (content.includes(phrase) ? PHRASE : 0) +
      found * KEYWORD +
      (keywords.length > 1 && found >= MOST_SHARE * keywords.length ? MOST_KEYWORDS : 0)
    if (points === 0) return 0
    const name = title.toLowerCase()
    const titlePoints = name.includes(phrase)
      ? TITLE_PHRASE
      : TITLE_KEYWORD * keywords.filter((word) => name.includes(word)).length
    return points + titlePoints + (ROLE_POINTS[role] ?? 0)
  })
}

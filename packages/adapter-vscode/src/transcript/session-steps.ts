/**
 * The steps in which a session's document changes. The editor finds what has changed by comparing beginning and end only,
 * and what it replaces unfolds: facts at the top and entries at the bottom that change at once would unfold all between.
 */
import type { SessionText } from './session-reading.ts'

const lineBreaks = (text: string): number => text.split('\n').length - 1

/** What is shown one after the other on the way from one text to another; the last is the other. */
export const stepsBetween = (before: SessionText | undefined, after: SessionText): readonly SessionText[] => {
  if (
    before === undefined ||
    before.header === after.header ||
    before.body === after.body ||
    !after.body.startsWith(before.body)
  )
    return [after]
  const moved = lineBreaks(before.header) - lineBreaks(after.header)
  const move = <T extends { readonly from: number; readonly to: number }>(range: T): T => ({
    ...range,
    from: range.from + moved,
    to: range.to + moved,
  })
  return [
    { ...after, header: before.header, folds: after.folds.map(move), landmarks: after.landmarks.map(move) },
    after,
  ]
}

/**
 * The steps in which a session's document changes. The editor finds changes by comparing beginning and end only, and
 * unfolds what it replaces: if facts at the top and entries at the bottom changed at once, everything in between would
 * unfold.
 */
import type { SessionText } from './session-reading.ts'

/** Returns how many line breaks a text has. */
const lineBreaks = (text: string): number => text.split('\n').length - 1

/**
 * Returns the texts to show one after the other to get from one text to another, which is the last. If the header differs
 * and the body only goes on, the longer body below the old header is a step of its own; otherwise there is one step.
 */
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
    {
      ...after,
      header: before.header,
      folds: after.folds.map(move),
      landmarks: after.landmarks.map(move),
      entries: after.entries.map(move),
    },
    after,
  ]
}

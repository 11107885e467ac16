/** Narrows a search to the messages that hold every one of some terms. */
import type { Matches } from './term-matches.ts'
import type { View } from './view.ts'

/**
 * By message in storage order: 1 where it holds all these terms (indexes into `terms`), in any of its passages, and
 * `wanted` lets it through (undefined: all), else 0. Exact, however common the terms are.
 */
export const messagesHolding = (
  view: View,
  { terms, postings }: Matches,
  columns: readonly number[],
  wanted: Uint8Array | undefined,
): Uint8Array => {
  /** How many of the terms looked at so far a message holds; one that lacks a term is not counted on. */
  const held = new Uint16Array(view.messages)
  for (const [before, column] of columns.entries()) {
    const term = terms[column]
    if (term === undefined) continue
    const messageOf = messageFinder(view)
    const count = (passage: number): void => {
      const message = messageOf(passage)
      if (held[message] === before) held[message] = before + 1
    }
    for (let index = term.start; index < term.end; index += 1) count(postings.passage[index] as number)
    for (const [passage, value] of term.dense?.entries() ?? []) if (value !== 0) count(passage)
  }
  return Uint8Array.from(held, (count, message) => (count === columns.length && wanted?.[message] !== 0 ? 1 : 0))
}

/**
 * The message of a passage, both in storage order; the passages must be asked for in rising order. @throws RangeError
 * for a view without segments
 */
const messageFinder = ({ segments }: View): ((passage: number) => number) => {
  let at = 0
  return (passage) => {
    while ((segments[at + 1]?.passageBase ?? Infinity) <= passage) at += 1
    const part = segments[at]
    if (part === undefined) throw new RangeError(`There is no passage ${passage}.`)
    const { segment, messageBase, passageBase } = part
    const local = passage - passageBase
    if (segment.passages === segment.messages) return messageBase + local
    let [low, high] = [0, segment.messages - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((segment.firstPassage[middle] as number) <= local) low = middle
      else high = middle - 1
    }
    return messageBase + low
  }
}

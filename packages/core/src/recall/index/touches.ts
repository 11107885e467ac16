/** Which files messages touched by tools. */
import type { Corpus } from './corpus.ts'
import type { Segment } from './segment.ts'
import type { View } from './view.ts'

/** One touch of a file. */
export interface Touch {
  readonly path: string
  /** As in `FILE_OPERATIONS`. */
  readonly operation: number
  /** The session's number in the store. */
  readonly session: number
  readonly seq: number
  /** ms; NaN when not known. */
  readonly at: number
}

/** A test for paths that are the wanted one or end with `/` and it. `\` counts as `/`. */
const pathMatcher = (wanted: string): ((path: string) => boolean) => {
  const plain = wanted.replaceAll('\\', '/')
  const end = plain.startsWith('/') ? plain : `/${plain}`
  return (path) => {
    const normalised = path.replaceAll('\\', '/')
    return normalised === plain || normalised.endsWith(end)
  }
}

/**
 * Calls back with each touch of a wanted file, in the order of the messages; of every file if `wanted` is undefined.
 * `index` is the touch's in the segment.
 */
const eachTouch = (
  segment: Segment,
  wanted: ((path: string) => boolean) | undefined,
  visit: (message: number, index: number) => void,
): void => {
  const isWanted = wanted === undefined ? undefined : segment.paths.map(wanted)
  if (isWanted?.includes(true) === false) return
  segment.touchMessage.forEach((message, index) => {
    if (isWanted === undefined || isWanted[segment.touchPath[index] as number] === true) visit(message, index)
  })
}

/**
 * Calls back with each touch of a file in the corpus, in storage order: its segment, its number there, and the session's
 * number in the store. `isWanted` tests paths; undefined: all files.
 */
export const visitTouches = (
  view: View,
  { allowed }: Corpus,
  isWanted: ((path: string) => boolean) | undefined,
  visit: (segment: Segment, touch: number, session: number) => void,
): void => {
  for (const { segment, passageBase } of view.segments) {
    eachTouch(segment, isWanted, (message, touch) => {
      const passage = passageBase + (segment.firstPassage[message] as number)
      if (allowed !== undefined && allowed[passage] === 0) return
      visit(segment, touch, view.sessions[view.sessionOf[passage] as number] as number)
    })
  }
}

/**
 * All touches of a file in the corpus; of all files without one. In storage order, each with its time in ms, NaN when not
 * known. The file is its path or the last whole parts of it: `graph.ts` finds `src/graph.ts`, not `subgraph.ts`; `\` counts
 * as `/`, case counts.
 */
export const listFileTouches = (view: View, corpus: Corpus, file: string | undefined): readonly Touch[] => {
  const touches: Touch[] = []
  visitTouches(view, corpus, file === undefined ? undefined : pathMatcher(file), (segment, touch, session) => {
    const message = segment.touchMessage[touch] as number
    touches.push({
      path: segment.paths[segment.touchPath[touch] as number] ?? '',
      operation: segment.touchOperation[touch] as number,
      session,
      seq: segment.seq[message] as number,
      at: segment.at[message] as number,
    })
  })
  return touches
}

/**
 * Sets the mask (by message in storage order) to 0, in place, for messages that did not touch the file; no 0 becomes
 * 1. `file` is a path or the last parts of one.
 */
export const narrowMaskToFile = (view: View, mask: Uint8Array, file: string): void => {
  const isTouching = new Uint8Array(mask.length)
  for (const { segment, messageBase } of view.segments)
    eachTouch(segment, pathMatcher(file), (message) => (isTouching[messageBase + message] = 1))
  for (let message = 0; message < mask.length; message += 1)
    mask[message] = (mask[message] as number) & (isTouching[message] as number)
}

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

/** A test for paths that are the wanted one or end with `/` and it. `\` counts as `/`; a `./` at its beginning is left out. Case counts. */
const pathMatcher = (wanted: string): ((path: string) => boolean) => {
  const plain = wanted.replaceAll('\\', '/').replace(/^(?:\.\/+)+(?=.)/, '')
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
 * Calls back with each touch of a file in the corpus, in storage order. The file is its path or the last whole parts of it:
 * `graph.ts` finds `src/graph.ts`, not `subgraph.ts`; `\` counts as `/`, case counts. Undefined: all files.
 */
export const visitFileTouches = (
  view: View,
  { allowed }: Corpus,
  file: string | undefined,
  visit: (touch: Touch) => void,
): void => {
  const wanted = file === undefined ? undefined : pathMatcher(file)
  for (const { segment, passageBase } of view.segments) {
    eachTouch(segment, wanted, (message, index) => {
      const passage = passageBase + (segment.firstPassage[message] as number)
      if (allowed !== undefined && allowed[passage] === 0) return
      visit({
        path: segment.paths[segment.touchPath[index] as number] ?? '',
        operation: segment.touchOperation[index] as number,
        session: view.sessions[view.sessionOf[passage] as number] as number,
        seq: segment.seq[message] as number,
        at: segment.at[message] as number,
      })
    })
  }
}

/**
 * All touches of a file (a path or its end) in the corpus; of all files without one. In storage order, each with its
 * time in ms, NaN when not known.
 */
export const listFileTouches = (view: View, corpus: Corpus, file: string | undefined): readonly Touch[] => {
  const touches: Touch[] = []
  visitFileTouches(view, corpus, file, (touch) => touches.push(touch))
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

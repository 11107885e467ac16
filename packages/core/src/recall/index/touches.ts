/** Files that messages touched by their tools. */
import type { Corpus } from './corpus.ts'
import type { Segment } from './segment.ts'
import type { View } from './view.ts'

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

/** Whether a path is the wanted one, or ends with it from a `/` on. Either kind of slash will do. */
export const isPath = (wanted: string): ((path: string) => boolean) => {
  const plain = wanted.replaceAll('\\', '/')
  const end = plain.startsWith('/') ? plain : `/${plain}`
  return (path) => {
    const own = path.replaceAll('\\', '/')
    return own === plain || own.endsWith(end)
  }
}

/** Calls back with each touch of a wanted file. */
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

export const touchesOf = (view: View, { allowed }: Corpus, file: string | undefined): readonly Touch[] => {
  const touches: Touch[] = []
  for (const { segment, passageBase } of view.segments) {
    eachTouch(segment, file === undefined ? undefined : isPath(file), (message, index) => {
      const passage = passageBase + (segment.firstPassage[message] as number)
      if (allowed !== undefined && allowed[passage] === 0) return
      touches.push({
        path: segment.paths[segment.touchPath[index] as number] ?? '',
        operation: segment.touchOperation[index] as number,
        session: view.sessions[view.sessionOf[passage] as number] as number,
        seq: segment.seq[message] as number,
        at: segment.at[message] as number,
      })
    })
  }
  return touches
}

/** Takes from a mask over messages (storage order) those that touched no such file. */
export const keepTouching = (view: View, mask: Uint8Array, file: string): void => {
  const touching = new Uint8Array(mask.length)
  for (const { segment, messageBase } of view.segments)
    eachTouch(segment, isPath(file), (message) => (touching[messageBase + message] = 1))
  for (let message = 0; message < mask.length; message += 1)
    mask[message] = (mask[message] as number) & (touching[message] as number)
}

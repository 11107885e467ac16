/**
 * Which tools have come into a session's document since one last asked. They are folded when they come; what was there
 * before is as its reader left it.
 */
import type { SessionText } from './session-reading.ts'

export interface ToolArrivals {
  /** Lines of the tools, from 0, that no earlier text had; of the first text, all. */
  take(text: SessionText): readonly number[]
}

export const createToolArrivals = (): ToolArrivals => {
  let body = ''
  let taken = 0
  return {
    take: (text) => {
      // Another text in its place: the editor has unfolded all of it.
      if (!text.body.startsWith(body)) taken = 0
      const lines = text.folds.filter(({ kind }) => kind === 'tool').map(({ from }) => from)
      const arrived = lines.slice(taken)
      body = text.body
      taken = lines.length
      return arrived
    },
  }
}

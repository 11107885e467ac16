/**
 * Finds the tools that are new in a session's document. They are folded when they appear; older ones stay as the reader
 * left them.
 */
import type { SessionText } from './session-reading.ts'

/** Notices tool calls that were added to a text. */
export interface ToolArrivals {
  /** Lines (from 0) of the tools that the text before did not have; of the first text, of all tools. */
  take(text: SessionText): readonly number[]
}

/**
 * Returns what follows one document: `take` compares each text with the one before, and returns the lines (from 0) of
 * the tool calls that are new; all of them if the text was replaced.
 */
export const createToolArrivals = (): ToolArrivals => {
  let body = ''
  let taken = 0
  return {
    take: (text) => {
      // The text was replaced by another one, which the editor has unfolded.
      if (!text.body.startsWith(body)) taken = 0
      const lines = text.folds.filter(({ kind }) => kind === 'tool').map(({ from }) => from)
      const arrived = lines.slice(taken)
      body = text.body
      taken = lines.length
      return arrived
    },
  }
}

/** Which lines of a session's document an entry of the log has, and the reverse. */
import type { SessionText } from './session-reading.ts'
import type { EntryLines } from './log-text.ts'

/**
 * Returns the lines of an entry; if it is not shown itself, of the last one before it, or of the first if there is none.
 * Undefined if the text does not reach that far yet, or shows nothing.
 */
export const linesOfEntry = ({ entries, isWhole }: SessionText, seq: number): EntryLines | undefined => {
  const last = entries.at(-1)
  if (last === undefined || (last.seq < seq && !isWhole)) return undefined
  return entries.findLast((entry) => entry.seq <= seq) ?? entries[0]
}

/** Returns the entry that a line (from 0) belongs to; undefined for a line that belongs to none. */
export const entryAtLine = ({ entries }: SessionText, line: number): EntryLines | undefined =>
  entries.find(({ from, to }) => from <= line && line <= to)

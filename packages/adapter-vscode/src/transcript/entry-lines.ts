/** Which lines of a session's document an entry of the log has, and the reverse. */
import type { SessionText } from './session-reading.ts'
import type { EntryLines } from './transcript.ts'

/**
 * The lines of the entry, or of the last one before it where it is not shown itself; undefined where the text does not reach
 * that far yet, and where nothing is shown.
 */
export const linesOfEntry = ({ entries, isWhole }: SessionText, seq: number): EntryLines | undefined => {
  const last = entries.at(-1)
  if (last === undefined || (last.seq < seq && !isWhole)) return undefined
  return entries.findLast((entry) => entry.seq <= seq) ?? entries[0]
}

/** The entry that a line (from 0) belongs to; undefined for a line of Cairn's own. */
export const entryAtLine = ({ entries }: SessionText, line: number): EntryLines | undefined =>
  entries.find(({ from, to }) => from <= line && line <= to)

/** How far the search index is that a question waits for: after an update, or after `doctor --rebuild`. */
import { counted, formatWhole } from './format.ts'
import type { Terminal } from './terminal.ts'

/** Drawing more often than this costs time and shows nothing more. */
const REDRAW_MS = 80

/** A line on standard error that is drawn over; where that is no terminal, one line that says what is going on. */
export const createIndexingLine = (
  terminal: Terminal,
  now: () => number = Date.now,
): ((progress: { readonly done: number; readonly total: number }) => void) => {
  let drawnAt = Number.NEGATIVE_INFINITY
  return ({ done, total }) => {
    const isLast = done >= total
    if (!terminal.isErrorTerminal) {
      if (done === 0) terminal.note(`Building the search index of ${counted(total, 'entry')}; this is done once.`)
      return
    }
    if (isLast) {
      terminal.progress('\r\u001b[K')
      return
    }
    if (now() - drawnAt < REDRAW_MS) return
    drawnAt = now()
    terminal.progress(`\r\u001b[KBuilding the search index: ${formatWhole(done)} of ${counted(total, 'entry')}, once`)
  }
}

/** Progress of the search index while a search waits for it, after an update or `doctor --rebuild`. */
import { counted, formatWhole } from './format.ts'
import type { Terminal } from './terminal.ts'

/** Least time between two drawings. */
const REDRAW_MS = 80

/**
 * Returns a function that shows progress on one line of standard error and clears it at the end; if that is no
 * terminal, it prints a single line at the beginning. `now` returns ms.
 */
export const createIndexingProgress = (
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

/** Progress of an export, on one line of a terminal; nothing for what takes less than a second. */
import { formatWhole } from './format.ts'
import type { Terminal } from './terminal.ts'
import { shortenEnd } from './text-width.ts'

/** Nothing is shown before. */
const SILENT_MS = 1_000
/** Least time between two drawings. */
const REDRAW_MS = 80

/**
 * Shows progress on one line of standard error, after a second; does nothing if that is no terminal. `now` returns ms.
 */
export const createExportProgress = (
  terminal: Terminal,
  now: () => number = Date.now,
): { readonly onProgress: (progress: { readonly done: number; readonly total: number }) => void; clear(): void } => {
  const startedAt = now()
  let drawnAt = Number.NEGATIVE_INFINITY
  return {
    onProgress: ({ done, total }) => {
      if (!terminal.isErrorTerminal || now() - startedAt < SILENT_MS || now() - drawnAt < REDRAW_MS) return
      drawnAt = now()
      const text = `Sending: session ${formatWhole(done)} of ${formatWhole(total)}`
      terminal.progress(`\r\u001b[K${shortenEnd(text, terminal.errorWidth - 1)}`)
    },
    clear: () => {
      if (drawnAt > Number.NEGATIVE_INFINITY) terminal.progress('\r\u001b[K')
      drawnAt = Number.NEGATIVE_INFINITY
    },
  }
}

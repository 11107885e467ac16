/** Progress of a backup, a restore or a repair, on one line of a terminal; nothing for what takes less than a second. */
import { formatBytes, formatWhole } from './format.ts'
import type { Terminal } from './terminal.ts'
import { shortenEnd } from './text-width.ts'

/** Nothing is shown before. */
const SILENT_MS = 1_000
/** Least time between two drawings. */
const REDRAW_MS = 80

interface Progress {
  readonly phase: 'copying' | 'checking' | 'proving' | 'reading' | 'building'
  readonly done: number
  readonly total: number
}

const TEXTS: Readonly<Record<Progress['phase'], (done: number, total: number) => string>> = {
  copying: (done, total) => `Copying: ${formatBytes(done)} of ${formatBytes(total)}`,
  checking: (_, total) => `Checking the pages: ${formatBytes(total)}`,
  proving: (done, total) => `Checking the content: pack ${formatWhole(done)} of ${formatWhole(total)}`,
  reading: (done, total) => `Reading what can be read: table ${formatWhole(done)} of ${formatWhole(total)}`,
  building: (done, total) => `Rebuilding derived tables: ${formatWhole(done)} of ${formatWhole(total)}`,
}

/**
 * Shows progress on one line of standard error, after a second; does nothing if that is no terminal. `now` returns ms.
 * Redrawn at most every `REDRAW_MS`.
 */
export const createBackupProgress = (
  terminal: Terminal,
  now: () => number = Date.now,
): { readonly onProgress: (progress: Progress) => void; clear(): void } => {
  const startedAt = now()
  let drawnAt = Number.NEGATIVE_INFINITY
  return {
    onProgress: ({ phase, done, total }) => {
      if (!terminal.isErrorTerminal || now() - startedAt < SILENT_MS || now() - drawnAt < REDRAW_MS) return
      drawnAt = now()
      terminal.progress(`\r\u001b[K${shortenEnd(TEXTS[phase](done, total), terminal.errorWidth - 1)}`)
    },
    clear: () => {
      if (drawnAt > Number.NEGATIVE_INFINITY) terminal.progress('\r\u001b[K')
    },
  }
}

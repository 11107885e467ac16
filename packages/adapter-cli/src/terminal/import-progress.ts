/** The progress of an import, on one line of a terminal. */
import type { EngineEvent } from '@cairn/core'
import { formatBytes, formatDuration, formatWhole } from './format.ts'
import type { Terminal } from './terminal.ts'
import { shortenEnd } from './text-width.ts'

const BAR_WIDTH = 20
/** Least time between two drawings. */
const REDRAW_MS = 80
/** How long to measure before a rate and the remaining time are shown. */
const RATE_AFTER_MS = 500

/** The progress of an import. */
export interface ImportProgress {
  /** Takes an event of an import; draws the bar for those that tell progress, ignores others. */
  listen(event: EngineEvent): void
  /** Clears the bar's line, so that something else may be printed. */
  clear(): void
}

/**
 * Returns the bar as one line of text: share, bytes, files, and after half a second rate and remaining time.
 * `elapsedMs` is the time since the import began.
 */
export const progressText = (event: Extract<EngineEvent, { type: 'import-progress' }>, elapsedMs: number): string => {
  const share = event.bytes === 0 ? 1 : Math.min(1, event.bytesDone / event.bytes)
  const filled = Math.round(share * BAR_WIDTH)
  const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`
  const parts = [
    `${bar} ${String(Math.floor(share * 100)).padStart(3)} %`,
    `${formatBytes(event.bytesDone)} of ${formatBytes(event.bytes)}`,
    `file ${formatWhole(Math.min(event.filesDone + 1, event.files))} of ${formatWhole(event.files)}`,
  ]
  if (elapsedMs >= RATE_AFTER_MS && event.bytesDone > 0) {
    parts.push(`${formatBytes((event.bytesDone / elapsedMs) * 1000)}/s`)
    parts.push(`${formatDuration(((event.bytes - event.bytesDone) / event.bytesDone) * elapsedMs)} left`)
  }
  return parts.join(' · ')
}

/** Creates a progress bar on standard error; it does nothing if that is no terminal. `now` returns ms. */
export const createImportProgress = (terminal: Terminal, now: () => number): ImportProgress => {
  if (!terminal.isErrorTerminal) return { listen: () => undefined, clear: () => undefined }
  let startedAt = now()
  let drawnAt = Number.NEGATIVE_INFINITY
  return {
    listen: (event) => {
      if (event.type === 'import-started') startedAt = now()
      if (event.type !== 'import-progress' || now() - drawnAt < REDRAW_MS) return
      drawnAt = now()
      terminal.progress(`\r\u001b[K${shortenEnd(progressText(event, now() - startedAt), terminal.errorWidth - 1)}`)
    },
    clear: () => {
      if (drawnAt > Number.NEGATIVE_INFINITY) terminal.progress('\r\u001b[K')
    },
  }
}

/** A line on standard error while a provider works: the elapsed time, and how much a model has written. */
import { formatWhole } from './format.ts'
import type { Terminal } from './terminal.ts'
import { shortenEnd } from './text-width.ts'

/** What takes less time needs no line. */
const SHOWN_AFTER_MS = 1000
/** Least time between two drawings. */
const REDRAW_MS = 200

/** A line that shows what is being waited for. */
export interface WaitingLine {
  /** Draws the line again, if it is time to. `characters` have come so far; absent: nothing is written. */
  update(characters?: number): void
  /** Clears the line; another update draws it again. */
  clear(): void
}

/**
 * Creates a line on standard error that is shown after a second, with the seconds so far; it does nothing if that is no
 * terminal. `what` is what is waited for: "Asking a model". `now` returns ms.
 */
export const createWaitingLine = (
  terminal: Pick<Terminal, 'isErrorTerminal' | 'errorWidth' | 'progress'>,
  what: string,
  now: () => number,
): WaitingLine => {
  const startedAt = now()
  let drawnAt: number | undefined
  return {
    update: (characters) => {
      const at = now()
      if (!terminal.isErrorTerminal || at - startedAt < SHOWN_AFTER_MS || at - (drawnAt ?? 0) < REDRAW_MS) return
      drawnAt = at
      const text = `${what}: ${writtenText(characters)}${formatWhole(Math.floor((at - startedAt) / 1000))} s`
      terminal.progress(`\r\u001b[K${shortenEnd(text, terminal.errorWidth - 1)}`)
    },
    clear: () => {
      if (drawnAt !== undefined) terminal.progress('\r\u001b[K')
      drawnAt = undefined
    },
  }
}

/** How many characters have arrived, as the start of a sentence; empty for undefined. */
const writtenText = (characters: number | undefined): string => {
  if (characters === undefined) return ''
  return characters === 0 ? 'nothing written yet, ' : `${formatWhole(characters)} characters written, `
}

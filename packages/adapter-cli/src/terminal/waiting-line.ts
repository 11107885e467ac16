/** A line on standard error while a provider works: the elapsed time, and how much a model has written. */
import { formatWhole } from './format.ts'
import type { Terminal } from './terminal.ts'
import { shortenEnd } from './text-width.ts'

/** What is over sooner needs no line, ms. */
const SHOWN_AFTER_MS = 1000
/** Time between two drawings, ms. */
const REDRAW_MS = 200

export interface WaitingLine {
  /** Draws the line again, if it is time to. `characters` have come so far; absent: nothing is written. */
  update(characters?: number): void
  /** Clears the line; another update draws it again. */
  clear(): void
}

/**
 * A waiting line on standard error, shown after a moment, with the seconds so far; it does nothing where that is no
 * terminal. `what` is what is waited for: "Asking a model". `now`: ms.
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

const writtenText = (characters: number | undefined): string => {
  if (characters === undefined) return ''
  return characters === 0 ? 'nothing written yet, ' : `${formatWhole(characters)} characters written, `
}

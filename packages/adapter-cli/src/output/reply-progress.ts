/** Shows on standard error that a model was called, until its reply appears on the terminal or has ended. */
import type { RequestEvent } from '@cairn/core'
import type { Terminal } from '../terminal/terminal.ts'
import { createWaitingLine } from '../terminal/waiting-line.ts'

const DRAW_MS = 250

/** The progress of a request on standard error. */
export interface ReplyProgress {
  /** Takes the request's next event, before anything of it is written. */
  take(event: RequestEvent): void
  /** Clears the line, so that a sentence may be written; it is drawn again while the request goes on. */
  clear(): void
  /** The request has ended. */
  end(): void
}

/**
 * Shows the progress of one request on standard error, from now until `end`. `isLive`: the reply is streamed to the
 * terminal, and its text is progress enough. `now` returns ms.
 */
export const createReplyProgress = (
  terminal: Pick<Terminal, 'isErrorTerminal' | 'errorWidth' | 'progress'>,
  { model, isLive, now }: { readonly model: string; readonly isLive: boolean; readonly now: () => number },
): ReplyProgress => {
  const line = createWaitingLine(terminal, `${model} answers`, now)
  let characters = 0
  const timer = setInterval(() => {
    if (!isLive || characters === 0) line.update(characters)
  }, DRAW_MS)
  return {
    take: (event) => {
      if (event.type === 'text') characters += event.text.length
      else if (event.type === 'retry') characters = 0
      if (isLive && characters > 0) line.clear()
    },
    clear: () => line.clear(),
    end: () => {
      clearInterval(timer)
      line.clear()
    },
  }
}

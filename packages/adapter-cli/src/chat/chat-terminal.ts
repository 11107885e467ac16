/** The terminal and the context for commands within a conversation: its engine, and its way to ask. */
import type { Engine } from '@cairn/core'
import type { Context } from '../command.ts'
import { Interrupted } from '../runtime/failure.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** How commands within a conversation use the terminal. */
export interface ChatTerminalOptions {
  /** Nothing is coloured or drawn over. */
  readonly isPlain: boolean
  /** Standard output is for one document at the end: nothing else is written to it. */
  readonly isSilent: boolean
  /** Asks on a line; undefined: no answer came. Absent: nobody can be asked. */
  readonly ask?: (question: string) => Promise<string | undefined>
}

/**
 * The terminal for commands within a conversation: `ask` uses the conversation's input; without colours if plain,
 * silent if `--json` owns the output. `ask` rejects with `Interrupted` if it is not answered; nothing can be asked
 * hidden.
 */
export const chatTerminal = (terminal: Terminal, { isPlain, isSilent, ask }: ChatTerminalOptions): Terminal => ({
  ...terminal,
  // What changes when the window does is asked for again.
  get width() {
    return terminal.width
  },
  get errorWidth() {
    return terminal.errorWidth
  },
  get outputFailure() {
    return terminal.outputFailure
  },
  ...(isPlain ? { style: (_: string, text: string) => text, isErrorTerminal: false } : {}),
  ...(isSilent ? { write: async () => undefined, line: async () => undefined } : {}),
  canAsk: ask !== undefined,
  ask: async (question) => {
    const answer = await ask?.(question)
    if (answer === undefined) throw new Interrupted('Stopped; nothing was changed.')
    return answer.trim()
  },
  askHidden: async () => undefined,
})

/**
 * The context for commands within a conversation: they share its engine, which stays open, and its terminal; their exit
 * codes are ignored.
 */
export const chatContext = (context: Context, engine: Engine, terminal: Terminal): Context => ({
  ...context,
  terminal,
  engine: async () => engine,
  readEngine: async () => engine,
  sessionEngine: async () => engine,
  setExitCode: () => undefined,
})

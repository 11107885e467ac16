/** The terminal and the surroundings that commands of a conversation have: its engine, and its way to ask. */
import type { Engine } from '@cairn/core'
import type { Context } from '../command.ts'
import { Interrupted } from '../runtime/failure.ts'
import type { Terminal } from '../terminal/terminal.ts'

export interface ChatTerminalOptions {
  /** Nothing is coloured or drawn over. */
  readonly isPlain: boolean
  /** Standard output is for one document at the end: nothing else is written to it. */
  readonly isSilent: boolean
  /** Asks on a line; undefined: no answer came. Absent: nobody can be asked. */
  readonly ask?: (question: string) => Promise<string | undefined>
}

/** The terminal as commands of a conversation write to it. */
export const chatTerminal = (terminal: Terminal, { isPlain, isSilent, ask }: ChatTerminalOptions): Terminal => ({
  ...terminal,
  // What changes when the window does is asked for anew.
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

/** The context with the conversation's engine and terminal; how its commands end is not how the program ends. */
export const chatContext = (context: Context, engine: Engine, terminal: Terminal): Context => ({
  ...context,
  terminal,
  engine: async () => engine,
  readEngine: async () => engine,
  sessionEngine: async () => engine,
  setExitCode: () => undefined,
})

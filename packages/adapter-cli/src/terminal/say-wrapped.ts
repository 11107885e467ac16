/** A long text on a terminal. */
import type { Terminal } from './terminal.ts'
import { wrapLine } from './wrap.ts'

/**
 * Prints a text in lines of the terminal's width, broken between words where possible; an empty text as an empty line.
 */
export const sayWrapped = async (text: string, terminal: Pick<Terminal, 'line' | 'width'>): Promise<void> => {
  for (const line of wrapLine(text, terminal.width)) await terminal.line(line)
}

/** The source of a conversation's messages and answers. */

/** What was typed at the prompt. */
export type Typed =
  | { readonly kind: 'message'; readonly text: string }
  /** Ctrl-C, with nothing typed. */
  | { readonly kind: 'interrupt' }
  /** Ctrl-D, or nothing more comes. */
  | { readonly kind: 'end' }

/** Where a conversation's messages and answers come from. */
export interface ChatInput {
  /** Waits for the next message. One call at a time. */
  message(): Promise<Typed>
  /** Waits for a line of answer; undefined when the signal is aborted, at Ctrl-C, and when the input has ended. */
  ask(question: string, signal: AbortSignal): Promise<string | undefined>
  close(): void
}

/** A line that ends with an odd number of backslashes continues on the next one. */
const CONTINUES = /(?<!\\)(?:\\\\)*\\$/

/** Collects the lines of one message. */
export interface MessageLines {
  /** The whole message, or undefined where another line belongs to it. */
  add(line: string): string | undefined
  readonly isEmpty: boolean
  /** Forgets the lines so far. */
  clear(): void
  /** The lines so far are the message; undefined where there are none. */
  end(): string | undefined
}

/**
 * Collects the lines of a message until one does not end with a continuation backslash (an even number of them is
 * text); then returns the message and starts again. `end` gives what is there without an end, undefined for nothing.
 */
export const createMessageLines = (): MessageLines => {
  let lines: string[] = []
  const whole = (): string => {
    const text = lines.join('\n')
    lines = []
    return text
  }
  return {
    add: (line) => {
      const isContinued = CONTINUES.test(line)
      lines.push(isContinued ? line.slice(0, -1) : line)
      return isContinued ? undefined : whole()
    },
    get isEmpty() {
      return lines.length === 0
    },
    clear: () => {
      lines = []
    },
    end: () => (lines.length === 0 ? undefined : whole()),
  }
}

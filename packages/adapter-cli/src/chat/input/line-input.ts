/**
 * Messages from lines of a stream: of a pipe, or of a terminal that edits lines itself, as screen readers like it. Nothing
 * but prompts is written, and no cursor is moved.
 */
import { createInterface } from 'node:readline'
import { createMessageLines, type ChatInput, type Typed } from './chat-input.ts'

export interface LineInputOptions {
  readonly input: NodeJS.ReadableStream
  /** Writes a prompt; absent where nobody reads it. */
  readonly prompt?: (text: string) => void
  /** The prompt of a message, and that of its further lines. */
  readonly prompts: readonly [string, string]
  /** Ctrl-C while nothing is waited for is up to the caller: it is the process's signal. */
  readonly interrupts: { onInterrupt(listener: () => void): () => void }
}

interface Waiting {
  take(line: string): void
  stop(kind: 'end' | 'interrupt'): void
}

/** Reads lines as they come; those that come while nobody waits are the next messages, never answers. */
export const createLineInput = ({
  input,
  prompt = () => undefined,
  prompts,
  interrupts,
}: LineInputOptions): ChatInput => {
  const ahead: string[] = []
  const message = createMessageLines()
  let waiting: Waiting | undefined
  let hasEnded = false
  const lines = createInterface({ input, crlfDelay: Infinity, terminal: false })
  lines.on('line', (line) => {
    if (waiting === undefined) ahead.push(line)
    else waiting.take(line)
  })
  lines.on('close', () => {
    hasEnded = true
    waiting?.stop('end')
  })
  const removeListener = interrupts.onInterrupt(() => waiting?.stop('interrupt'))

  return {
    message: () =>
      new Promise<Typed>((resolve) => {
        const finish = (typed: Typed): void => {
          waiting = undefined
          resolve(typed)
        }
        const take = (line: string): void => {
          const text = message.add(line)
          if (text === undefined) prompt(prompts[1])
          else finish({ kind: 'message', text })
        }
        const stop = (kind: 'end' | 'interrupt'): void => {
          const text = kind === 'end' ? message.end() : undefined
          message.clear()
          finish(text === undefined ? { kind } : { kind: 'message', text })
        }
        waiting = { take, stop }
        prompt(prompts[0])
        while (waiting !== undefined && ahead.length > 0) take(ahead.shift() ?? '')
        if (waiting !== undefined && hasEnded) stop('end')
      }),
    ask: (question, signal) =>
      new Promise((resolve) => {
        if (signal.aborted || hasEnded) return resolve(undefined)
        const finish = (answer: string | undefined): void => {
          waiting = undefined
          signal.removeEventListener('abort', stop)
          resolve(answer)
        }
        const stop = (): void => finish(undefined)
        signal.addEventListener('abort', stop)
        waiting = { take: finish, stop }
        prompt(question)
      }),
    close: () => {
      removeListener()
      lines.close()
      input.pause()
    },
  }
}

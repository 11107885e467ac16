/**
 * Reads messages from the lines of a stream: a pipe, or a terminal that handles line editing itself, as screen readers
 * prefer. Writes only prompts and never moves the cursor.
 */
import { createInterface, type Interface } from 'node:readline'
import { createMessageLines, type ChatInput, type Typed } from './chat-input.ts'

/** The stream that is read, and its prompts. */
export interface StreamInputOptions {
  readonly input: NodeJS.ReadableStream
  /** Writes a prompt; absent where nobody reads it. */
  readonly prompt?: (text: string) => void
  /** The prompt of a message, and that of its further lines. */
  readonly prompts: readonly [string, string]
}

/** Input from lines of a stream. */
export interface StreamInput extends ChatInput {
  /** Ctrl-C, which is the process's signal here; whether something was waited for. */
  interrupt(): boolean
}

/** Who waits for the next line. */
interface Waiting {
  take(line: string): void
  stop(kind: 'end' | 'interrupt'): void
}

/**
 * Creates an input that reads lines as they arrive. Lines that arrive while nobody waits become the next messages,
 * never answers to a question.
 */
export const createStreamInput = (options: StreamInputOptions): StreamInput => new InputLines(options)

class InputLines implements StreamInput {
  readonly #options: StreamInputOptions
  readonly #lines: Interface
  readonly #ahead: string[] = []
  readonly #message = createMessageLines()
  #waiting: Waiting | undefined
  #hasEnded = false

  constructor(options: StreamInputOptions) {
    this.#options = options
    this.#lines = createInterface({ input: options.input, crlfDelay: Infinity, terminal: false })
    this.#lines.on('line', (line) => {
      if (this.#waiting === undefined) this.#ahead.push(line)
      else this.#waiting.take(line)
    })
    this.#lines.on('close', () => {
      this.#hasEnded = true
      this.#waiting?.stop('end')
    })
  }

  /** Ends the open message as `interrupt`, or the open question as undefined; false if nothing is open. */
  interrupt(): boolean {
    const waiting = this.#waiting
    waiting?.stop('interrupt')
    return waiting !== undefined
  }

  /**
   * Returns the next message of the input. What was read ahead counts first. At the end of the input lines that wait
   * for their continuation are a message too; then comes `end`. An interrupt drops them and gives `interrupt`.
   */
  message(): Promise<Typed> {
    const { promise, resolve } = Promise.withResolvers<Typed>()
    const finish = (typed: Typed): void => {
      this.#waiting = undefined
      resolve(typed)
    }
    const waiting: Waiting = {
      take: (line) => {
        const text = this.#message.add(line)
        if (text === undefined) this.#prompt(this.#options.prompts[1])
        else finish({ kind: 'message', text })
      },
      stop: (kind) => {
        const text = kind === 'end' ? this.#message.end() : undefined
        this.#message.clear()
        finish(text === undefined ? { kind } : { kind: 'message', text })
      },
    }
    this.#waiting = waiting
    this.#prompt(this.#options.prompts[0])
    while (this.#isWaiting(waiting) && this.#ahead.length > 0) waiting.take(this.#ahead.shift() ?? '')
    if (this.#isWaiting(waiting) && this.#hasEnded) waiting.stop('end')
    return promise
  }

  /**
   * Writes the question as a prompt and returns the next line as the answer, as it is; undefined if it is aborted,
   * interrupted or the input has ended. Lines read ahead are no answers: they stay for `message`.
   */
  ask(question: string, signal: AbortSignal): Promise<string | undefined> {
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    const finish = (answer: string | undefined): void => {
      this.#waiting = undefined
      signal.removeEventListener('abort', stop)
      resolve(answer)
    }
    const stop = (): void => finish(undefined)
    if (signal.aborted || this.#hasEnded) stop()
    else {
      signal.addEventListener('abort', stop)
      this.#waiting = { take: finish, stop }
      this.#prompt(question)
    }
    return promise
  }

  /** Reads no more. Open promises stay open. */
  close(): void {
    this.#lines.close()
    this.#options.input.pause()
  }

  #isWaiting(waiting: Waiting): boolean {
    return this.#waiting === waiting
  }

  #prompt(text: string): void {
    this.#options.prompt?.(text)
  }
}

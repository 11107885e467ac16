/** A file that a thread reads: its batches wait here until the import takes them. */
import { CairnError } from '@cairn/core'
import type { FileReadAhead, ReadBatch } from '@cairn/core/importers'
import type { ReadError } from './messages.ts'

/** A thread's end; told once, however many files it had. */
export interface ThreadFailure {
  readonly reason: string
  isTold: boolean
}

/** Rejects what waits for a thread that has ended. */
export class ThreadEnded extends Error {
  constructor({ reason }: ThreadFailure) {
    super(`the thread that read ahead has ended: ${reason}`)
  }
}

export class FileReading implements FileReadAhead {
  readonly #onDrop: () => void
  #waiting: ReadBatch[] = []
  #ended: { readonly error?: ReadError } | undefined
  #failure: ThreadFailure | undefined
  #wake: () => void = () => undefined

  constructor(onDrop: () => void) {
    this.#onDrop = onDrop
  }

  /** The next batch that the thread gives. */
  add(read: ReadBatch): void {
    this.#waiting.push(read)
    this.#wake()
  }

  /** The thread has given all. */
  end(error?: ReadError): void {
    this.#ended = error === undefined ? {} : { error }
    this.#wake()
  }

  /** The thread has ended: what it has given can't be completed any more. */
  fail(failure: ThreadFailure): void {
    this.#failure = failure
    this.#waiting = []
    this.#wake()
  }

  /** Whether its thread ended before the import came to the file, and that was told at another one. */
  isInVain(): boolean {
    return this.#failure?.isTold === true
  }

  failure(): { readonly notice?: string } | undefined {
    const failure = this.#failure
    if (failure === undefined) return undefined
    if (failure.isTold) return {}
    failure.isTold = true
    return { notice: `was read again: the thread that read it had ended (${failure.reason})` }
  }

  drop(): void {
    this.#waiting = []
    this.#onDrop()
  }

  async *batches(): AsyncGenerator<ReadBatch> {
    for (;;) {
      if (this.#failure !== undefined) throw new ThreadEnded(this.#failure)
      const next = this.#waiting.shift()
      if (next !== undefined) yield next
      else if (this.#ended === undefined) await new Promise<void>((resolve) => (this.#wake = resolve))
      else if (this.#ended.error === undefined) return
      else throw errorOf(this.#ended.error)
    }
  }
}

/** The error of a thread as one of this thread. */
const errorOf = ({ code, message }: ReadError): Error =>
  code === undefined ? new Error(message) : new CairnError(code, message)

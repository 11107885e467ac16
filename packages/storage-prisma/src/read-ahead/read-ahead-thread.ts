/** A thread that reads ahead, as the import sees it. */
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { messageOf } from '@cairn/core'
import type { FileToRead } from '@cairn/core/importers'
import { required } from '../sql/required.ts'
import { FileReading, ThreadEnded } from './file-reading.ts'
import type { ThreadFailure } from './file-reading.ts'
import type { CompletedMessage, FromThread, ReadAheadSetting, ToThread } from './messages.ts'
import { ThreadDraft } from './thread-work.ts'

/** A thread that has this much to read gets no more, bytes and files. */
const MOST_AHEAD = { bytes: 4 << 20, files: 16 } as const

/** With V8's usual space for short-lived objects a thread takes more memory and is no faster. */
const SHORT_LIVED = { maxYoungGenerationSizeMb: 16 }

interface Completion {
  readonly resolve: (contents: readonly CompletedMessage[]) => void
  readonly reject: (error: Error) => void
}

/** Starts a thread, and keeps what was asked of it. When the thread ends, all that waits for it is rejected. */
export class ReadAheadThread {
  readonly #number: number
  readonly #worker: Worker
  readonly #onIdler: () => void
  readonly #readings = new Map<number, FileReading>()
  /** Sizes of the files that it has not given all of yet. */
  readonly #sizes = new Map<number, number>()
  readonly #completions = new Map<number, Completion>()
  #lastFile = 0
  #bytesAhead = 0
  #failure: ThreadFailure | undefined

  /** Rejects nothing and throws nothing: a thread that can't be started has failed. `onIdler`: it has given all of a file. */
  constructor(number: number, file: URL, setting: ReadAheadSetting, onIdler: () => void) {
    this.#number = number
    this.#onIdler = onIdler
    // A source needs the condition under which packages are found as sources; other flags of this process are not for it.
    const execArgv = fileURLToPath(file).endsWith('.ts') ? ['--conditions=@cairn/source'] : []
    this.#worker = new Worker(file, { workerData: setting, execArgv, resourceLimits: SHORT_LIVED })
    this.#worker.on('message', (message: FromThread) => this.#take(message))
    this.#worker.on('error', (error) => this.#fail(messageOf(error)))
    this.#worker.on('messageerror', (error) => this.#fail(messageOf(error)))
    this.#worker.on('exit', (code) => this.#fail(`exit code ${code}`))
  }

  /** Whether it may be given another file. */
  get canTakeMore(): boolean {
    if (this.#failure !== undefined) return false
    return this.#sizes.size === 0 || (this.#sizes.size < MOST_AHEAD.files && this.#bytesAhead < MOST_AHEAD.bytes)
  }

  /** Bytes of files that it has not given all of. */
  get bytesAhead(): number {
    return this.#bytesAhead
  }

  /** Has it read a file, after those before. */
  read(toRead: FileToRead): FileReading {
    const file = (this.#lastFile += 1)
    const reading = new FileReading(() => {
      this.#readings.delete(file)
      this.#send({ kind: 'drop', file })
    })
    this.#readings.set(file, reading)
    this.#sizes.set(file, toRead.facts.size)
    this.#bytesAhead += toRead.facts.size
    this.#send({ kind: 'read', file, toRead })
    return reading
  }

  /** Ends the thread, whatever it does. Never rejects. */
  async end(): Promise<void> {
    this.#fail('the import ended')
    await this.#worker.terminate().catch(() => undefined)
  }

  #send(message: ToThread): void {
    if (this.#failure === undefined) this.#worker.postMessage(message)
  }

  #take(message: FromThread): void {
    if (this.#failure !== undefined) return
    if (message.kind === 'batch') this.#takeBatch(message)
    else if (message.kind === 'end') {
      this.#readings.get(message.file)?.end(message.error)
      this.#bytesAhead -= required(this.#sizes.get(message.file), 'the size of a file')
      this.#sizes.delete(message.file)
      this.#onIdler()
    } else {
      const completion = this.#completions.get(message.batch)
      this.#completions.delete(message.batch)
      if (message.kind === 'completed') completion?.resolve(message.contents)
      else completion?.reject(new Error(message.message))
    }
  }

  #takeBatch({ file, batch, read, contents }: Extract<FromThread, { readonly kind: 'batch' }>): void {
    const reading = this.#readings.get(file)
    if (read.rows === undefined) {
      reading?.add(read)
      return
    }
    const draft = new ThreadDraft(this.#number, contents, {
      complete: (stored, forTail) => this.#complete(batch, stored, forTail),
      release: () => this.#send({ kind: 'release', batch }),
    })
    reading?.add({ ...read, rows: { ...read.rows, draft } })
  }

  #complete(batch: number, stored: readonly Uint8Array[], forTail: boolean): Promise<readonly CompletedMessage[]> {
    const failure = this.#failure
    if (failure !== undefined) return Promise.reject(new ThreadEnded(failure))
    return new Promise((resolve, reject) => {
      this.#completions.set(batch, { resolve, reject })
      this.#send({ kind: 'complete', batch, stored, forTail })
    })
  }

  #fail(reason: string): void {
    if (this.#failure !== undefined) return
    const failure: ThreadFailure = { reason, isTold: false }
    this.#failure = failure
    for (const reading of this.#readings.values()) reading.fail(failure)
    for (const { reject } of this.#completions.values()) reject(new ThreadEnded(failure))
    this.#completions.clear()
    // The other threads may have more to do now.
    this.#onIdler()
  }
}

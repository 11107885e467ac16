/** A reading thread's side: prepares the batches of files in the order in which it is given them. */
import { redact } from '@cairn/core'
import { readFileAhead } from '@cairn/core/importers'
import type { FileAhead, FileEnd } from '@cairn/core/importers'
import { createFileSystem, createHasher, createSystemClock } from '@cairn/core/node'
import { contentsOf } from '../repository/batch-contents.ts'
import { prepareContent } from '../repository/prepared-content.ts'
import type { FoundBlocks, PreparedContent, SessionContent } from '../repository/prepared-content.ts'
import type { BlockQuestion, FromReader, PreparedParts, ReadingSetting, ToReader } from './messages.ts'

/** Batches that are read and not taken yet, at most: what waits takes memory. */
const MOST_WAITING = 2
const NOT_WANTED = 'The file is not wanted any more.'

interface ReaderPort {
  on(event: 'message', listen: (message: ToReader) => void): unknown
  postMessage(message: FromReader): void
  /** Ends the thread when it has nothing left to do. */
  close(): void
}

interface OpenQuestion {
  readonly position: number
  readonly answered: (found: FoundBlocks) => void
  readonly dropped: (reason: Error) => void
}

/**
 * Reads what it is told to until it is told to end. A file that fails is left to the other side, which comes to the same
 * error.
 */
export const serveReading = (port: ReaderPort, setting: ReadingSetting): void => {
  const reading = new Reading(port, setting)
  port.on('message', (message) => reading.hear(message))
}

class Reading {
  readonly #port: ReaderPort
  readonly #setting: ReadingSetting
  readonly #deps = { fileSystem: createFileSystem(), hasher: createHasher(), clock: createSystemClock(), redact }
  readonly #questions = new Map<number, OpenQuestion>()
  /** Places of files that failed, or are not wanted any more. */
  readonly #left = new Set<number>()
  #asked = 0
  #waiting = 0
  #hasEnded = false
  #wake: (() => void) | undefined
  #reading = Promise.resolve()
  /** Batches and ends go out in the order of reading. */
  #sending = Promise.resolve()

  constructor(port: ReaderPort, setting: ReadingSetting) {
    this.#port = port
    this.#setting = setting
  }

  hear(message: ToReader): void {
    if ('file' in message) this.#reading = this.#reading.then(() => this.#read(message.file))
    else if ('taken' in message) this.#taken()
    else if ('drop' in message) this.#drop(message.drop)
    else if ('end' in message) this.#end()
    else {
      this.#questions.get(message.answer)?.answered(message.found)
      this.#questions.delete(message.answer)
    }
  }

  async #read(file: FileAhead): Promise<void> {
    if (this.#hasEnded) return
    const { position } = file
    let end: FileEnd | undefined
    try {
      end = await this.#readBatches(file)
    } catch {
      this.#left.add(position)
    }
    this.#sending = this.#sending.then(() =>
      this.#port.postMessage({ position, end: this.#left.has(position) ? undefined : end }),
    )
  }

  async #readBatches(file: FileAhead): Promise<FileEnd | undefined> {
    const { position } = file
    const batches = readFileAhead(file, this.#deps)
    for (let batch = 0; !this.#isLeft(position); batch += 1) {
      while (this.#waiting >= MOST_WAITING && !this.#isLeft(position))
        await new Promise<void>((resolve) => (this.#wake = resolve))
      const next = await batches.next()
      if (next.done === true) return next.value
      const { facts, ...parsed } = next.value
      this.#waiting += 1
      const preparing = Promise.all(contentsOf(parsed).map((content) => this.#prepare(content, { position, batch })))
      const message = preparing.then((contents) => ({ position, batch, facts, contents }))
      // It is looked at when those before it are sent.
      message.catch(() => undefined)
      this.#sending = this.#sending.then(() => this.#send(position, message))
    }
    return undefined
  }

  async #prepare(content: SessionContent, at: Pick<BlockQuestion, 'position' | 'batch'>): Promise<PreparedParts> {
    const prepared = await prepareContent(
      content,
      (session, texts) =>
        new Promise<FoundBlocks>((answered, dropped) => {
          // It may have been dropped while the batch was read: then nobody answers.
          if (this.#isLeft(at.position)) {
            dropped(new Error(NOT_WANTED))
            return
          }
          const ask = (this.#asked += 1)
          this.#questions.set(ask, { position: at.position, answered, dropped })
          this.#port.postMessage({ ask, ...at, session, texts })
        }),
      this.#setting.segmentFrom,
    )
    return partsOf(prepared)
  }

  async #send(position: number, message: Promise<FromReader>): Promise<void> {
    try {
      const ready = await message
      if (!this.#isLeft(position)) {
        this.#port.postMessage(ready)
        return
      }
    } catch {
      this.#left.add(position)
    }
    this.#taken()
  }

  /** Compression is waited for by the runtime: a thread that is stopped in the middle of it could take the process along. */
  #end(): void {
    this.#hasEnded = true
    for (const [, { dropped }] of this.#questions) dropped(new Error(NOT_WANTED))
    this.#questions.clear()
    this.#wake?.()
    void this.#reading.then(() => this.#sending).then(() => this.#port.close())
  }

  #isLeft(position: number): boolean {
    return this.#hasEnded || this.#left.has(position)
  }

  #taken(): void {
    this.#waiting -= 1
    this.#wake?.()
  }

  #drop(position: number): void {
    this.#left.add(position)
    for (const [ask, question] of this.#questions) {
      if (question.position !== position) continue
      this.#questions.delete(ask)
      question.dropped(new Error(NOT_WANTED))
    }
  }
}

const partsOf = ({ session: _session, writes, indexed, ...parts }: PreparedContent): PreparedParts => ({
  ...parts,
  segment: indexed.segment,
  tail: writes.map((_, write) => indexed.tailOf(write)),
})

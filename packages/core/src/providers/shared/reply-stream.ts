/**
 * What is the same for all providers while a reply comes: one end and never two, silence that is noticed, a connection
 * that is let go. A provider opens the stream and translates the wire's events; nothing else.
 */
import { ModelError, type ModelDone, type ModelErrorDetails, type ModelEvent } from '../../ports/language-model.ts'
import type { TokenUsage } from '../../ports/price-book.ts'
import { sentenceFor, type Asked } from './failure-sentences.ts'
import { modelErrorOf } from './failures.ts'
import type { Batches } from './server-sent-events.ts'
import { Watchdog } from './watchdog.ts'

/** Translates a wire's events. One decoder serves one reply. */
export interface ReplyDecoder<Raw> {
  /** Takes the wire's next event. Whatever it throws ends the stream. Events that it does not know, it passes over. */
  take(event: Raw, emit: (event: ModelEvent) => void): void
  /**
   * The reply's end, once it was seen. `isOver`: nothing more comes, so what has arrived must do; undefined then means
   * that the reply was cut. Whatever it throws ends the stream.
   */
  end(isOver: boolean): ModelDone | undefined
  /** What the request used, as far as the provider said. */
  readonly usage: TokenUsage | undefined
  /** The provider's id of the reply, once it was said. */
  readonly responseId?: string | undefined
}

export interface ReplyTimes {
  /** How long a server may take to begin its answer, ms; default 5 minutes. */
  readonly firstByteMs?: number | undefined
  /** How long it may be silent after that, ms; default 2 minutes. */
  readonly idleMs?: number | undefined
}

export interface ReplyStreamOptions<Raw> extends ReplyTimes {
  /** Whom and what is asked, for the sentences of errors. */
  readonly asked: Asked
  /** Cancels the request, unless its end was given: the events that wait are dropped, and the error is `cancelled`. */
  readonly signal?: AbortSignal | undefined
  /** Sends the request; the signal frees the connection. */
  readonly open: (signal: AbortSignal) => Promise<Batches<Raw>>
  /** A new one, for this reply alone. */
  readonly decoder: ReplyDecoder<Raw>
}

const FIRST_BYTE_MS = 300_000
const IDLE_MS = 120_000
/** How long the connection may take to end after the reply's end, ms; so long it can be used again. */
const DRAIN_MS = 1000

type Result = IteratorResult<ModelEvent, undefined>
const OVER = { done: true, value: undefined } as const

/**
 * The events of a reply. The request is sent when the first one is asked for, and once only: iterating again goes on
 * with the same reply. Throws a ModelError while it is read.
 */
export const replyStream = <Raw>(options: ReplyStreamOptions<Raw>): AsyncIterable<ModelEvent> => {
  const stream = new ReplyStream(options)
  return { [Symbol.asyncIterator]: () => stream }
}

class ReplyStream<Raw> implements AsyncIterator<ModelEvent, undefined> {
  readonly #options: ReplyStreamOptions<Raw>
  readonly #controller = new AbortController()
  readonly #watchdog: Watchdog
  /** Events that were not asked for yet, from `#next` on. */
  #queue: ModelEvent[] = []
  #next = 0
  #batches: Batches<Raw> | undefined
  /** What has arrived and was not looked at yet. */
  #arrived: Iterator<Raw> | undefined
  #state: 'new' | 'open' | 'ended' | 'closed' = 'new'
  #failure: ModelError | undefined
  /** The request for an event that runs. */
  #running: Promise<Result> | undefined
  #hasEvents = false
  readonly #emit = (event: ModelEvent): void => {
    this.#queue.push(event)
  }
  readonly #abort = (): void => {
    const cancelled = this.#cancelled()
    // Cancelling is never success: the end counts only when it was given already.
    if (this.#state !== 'ended' || this.#next < this.#queue.length) {
      this.#failure ??= cancelled
      this.#queue = []
      this.#next = 0
    }
    this.#watchdog.stop(cancelled)
  }

  constructor(options: ReplyStreamOptions<Raw>) {
    this.#options = options
    this.#watchdog = new Watchdog(() => this.#controller.abort())
  }

  /**
   * The next event, or the end. Rejects with the reply's failure once the events before it were taken; calls made
   * before the last is answered wait for their turn.
   */
  next(): Promise<Result> {
    // Asked again before the last one was answered.
    if (this.#running !== undefined) {
      const again = (): Promise<Result> => this.next()
      return this.#running.then(again, again)
    }
    const event = this.#queue[this.#next] ?? this.#nextArrived()
    if (event !== undefined) {
      this.#next += 1
      return Promise.resolve({ done: false, value: event })
    }
    const running = this.#fill().finally(() => {
      this.#running = undefined
    })
    this.#running = running
    return running
  }

  /**
   * Decodes what has arrived, without waiting, until there is an event, and returns that one; it stays first in the
   * queue, which is emptied before: ask only when all its events were taken. Undefined if what has arrived holds none,
   * or the stream has ended or failed. What the decoder throws is kept for later.
   */
  #nextArrived(): ModelEvent | undefined {
    if (this.#arrived === undefined || this.#state !== 'open' || this.#failure !== undefined) return undefined
    this.#queue.length = 0
    this.#next = 0
    try {
      this.#takeArrived(this.#arrived)
    } catch (error) {
      this.#fail(error)
    }
    return this.#queue[0]
  }

  /** Ends the stream before its time and frees the connection; events that wait are dropped. Never rejects. */
  async return(): Promise<Result> {
    this.#close()
    return OVER
  }

  /**
   * Waits until there is an event, and gives it; or the end, or the error. An error is thrown once; after it the stream
   * is over.
   */
  async #fill(): Promise<Result> {
    this.#queue = []
    this.#next = 0
    if (this.#state === 'new') await this.#open()
    while (this.#queue.length === 0 && this.#state === 'open' && this.#failure === undefined) await this.#read()
    const event = this.#queue[0]
    if (event !== undefined) {
      this.#next = 1
      return { done: false, value: event }
    }
    const failure = this.#failure
    if (this.#state === 'ended' && failure === undefined) await this.#drain()
    this.#close()
    this.#failure = undefined
    if (failure !== undefined) throw failure
    return OVER
  }

  /**
   * Sends the request, with a limit of time for the first byte and then between bytes. A failure is kept until the
   * events before it were taken. Never rejects.
   */
  async #open(): Promise<void> {
    const { signal, open, firstByteMs = FIRST_BYTE_MS, idleMs = IDLE_MS } = this.#options
    this.#state = 'open'
    if (signal?.aborted === true) {
      this.#failure = this.#cancelled()
      return
    }
    signal?.addEventListener('abort', this.#abort, { once: true })
    try {
      this.#batches = await this.#watchdog.watch(open(this.#controller.signal), firstByteMs, () =>
        this.#late(firstByteMs),
      )
      this.#watchdog.limit(idleMs, () => this.#late(idleMs))
    } catch (error) {
      this.#fail(error)
    }
  }

  /**
   * Takes what has arrived until there is an event, or waits for more; where nothing more comes the reply ends. A
   * failure is kept, not thrown.
   */
  async #read(): Promise<void> {
    let broken: unknown
    if (this.#arrived === undefined) {
      try {
        const batch = await this.#nextBatch()
        if (batch.done !== true) this.#arrived = batch.value[Symbol.iterator]()
      } catch (error) {
        if (ModelError.is(error)) {
          this.#fail(error)
          return
        }
        // A connection that breaks when all that matters has come is no failure.
        broken = error
      }
      if (this.#failure !== undefined) return
    }
    try {
      if (this.#arrived === undefined) this.#endOver(broken)
      else this.#takeArrived(this.#arrived)
    } catch (error) {
      this.#fail(error)
    }
  }

  /**
   * Decodes what has arrived until it yields an event, which is queued, so that no more is decoded than is asked for.
   * Throws what the decoder throws.
   */
  #takeArrived(arrived: Iterator<Raw>): void {
    while (this.#queue.length === 0) {
      const next = arrived.next()
      if (next.done === true) {
        this.#arrived = undefined
        return
      }
      this.#hasEvents = true
      this.#options.decoder.take(next.value, this.#emit)
      const end = this.#options.decoder.end(false)
      if (end !== undefined) {
        this.#finish(end)
        return
      }
    }
  }

  /**
   * Ends the reply when nothing more comes, because the body ended or the connection broke: well if the decoder can do
   * with what has come, else as a failure.
   * @param broken why it broke; undefined if it ended
   */
  #endOver(broken: unknown): void {
    const end = this.#options.decoder.end(true)
    if (end !== undefined) this.#finish(end)
    else this.#fail(broken ?? (this.#hasEvents ? this.#cut() : this.#notAnApi()))
  }

  /**
   * Waits for what arrives next. Rejects as the connection does, and with why no more is waited for: time, or an abort.
   */
  #nextBatch(): Promise<IteratorResult<Iterable<Raw>, undefined>> {
    return this.#watchdog.wait(this.#batches?.next() ?? Promise.resolve(OVER))
  }

  /** Ends the reply with its last event. */
  #finish(end: ModelDone): void {
    this.#queue.push(end)
    this.#state = 'ended'
  }

  /** Keeps why the reply failed; a timeout or an abort counts before the error that it caused. */
  #fail(error: unknown): void {
    // An aborted request fails as its library likes; why it was aborted is known here.
    const cause = this.#watchdog.stopped ?? error
    this.#failure = modelErrorOf(cause, this.#options.asked, this.#details())
  }

  /** What is known of the reply for an error: usage and id. */
  #details(): ModelErrorDetails {
    const { usage, responseId } = this.#options.decoder
    return { ...(usage === undefined ? {} : { usage }), ...(responseId === undefined ? {} : { responseId }) }
  }

  /**
   * Lets the server end its response, so that the connection can be used for the next request. Never rejects; waits
   * `DRAIN_MS` at most.
   */
  async #drain(): Promise<void> {
    try {
      this.#watchdog.limit(DRAIN_MS, () => this.#cut())
      let isOver = false
      while (!isOver) {
        const batch = await this.#nextBatch()
        isOver = batch.done === true
      }
      this.#batches = undefined
    } catch {
      // The reply is whole.
    }
  }

  /** Drops events that wait, stops the timer, and frees the connection unless it has ended; a second call does nothing. */
  #close(): void {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    this.#queue = []
    this.#next = 0
    this.#options.signal?.removeEventListener('abort', this.#abort)
    this.#watchdog.end()
    const batches = this.#batches
    this.#batches = undefined
    if (batches === undefined && this.#failure === undefined) return
    this.#controller.abort()
    batches?.return?.().catch(() => undefined)
  }

  #cancelled(): ModelError {
    return new ModelError('cancelled', 'The request was cancelled.')
  }

  /** The error of a reply that broke off. */
  #cut(): ModelError {
    return new ModelError(
      'cut-off',
      `The reply of ${this.#options.asked.provider} broke off before its end: ask again.`,
    )
  }

  /** The error of an answer that is no API's. */
  #notAnApi(): ModelError {
    const nothing = { kind: '', message: '', cause: '', isFromApi: false }
    return new ModelError('not-an-api', sentenceFor('not-an-api', nothing, this.#options.asked))
  }

  /** The error of a server that has sent nothing for so long (ms). */
  #late(ms: number): ModelError {
    const seconds = Math.round(ms / 100) / 10
    return new ModelError(
      'timeout',
      `${this.#options.asked.provider} has sent nothing for ${seconds} s: ask again, or allow it more time.`,
    )
  }
}

/**
 * Recording in a thread of its own: reading bodies and writing to the store take milliseconds, in which no byte of another
 * request would pass. The thread has the recorder and the policy; the gateway's side sends it what is to be recorded, in
 * order, and hears what became of it.
 */
import { CairnError, messageOf, type ErrorCode } from '../../errors.ts'
import type { RequestFact } from '../../ports/usage-storage.ts'
import type { AppliedPolicy, ClientRequest, RequestPolicy } from './policy/request-policy.ts'
import type { FinishedExchange, RecordedExchange, Recorder } from './recorder.ts'

/** One end of a channel between threads: a `Worker`, its `parentPort`, or a `MessagePort`. */
interface ThreadPort {
  postMessage(message: unknown): void
  /** `message`; `error`, `messageerror`, `exit` and `close` where it has them. */
  on(event: string, listen: (value: unknown) => void): unknown
}

/** A thread that was started. */
interface StartedThread {
  readonly port: ThreadPort
  /** Ends it where it still runs. Never rejects. */
  readonly end: () => Promise<unknown>
}

/** What the thread is asked. `end`: nothing more will come. */
type Question =
  | { readonly id: number; readonly record: FinishedExchange }
  | { readonly id: number; readonly apply: ClientRequest }
  | { readonly id: number; readonly end: true }

/** What the thread tells unasked: that it can be asked, that it can't go on, or what the user is to know. */
type Notice = { readonly ready: true } | { readonly stopped: Failure } | { readonly told: string }

/** What it answers. */
type Answer =
  | { readonly id: number; readonly failed: Failure }
  | { readonly id: number; readonly billed: RequestFact | undefined }
  | { readonly id: number; readonly recorded: RecordedExchange }
  | { readonly id: number; readonly applied: AppliedPolicy }
  | { readonly id: number; readonly ended: true }

/** An error of the store or the user's, as it was; any other only by its text. */
interface Failure {
  readonly code?: ErrorCode
  readonly message: string
}

/** What the thread works with. */
export interface ThreadWork {
  readonly recorder: Recorder
  readonly policy: RequestPolicy | undefined
  /** Closes the store. */
  readonly close: () => Promise<void>
}

/**
 * The thread's side: opens what it works with and answers until it is told to end. `open` is given what passes sentences
 * on to the user. Resolves when all is closed; never rejects, a failure is told to the other side.
 */
export const serveRecording = async (
  port: ThreadPort,
  open: (tell: (sentence: string) => void) => Promise<ThreadWork>,
): Promise<void> => {
  const send = (answer: Answer | Notice): void => port.postMessage(answer)
  const questions: Question[] = []
  let take = (question: Question): void => void questions.push(question)
  const ended = new Promise<Question>((resolve) => {
    port.on('message', (message) => {
      const question = message as Question
      if ('end' in question) resolve(question)
      else take(question)
    })
  })
  try {
    const { recorder, policy, close } = await open((told) => send({ told }))
    const answering = new Set<Promise<void>>()
    take = (question) => {
      const answered = answer(question, recorder, policy, send)
      answering.add(answered)
      void answered.then(() => answering.delete(answered))
    }
    for (const question of questions.splice(0)) take(question)
    send({ ready: true })
    const { id } = await ended
    try {
      await Promise.all([recorder.end(), ...answering])
    } finally {
      await close()
    }
    send({ id, ended: true })
  } catch (error) {
    send({ stopped: failureOf(error) })
  }
}

/**
 * Answers a question of the main thread: for a recording first the bill, then the record when it is written; for a
 * request what the policy makes of it, without a policy as it came. Never rejects: a failure is an answer.
 */
const answer = async (
  question: Question,
  recorder: Recorder,
  policy: RequestPolicy | undefined,
  send: (answer: Answer) => void,
): Promise<void> => {
  const { id } = question
  try {
    if ('record' in question) {
      const { bill, written } = recorder.record(question.record)
      send({ id, billed: bill })
      send({ id, recorded: await written })
    } else if ('apply' in question)
      send({ id, applied: (await policy?.apply(question.apply)) ?? { body: undefined, begun: undefined } })
  } catch (error) {
    send({ id, failed: failureOf(error) })
  }
}

const failureOf = (error: unknown): Failure =>
  CairnError.is(error) ? { code: error.code, message: error.message } : { message: messageOf(error) }

const errorOf = ({ code, message }: Failure): Error =>
  code === undefined ? new Error(message) : new CairnError(code, message)

/** An exchange that is being recorded in the thread. */
export interface ThreadRecording {
  /** What it cost; undefined for a request that failed and was not billed. Rejects where it could not be read. */
  readonly billed: Promise<RequestFact | undefined>
  /** On disk when it resolves. Rejects where the store does, and where the thread ended before. */
  readonly written: Promise<RecordedExchange>
}

export interface RecordingThread {
  record(exchange: FinishedExchange): ThreadRecording
  /** The thread's policy; a request passes as it came where the thread can't be asked. */
  readonly policy: RequestPolicy
  /**
   * Resolves when all that was given is written, or has failed, and the thread has closed its store. Nothing waits for an
   * agent's file any more.
   */
  end(): Promise<void>
}

interface RecordingThreadInput {
  /** Starts a thread that serves; called again after one ended by itself. */
  readonly start: () => StartedThread
  /** Told what the policy tells, and that the thread ended. */
  readonly tell: (sentence: string) => void
}

/** The gateway's side. Rejects with what the thread failed with, such as a store that can't be opened. */
export const startRecordingThread = async (input: RecordingThreadInput): Promise<RecordingThread> => {
  const thread = new ThreadClient(input)
  await thread.ready()
  return thread
}

interface Waiting {
  readonly billed: PromiseWithResolvers<RequestFact | undefined>
  readonly done: PromiseWithResolvers<Answer>
}

class ThreadClient implements RecordingThread {
  readonly policy: RequestPolicy = { apply: (request) => this.#apply(request) }
  readonly #input: RecordingThreadInput
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0
  #port: ThreadPort | undefined
  #ready = Promise.withResolvers<undefined>()
  #isReady = false
  #isEnding = false

  constructor(input: RecordingThreadInput) {
    this.#input = input
  }

  /** Starts the thread where none runs, and resolves when it is ready; rejects if it ends before. */
  async ready(): Promise<void> {
    this.#open()
    await this.#ready.promise
  }

  /** Has an exchange recorded; `billed` comes before it is written. Both reject if the thread ends. */
  record(exchange: FinishedExchange): ThreadRecording {
    const { billed, done } = this.#ask((id) => ({ id, record: exchange }))
    const written = done.promise.then((answer) => {
      if (!('recorded' in answer)) throw new Error(UNEXPECTED)
      return answer.recorded
    })
    return { billed: billed.promise, written }
  }

  /** Ends the thread, and resolves when it has closed its store; at once if none runs. It never rejects. */
  async end(): Promise<void> {
    this.#isEnding = true
    if (this.#port !== undefined) await this.#ask((id) => ({ id, end: true })).done.promise.catch(() => undefined)
  }

  /** Has the policy applied; never rejects: if the thread fails, the request goes on as it came, which is told. */
  async #apply(request: ClientRequest): Promise<AppliedPolicy> {
    try {
      const applied = await this.#ask((id) => ({ id, apply: request })).done.promise
      if ('applied' in applied) return applied.applied
    } catch (error) {
      this.#input.tell(`A request was passed on whole: the policy could not be applied: ${messageOf(error)}`)
    }
    return { body: undefined, begun: undefined }
  }

  /** Sends a question to the thread, which is started if it is not running. `billed` is settled only for recordings. */
  #ask(question: (id: number) => Question): Waiting {
    const id = (this.#lastId += 1)
    const waiting: Waiting = { billed: Promise.withResolvers(), done: Promise.withResolvers() }
    // Who asks may look at one of them only.
    for (const { promise } of [waiting.billed, waiting.done]) promise.catch(() => undefined)
    this.#waiting.set(id, waiting)
    this.#open().postMessage(question(id))
    return waiting
  }

  /**
   * The thread's port; starts the thread if there is none. When it ends, all questions under way fail, and the next
   * starts another. Waits for nothing.
   */
  #open(): ThreadPort {
    if (this.#port !== undefined) return this.#port
    const { port, end } = this.#input.start()
    this.#port = port
    this.#isReady = false
    this.#ready = Promise.withResolvers()
    this.#ready.promise.catch(() => undefined)
    const gone = (why: unknown): void => {
      if (this.#port !== port) return
      this.#gone(why)
      void end()
    }
    port.on('message', (message) => this.#take(message as Answer | Notice, gone))
    port.on('error', gone)
    port.on('messageerror', gone)
    port.on('exit', () => gone(new Error(ENDED)))
    port.on('close', () => gone(new Error(ENDED)))
    return port
  }

  /**
   * Takes a message of the thread: it is ready, tells the user something, stopped (`gone` is called with why), or
   * answers a question.
   */
  #take(message: Answer | Notice, gone: (why: unknown) => void): void {
    if ('ready' in message) {
      this.#isReady = true
      this.#ready.resolve(undefined)
    } else if ('told' in message) this.#input.tell(message.told)
    else if ('stopped' in message) gone(errorOf(message.stopped))
    else this.#takeAnswer(message)
  }

  /**
   * Settles the question that an answer is to. A bill settles only `billed`: the record is still to come. Nothing for a
   * question that is not open.
   */
  #takeAnswer(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id)
    if ('billed' in answer) {
      waiting?.billed.resolve(answer.billed)
      return
    }
    this.#waiting.delete(answer.id)
    if ('failed' in answer) this.#fail(waiting, errorOf(answer.failed))
    else waiting?.done.resolve(answer)
  }

  /**
   * The thread is no longer there: what it had not answered has failed; the next question starts another one. Told to
   * the user if it had been ready and was not asked to end.
   */
  #gone(why: unknown): void {
    this.#port = undefined
    this.#ready.reject(why)
    for (const waiting of this.#waiting.values()) this.#fail(waiting, why)
    this.#waiting.clear()
    // One that never began fails whoever waits for it.
    if (this.#isReady && !this.#isEnding) this.#input.tell(`Recording broke off, and starts again: ${messageOf(why)}`)
  }

  /** Fails a question: its bill and its end. Nothing without one. */
  #fail(waiting: Waiting | undefined, why: unknown): void {
    waiting?.billed.reject(why)
    waiting?.done.reject(why)
  }
}

const ENDED = 'its thread ended.'
const UNEXPECTED = 'its thread gave an answer to something else.'

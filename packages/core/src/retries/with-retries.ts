/** Retries model requests after transient failures. */
import { assertLimit } from '../input.ts'
import { ModelError, type LanguageModel, type ModelEvent, type ModelRequest } from '../ports/language-model.ts'

export interface RetryOptions {
  /** Maximum number of attempts, including the first; default 5. */
  readonly maximumAttempts?: number
  /** No attempt starts later than this after the first, ms; default 3 minutes. */
  readonly budgetMs?: number
  /** Maximum delay chosen here, ms; default 20 seconds. */
  readonly maximumDelayMs?: number
  /** Maximum delay that a provider may request, ms; default 1 minute. If it requests more, there is no retry. */
  readonly maximumRetryAfterMs?: number
  /** Delay before the second attempt, ms; it doubles from then on. Default half a second. */
  readonly firstDelayMs?: number
  /** Adds details to an error that ends a request; default: none. */
  readonly explain?: (error: ModelError, request: ModelRequest) => Promise<ModelError>
  /** Waits for the given ms; may end early if the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** The current time, ms; default: the system's. */
  readonly now?: () => number
  /** A random number in [0, 1); default `Math.random`. */
  readonly random?: () => number
}

/**
 * Wraps a model so that failed requests are retried if the failure is transient (`ModelError.isRetryable`), also for
 * counting tokens, until the attempts or the time are used up; then the last error is thrown, as `explain` gives it.
 * Before each delay, a `retry` event says that the output of the failed attempt is void. Delays double, and are random
 * between half and all of their length, so that programs that failed together do not retry together. A provider's
 * `retry-after` is obeyed up to a limit; beyond it, the error is thrown.
 * @throws CairnError `invalid-input` for limits that are not numbers from 0 up.
 */
export const withRetries = (model: LanguageModel, options: RetryOptions): LanguageModel => {
  const plan = createRetryPlan(options)
  return {
    provider: model.provider,
    stream: (request) => ({ [Symbol.asyncIterator]: () => new RetriedStream(model, request, plan) }),
    ...(model.countTokens === undefined ? {} : { countTokens: (request) => countedTokens(model, request, plan) }),
  }
}

/** Decides on retries after failures of one request. */
interface RetryPlan {
  start(): Attempts
  /** What was thrown, with the details that `explain` adds; what is no ModelError stays as it is. */
  explained(thrown: unknown, request: ModelRequest): Promise<unknown>
  /** Waits so many ms; rejects with `cancelled` where the signal is aborted before or meanwhile. */
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>
}

interface Attempts {
  /** Delay before the next attempt after a failure, ms; undefined if there is none. */
  delayAfter(error: ModelError): number | undefined
  /** Number of attempts so far. */
  readonly count: number
}

/**
 * Creates the plan, with defaults filled in; throws `invalid-input` for invalid limits. `delayAfter` counts an attempt
 * and gives the wait before it (ms), undefined where none is to be made.
 */
const createRetryPlan = (options: RetryOptions): RetryPlan => {
  const { maximumAttempts = 5, budgetMs = 180_000, maximumDelayMs = 20_000, maximumRetryAfterMs = 60_000 } = options
  const { firstDelayMs = 500, now = Date.now, random = Math.random, sleep } = options
  const { explain = (error: ModelError) => Promise.resolve(error) } = options
  assertLimit(maximumAttempts, 'maximumAttempts', 1)
  for (const [what, ms] of Object.entries({ budgetMs, maximumDelayMs, maximumRetryAfterMs, firstDelayMs }))
    if (ms !== Infinity) assertLimit(ms, what, 0)

  /** The wait (ms) after this attempt; undefined where the provider asks for more than is obeyed. */
  const delayOf = (attempt: number, error: ModelError): number | undefined => {
    const longest = Math.min(maximumDelayMs, firstDelayMs * 2 ** (attempt - 1))
    const own = longest * (1 - random() / 2)
    const { retryAfterMs = 0 } = error.details
    if (retryAfterMs > maximumRetryAfterMs) return undefined
    return Math.ceil(Math.max(own, retryAfterMs))
  }
  return {
    start: () => {
      const startedAt = now()
      const attempts = { count: 1 }
      return {
        get count() {
          return attempts.count
        },
        delayAfter: (error) => {
          if (!error.isRetryable || attempts.count >= maximumAttempts) return undefined
          const delayMs = delayOf(attempts.count, error)
          if (delayMs === undefined || now() - startedAt + delayMs > budgetMs) return undefined
          attempts.count += 1
          return delayMs
        },
      }
    },
    explained: async (thrown, request) => (ModelError.is(thrown) ? explain(thrown, request) : thrown),
    wait: async (ms, signal) => {
      if (signal?.aborted !== true) await sleep(ms, signal)
      if (signal?.aborted === true) throw new ModelError('cancelled', 'The request was cancelled.')
    },
  }
}

type Result = IteratorResult<ModelEvent, undefined>

/** Passes on the events of the current attempt, and starts the next attempt when it fails. */
class RetriedStream implements AsyncIterator<ModelEvent, undefined> {
  readonly #model: LanguageModel
  readonly #request: ModelRequest
  readonly #plan: RetryPlan
  #attempts: Attempts | undefined
  #events: AsyncIterator<ModelEvent> | undefined
  /** Delay before the next attempt, ms. */
  #delayMs = 0
  #isClosed = false
  /**
   * After a failure: the `retry` event where another attempt is to be made, which the next read begins. Otherwise
   * closes the stream and rejects with what was thrown, explained.
   */
  readonly #failed = async (thrown: unknown): Promise<Result> => {
    this.#events = undefined
    const delayMs = ModelError.is(thrown) && !this.#isClosed ? this.#attempts?.delayAfter(thrown) : undefined
    if (delayMs === undefined) {
      this.#isClosed = true
      throw await this.#plan.explained(thrown, this.#request)
    }
    this.#delayMs = delayMs
    const attempt = this.#attempts?.count ?? 1
    return { done: false, value: { type: 'retry', attempt, delayMs, error: thrown as ModelError } }
  }

  constructor(model: LanguageModel, request: ModelRequest, plan: RetryPlan) {
    this.#model = model
    this.#request = request
    this.#plan = plan
  }

  /**
   * The next event; done once the stream was closed. A failure gives a `retry` event, and the read after it begins
   * another attempt behind a wait; where the plan allows none, it is rejected with and the stream is closed.
   */
  next(): Promise<Result> {
    if (this.#isClosed) return Promise.resolve({ done: true, value: undefined })
    // One wait more an event than the model itself has, and no more: there are many of them.
    return (this.#events === undefined ? this.#begin() : this.#events.next()).then(undefined, this.#failed)
  }

  /** Ends the stream and the attempt under way. Later reads give its end. Rejects as that does. */
  async return(): Promise<Result> {
    this.#isClosed = true
    await this.#events?.return?.()
    return { done: true, value: undefined }
  }

  /** Begins an attempt, after the wait if there was one before; ends if the stream was closed meanwhile. */
  async #begin(): Promise<IteratorResult<ModelEvent, unknown>> {
    if (this.#attempts === undefined) this.#attempts = this.#plan.start()
    else await this.#plan.wait(this.#delayMs, this.#request.signal)
    // Ended while it waited.
    if (this.#isClosed) return { done: true, value: undefined }
    this.#events = this.#model.stream(this.#request)[Symbol.asyncIterator]()
    return this.#events.next()
  }
}

/**
 * Counts tokens, with retries after transient failures; 0 for a model that can't count. Rejects with the last error,
 * explained.
 */
const countedTokens = async (model: LanguageModel, request: ModelRequest, plan: RetryPlan): Promise<number> => {
  const attempts = plan.start()
  for (;;) {
    try {
      return (await model.countTokens?.(request)) ?? 0
    } catch (error) {
      const delayMs = ModelError.is(error) ? attempts.delayAfter(error) : undefined
      if (delayMs === undefined) throw await plan.explained(error, request)
      await plan.wait(delayMs, request.signal)
    }
  }
}

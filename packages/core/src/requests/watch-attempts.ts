/** Follows a request through its attempts: each ends once, recorded before anybody hears of its end. */
import type { Clock } from '../ports/clock.ts'
import {
  ModelError,
  type LanguageModel,
  type ModelDone,
  type ModelEvent,
  type ModelRequest,
} from '../ports/language-model.ts'
import { Attempt } from './attempt.ts'

/** Records how attempts end. What is thrown here ends the request. */
export interface AttemptRecorder {
  /** Records an attempt that succeeded; the caller is given the request's end only after it resolved. */
  done(attempt: Attempt, done: ModelDone): Promise<void>
  /** Records an attempt that failed, be it for good or to be made again. */
  failed(attempt: Attempt, error: ModelError): Promise<void>
}

export interface WatchOptions {
  readonly clock: Clock
  readonly recorder: AttemptRecorder
  /** Attempts at the same request that were made before; default 0. */
  readonly madeBefore?: number
}

/**
 * The events of the request, each after the recorder was told of what it ends; an attempt is told as done or failed
 * exactly once, except one that was cancelled while it waited to be made: of it nothing is told. Whoever ends the
 * iteration early has cancelled the request, and so it is recorded; so is an error that is no ModelError.
 * @throws what the model throws, `cut-off` where it gives no `done`; and what the recorder throws
 */
export async function* watchAttempts(
  model: LanguageModel,
  request: ModelRequest,
  { clock, recorder, madeBefore = 0 }: WatchOptions,
): AsyncGenerator<ModelEvent, void> {
  let attempt = new Attempt(madeBefore + 1, clock.now())
  let isOver = false
  /** Ends the attempt with an error, and records it unless it never began. */
  const fail = async (error: ModelError): Promise<void> => {
    isOver = true
    // Cancelled while it waited to be made again: there was no such attempt.
    const neverBegan = error.code === 'cancelled' && !attempt.hasBegun && clock.now() < attempt.startedAt
    if (!neverBegan) await recorder.failed(attempt, error)
  }
  try {
    for await (const event of model.stream(request)) {
      attempt.take(event, clock.now())
      if (event.type === 'retry') {
        await recorder.failed(attempt, event.error)
        attempt = new Attempt(madeBefore + event.attempt, clock.now() + event.delayMs)
      } else if (event.type === 'done') {
        isOver = true
        await recorder.done(attempt, event)
      }
      yield event
    }
    if (!isOver) throw new ModelError('cut-off', 'The reply broke off before its end: ask again.')
  } catch (error) {
    if (!isOver && ModelError.is(error)) await fail(error)
    throw error
  } finally {
    if (!isOver) await fail(new ModelError('cancelled', 'The request was cancelled.'))
  }
}

/** What the panel says when a replay could not be made. */
import { failureOf } from '../../trpc/failure.ts'
import type { Failure } from '../../trpc/failure.ts'

/** Returns why a replay failed, as a title and a sentence: the server's own if it answered. */
export const replayFailure = (error: Parameters<typeof failureOf>[0]): Failure => {
  const isAnswered = error.data !== undefined && error.data !== null
  return isAnswered ? { title: 'The session can’t be replayed', text: error.message } : failureOf(error)
}

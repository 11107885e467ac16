/**
 * Which call a result answers. The id alone does not tell: some servers count the calls of each reply from the
 * beginning, and transcripts whose ids were masked give one id to all calls.
 */
import type { Role } from './messages.ts'

/** The calls of a log that wait for a result, each with a value of the caller's. */
export interface PendingCalls<Value> {
  /** To be called with the role of each message, before its blocks. */
  begin(role: Role): void
  /** Takes a call. */
  add(id: string, value: Value): void
  /**
   * The call that a result answers, which then waits no more. Where none with this id waits, the one that was answered
   * last if answered ones are kept: it has another result; otherwise undefined.
   */
  answer(id: string): Value | undefined
}

interface Queue<Value> {
  /** When its calls were made. */
  round: number
  readonly waiting: Value[]
  readonly answered: Value[]
}

/** Ids remembered without a result; if results were lost, the oldest are dropped. */
const MOST_WAITING = 1_000

/**
 * Without calls at first. Results answer the calls of an id in the order in which these were made. A call takes the
 * place of those with its id that were made before the model was last spoken to: they get no result any more.
 * @param keepsAnswered of each id the call answered last is remembered beyond its result, and no id is ever dropped
 */
export const createPendingCalls = <Value>({ keepsAnswered = false } = {}): PendingCalls<Value> => {
  const queues = new Map<string, Queue<Value>>()
  let round = 0
  let wasReply = false
  return {
    begin: (role) => {
      const isReply = role === 'assistant'
      if (isReply && !wasReply) round += 1
      wasReply = isReply
    },
    add: (id, value) => {
      const queue = queues.get(id) ?? { round, waiting: [], answered: [] }
      if (queue.round !== round) queue.waiting.length = 0
      queue.round = round
      queue.waiting.push(value)
      queues.set(id, queue)
      const oldest = keepsAnswered || queues.size <= MOST_WAITING ? undefined : queues.keys().next().value
      if (oldest !== undefined) queues.delete(oldest)
    },
    answer: (id) => {
      const queue = queues.get(id)
      if (queue === undefined) return undefined
      const answered = queue.waiting.splice(0, 1)
      if (answered.length === 0) return queue.answered[0]
      if (keepsAnswered) queue.answered.splice(0, 1, ...answered)
      else if (queue.waiting.length === 0) queues.delete(id)
      return answered[0]
    },
  }
}

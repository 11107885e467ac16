/** How many requests a conversation took: each reply of the model is one, however many entries it was recorded as. */
import type { MessageEntry } from '../session-log.ts'

/** Counts the requests of the main conversation. */
export interface RequestCount {
  /** Takes the main conversation's next message. True when it is the first of a new reply. */
  take(entry: MessageEntry): boolean
  /** Requests so far. */
  readonly requests: number
  /** When the last request was made (ms); null while none has a time. */
  readonly lastAt: number | null
}

/** A counter of the requests in a log, at 0. Feed it the log from its beginning. */
export const createRequestCount = (): RequestCount => new ReplyCount()

class ReplyCount implements RequestCount {
  requests = 0
  lastAt: number | null = null
  #lastResponse: string | undefined
  #lastRole: MessageEntry['role'] | undefined

  /**
   * Takes the next message; true if it begins a new reply, which counts as a request. Messages without a time leave
   * `lastAt` as it is.
   */
  take(entry: MessageEntry): boolean {
    const isNew = entry.role === 'assistant' && entry.origin === undefined && this.#isNewReply(entry)
    if (isNew) {
      this.requests += 1
      this.lastAt = entry.at ?? this.lastAt
      this.#lastResponse = entry.responseId
    }
    this.#lastRole = entry.role
    return isNew
  }

  #isNewReply({ responseId }: MessageEntry): boolean {
    return responseId === undefined ? this.#lastRole !== 'assistant' : responseId !== this.#lastResponse
  }
}

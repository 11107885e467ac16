/** What the page says when its question failed. */

/** The part of a tRPC client's error that says what happened. */
interface AskingError {
  readonly message: string
  /** There when the procedure itself answered. */
  readonly data?: unknown
}

export interface Failure {
  readonly title: string
  readonly text: string
}

/** The server answers, and not to this page: asking again changes nothing before somebody does something. */
class ShutOutError extends Error {
  override readonly name = 'ShutOutError'
}

/** What the guard refuses with. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 421])

/** `fetch`, but for refusals: they are plain text, which the client would take for an answer that it can't read. */
export const fetchOrRefusal: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  if (REFUSALS.has(response.status)) throw new ShutOutError(`refused with ${response.status}`)
  return response
}

/** Whether the guard refused the request, by the error's cause: asking again is of no use. */
export const isShutOut = (error: object): boolean => 'cause' in error && error.cause instanceof ShutOutError

/** The title and text for a failed query: the store’s own message, a refusal, or no answer at all. */
export const failureOf = (error: AskingError): Failure => {
  if (error.data !== undefined && error.data !== null) return { title: 'The store can’t be read', text: error.message }
  if (isShutOut(error)) {
    return {
      title: 'This page is no longer let in',
      text: 'The dashboard was restarted; open the address that it printed.',
    }
  }
  return {
    title: 'The dashboard does not answer',
    text: 'It may have been stopped, or restarted at another address: start it again with "cairn dashboard", or open the address that it printed. This page goes on by itself when it answers.',
  }
}

/** What the page says when its question failed. */

/** The part of a tRPC client's error that says what happened. */
interface AskingError {
  readonly message: string
  /** There when the procedure itself answered. */
  readonly data?: unknown
}

/** A failure as the page shows it. */
export interface Failure {
  readonly title: string
  readonly text: string
}

/** The server answers, and not to this page: asking again changes nothing before somebody does something. */
class ShutOutError extends Error {
  override readonly name = 'ShutOutError'
  /** A team's dashboard: the proxy lets in who signs in again. */
  readonly isSignedOut: boolean

  constructor(response: Response) {
    super(`refused with ${response.status}`)
    // A proxy that signs people in answers programs with JSON.
    this.isSignedOut =
      response.status === 401 && (response.headers.get('www-authenticate') !== null || isJson(response))
  }
}

/** Whether a response is JSON. */
const isJson = ({ headers }: Response): boolean => headers.get('content-type')?.startsWith('application/json') === true

/** What the guard refuses with. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 421])

/**
 * As `fetch`, but rejects for the guard's refusals, which are plain text that the client can't read. What a procedure
 * refuses is an answer.
 */
export const fetchOrRefusal: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  if (REFUSALS.has(response.status) && !(response.status === 403 && isJson(response))) throw new ShutOutError(response)
  return response
}

/** Whether a procedure refused the request because of the asker's role. */
const isNotShown = ({ data }: { readonly data?: unknown }): boolean =>
  typeof data === 'object' && data !== null && 'code' in data && data.code === 'FORBIDDEN'

/** Whether the guard or the procedure refused the request, by the error's cause: repeating it is of no use. */
export const isShutOut = (error: object): boolean =>
  ('cause' in error && error.cause instanceof ShutOutError) || isNotShown(error)

/**
 * Returns the title and text for a failed query: the store's own message, a refusal, or that there was no answer. Also
 * that the page is not shown to this reader.
 */
export const failureOf = (error: AskingError): Failure => {
  if (isNotShown(error)) return { title: 'Not shown here', text: error.message }
  if (error.data !== undefined && error.data !== null) return { title: 'The store can’t be read', text: error.message }
  if (isShutOut(error)) {
    const isSignedOut = 'cause' in error && error.cause instanceof ShutOutError && error.cause.isSignedOut
    return {
      title: 'This page is no longer let in',
      text: isSignedOut
        ? 'Your session has ended; load the page again to sign in.'
        : 'The dashboard was restarted; open the address that it printed.',
    }
  }
  return {
    title: 'The dashboard does not answer',
    text: 'It may have been stopped, or restarted at another address: start it again with "cairn dashboard", or open the address that it printed. This page goes on by itself when it answers.',
  }
}

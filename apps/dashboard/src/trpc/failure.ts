/** What the page says when its question failed. */

/** The part of a tRPC client's error that tells what happened. */
interface AskingError {
  readonly message: string
  /** There when the procedure itself answered. */
  readonly data?: unknown
  readonly meta?: Readonly<Record<string, unknown>> | undefined
}

export interface Failure {
  readonly title: string
  readonly text: string
}

const statusOf = ({ meta }: AskingError): number | undefined => {
  const response = meta?.['response']
  return response instanceof Response ? response.status : undefined
}

export const failureOf = (error: AskingError): Failure => {
  if (error.data !== undefined && error.data !== null) return { title: 'The store can’t be read', text: error.message }
  const status = statusOf(error)
  if (status === 401 || status === 403 || status === 421) {
    return { title: 'This page is no longer let in', text: 'The dashboard was started anew with another token; open the address that "cairn dashboard" printed last.' }
  }
  return { title: 'The dashboard does not answer', text: 'It may have been stopped; start it again with "cairn dashboard". This page goes on by itself when it answers.' }
}

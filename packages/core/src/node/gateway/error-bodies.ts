/** Answers of the gateway's own, in the form that the client's library knows as an error of its provider. */
import type { ServerResponse } from 'node:http'
import type { Wire } from './routes.ts'

export interface OwnError {
  readonly status: number
  /** One sentence for the user. */
  readonly message: string
  /** The providers' own words for this kind of error. */
  readonly anthropicType: string
  readonly openAICode: string
  /** False: the libraries are told not to ask again. */
  readonly isRetryable: boolean
}

/**
 * The error for a budget that is spent, `message` says of which. Libraries ask again at 429; at 402 they stop at
 * once.
 */
export const budgetError = (message: string): OwnError => ({
  status: 402,
  message,
  anthropicType: 'billing_error',
  openAICode: 'insufficient_quota',
  isRetryable: false,
})

/**
 * The error for an upstream that can't be reached or broke off before its answer; clients may ask again. Status 502.
 */
export const upstreamError = (message: string): OwnError => ({
  status: 502,
  message,
  anthropicType: 'api_error',
  openAICode: 'upstream_unreachable',
  isRetryable: true,
})

/** The error for a request that is refused: 401 for a token, 403 for a host or page. */
export const accessError = (status: number, message: string): OwnError => ({
  status,
  message,
  anthropicType: status === 401 ? 'authentication_error' : 'permission_error',
  openAICode: status === 401 ? 'invalid_api_key' : 'permission_denied',
  isRetryable: false,
})

/** Writes the error and ends the response; a response that has begun is cut instead. Its form is that of the wire. */
export const sendError = (response: ServerResponse, wire: Wire, error: OwnError): void => {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const { status, message, anthropicType, openAICode, isRetryable } = error
  const body =
    wire === 'anthropic'
      ? { type: 'error', error: { type: anthropicType, message } }
      : { error: { message, type: openAICode, param: null, code: openAICode } }
  // A client that is still sending would lose the answer if its connection were closed: the rest is read and dropped.
  response.req.resume()
  response.writeHead(status, {
    'content-type': 'application/json',
    'x-should-retry': String(isRetryable),
  })
  response.end(JSON.stringify(body))
}

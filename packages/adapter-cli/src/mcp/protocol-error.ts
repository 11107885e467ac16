/**
 * Failures of the protocol itself, such as an unknown tool or resource. Failures of a tool are results, which the model
 * reads.
 */

/** Codes of JSON-RPC and MCP. */
export const INVALID_REQUEST = -32_600
export const INVALID_PARAMS = -32_602
export const RESOURCE_NOT_FOUND = -32_002
export const INTERNAL_ERROR = -32_603

/** An error that the SDK sends to the client with its code and message. */
export class ProtocolError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.name = 'ProtocolError'
    this.code = code
  }
}

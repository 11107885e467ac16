/** Failures of the protocol itself (an unknown tool or resource), as opposed to those of a tool, which the model is told. */

/** Codes of JSON-RPC and MCP. */
export const INVALID_REQUEST = -32_600
export const INVALID_PARAMS = -32_602
export const RESOURCE_NOT_FOUND = -32_002
export const INTERNAL_ERROR = -32_603

/** The SDK sends code and message of an error that carries a whole number. */
export class ProtocolError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.name = 'ProtocolError'
    this.code = code
  }
}

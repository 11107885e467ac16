/**
 * Errors with a stable code. Recognised by a registered symbol rather than `instanceof`, so that two
 * copies of the package in one process (an extension and a library) still understand each other.
 */
const marker = Symbol.for('cairn.error')

/** Codes that callers may branch on; the text of the message is for people. */
export type ErrorCode =
  | 'usage'
  | 'not-found'
  | 'ambiguous'
  | 'unsupported'
  | 'budget-exceeded'
  | 'sequence-conflict'
  | 'file-conflict'
  /** The user's settings switch it off. */
  | 'disabled'
  | 'storage-unavailable'
  | 'storage-busy'
  | 'storage-newer'
  | 'storage-corrupt'
  | 'storage-failed'
  | 'read-failed'
  | 'invalid-input'
  /** A model's summary that may not stand for what was said. */
  | 'summary-refused'
  | ModelErrorCode

/** Why a request to a model failed. */
export type ModelErrorCode =
  /** The input is longer than the model takes. */
  | 'context-overflow'
  /** The provider refuses the request as it is: asking again is in vain. */
  | 'bad-request'
  /** The key is missing, wrong, or may not do this. */
  | 'auth'
  /** The account has no money left, or has reached its limit. */
  | 'quota'
  | 'unknown-model'
  | 'rate-limit'
  | 'overloaded'
  /** Any other failure on the provider's side. */
  | 'unavailable'
  /** No connection, or it broke. */
  | 'connection-lost'
  /** The stream ended before the reply did, or a tool call ended in the middle: it must not be run. */
  | 'cut-off'
  /** What answered does not speak the provider's API. */
  | 'not-an-api'
  /** The provider's API, but not readable. */
  | 'malformed'
  /** No answer, or none that goes on, in time. */
  | 'timeout'
  | 'cancelled'
  /** The model, or a filter before it, declined to answer. */
  | 'refused'

/** An error whose message is one sentence for the user: what failed, what was kept, what to do. */
export class CairnError extends Error {
  readonly [marker] = true
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.name = 'CairnError'
    this.code = code
  }

  /** True for a CairnError from any copy of this package. */
  static is(value: unknown): value is CairnError {
    return typeof value === 'object' && value !== null && marker in value
  }
}

/** A store that can't be opened, read or written. Nothing that was acknowledged is lost by it. */
export class StorageError extends CairnError {
  constructor(code: Extract<ErrorCode, `storage-${string}`>, message: string, options?: { readonly cause?: unknown }) {
    super(code, message, options)
    this.name = 'StorageError'
  }
}

/** The text of anything thrown, for a message to the user: an error's message, else the value as a text. */
export const messageOf = (thrown: unknown): string => (isErrorLike(thrown) ? thrown.message : String(thrown))

/** An error of another realm (a worker's, a native module's) is no instance of this one's `Error`. */
const isErrorLike = (thrown: unknown): thrown is { readonly message: string } =>
  typeof thrown === 'object' && thrown !== null && 'message' in thrown && typeof thrown.message === 'string'

/**
 * What went wrong with a request, whichever library or server says so, as a {@link ModelError}. The table below is
 * what a status or a word for an error means everywhere; a provider's own words come first (`Asked.errorWords`).
 */
import { messageOf } from '../../errors.ts'
import { countOf, isJsonObject, objectOf, parseJsonObject, stringOf } from '../../json.ts'
import { ModelError, type ModelErrorCode, type ModelErrorDetails } from '../../ports/language-model.ts'
import { overflowCounts, sentenceFor, type Asked, type Failure, type OverflowCounts } from './failure-sentences.ts'

interface FailureRow {
  readonly code: ModelErrorCode
  readonly when: (failure: Failure) => boolean
}

const is = (status: number | undefined, ...statuses: readonly number[]): boolean =>
  status !== undefined && statuses.includes(status)

const TOO_LONG =
  /prompt is too long|input is too long|context(?:_| )length|maximum context|context window|exceeds? the (?:available )?context|input token count .*exceeds|payload size exceeds|too many (?:input )?tokens/i
const NO_MONEY =
  /insufficient_quota|insufficient_credit|billing|credit balance|spend_limit|usage limit|payment_required/i
const MODEL_MISSING = /model_not_found|not_found_error model|\bmodel\b.*\b(?:not found|does not exist|not exist)\b/i

/** From the top; the first row that holds counts. */
const FAILURES: readonly FailureRow[] = [
  { code: 'not-an-api', when: ({ status, isFromApi }) => !isFromApi && is(status, 404, 405, 406, 415) },
  {
    code: 'context-overflow',
    when: ({ status = 400, kind, message }) =>
      status === 413 ||
      /context_length_exceeded|request_too_large/.test(kind) ||
      (is(status, 400, 422) && TOO_LONG.test(message)),
  },
  {
    code: 'quota',
    when: ({ status, kind, message }) =>
      is(status, 402) || NO_MONEY.test(kind) || (is(status, 400, 403, 429) && NO_MONEY.test(message)),
  },
  {
    code: 'auth',
    when: ({ status, kind, message }) =>
      is(status, 401, 403) ||
      /authentication_error|permission_error|invalid_api_key|PERMISSION_DENIED|UNAUTHENTICATED/.test(kind) ||
      (is(status, 400) && /API key not valid|API_KEY_INVALID/.test(`${kind} ${message}`)),
  },
  { code: 'refused', when: ({ kind }) => /content_policy|bio_policy|misalignment_policy|content_filter/.test(kind) },
  {
    code: 'unknown-model',
    when: ({ status, kind, message }) => is(status, 404) || MODEL_MISSING.test(`${kind} ${message}`),
  },
  { code: 'rate-limit', when: ({ status, kind }) => is(status, 429) || /rate_limit|RESOURCE_EXHAUSTED/.test(kind) },
  { code: 'overloaded', when: ({ status, kind }) => is(status, 529) || /overloaded|slow_down/.test(kind) },
  {
    code: 'timeout',
    when: ({ status, kind, cause }) =>
      is(status, 408, 504) ||
      /timeout_error|DEADLINE_EXCEEDED/.test(kind) ||
      (status === undefined && /Timeout|TIMEOUT|ETIMEDOUT/.test(cause)),
  },
  // What stands in another's way, or came too early, may pass later.
  { code: 'unavailable', when: ({ status }) => is(status, 409, 425) || (status !== undefined && status >= 500) },
  {
    code: 'bad-request',
    when: ({ status, kind }) => (status !== undefined && status >= 400) || /invalid_|image|data_residency/.test(kind),
  },
  { code: 'unavailable', when: ({ isFromApi }) => isFromApi },
  { code: 'malformed', when: ({ cause }) => /SyntaxError/.test(cause) },
  { code: 'connection-lost', when: () => true },
]

/** What an error in the stream says of itself: a provider file gives it to {@link failureOf}. */
export class StreamFailure extends Error {
  /**
   * The provider's error object, with `type` or `code`, `message`, and `inputTokens` and `limitTokens` where it tells them.
   */
  readonly error: unknown

  constructor(error: unknown) {
    super(stringOf(objectOf(error).message) ?? 'The provider reports an error in its stream.')
    this.name = 'StreamFailure'
    this.error = error
  }
}

/**
 * Reads what a thrown error says, be it of a provider's library, of `fetch` or of a stream. Never throws; `kind` is
 * empty, and `status`, `retryAfterMs` and `counts` undefined, where nothing says it.
 */
export const failureOf = (thrown: unknown): Failure => {
  const error = isJsonObject(thrown) ? (thrown as Readonly<Record<string, unknown>>) : {}
  const body = apiErrorOf(error)
  const kind = [
    error.errorCode,
    error.code,
    error.type,
    body.type,
    body.code,
    body.status,
    objectOf(body.details).error_code,
  ]
    .filter((word): word is string => typeof word === 'string' && word !== '')
    .join(' ')
  const status = [error.status, error.status_code, error.statusCode, body.status, body.code].find(isStatus)
  return {
    status,
    kind,
    message: stringOf(body.message) ?? messageOf(thrown),
    cause: causesOf(thrown),
    isFromApi: Object.keys(body).length > 0,
    retryAfterMs: retryAfterOf(error.headers),
    counts: countsIn(body),
  }
}

/**
 * Anything thrown during a request as a {@link ModelError}, with its code and sentence; one that is a ModelError
 * already keeps both. The provider's own table of words (`errorWords`) is asked first, then the common rules; what
 * fits neither is `connection-lost`.
 */
export const modelErrorOf = (thrown: unknown, asked: Asked, details: ModelErrorDetails = {}): ModelError => {
  if (ModelError.is(thrown)) return withDetails(thrown, details)
  const failure = failureOf(thrown)
  const code = ownCode(failure, asked) ?? FAILURES.find(({ when }) => when(failure))?.code ?? 'connection-lost'
  return new ModelError(code, sentenceFor(code, failure, asked), {
    cause: thrown,
    ...(failure.status === undefined ? {} : { status: failure.status }),
    ...(failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs }),
    ...(code === 'context-overflow' ? (failure.counts ?? overflowCounts(failure.message)) : {}),
    ...details,
  })
}

/**
 * The code that the provider's own table (`errorWords`) has for a word of the error, the first word that is in it;
 * undefined for none.
 */
const ownCode = ({ kind }: Failure, { errorWords = {} }: Asked): ModelErrorCode | undefined => {
  const word = kind.split(' ').find((one) => Object.hasOwn(errorWords, one))
  return word === undefined ? undefined : errorWords[word]
}

/** The counts of an overflow in the error's own fields, in tokens; undefined where either is missing or 0. */
const countsIn = (body: Readonly<Record<string, unknown>>): OverflowCounts | undefined => {
  const { inputTokens, limitTokens } = body
  const counts = { inputTokens: countOf(inputTokens), limitTokens: countOf(limitTokens) }
  return counts.inputTokens > 0 && counts.limitTokens > 0 ? counts : undefined
}

/** An error with what became known of its request; of a detail that it has itself, its own stays. */
const withDetails = (error: ModelError, details: ModelErrorDetails): ModelError =>
  Object.keys(details).every((key) => key in error.details)
    ? error
    : new ModelError(error.code, error.message, { ...details, ...error.details })

/** Whether a value is an HTTP status of a failure. */
const isStatus = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 400 && value <= 599

/**
 * The provider's error object: in the error's body, in its `error`, or as JSON text in its message; a body that is a
 * text as its `message`. Empty where there is none.
 */
const apiErrorOf = (error: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  for (const outer of [error.error, error.body]) {
    if (typeof outer === 'string' && outer !== '') return { message: outer }
    const inner = objectOf(outer)
    if (isJsonObject(inner.error)) return inner.error
    if (typeof inner.error === 'string') return { message: inner.error }
    if (inner.message !== undefined || inner.type !== undefined || inner.code !== undefined) return inner
  }
  const text = stringOf(error.message)
  return text?.startsWith('{') === true ? objectOf(parseJsonObject(text).error) : {}
}

/** Causes within one another that are looked at. */
const CAUSES = 5

/** The names, codes and messages of an error and its causes, some levels deep, as one text. */
const causesOf = (thrown: unknown): string => {
  const words: string[] = []
  let error = thrown
  for (let depth = 0; depth < CAUSES && typeof error === 'object' && error !== null; depth++) {
    const { name, code, message, cause, constructor } = error as Readonly<Record<string, unknown>> & {
      readonly constructor?: { readonly name?: string }
    }
    for (const word of [name, constructor?.name, code, message]) if (typeof word === 'string') words.push(word)
    error = cause
  }
  return words.join(' ')
}

/** The wait that the provider asks for, ms: its own header in ms, seconds, or a date. Undefined if it asks for none. */
const retryAfterOf = (headers: unknown): number | undefined => {
  const get = (name: string): string | undefined =>
    headers instanceof Headers ? (headers.get(name) ?? undefined) : stringOf(objectOf(headers)[name])
  const milliseconds = Number.parseFloat(get('retry-after-ms') ?? '')
  if (milliseconds >= 0) return Math.ceil(milliseconds)
  const text = get('retry-after')
  if (text === undefined) return undefined
  const seconds = Number(text)
  const wait = Number.isNaN(seconds) ? Date.parse(text) - Date.now() : seconds * 1000
  return Number.isFinite(wait) ? Math.max(0, Math.ceil(wait)) : undefined
}

import { describe, expect, it } from '@jest/globals'
import { ModelError, type ModelErrorCode } from '../../ports/language-model.ts'
import type { Asked } from './failure-sentences.ts'
import { failureOf, modelErrorOf, StreamFailure } from './failures.ts'

const ASKED = {
  provider: 'Acme',
  model: 'acme-1',
  baseUrl: 'https://api.acme.example/v1',
  keyName: 'ACME_API_KEY',
  apiKey: 'secret-0123',
}

const thrown = (own: object, message = 'it failed', name = 'Error', cause?: unknown): Error =>
  Object.assign(new Error(message, cause === undefined ? undefined : { cause }), { name, ...own })

/** As each library and server says it. */
const CASES: readonly (readonly [string, unknown, ModelErrorCode])[] = [
  [
    'Gemini: a bad key',
    thrown(
      { status: 400 },
      '{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}',
      'ApiError',
    ),
    'auth',
  ],
  [
    'Gemini: too many',
    thrown(
      { status: 429 },
      '{"error":{"code":429,"message":"Resource exhausted","status":"RESOURCE_EXHAUSTED"}}',
      'ApiError',
    ),
    'rate-limit',
  ],
  [
    'Gemini: too long',
    thrown(
      { status: 400 },
      '{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}',
    ),
    'context-overflow',
  ],
  [
    'Ollama: no model',
    thrown({ status_code: 404, error: "model 'x' not found" }, "model 'x' not found", 'ResponseError'),
    'unknown-model',
  ],
  ['a wrong path', thrown({ status: 404 }, '404 page not found'), 'not-an-api'],
  ['a wrong path of a server in Python', thrown({ status: 404, error: { detail: 'Not Found' } }), 'not-an-api'],
  [
    'no money, of a key',
    thrown({ status: 429, error: { type: 'insufficient_quota', message: 'You exceeded your quota' } }),
    'quota',
  ],
  [
    'no money, of an account',
    thrown({
      status: 400,
      error: { error: { type: 'invalid_request_error', message: 'Your credit balance is too low' } },
    }),
    'quota',
  ],
  [
    'a limit on spending',
    thrown({
      status: 429,
      errorCode: 'workspace_spend_limit_reached',
      error: { error: { type: 'rate_limit_error', message: 'x' } },
    }),
    'quota',
  ],
  ['a conflict', thrown({ status: 409, error: { message: 'busy' } }), 'unavailable'],
  ['a gateway that waited', thrown({ status: 504 }), 'timeout'],
  ['a request that took too long', thrown({ status: 408 }), 'timeout'],
  ['a message about time', thrown({ status: 400, error: { message: 'timeout must be positive' } }), 'bad-request'],
  [
    'a name that is not known',
    thrown({}, 'fetch failed', 'TypeError', thrown({ code: 'ENOTFOUND' }, 'getaddrinfo ENOTFOUND')),
    'connection-lost',
  ],
  ['nobody who listens', thrown({}, 'Connection error.', 'Error', thrown({ code: 'ECONNREFUSED' })), 'connection-lost'],
  [
    'a connection that broke',
    thrown({}, 'terminated', 'TypeError', thrown({ code: 'UND_ERR_SOCKET' })),
    'connection-lost',
  ],
  [
    'a connection that was not made in time',
    thrown({}, 'fetch failed', 'TypeError', thrown({ code: 'UND_ERR_CONNECT_TIMEOUT' })),
    'timeout',
  ],
  ['what is no JSON', new SyntaxError('Unexpected token'), 'malformed'],
  ['a text that was thrown', 'oops', 'connection-lost'],
  ['overload in a stream', new StreamFailure({ type: 'overloaded_error', message: 'Overloaded' }), 'overloaded'],
  ['a policy in a stream', new StreamFailure({ code: 'bio_policy', message: 'No.' }), 'refused'],
  [
    'too long in a stream',
    new StreamFailure({ type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' }),
    'context-overflow',
  ],
  ['something in a stream', new StreamFailure({ message: 'The runner has stopped' }), 'unavailable'],
]

describe('what failed', () => {
  it.each(CASES)('%s', (_what, error, code) => {
    const { code: found, message } = modelErrorOf(error, ASKED)
    expect(found).toBe(code)
    expect(message).toMatch(/^[A-Z][^\n]*\.$/)
  })

  it('is told without the key, on one line, and not at length', () => {
    const error = thrown({ status: 400, error: { message: `no\nsuch key secret-0123 ${'x'.repeat(5000)}` } })
    const { message } = modelErrorOf(error, ASKED)
    expect(message).not.toMatch(/secret-0123|\n/)
    expect(message.length).toBeLessThan(400)
  })

  it.each([
    ['Connection error.', 'ECONNREFUSED', 'or it broke (ECONNREFUSED): check'],
    ['fetch failed', 'ENOTFOUND', 'or it broke (ENOTFOUND): check'],
    ['terminated', 'UND_ERR_SOCKET', 'or it broke (UND_ERR_SOCKET): check'],
    ['fetch failed', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'or it broke (DEPTH_ZERO_SELF_SIGNED_CERT): check'],
    ['Connection error.', '', 'or it broke: check'],
    ['The proxy hung up', 'ECONNRESET', 'or it broke: The proxy hung up: check'],
  ])('names why there is no connection, %s %s', (thrownMessage, reason, text) => {
    const { code, message } = modelErrorOf(thrown({}, thrownMessage, 'TypeError', thrown({ code: reason })), ASKED)
    expect([code, message]).toEqual(['connection-lost', expect.stringContaining(text)])
  })

  it.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ] as const)('says when to ask again: %j', (headers, expected) => {
    expect(failureOf(thrown({ status: 429, headers: new Headers(headers) })).retryAfterMs).toBe(expected)
  })

  it.each([
    ['prompt is too long: 210000 tokens > 200000 maximum', 210_000, 200_000],
    [
      "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (5000 in the messages, 4000 in the completion).",
      9000,
      8192,
    ],
    ['The input token count (1,200,000) exceeds the maximum number of tokens allowed (1048576).', 1_200_000, 1_048_576],
    ['claude-3-5-sonnet-20241022: prompt is too long', undefined, undefined],
  ])('reads how much too long a request is: %s', (message, inputTokens, limitTokens) => {
    const { details } = modelErrorOf(thrown({ status: 400, error: { message } }), ASKED)
    expect([details.inputTokens, details.limitTokens]).toEqual([inputTokens, limitTokens])
  })

  it('takes what the error has fields for before what its message says', () => {
    const message = 'prompt is too long: 210000 tokens > 200000 maximum'
    const counts = (error: object) => modelErrorOf(thrown({ status: 400, error: { message, ...error } }), ASKED).details
    expect(counts({ inputTokens: 9000, limitTokens: 8000 })).toMatchObject({ inputTokens: 9000, limitTokens: 8000 })
    expect(counts({ inputTokens: 9000 })).toMatchObject({ inputTokens: 210_000, limitTokens: 200_000 })
  })

  it('takes the provider’s own words before what they mean elsewhere, and no others', () => {
    const asked: Asked = { ...ASKED, errorWords: { slow_down: 'rate-limit', too_long: 'context-overflow' } }
    const codes = (type: string) => [
      modelErrorOf(new StreamFailure({ type, message: 'x' }), asked).code,
      modelErrorOf(thrown({ status: 500, error: { type, message: 'x' } }), asked).code,
    ]
    expect(codes('slow_down')).toEqual(['rate-limit', 'rate-limit'])
    expect(modelErrorOf(new StreamFailure({ type: 'slow_down' }), ASKED).code).toBe('overloaded')
    expect(codes('too_long')).toEqual(['context-overflow', 'context-overflow'])
    expect(codes('not_too_long')).toEqual(['unavailable', 'unavailable'])
    expect(codes('constructor')).toEqual(['unavailable', 'unavailable'])
    expect(modelErrorOf(thrown({ status: 429, error: { message: 'too_long' } }), asked).code).toBe('rate-limit')
  })

  it('keeps an error that is one already, with what became known of its request', () => {
    const error = new ModelError('cut-off', 'It broke off.')
    expect(modelErrorOf(error, ASKED)).toBe(error)
    expect(modelErrorOf(error, ASKED, { responseId: 'r1' })).toMatchObject({
      code: 'cut-off',
      details: { responseId: 'r1' },
    })
  })
})

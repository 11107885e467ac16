/** Each way in which a request can fail, at each moment: one typed error, with what is known of it. */
import type { ModelErrorCode } from '../../../ports/language-model.ts'
import type { Condition, Fault, Moment, Reply } from '../../model-server/index.ts'
import { countsOf, expectEnd, type Outcome } from './outcome.ts'
import { callsIn, TOOLS } from './requests.ts'
import type { Fixture, Suite } from './subject.ts'

/** OpenAI's statuses don't tell a server that is overloaded from one that fails. */
const CODES: Readonly<Record<Condition, readonly ModelErrorCode[]>> = {
  'bad-request': ['bad-request'],
  'too-long': ['context-overflow'],
  'too-large': ['context-overflow'],
  auth: ['auth'],
  forbidden: ['auth'],
  quota: ['quota'],
  'unknown-model': ['unknown-model'],
  'rate-limit': ['rate-limit'],
  overloaded: ['overloaded', 'unavailable'],
  unavailable: ['unavailable', 'overloaded'],
  'server-error': ['unavailable'],
}
const RETRYABLE = new Set<Condition>(['rate-limit', 'overloaded', 'unavailable', 'server-error'])
const CONDITIONS = Object.keys(CODES) as Condition[]

/** Within an answer, in order. */
export const MOMENTS: readonly Moment[] = [
  'after-headers',
  'after-first-event',
  'in-text',
  'in-tool-input',
  'before-last-event',
]
/** Silence after which a request is given up that gets no answer. */
const FIRST_BYTE_MS = 250
/** In a body; a busy machine may take a while from one event to the next. */
const IDLE_MS = 1000

export const LONG_REPLY: Reply = {
  blocks: [
    { type: 'text', text: 'I look for it in every folder that there is.' },
    { type: 'tool-call', name: 'read_file', input: { path: 'src/a.ts', lines: [1, 2, 3, 4, 5, 6] } },
  ],
}

/**
 * Defines the tests of failures: each ends with its code, once, with the usage that was told until then and without
 * half a call.
 */
export const runFailures = ({ test, expect, subject }: Suite): void => {
  const hasTools = subject.capabilities.tools === true
  const reply: Reply = hasTools ? LONG_REPLY : { blocks: LONG_REPLY.blocks.slice(0, 1) }
  const fail = async (
    { server, model, request, ask }: Omit<Fixture, 'modelWith' | 'untilClosed'>,
    fault: Fault,
  ): Promise<Outcome> => {
    server.script({ fault, reply })
    return ask(model, request(hasTools ? { tools: TOOLS } : {}))
  }

  for (const condition of CONDITIONS)
    test(`tells an error answer: ${condition}`, async (fixture) => {
      const outcome = await fail(fixture, { kind: 'refuse', as: condition })
      expectEnd(expect, outcome, ...CODES[condition])
      expect(outcome.error?.isRetryable).toBe(RETRYABLE.has(condition))
      expect((outcome.error?.message ?? '').length).toBeGreaterThan(10)
      expect([outcome.events, outcome.error?.details.usage]).toEqual([[], undefined])
      // One attempt: to make another is the caller's.
      expect(fixture.server.requests.length).toBe(1)
    })

  test(
    'tells when the provider wants to be asked again',
    async (fixture) => {
      const seconds = await fail(fixture, { kind: 'refuse', as: 'rate-limit', retryAfter: '7' })
      expect(seconds.error?.details).toMatchObject({ retryAfterMs: 7000, status: 429 })
      const date = new Date(Date.now() + 3_600_000).toUTCString()
      const later = await fail(fixture, { kind: 'refuse', as: 'overloaded', retryAfter: date })
      const waitMs = later.error?.details.retryAfterMs ?? 0
      expect(waitMs > 3_000_000 && waitMs <= 3_600_000).toBe(true)
    },
    { needs: ['retry-after'] },
  )

  test(
    'tells how long the input was, and may be',
    async (fixture) => {
      const { details } = (await fail(fixture, { kind: 'refuse', as: 'too-long' })).error ?? {}
      expect(details?.limitTokens ?? 0).toBeGreaterThan(100_000)
      expect((details?.inputTokens ?? 0) - (details?.limitTokens ?? 0)).toBeGreaterThan(0)
    },
    { needs: ['overflow-counts'] },
  )

  test('tells an answer of what is no API', async (fixture) => {
    expect((await fail(fixture, { kind: 'html' })).end).toBe('not-an-api')
    expect((await fail(fixture, { kind: 'empty' })).end).toBe('not-an-api')
    expectEnd(expect, await fail(fixture, { kind: 'html', status: 502 }), 'unavailable', 'not-an-api')
    expectEnd(expect, await fail(fixture, { kind: 'html', status: 404 }), 'not-an-api', 'unknown-model')
    expectEnd(expect, await fail(fixture, { kind: 'html', status: 403 }), 'auth', 'not-an-api')
  })

  test('tells that there is no connection', async ({ server, model, request, ask }) => {
    await server.close()
    expect((await ask(model, request())).end).toBe('connection-lost')
  })

  test('tells that the connection broke before an answer', async (fixture) => {
    expect((await fail(fixture, { kind: 'cut', at: 'before-headers' })).end).toBe('connection-lost')
  })

  test('gives up an answer that does not begin', async ({ server, modelWith, request, ask }) => {
    const model = modelWith({ firstByteMs: FIRST_BYTE_MS, idleMs: 60_000 })
    expect((await fail({ server, model, request, ask }, { kind: 'stall', at: 'before-headers' })).end).toBe('timeout')
  })

  for (const at of MOMENTS) {
    /** What failed so is told with the usage that was reported until then, and no half call. */
    const expectFailed = (
      { server }: Pick<Fixture, 'server'>,
      outcome: Outcome,
      ...codes: readonly ModelErrorCode[]
    ): void => {
      expectEnd(expect, outcome, ...codes)
      const reported = server.ledger.at(-1)?.reported
      const usage = outcome.error?.details.usage
      expect(usage === undefined ? undefined : countsOf(usage)).toEqual(reported)
      // Where a call comes in one piece, it may have come.
      const hasPieces = subject.capabilities['tool-input-pieces'] === true
      if (at !== 'before-last-event' && hasPieces) expect(callsIn(outcome.blocks)).toEqual([])
    }
    test(`tells that the connection broke ${at}`, async (fixture) => {
      expectFailed(fixture, await fail(fixture, { kind: 'cut', at }), 'connection-lost')
    })
    test(`tells that the body ended ${at}`, async (fixture) => {
      const outcome = await fail(fixture, { kind: 'end', at })
      expectFailed(
        fixture,
        outcome,
        ...(at === 'after-headers' ? (['not-an-api', 'cut-off'] as const) : (['cut-off'] as const)),
      )
    })
    test(`gives up a body that stalls ${at}`, async ({ server, modelWith, request, ask }) => {
      const model = modelWith({ firstByteMs: 60_000, idleMs: IDLE_MS })
      const outcome = await fail({ server, model, request, ask }, { kind: 'stall', at })
      expectFailed({ server }, outcome, 'timeout')
    })
    test(`tells an event that can't be read ${at}`, async (fixture) => {
      const outcome = await fail(fixture, { kind: 'malformed', at })
      expectEnd(expect, outcome, 'malformed')
    })
    test(`tells an error inside of the stream ${at}`, async (fixture) => {
      const outcome = await fail(fixture, { kind: 'error-event', at, as: 'overloaded' })
      expectFailed(fixture, outcome, ...CODES.overloaded)
    })
  }

  test('tells each error inside of the stream by its type', async (fixture) => {
    for (const as of ['rate-limit', 'server-error', 'too-long', 'bad-request'] as const) {
      const outcome = await fail(fixture, { kind: 'error-event', at: 'in-text', as })
      expectEnd(expect, outcome, ...CODES[as])
    }
  })

  test('waits for a body that is slow, as long as it goes on', async ({ server, modelWith, request, ask }) => {
    const model = modelWith({ firstByteMs: 20_000, idleMs: 20_000 })
    const outcome = await fail({ server, model, request, ask }, { kind: 'slow', at: 'after-headers', delayMs: 40 })
    expect(outcome.end).toBe('done')
  })
}

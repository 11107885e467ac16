import { describe, expect, it } from '@jest/globals'
import {
  ModelError,
  type LanguageModel,
  type ModelDone,
  type ModelErrorCode,
  type ModelEvent,
  type ModelRequest,
} from '../ports/language-model.ts'
import { withRetries, type RetryOptions } from './with-retries.ts'

const REQUEST: ModelRequest = { model: 'm', messages: [], maxOutputTokens: 100 }
const DONE: ModelDone = {
  type: 'done',
  stopReason: 'end',
  providerReason: 'end_turn',
  usage: { inputTokens: 7, cacheReadTokens: 0, cacheWrite5mTokens: 0, cacheWrite1hTokens: 0, outputTokens: 3 },
}

type Attempt = readonly (ModelEvent | ModelError)[]

/** A model that gives what each attempt has; after the last it succeeds. */
const scripted = (...attempts: readonly Attempt[]) => {
  const made: { ended: number; begun: number } = { ended: 0, begun: 0 }
  const model: LanguageModel = {
    provider: 'scripted',
    stream: async function* () {
      const attempt = attempts[made.begun] ?? [DONE]
      made.begun += 1
      try {
        for (const event of attempt) {
          if (event instanceof ModelError) throw event
          yield event
        }
      } finally {
        made.ended += 1
      }
    },
  }
  return { model, made }
}

/** Time that goes on only while something sleeps. */
const fakeTime = (random = 0) => {
  const slept: number[] = []
  let time = 1000
  const options: RetryOptions = {
    now: () => time,
    random: () => random,
    sleep: async (ms) => {
      slept.push(ms)
      time += ms
    },
  }
  return { options, slept, advance: (ms: number) => (time += ms) }
}

const fails = (code: ModelErrorCode, details: ModelError['details'] = {}): ModelError =>
  new ModelError(code, `It failed: ${code}.`, details)

const collect = async (model: LanguageModel, request = REQUEST) => {
  const events: ModelEvent[] = []
  try {
    for await (const event of model.stream(request)) events.push(event)
    return { events, error: undefined }
  } catch (error) {
    return { events, error }
  }
}

describe('withRetries', () => {
  it('passes a reply as it is', async () => {
    const { options, slept } = fakeTime()
    const { model, made } = scripted([{ type: 'text', text: 'Hello' }, DONE])
    expect(await collect(withRetries(model, options))).toEqual({
      events: [{ type: 'text', text: 'Hello' }, DONE],
      error: undefined,
    })
    expect(slept).toEqual([])
    expect(made).toEqual({ begun: 1, ended: 1 })
  })

  it('says that what came is void, waits longer each time, and succeeds', async () => {
    const { options, slept } = fakeTime()
    const errors = [fails('overloaded'), fails('connection-lost'), fails('cut-off'), fails('malformed')]
    const { model } = scripted(
      [{ type: 'text', text: 'Hel' }, errors[0] as ModelError],
      ...errors.slice(1).map((error) => [error]),
    )
    const { events, error } = await collect(withRetries(model, options))
    expect(error).toBeUndefined()
    expect(events).toEqual([
      { type: 'text', text: 'Hel' },
      { type: 'retry', attempt: 2, delayMs: 500, error: errors[0] },
      { type: 'retry', attempt: 3, delayMs: 1000, error: errors[1] },
      { type: 'retry', attempt: 4, delayMs: 2000, error: errors[2] },
      { type: 'retry', attempt: 5, delayMs: 4000, error: errors[3] },
      DONE,
    ])
    expect(slept).toEqual([500, 1000, 2000, 4000])
  })

  it.each<ModelErrorCode>([
    'bad-request',
    'auth',
    'quota',
    'unknown-model',
    'context-overflow',
    'cancelled',
    'refused',
    'not-an-api',
  ])('never makes a request again that failed for good: %s', async (code) => {
    const { options, slept } = fakeTime()
    const failure = fails(code)
    const { model, made } = scripted([failure])
    expect(await collect(withRetries(model, options))).toEqual({ events: [], error: failure })
    expect(made.begun).toBe(1)
    expect(slept).toEqual([])
  })

  it('does not make a reply again that reached its longest length', async () => {
    const { model, made } = scripted([fails('cut-off', { isAtOutputLimit: true })])
    await collect(withRetries(model, fakeTime().options))
    expect(made.begun).toBe(1)
  })

  it('throws the last error after the last attempt', async () => {
    const errors = [1, 2, 3].map(() => fails('unavailable'))
    const { model, made } = scripted(...errors.map((error) => [error]))
    const { events, error } = await collect(withRetries(model, { ...fakeTime().options, maximumAttempts: 3 }))
    expect(error).toBe(errors[2])
    expect(events.map(({ type }) => type)).toEqual(['retry', 'retry'])
    expect(made).toEqual({ begun: 3, ended: 3 })
  })

  it('waits at random between half of a wait and all of it, up to the longest', async () => {
    const { options, slept } = fakeTime(0.5)
    const { model } = scripted(...[1, 2, 3, 4].map(() => [fails('timeout')]))
    await collect(withRetries(model, { ...options, firstDelayMs: 1000, maximumDelayMs: 3000 }))
    expect(slept).toEqual([750, 1500, 2250, 2250])
  })

  it('waits as long as the provider asks for, and gives up when that is too long', async () => {
    const { options, slept } = fakeTime()
    const asked = scripted([fails('rate-limit', { retryAfterMs: 7000 })])
    await collect(withRetries(asked.model, options))
    expect(slept).toEqual([7000])
    const failure = fails('rate-limit', { retryAfterMs: 60_001 })
    const { model } = scripted([failure])
    expect(await collect(withRetries(model, options))).toEqual({ events: [], error: failure })
    expect(slept).toEqual([7000])
  })

  it('begins no attempt behind the budget, and does not wait for one', async () => {
    const { options, slept, advance } = fakeTime()
    const { model, made } = scripted([fails('timeout')], [fails('timeout')])
    const slow: LanguageModel = {
      ...model,
      stream: (request) => {
        advance(900)
        return model.stream(request)
      },
    }
    const { error } = await collect(withRetries(slow, { ...options, budgetMs: 2000 }))
    expect(error).toMatchObject({ code: 'timeout' })
    expect(made.begun).toBe(2)
    expect(slept).toEqual([500])
  })

  it('is cancelled while it waits', async () => {
    const controller = new AbortController()
    const { model, made } = scripted([fails('overloaded')])
    const sleep = async (): Promise<void> => controller.abort()
    const { events, error } = await collect(withRetries(model, { ...fakeTime().options, sleep }), {
      ...REQUEST,
      signal: controller.signal,
    })
    expect(events.map(({ type }) => type)).toEqual(['retry'])
    expect(error).toMatchObject({ code: 'cancelled' })
    expect(made.begun).toBe(1)
  })

  it('ends the attempt that runs when its reader ends, and begins none after', async () => {
    const { model, made } = scripted([{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }, DONE])
    for await (const event of withRetries(model, fakeTime().options).stream(REQUEST)) if (event.type === 'text') break
    expect(made).toEqual({ begun: 1, ended: 1 })
    const failing = scripted([fails('overloaded')])
    for await (const event of withRetries(failing.model, fakeTime().options).stream(REQUEST))
      if (event.type === 'retry') break
    expect(failing.made.begun).toBe(1)
  })

  it('gives the end once, also when it is asked again', async () => {
    const failure = fails('auth')
    const events = withRetries(scripted([failure]).model, fakeTime().options).stream(REQUEST)
    const iterator = events[Symbol.asyncIterator]()
    await expect(iterator.next()).rejects.toBe(failure)
    expect(await iterator.next()).toEqual({ done: true, value: undefined })
  })

  it('makes a count of tokens again, too', async () => {
    const { options, slept } = fakeTime()
    let asked = 0
    const model: LanguageModel = {
      ...scripted().model,
      countTokens: async () => {
        asked += 1
        if (asked < 3) throw fails('overloaded')
        return 42
      },
    }
    expect(await withRetries(model, options).countTokens?.(REQUEST)).toBe(42)
    expect(slept).toEqual([500, 1000])
    expect(withRetries(scripted().model, options).countTokens).toBeUndefined()
  })

  it('refuses limits that are none', () => {
    const { model } = scripted()
    for (const own of [{ maximumAttempts: 0 }, { budgetMs: -1 }, { firstDelayMs: Number.NaN }])
      expect(() => withRetries(model, { ...fakeTime().options, ...own })).toThrow(/must be a whole number/)
  })
})

import { describe, expect, it } from '@jest/globals'
import { createEngine, type Engine } from '../engine.ts'
import type { Policy } from '../context/policy.ts'
import type { ContentBlock } from '../messages.ts'
import { createHasher } from '../node/hasher.ts'
import {
  ModelError,
  type LanguageModel,
  type ModelDone,
  type ModelEvent,
  type ModelRequest,
} from '../ports/language-model.ts'
import { NO_TOKENS, type TokenUsage } from '../ports/price-book.ts'
import type { Store } from '../ports/store.ts'
import { withRetries } from '../retries/with-retries.ts'
import type { LogEntry } from '../session-log.ts'
import {
  createInMemoryFileSystem,
  createInMemoryStore,
  createSequentialIds,
  createTestClock,
  type TestClock,
} from '../testing/index.ts'
import { collect } from '../testing/contracts/test-api.ts'
import type { SendInput } from './send-input.ts'

const MODEL = 'claude-sonnet-5'
const usageOf = (inputTokens: number, outputTokens: number): TokenUsage => ({ ...NO_TOKENS, inputTokens, outputTokens })
const done = (own: Partial<ModelDone> = {}): ModelDone => ({
  type: 'done',
  stopReason: 'end',
  providerReason: 'end_turn',
  usage: usageOf(120, 8),
  ...own,
})
const reply = (text: string, own: Partial<ModelDone> = {}): readonly ModelEvent[] => [
  { type: 'text', text },
  { type: 'block', block: { type: 'text', text } },
  done(own),
]

type Step = (request: ModelRequest) => readonly (ModelEvent | ModelError)[]

interface Bench {
  readonly engine: Engine
  readonly store: Store
  readonly clock: TestClock
  readonly asked: ModelRequest[]
  script(...steps: readonly (Step | readonly (ModelEvent | ModelError)[])[]): void
  send(input: Omit<Partial<SendInput>, 'session'> & Pick<SendInput, 'session'>): ReturnType<Engine['requests']['send']>
  readonly model: LanguageModel
}

/** An engine over a store in memory, and a model that does what the script says; each event takes 10 ms. */
const bench = (store: Store = createInMemoryStore()): Bench => {
  const clock = createTestClock()
  const asked: ModelRequest[] = []
  const steps: Step[] = []
  const model: LanguageModel = {
    provider: 'anthropic',
    stream: async function* (request) {
      asked.push(request)
      for (const event of (steps.shift() ?? (() => reply('Fine.')))(request)) {
        clock.advance(10)
        if (event instanceof ModelError) throw event
        yield event
      }
    },
  }
  const engine = createEngine({
    store,
    fileSystem: createInMemoryFileSystem({}),
    hasher: createHasher(),
    clock,
    ids: createSequentialIds(),
    prices: { [MODEL]: { input: 3, output: 15 } },
  })
  return {
    engine,
    store,
    clock,
    asked,
    model,
    script: (...next) => steps.push(...next.map((step): Step => (typeof step === 'function' ? step : () => step))),
    send: (input) => engine.requests.send({ languageModel: model, model: MODEL, ...input }),
  }
}

const textsOf = (entries: readonly LogEntry[]): readonly string[] =>
  entries.map((entry) =>
    entry.kind === 'message' ? `${entry.role}: ${entry.content.map(shown).join(' ')}` : entry.kind,
  )

const shown = (block: ContentBlock): string => (block.type === 'text' ? block.text : block.type)

describe('requests.send', () => {
  it('stores the input before the request goes out, and the reply with its bill', async () => {
    const { send, script, store } = bench()
    let atRequest: readonly string[] = []
    let session = ''
    script(() => reply('Hello!', { model: 'claude-sonnet-5-20260101' }))
    const sent = await send({
      session: { workspace: '/w', branch: 'main', title: 'Greetings' },
      message: 'Hi.',
      mode: 'plan',
      onEvent: async (event) => {
        if (event.type !== 'stored') return
        session = event.sessionId
        atRequest = textsOf(await store.sessions.read(session))
      },
    })
    expect(atRequest).toEqual(['model', 'user: Hi.'])
    expect(textsOf(await store.sessions.read(session))).toEqual(['model', 'user: Hi.', 'assistant: Hello!'])
    expect(sent).toMatchObject({
      sessionId: session,
      model: 'claude-sonnet-5-20260101',
      provider: 'anthropic',
      usage: usageOf(120, 8),
      attempt: 1,
      latency: { firstTokenMs: 10, totalMs: 30 },
      toolCalls: [],
    })
    expect(await store.sessions.get(session)).toMatchObject({ title: 'Greetings', workspace: '/w', branch: 'main' })
    const [request] = await store.usage.requests(session)
    expect(request).toMatchObject({ mode: 'plan', attempt: 1, latency: { firstTokenMs: 10, totalMs: 30 } })
    const by = await store.usage.report({ by: 'workspace' })
    expect(by.rows.map(({ key }) => key)).toEqual(['/w'])
  })

  it('prices a reply by the price book, a release of the model like the model', async () => {
    const { send, script, store } = bench()
    const { sessionId, costNano, costState } = await send({ session: {}, message: 'Hi.' })
    expect([costNano, costState]).toEqual([480_000n, 'computed'])
    expect((await store.sessions.get(sessionId))?.costNano).toBe(480_000n)
    script(reply('Hello!', { model: `${MODEL}-20260101` }), reply('Hello!', { model: 'claude-haiku-4-5' }))
    expect(await send({ session: {}, message: 'Hi.' })).toMatchObject({
      costNano: 480_000n,
      model: `${MODEL}-20260101`,
    })
    expect(await send({ session: {}, message: 'Hi.' })).toMatchObject({ costNano: 160_000n, model: 'claude-haiku-4-5' })
  })

  it('counts no attempt that was cancelled before it began', async () => {
    const { model, script, send, store } = bench()
    const controller = new AbortController()
    script([new ModelError('overloaded', 'Busy.')])
    const retrying = withRetries(model, { sleep: async () => controller.abort(), random: () => 0 })
    const sending = send({ session: {}, message: 'Hi.', languageModel: retrying, signal: controller.signal })
    await expect(sending).rejects.toMatchObject({ code: 'cancelled' })
    expect(await store.usage.failures()).toMatchObject([{ code: 'overloaded', failures: 1 }])
  })

  it('makes a request that the provider finds too long shorter, until it fits', async () => {
    const { send, script, asked, store } = bench()
    const long = (name: string) => `${name} ${'alpha beta gamma delta '.repeat(300)}`
    let session = (await send({ session: {}, message: long('first') })).sessionId
    for (let index = 0; index < 8; index += 1) session = (await send({ session, message: long(`m${index}`) })).sessionId
    const tooLong = new ModelError('context-overflow', 'The input is too long.')
    script([tooLong], [tooLong])
    const sent = await send({ session, message: 'And now?' })
    const sizes = asked.slice(-3).map(({ messages }) => JSON.stringify(messages).length)
    expect(sizes[0]).toBeGreaterThan(sizes[1] ?? 0)
    expect(sizes[1]).toBeGreaterThan(sizes[2] ?? 0)
    expect(sent.attempt).toBe(3)
    expect(sent.decisions.map(({ trigger }) => trigger)).toEqual(['refused', 'refused'])
    expect(await store.usage.failures()).toMatchObject([{ code: 'context-overflow', failures: 2 }])
    // What was decided is in the log: the next request is as short.
    await send({ session, message: 'Go on.' })
    expect(JSON.stringify(asked.at(-1)?.messages).length).toBeLessThan(sizes[0] ?? 0)
  })

  it('decides again where others write while the provider refuses', async () => {
    const { send, script, asked, engine, store } = bench()
    const long = (name: string) => `${name} ${'alpha beta gamma delta '.repeat(300)}`
    let session = (await send({ session: {}, message: long('first') })).sessionId
    for (let index = 0; index < 8; index += 1) session = (await send({ session, message: long(`m${index}`) })).sessionId
    const { agent, externalId } = (await store.sessions.get(session)) ?? { agent: '', externalId: '' }
    script([new ModelError('context-overflow', 'The input is too long.')])
    const title = { kind: 'title', at: 1, title: 'Named meanwhile' } as const
    await send({
      session,
      message: 'And now?',
      onEvent: async ({ type }) => {
        if (type !== 'stored' || asked.length > 9) return
        await engine.sessions.append({ id: session, agent, externalId }, 'end', [{ entry: title }])
      },
    })
    expect((await store.sessions.get(session))?.title).toBe('Named meanwhile')
    const log = await store.sessions.read(session)
    expect(textsOf(log).slice(-4)).toEqual(['user: And now?', 'title', 'rewrite', 'assistant: Fine.'])
  })

  it("sends what was stored in place of a policy's secret", async () => {
    const { send, asked, store } = bench()
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const policy: Policy = {
      name: 'noting',
      keepsWindow: true,
      start: (view) => ({
        decide: ({ now: at }) =>
          view.rewrites.length > 0
            ? undefined
            : {
                kind: 'rewrite',
                at,
                policy: 'noting',
                trigger: 'arrival',
                changes: [],
                insertions: [{ why: 'note', text: `The token is ${secret}.` }],
              },
      }),
    }
    const { sessionId } = await send({ session: {}, message: 'Hi.', policy })
    expect(JSON.stringify(asked[0]?.messages)).toContain('The token is [redacted:github-token].')
    expect(JSON.stringify([asked, await store.sessions.read(sessionId)])).not.toContain(secret)
  })

  it('writes nothing where the request can not be made to fit', async () => {
    const { send, asked, store } = bench()
    const { sessionId: session } = await send({ session: {}, message: 'Hi.' })
    const before = await store.sessions.read(session)
    await expect(send({ session, message: 'word '.repeat(9000), window: 8000 })).rejects.toMatchObject({
      code: 'context-overflow',
    })
    expect(await store.sessions.read(session)).toEqual(before)
    expect(asked.length).toBe(1)
    // The next request is none the worse for it.
    await send({ session, message: 'Shorter.' })
    expect(asked.at(-1)?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })

  it('keeps a reply that others wrote before, and what they wrote', async () => {
    const { send, engine, asked, store } = bench()
    const { sessionId: session } = await send({ session: {}, message: 'Hi.' })
    const { agent, externalId } = (await store.sessions.get(session)) ?? { agent: '', externalId: '' }
    const write = (text: string) =>
      engine.sessions.append({ id: session, agent, externalId }, 'end', [
        { entry: { kind: 'message', id: text, at: 1, role: 'user', content: [{ type: 'text', text }] } },
      ])
    await send({
      session,
      message: 'One.',
      onEvent: async ({ type }) => {
        if (type === 'text') await write('Between.')
      },
    })
    expect(textsOf(await store.sessions.read(session)).slice(-3)).toEqual([
      'user: One.',
      'user: Between.',
      'assistant: Fine.',
    ])
    await write('After.')
    await send({ session, message: 'Two.' })
    expect(JSON.stringify(asked.at(-1)?.messages)).toMatch(/One\..*Between\..*Fine\..*After\..*Two\./)
  })

  it('sends nothing where another program writes first', async () => {
    const store = createInMemoryStore()
    const { send, asked } = bench({
      ...store,
      sessions: {
        ...store.sessions,
        append: async (facts, seq, writes) => {
          if (typeof seq === 'number' && seq > 0)
            await store.sessions.append(facts, 'end', [{ entry: { kind: 'title', at: 1, title: 'x' } }])
          return store.sessions.append(facts, seq, writes)
        },
      },
    })
    await store.sessions.append({ id: 'a:1', agent: 'a', externalId: '1' }, 0, [
      { entry: { kind: 'message', id: 'u', at: 1, role: 'user', content: [{ type: 'text', text: 'Hi.' }] } },
    ])
    await expect(send({ session: 'a:1', message: 'One.' })).rejects.toMatchObject({ code: 'sequence-conflict' })
    expect(asked).toEqual([])
  })

  it('does not bring a session back that was deleted while its request ran', async () => {
    const { send, store } = bench()
    const { sessionId: session } = await send({ session: {}, message: 'Hi.' })
    const onEvent: SendInput['onEvent'] = async ({ type }) => {
      if (type === 'text') await store.sessions.delete(session)
    }
    await expect(send({ session, message: 'One.', onEvent })).rejects.toMatchObject({ code: 'not-found' })
    expect(await store.sessions.get(session)).toBeUndefined()
  })

  it('cancels the request when its listener fails, and records what was billed', async () => {
    const { send, script, store } = bench()
    script([{ type: 'usage', usage: usageOf(50, 1) }, ...reply('Half an answer.')])
    let session = ''
    const fail: SendInput['onEvent'] = (event) => {
      if (event.type === 'stored') session = event.sessionId
      if (event.type === 'text') throw new Error('the screen is gone')
    }
    await expect(send({ session: {}, message: 'Hi.', onEvent: fail })).rejects.toThrow('the screen is gone')
    expect(textsOf(await store.sessions.read(session))).toEqual([
      'model',
      'user: Hi.',
      'assistant: Half an answer.',
      'truncation',
      'notice',
    ])
    expect(await store.usage.requests(session)).toMatchObject([{ inputTokens: 50, outputTokens: 1, partial: true }])
  })

  it('tells an attempt that cost nothing from one of which only the bill is known', async () => {
    const { send, script, store } = bench()
    script([new ModelError('quota', 'No money is left.')])
    const first = send({ session: {}, message: 'Hi.' })
    await expect(first).rejects.toMatchObject({ code: 'quota' })
    const [{ id: session } = { id: '' }] = (await store.sessions.list({})).sessions
    script([{ type: 'usage', usage: usageOf(70, 0) }, new ModelError('refused', 'It declined.')])
    await expect(send({ session })).rejects.toMatchObject({ code: 'refused' })
    expect(await store.usage.failures({ sessionId: session })).toMatchObject([{ code: 'quota', failures: 1 }])
    expect(await store.usage.requests(session)).toMatchObject([{ inputTokens: 70, partial: false }])
    expect(textsOf(await store.sessions.read(session))).toEqual(['model', 'user: Hi.', 'notice'])
    // Asked again without a message, the session goes on as it stands.
    await send({ session })
    expect(textsOf(await store.sessions.read(session)).at(-1)).toBe('assistant: Fine.')
  })

  it('refuses in a sentence what can not be sent, and writes nothing', async () => {
    const { send, store } = bench()
    const aborted = AbortSignal.abort()
    await expect(send({ session: {}, message: 'x', signal: aborted })).rejects.toMatchObject({ code: 'cancelled' })
    await expect(send({ session: {}, message: ' ' })).rejects.toThrow(/The message is empty/)
    await expect(send({ session: {} })).rejects.toThrow(/begins with a message/)
    await expect(send({ session: 'cairn:none', message: 'x' })).rejects.toMatchObject({ code: 'not-found' })
    await expect(send({ session: {}, message: 'x', maxOutputTokens: 0 })).rejects.toThrow(/maxOutputTokens/)
    const odd = [{ type: 'sound' }] as unknown as readonly ContentBlock[]
    await expect(send({ session: {}, message: odd })).rejects.toThrow(/content\[0\]\.type must be one of/)
    expect((await store.sessions.list({})).total).toBe(0)
  })
})

describe('requests.recordedModel', () => {
  it("bills requests that are no part of the session's conversation", async () => {
    const { engine, model, send, script, store, asked } = bench()
    const { sessionId: session } = await send({ session: {}, message: 'Hi.' })
    const billed = await engine.requests.recordedModel(model, { sessionId: session, mode: 'summarise' })
    script(
      reply('A summary.'),
      [{ type: 'usage', usage: usageOf(9, 1) }, new ModelError('cut-off', 'It broke off.')],
      [new ModelError('rate-limit', 'Later.')],
    )
    const request: ModelRequest = { model: MODEL, messages: [], maxOutputTokens: 10 }
    const events = await collect(billed.stream(request))
    expect(events.map(({ type }) => type)).toEqual(['text', 'block', 'done'])
    for (const code of ['cut-off', 'rate-limit'])
      await expect(collect(billed.stream(request))).rejects.toMatchObject({ code })
    const modes = await store.usage.report({ by: 'mode', filter: { session } })
    expect(modes.rows.map(({ key, requests }) => [key, requests])).toEqual([
      ['summarise', 2],
      ['unknown', 1],
    ])
    expect(await store.usage.failures()).toMatchObject([{ code: 'rate-limit', failures: 1 }])
    await send({ session, message: 'Go on.' })
    expect(asked.at(-1)?.messages.length).toBe(3)
  })
})

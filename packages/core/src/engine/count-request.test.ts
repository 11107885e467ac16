import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createEngine, type Engine } from '../engine.ts'
import type { ContentBlock } from '../messages.ts'
import { createHasher } from '../node/index.ts'
import type { LanguageModel } from '../ports/language-model.ts'
import {
  createAnthropicModel,
  createGeminiModel,
  createOpenAIChatModel,
  createOpenAIResponsesModel,
} from '../providers/index.ts'
import type { NewLogEntry } from '../session-log.ts'
import {
  createInMemoryFileSystem,
  createInMemoryStore,
  createSequentialIds,
  createTestClock,
} from '../testing/index.ts'
import { startModelServer, type ModelServer } from '../testing/model-server/index.ts'
import type { AskedLanguageModel } from './asked-model.ts'

let server: ModelServer
beforeAll(async () => {
  server = await startModelServer()
})
afterAll(() => server.close())

const KEY = { apiKey: 'test-key' }
const ANTHROPIC = {
  model: 'claude-sonnet-5',
  create: (baseUrl: string) => createAnthropicModel({ baseUrl, ...KEY }),
}
const WIRES: Readonly<Record<string, { readonly model: string; readonly create: (url: string) => LanguageModel }>> = {
  anthropic: ANTHROPIC,
  responses: { model: 'gpt-5.1', create: (url) => createOpenAIResponsesModel({ baseUrl: `${url}/v1`, ...KEY }) },
  gemini: { model: 'gemini-2.5-flash', create: (baseUrl) => createGeminiModel({ baseUrl, ...KEY }) },
}

const engineWith = (): Engine =>
  createEngine({
    store: createInMemoryStore(),
    fileSystem: createInMemoryFileSystem({}),
    hasher: createHasher(),
    clock: createTestClock(1_800_000_000_000),
    ids: createSequentialIds(),
  })

const message = (
  index: number,
  role: 'user' | 'assistant' | 'tool',
  content: readonly ContentBlock[],
  model: string,
): NewLogEntry => ({
  kind: 'message',
  id: `m${index}`,
  at: 1_700_000_000_000 + index * 1000,
  role,
  content,
  ...(role === 'assistant' ? { model } : {}),
})

/** A session of so many steps: words of different lengths, calls, results of up to some 20 kB. */
const addSession = async (engine: Engine, name: string, model: string, steps: number): Promise<string> => {
  const id = `cairn:${name}`
  const entries: NewLogEntry[] = [message(0, 'user', [{ type: 'text', text: 'Why is the build slow?' }], model)]
  for (let step = 0; step < steps; step++) {
    const call = { type: 'tool_call', id: `c${step}`, name: 'read', input: { path: `src/part-${step}.ts` } } as const
    const text = `export const part${step} = ${step}\n`.repeat(20 + ((step * 337) % 700))
    entries.push(
      message(entries.length, 'assistant', [{ type: 'text', text: `I look at part ${step}.` }, call], model),
      message(
        entries.length + 1,
        'tool',
        [{ type: 'tool_result', callId: call.id, content: [{ type: 'text', text }] }],
        model,
      ),
    )
  }
  entries.push(message(entries.length, 'user', [{ type: 'text', text: 'And now?' }], model))
  await engine.sessions.append(
    { id, agent: 'cairn', externalId: name },
    0,
    entries.map((entry) => ({ entry })),
  )
  return id
}

const far = (estimated: number, counted: number): number => Math.abs(estimated - counted) / counted

describe.each(Object.entries(WIRES))('counting a request over %s', (_name, { model, create }) => {
  const asked = (): AskedLanguageModel => ({ languageModel: create(server.url), model })

  it('gives the provider’s count beside the estimate, and estimates the session by it from then on', async () => {
    const engine = engineWith()
    const id = await addSession(engine, 'one', model, 14)
    const before = (await engine.context.nextRequest(id, { policy: 'none' })).prepared.tokens
    const count = await engine.context.countRequest(id, asked(), { policy: 'none' })
    const sent = server.requests.at(-1)
    expect(sent?.problem).toBeUndefined()
    expect(count.estimated).toBe(before)
    expect(count.parts.map(({ part }) => part)).toEqual(['text', 'tools'])
    expect(count.parts.reduce((sum, { counted }) => sum + counted, 0)).toBe(count.counted)
    expect(far(before, count.counted)).toBeGreaterThan(0.1)

    const after = await engine.context.nextRequest(id, { policy: 'none' })
    expect(after.ratio.from).toBe('counter')
    expect(after.prepared.tokens).toBe(count.estimatedNow)
    expect(far(after.prepared.tokens, count.counted)).toBeLessThan(0.01)
  })

  it('makes the estimate of another session with the model nearer', async () => {
    const engine = engineWith()
    const counted = await addSession(engine, 'counted', model, 20)
    const other = await addSession(engine, 'other', model, 9)
    const real = (await engine.context.countRequest(other, asked(), { policy: 'none' })).counted
    const fresh = engineWith()
    const [first, second] = [await addSession(fresh, 'counted', model, 20), await addSession(fresh, 'other', model, 9)]
    const estimate = async (): Promise<number> =>
      (await fresh.context.nextRequest(second, { policy: 'none' })).prepared.tokens
    const before = await estimate()
    expect(first).toBe(counted)
    await fresh.context.countRequest(first, asked(), { policy: 'none' })
    const once = await estimate()
    await fresh.context.countRequest(first, asked(), { policy: 'none' })
    expect(far(once, real)).toBeLessThan(far(before, real))
    expect(far(await estimate(), real)).toBeLessThan(far(once, real))
  })
})

describe('counting a request', () => {
  it('goes with its session: a new one of the same id is not estimated by it', async () => {
    const engine = engineWith()
    const { model, create } = ANTHROPIC
    const id = await addSession(engine, 'one', model, 10)
    await engine.context.countRequest(id, { languageModel: create(server.url), model }, { policy: 'none' })
    await engine.store.sessions.delete(id)
    expect((await engine.store.state.all({ tier: 'session', sessionId: id })).size).toBe(0)
  })

  it('is refused where the provider has no counter, and where there is nothing to count', async () => {
    const engine = engineWith()
    const id = await addSession(engine, 'one', 'gpt-5.1', 2)
    const chat = createOpenAIChatModel({ baseUrl: `${server.url}/v1`, ...KEY })
    await expect(engine.context.countRequest(id, { languageModel: chat, model: 'gpt-5.1' })).rejects.toMatchObject({
      code: 'unsupported',
      message: 'openai has no counter of tokens here; there is only the estimate (cairn context show).',
    })
    const empty = { id: 'cairn:empty', agent: 'cairn', externalId: 'empty' }
    await engine.sessions.append(empty, 0, [{ entry: { kind: 'title', at: 0, title: 'Nothing said' } }])
    const { create, model } = ANTHROPIC
    await expect(
      engine.context.countRequest(empty.id, { languageModel: create(server.url), model }),
    ).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringContaining('nothing to count') })
  })

  it('keeps nothing when the provider fails', async () => {
    const engine = engineWith()
    const id = await addSession(engine, 'one', 'claude-sonnet-5', 3)
    const languageModel = createAnthropicModel({ baseUrl: server.url, apiKey: 'wrong' })
    await expect(engine.context.countRequest(id, { languageModel, model: 'claude-sonnet-5' })).rejects.toMatchObject({
      code: 'auth',
    })
    expect((await engine.store.state.all({ tier: 'session', sessionId: id })).size).toBe(0)
    expect((await engine.store.state.all({ tier: 'global' })).size).toBe(0)
  })
})

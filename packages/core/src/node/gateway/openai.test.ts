import { OpenAI } from 'openai'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { startModelServer, type ModelServer } from '../../testing/model-server/index.ts'
import { startTestGateway, type TestGateway } from './gateway.fixture.ts'

const MODEL = 'gpt-5.6'
const SESSION = '01990b1c-2d3e-7111-8222-333344445555'

let server: ModelServer
let gateway: TestGateway
let client: OpenAI

const clientOf = (headers: Readonly<Record<string, string>> = {}): OpenAI =>
  new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'test-key', maxRetries: 0, defaultHeaders: headers })

beforeEach(async () => {
  server = await startModelServer()
  gateway = await startTestGateway({ upstream: server.url })
  client = clientOf()
})
afterEach(async () => {
  await gateway.close()
  await server.close()
})

const rolesOf = async (sessionId: string): Promise<readonly string[]> =>
  (await gateway.store.sessions.read(sessionId)).map((entry) => (entry.kind === 'message' ? entry.role : entry.kind))

const billed = (index: number) => {
  const { inputTokens, cacheReadTokens, cacheWrite30mTokens, outputTokens } = server.ledger[index]?.tokens ?? {}
  return { inputTokens, cacheReadTokens, cacheWrite30mTokens, outputTokens }
}

describe("OpenAI's library through the gateway, Responses", () => {
  it('gets streamed and whole replies, billed to the token, in one session', async () => {
    const stream = await client.responses.create({ model: MODEL, input: 'Two times two?', store: false, stream: true })
    const output: OpenAI.Responses.ResponseInputItem[] = []
    let id = ''
    for await (const event of stream)
      if (event.type === 'response.completed') {
        id = event.response.id
        output.push(...(event.response.output as OpenAI.Responses.ResponseInputItem[]))
      }
    const question = { role: 'user' as const, content: 'Two times two?' }
    const second = await client.responses.create({
      model: MODEL,
      input: [question, ...output, { role: 'user', content: 'And three?' }],
      store: false,
    })
    expect(second.output_text).toContain('2 × 2 = 4')
    const recorded = await gateway.untilRecorded(2)
    expect(gateway.failures).toEqual([])
    expect(recorded.map(({ bill }) => bill?.callId)).toEqual([id, second.id])
    expect(recorded.map(({ bill }) => bill)).toMatchObject([billed(0), billed(1)])
    expect(recorded[1]?.sessionId).toBe(recorded[0]?.sessionId)
    expect(await rolesOf(recorded[0]?.sessionId ?? '')).toEqual(['user', 'assistant', 'user', 'assistant'])
  })

  it("belongs to Codex's session, by its headers, and works where its environment says", async () => {
    client = clientOf({ originator: 'codex_exec', session_id: SESSION })
    await client.responses.create({
      model: MODEL,
      input: '<environment_context>\n  <cwd>/home/me/harbour</cwd>\n</environment_context>',
      store: false,
    })
    const [recorded] = await gateway.untilRecorded(1)
    expect(recorded?.sessionId).toBe(`codex:${SESSION}`)
    expect(await gateway.store.sessions.get(`codex:${SESSION}`)).toMatchObject({ workspace: '/home/me/harbour' })
  })

  it('is told errors that come within a stream, and they are counted', async () => {
    server.script({ fault: { kind: 'error-event', at: 'after-first-event', as: 'overloaded' } })
    const stream = await client.responses.create({ model: MODEL, input: 'Hm?', store: false, stream: true })
    const read = async (): Promise<string[]> => {
      const types: string[] = []
      for await (const { type } of stream) types.push(type)
      return types
    }
    const told = await read().catch((error: unknown) => error)
    expect(JSON.stringify(told) + String(told)).toMatch(/error|failed/)
    await gateway.untilRecorded(1)
    expect(await gateway.store.usage.failures()).toMatchObject([{ model: MODEL, failures: 1 }])
  })
})

describe("OpenAI's library through the gateway, Chat Completions", () => {
  it('gets replies with calls of tools, billed to the token, each message once', async () => {
    server.script({ reply: { blocks: [{ type: 'tool-call', id: 'call_1', name: 'read', input: { path: 'a' } }] } })
    const tools = [{ type: 'function' as const, function: { name: 'read', parameters: { type: 'object' } } }]
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'system', content: 'You read.' },
      { role: 'user', content: 'Read a' },
    ]
    const first = await client.chat.completions
      .stream({ model: MODEL, messages, tools, stream_options: { include_usage: true } })
      .finalChatCompletion()
    const reply = first.choices[0]?.message
    expect(reply?.tool_calls?.[0]).toMatchObject({ id: 'call_1' })
    const second = await client.chat.completions.create({
      model: MODEL,
      messages: [
        ...messages,
        { role: 'assistant', tool_calls: reply?.tool_calls ?? [] },
        { role: 'tool', tool_call_id: 'call_1', content: 'blue' },
      ],
      tools,
    })
    expect(second.choices[0]?.message.content).toContain('2 × 2 = 4')
    const recorded = await gateway.untilRecorded(2)
    expect(recorded.map(({ bill }) => bill)).toMatchObject([billed(0), billed(1)])
    expect(await rolesOf(recorded[0]?.sessionId ?? '')).toEqual(['user', 'assistant', 'tool', 'assistant'])
  })

  it('counts a request whose usage nobody told as one with unknown tokens', async () => {
    const stream = await client.chat.completions.create({
      model: MODEL,
      messages: [{ role: 'user', content: 'Hm?' }],
      stream: true,
    })
    for await (const chunk of stream) expect(chunk.id).not.toBe('')
    const [recorded] = await gateway.untilRecorded(1)
    expect(recorded?.bill).toMatchObject({ inputTokens: 0, outputTokens: 0, costState: 'unpriced' })
  })

  it('lists models, which are not recorded', async () => {
    const names = []
    for await (const { id } of await client.models.list()) names.push(id)
    expect(names).toContain(MODEL)
    expect(gateway.recorded).toEqual([])
  })
})

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Anthropic } from '@anthropic-ai/sdk'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { startModelServer, type ModelServer } from '../../testing/model-server/index.ts'
import { startTestGateway, type TestGateway } from './gateway.fixture.ts'

const MODEL = 'claude-sonnet-5-5'
const SESSION = '0b1c2d3e-1111-4222-8333-444455556666'
const TOOL = { name: 'read', description: 'Reads', input_schema: { type: 'object' as const } }

let server: ModelServer
let gateway: TestGateway
let client: Anthropic

beforeEach(async () => {
  server = await startModelServer()
  gateway = await startTestGateway({ upstream: server.url })
  client = new Anthropic({ baseURL: gateway.url, apiKey: 'test-key', maxRetries: 0 })
})
afterEach(async () => {
  await gateway.close()
  await server.close()
})

type Turn = Anthropic.MessageParam
const say = (text: string): Turn => ({ role: 'user', content: text })

/** Streams one reply to its end through the gateway. */
const streamed = async (messages: Turn[], own: Partial<Anthropic.MessageCreateParamsNonStreaming> = {}) => {
  const stream = client.messages.stream({ model: MODEL, max_tokens: 500, messages, ...own })
  return stream.finalMessage()
}

describe("Anthropic's library through the gateway", () => {
  it('gets its reply, and the request is billed to the token as the server bills it', async () => {
    const message = await streamed([say('What is two times two?')])
    expect(message.content[0]).toMatchObject({ type: 'text', text: expect.stringContaining('2 × 2 = 4') })
    const [recorded] = await gateway.untilRecorded(1)
    const [billed] = server.ledger
    expect(gateway.failures).toEqual([])
    expect(recorded?.bill).toMatchObject({ callId: message.id, model: MODEL, costState: 'computed' })
    const { inputTokens, outputTokens, cacheReadTokens, cacheWrite5mTokens, cacheWrite1hTokens } = billed?.tokens ?? {}
    expect(recorded?.bill).toMatchObject({
      inputTokens,
      outputTokens,
      cacheReadTokens,
      cacheWrite5mTokens,
      cacheWrite1hTokens,
    })
    expect(recorded?.bill?.latency?.totalMs).toBeGreaterThanOrEqual(recorded?.bill?.latency?.firstTokenMs ?? NaN)
    const log = await gateway.store.sessions.read(recorded?.sessionId ?? '')
    expect(log).toMatchObject([
      { kind: 'message', role: 'user', content: [{ type: 'text', text: 'What is two times two?' }] },
      { kind: 'message', role: 'assistant', model: MODEL, responseId: message.id },
    ])
    expect(await gateway.store.sessions.get(recorded?.sessionId ?? '')).toMatchObject({
      workspace: '/code/app',
      title: 'What is two times two?',
    })
  })

  it('appends each message once, though each request repeats the conversation, and two of the same words are two', async () => {
    const turns: Turn[] = []
    for (const text of ['continue', 'continue', 'and stop']) {
      turns.push(say(text))
      const { content } = await streamed(turns)
      turns.push({ role: 'assistant', content })
    }
    const recorded = await gateway.untilRecorded(3)
    expect(new Set(recorded.map(({ sessionId }) => sessionId)).size).toBe(1)
    const log = await gateway.store.sessions.read(recorded[0]?.sessionId ?? '')
    expect(log.map((entry) => (entry.kind === 'message' ? entry.role : entry.kind))).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
    ])
  })

  it('knows the conversation again that comes without its thinking, with other marks, and results cleared', async () => {
    server.script({
      reply: {
        blocks: [
          { type: 'thinking', text: 'A file has it.' },
          { type: 'tool-call', id: 'toolu_1', name: 'read', input: { path: 'a.txt' } },
        ],
      },
    })
    const settings = { tools: [TOOL], thinking: { type: 'adaptive' as const } }
    const first = await streamed([say('Read a.txt')], settings)
    const result = (content: string): Turn => ({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }],
    })
    const marked: Turn = {
      role: 'user',
      content: [{ type: 'text', text: 'Read a.txt', cache_control: { type: 'ephemeral' } }],
    }
    const second = await streamed([marked, { role: 'assistant', content: first.content }, result('blue')], settings)
    const bare = first.content.filter(({ type }) => type !== 'thinking')
    await streamed(
      [
        say('Read a.txt'),
        { role: 'assistant', content: bare },
        result('[cleared]'),
        { role: 'assistant', content: second.content },
        say('Thanks'),
      ],
      settings,
    )
    const recorded = await gateway.untilRecorded(3)
    expect(recorded.map(({ messages }) => messages)).toEqual([2, 2, 2])
    const log = await gateway.store.sessions.read(recorded[0]?.sessionId ?? '')
    expect(log.map((entry) => (entry.kind === 'message' ? entry.role : entry.kind))).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'assistant',
    ])
    expect(log[1]).toMatchObject({ content: [{ type: 'thinking' }, { type: 'tool_call', id: 'toolu_1' }] })
  })

  it('goes on with a session after a restart, and begins another where the same words start again', async () => {
    const { content } = await streamed([say('hello')])
    await gateway.untilRecorded(1)
    await streamed([say('hello')])
    await gateway.untilRecorded(2)
    const after = await startTestGateway({ upstream: server.url, store: gateway.store })
    client = new Anthropic({ baseURL: after.url, apiKey: 'test-key', maxRetries: 0 })
    await streamed([say('hello'), { role: 'assistant', content }, say('go on')])
    const [next] = await after.untilRecorded(1)
    await after.close()
    expect(next?.messages).toBe(2)
    expect((await gateway.store.sessions.list({})).total).toBe(2)
  })

  it("belongs to Claude Code's session, by its id in the body, and works where its system prompt says", async () => {
    const metadata = { user_id: JSON.stringify({ device_id: 'd', account_uuid: '', session_id: SESSION }) }
    const system = 'You are an agent.\n<env>\nWorking directory: /home/me/harbour\n</env>'
    await streamed([say('Paint it')], { metadata, system, tools: [TOOL] })
    const [recorded] = await gateway.untilRecorded(1)
    expect(recorded).toMatchObject({ sessionId: `claude-code:${SESSION}`, kept: 'messages', messages: 2 })
    expect(await gateway.store.sessions.get(`claude-code:${SESSION}`)).toMatchObject({
      agent: 'claude-code',
      workspace: '/home/me/harbour',
    })
  })

  it('records the bill alone of a session that the agent keeps a transcript of', async () => {
    const folder = join(gateway.home, '.claude', 'projects', '-code-app')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${SESSION}.jsonl`), '')
    await streamed([say('Paint it')], { metadata: { user_id: `user_1_account__session_${SESSION}` }, tools: [TOOL] })
    const [recorded] = await gateway.untilRecorded(1)
    expect(recorded).toMatchObject({ kept: 'bill', messages: 0 })
    expect(await gateway.store.usage.requests(`claude-code:${SESSION}`)).toHaveLength(1)
  })

  it('keeps no key, not even one that stands in a message', async () => {
    const key = `sk-ant-api03-${'x7Qd'.repeat(24)}-AAAAAA`
    await streamed([say(`My key is ${key}`)])
    const [recorded] = await gateway.untilRecorded(1)
    const log = JSON.stringify(await gateway.store.sessions.read(recorded?.sessionId ?? ''))
    expect(log).not.toContain(key)
    expect(log).not.toContain('test-key')
    expect(await gateway.store.sessions.get(recorded?.sessionId ?? '')).toMatchObject({ redactions: 1 })
  })

  it('gets errors as the provider gives them, and they are counted', async () => {
    server.script({ fault: { kind: 'refuse', as: 'rate-limit', retryAfter: '7' } })
    const error: unknown = await streamed([say('Hm?')]).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Anthropic.RateLimitError)
    expect(error).toMatchObject({ status: 429, headers: expect.anything() })
    await gateway.untilRecorded(1)
    expect(await gateway.store.usage.failures()).toMatchObject([{ code: 'rate-limit', model: MODEL, failures: 1 }])
  })

  it('is cut where the provider is cut, and what came is recorded as partial', async () => {
    server.script({
      reply: { blocks: [{ type: 'text', text: 'A long answer. '.repeat(60) }] },
      fault: { kind: 'cut', at: 'in-text' },
    })
    await expect(streamed([say('Tell me')])).rejects.toThrow()
    const [recorded] = await gateway.untilRecorded(1)
    const log = await gateway.store.sessions.read(recorded?.sessionId ?? '')
    expect(log.map(({ kind }) => kind)).toEqual(['message', 'message', 'truncation', 'notice'])
    expect(log[2]).toMatchObject({ fromSeq: 1, toSeq: 1, reason: 'connection-lost' })
    expect(await gateway.store.usage.requests(recorded?.sessionId ?? '')).toMatchObject([{ partial: true }])
    await server.untilNoSockets()
  })

  it('frees the provider when it goes away, and what came is recorded', async () => {
    server.script({
      reply: { blocks: [{ type: 'text', text: 'A long answer. '.repeat(60) }] },
      fault: { kind: 'stall', at: 'before-last-event' },
    })
    const stream = client.messages.stream({ model: MODEL, max_tokens: 500, messages: [say('Tell me')] })
    const closed = new Promise<void>((resolve) => {
      stream.on('text', () => stream.abort())
      stream.on('end', () => resolve())
    })
    await stream.done().catch(() => undefined)
    await closed
    const [recorded] = await gateway.untilRecorded(1)
    await server.untilNoSockets()
    expect(gateway.openExchanges()).toBe(0)
    const log = await gateway.store.sessions.read(recorded?.sessionId ?? '')
    expect(log.at(-1)).toMatchObject({ kind: 'notice', text: expect.stringContaining('The client closed') })
  })

  it('counts tokens and lists models through it, unrecorded', async () => {
    expect((await client.messages.countTokens({ model: MODEL, messages: [say('Hm?')] })).input_tokens).toBeGreaterThan(
      0,
    )
    expect((await client.models.list()).data.length).toBeGreaterThan(0)
    expect(gateway.recorded).toEqual([])
  })
})

describe('an incognito session through the gateway', () => {
  const metadata = { user_id: `user_1_account__session_${SESSION}` }
  const keptOf = async (count: number): Promise<readonly string[]> =>
    (await gateway.untilRecorded(count)).map(({ kept }) => kept)
  const data = (): string => {
    mkdirSync(join(gateway.home, 'data'), { recursive: true })
    return join(gateway.home, 'data')
  }

  it('leaves nothing, where it was marked by a hook, by a header, or by the settings of its project', async () => {
    writeFileSync(join(data(), 'incognito.jsonl'), `\n${JSON.stringify({ agent: 'claude-code', session: SESSION })}\n`)
    await streamed([say('Psst')], { metadata })
    await client.messages.create(
      { model: MODEL, max_tokens: 50, messages: [say('Psst too')] },
      { headers: { 'x-cairn-incognito': '1' } },
    )
    const project = join(gateway.home, 'project')
    mkdirSync(join(project, '.cairn'), { recursive: true })
    writeFileSync(join(project, '.cairn', 'config.json'), '{"hooks":{"incognito":true}}')
    await client.messages.create(
      { model: MODEL, max_tokens: 50, messages: [say('Psst as well')] },
      { headers: { 'x-cairn-workspace': project } },
    )
    expect(await keptOf(3)).toEqual(['incognito', 'incognito', 'incognito'])
    expect((await gateway.store.sessions.list({})).total).toBe(0)
    // No header of the gateway's went further.
    expect(JSON.stringify(server.requests.map(({ headers }) => headers))).not.toContain('x-cairn')
  })
})

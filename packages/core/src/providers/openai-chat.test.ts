import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ModelErrorCode, ModelRequest } from '../ports/language-model.ts'
import { startModelServer, type Fault, type ModelServer } from '../testing/model-server/index.ts'
import { createOpenAIChatModel } from './openai-chat.ts'
import type { OpenAIOptions } from './openai-client.ts'
import { blocksIn, outcomeOf } from './outcome.fixture.ts'

let server: ModelServer

beforeAll(async () => {
  server = await startModelServer({ wires: ['openai-chat'] })
})
afterAll(() => server.close())

const modelWith = (options: OpenAIOptions = {}) =>
  createOpenAIChatModel({ baseUrl: `${server.url}/v1`, apiKey: 'test-key', ...options })

const request = (own: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'gpt-5.1',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'What is two times two?' }] }],
  maxOutputTokens: 2000,
  ...own,
})
const outcome = (own: Partial<ModelRequest> = {}, model = modelWith()) => outcomeOf(model, request(own))
const lastRequest = () => server.requests.at(-1)

const TOOL = {
  name: 'read_file',
  description: 'Reads a file',
  inputSchema: { properties: { path: { type: 'string' } } },
}

describe('a reply over Chat Completions', () => {
  it('comes in pieces and as whole blocks, and goes back', async () => {
    server.script({
      reply: {
        blocks: [
          { type: 'text', text: 'I look it up: ✓ 4.' },
          { type: 'tool-call', id: 'call_1', name: 'read_file', input: { path: 'a/b.ts' } },
          { type: 'tool-call', id: 'call_2', name: 'read_file', input: { path: 'c.ts' } },
        ],
      },
    })
    const { events, error } = await outcome({ tools: [TOOL], system: 'Be brief.' })
    expect(error).toBeUndefined()
    expect(events.map((event) => (event.type === 'text' ? event.text : '')).join('')).toBe('I look it up: ✓ 4.')
    const blocks = blocksIn(events)
    expect(blocks).toEqual([
      { type: 'text', text: 'I look it up: ✓ 4.' },
      { type: 'tool_call', id: 'call_1', name: 'read_file', input: { path: 'a/b.ts' } },
      { type: 'tool_call', id: 'call_2', name: 'read_file', input: { path: 'c.ts' } },
    ])
    const { tokens, responseId } = server.ledger.at(-1) ?? {}
    expect(events.at(-1)).toMatchObject({
      type: 'done',
      stopReason: 'tool-calls',
      responseId,
      usage: { inputTokens: tokens?.inputTokens, outputTokens: tokens?.outputTokens },
    })
    const image = { type: 'image' as const, mediaType: 'image/png', data: 'iVBORw0KGgo=' }
    const again = await outcome({
      tools: [TOOL],
      messages: [
        ...request().messages,
        { role: 'assistant', content: [{ type: 'thinking', text: 'private' }, ...blocks] },
        {
          role: 'tool',
          content: [
            { type: 'tool_result', callId: 'call_1', content: [{ type: 'text', text: 'ok' }, image] },
            { type: 'tool_result', callId: 'call_2', content: [] },
          ],
        },
      ],
    })
    expect(again.error).toBeUndefined()
    expect(lastRequest()?.text).not.toContain('private')
    expect(lastRequest()?.text).toContain('data:image/png;base64,iVBORw0KGgo=')
  })

  it('tells its usage in disjoint classes', async () => {
    const messages: ModelRequest['messages'] = [
      { role: 'user', content: [{ type: 'text', text: 'A long text. '.repeat(900) }] },
    ]
    const own = { model: 'gpt-5.6', messages, cacheKey: 'session-1', cacheBreakpoints: [{ after: 0 }] } as const
    for (let round = 0; round < 2; round++) {
      const { events, error } = await outcome(own)
      expect(error).toBeUndefined()
      const { tokens } = server.ledger.at(-1) ?? {}
      expect(events.at(-1)).toMatchObject({
        usage: {
          inputTokens: tokens?.inputTokens,
          cacheReadTokens: tokens?.cacheReadTokens,
          cacheWrite30mTokens: tokens?.cacheWrite30mTokens,
          cacheWrite12hTokens: tokens?.cacheWrite12hTokens,
          outputTokens: tokens?.outputTokens,
        },
      })
      expect(tokens?.[round === 0 ? 'cacheWrite30mTokens' : 'cacheReadTokens']).toBeGreaterThan(0)
    }
  })

  it('never gives a call that the longest reply cut', async () => {
    const input = { path: 'a/long/path/to/a/file/that/does/not/fit.ts', text: 'x'.repeat(400) }
    server.script({ reply: { blocks: [{ type: 'tool-call', name: 'read_file', input }] } })
    const { events, error } = await outcome({ tools: [TOOL], maxOutputTokens: 40 })
    expect(error).toMatchObject({ code: 'cut-off', isRetryable: false })
    expect(blocksIn(events)).toEqual([])
  })

  it.each(['refusal', 'filter'] as const)('may be declined: %s', async (stop) => {
    server.script({ reply: { blocks: [{ type: 'text', text: 'No.' }], stop } })
    expect((await outcome()).error).toMatchObject({ code: 'refused' })
  })
})

describe('a request over Chat Completions that fails', () => {
  const cases: readonly (readonly [string, Fault, ModelErrorCode])[] = [
    ['a bad request', { kind: 'refuse', as: 'bad-request' }, 'bad-request'],
    ['a prompt that is too long', { kind: 'refuse', as: 'too-long' }, 'context-overflow'],
    ['a wrong key', { kind: 'refuse', as: 'auth' }, 'auth'],
    ['no money', { kind: 'refuse', as: 'quota' }, 'quota'],
    ['an unknown model', { kind: 'refuse', as: 'unknown-model' }, 'unknown-model'],
    ['too many requests', { kind: 'refuse', as: 'rate-limit' }, 'rate-limit'],
    ['an error of the server', { kind: 'refuse', as: 'server-error' }, 'unavailable'],
    ['a page instead of an answer', { kind: 'html' }, 'not-an-api'],
    ['nothing', { kind: 'empty' }, 'not-an-api'],
    ['silence in a text', { kind: 'stall', at: 'in-text' }, 'timeout'],
    ['a connection that breaks in a text', { kind: 'cut', at: 'in-text' }, 'connection-lost'],
    ['an end after an event', { kind: 'end', at: 'after-first-event' }, 'cut-off'],
    ['an end in a text', { kind: 'end', at: 'in-text' }, 'cut-off'],
    ['an end in a call', { kind: 'end', at: 'in-tool-input' }, 'cut-off'],
    ['no JSON', { kind: 'malformed', at: 'in-text' }, 'malformed'],
    ['an error in the stream', { kind: 'error-event', at: 'in-text', as: 'server-error' }, 'unavailable'],
  ]
  it.each(cases)('%s is told apart', async (_what, fault, code) => {
    server.script({
      reply: {
        blocks: [
          { type: 'text', text: 'A text of several pieces, one after the other.' },
          { type: 'tool-call', name: 'read_file', input: { path: 'some/file/with/a/long/name.ts' } },
        ],
      },
      fault,
    })
    const model = modelWith(fault.kind === 'stall' ? { firstByteMs: 200, idleMs: 200 } : {})
    const { events, error } = await outcome({ tools: [TOOL] }, model)
    expect(error?.code).toBe(code)
    expect(events.some(({ type }) => type === 'done')).toBe(false)
    expect(blocksIn(events).some(({ type }) => type === 'tool_call')).toBe(false)
    await server.untilNoSockets()
  })
})

describe('a compatible server', () => {
  /** Sends the same chunks to everybody, and keeps what it was sent. */
  const serve = async (chunks: readonly (object | string)[]) => {
    const seen: { body: string; authorization: string | undefined } = { body: '', authorization: undefined }
    const own: Server = createServer((incoming, response) => {
      seen.authorization = incoming.headers.authorization
      incoming.on('data', (piece: Buffer) => (seen.body += piece.toString()))
      incoming.on('end', () => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        for (const chunk of chunks)
          response.write(`data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`)
        response.end()
      })
    })
    await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve))
    const baseUrl = `http://127.0.0.1:${(own.address() as AddressInfo).port}/v1`
    return { baseUrl, seen, close: () => new Promise((resolve) => own.close(resolve)) }
  }
  const chunk = (delta: object, finish: string | null = null) => ({
    id: 'chat-1',
    model: 'qwen3:8b',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })

  it('may need no key, tell no usage, give calls one index and no ids, and end them as any reply', async () => {
    const { baseUrl, seen, close } = await serve([
      chunk({ role: 'assistant', content: '', reasoning: 'Let me ' }),
      chunk({ reasoning: 'see.' }),
      chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'one', arguments: '{"x":1}' } }] }),
      chunk({ tool_calls: [{ index: 0, id: 'b', function: { name: 'two', arguments: '{}' } }] }),
      chunk({ tool_calls: [{ index: 1, function: { name: 'three', arguments: { y: [2] } } }] }),
      chunk({}, 'stop'),
    ])
    const model = createOpenAIChatModel({ baseUrl, provider: 'ollama', title: 'Ollama' })
    const { events, error } = await outcomeOf(model, request({ model: 'qwen3:8b', tools: [TOOL] }))
    expect(error).toBeUndefined()
    expect(blocksIn(events)).toEqual([
      { type: 'thinking', text: 'Let me see.' },
      { type: 'tool_call', id: 'a', name: 'one', input: { x: 1 } },
      { type: 'tool_call', id: 'b', name: 'two', input: {} },
      { type: 'tool_call', id: 'call_chat-1_2', name: 'three', input: { y: [2] } },
    ])
    expect(events.at(-1)).toMatchObject({ stopReason: 'tool-calls', isUsagePartial: true })
    expect(seen.authorization).toBeUndefined()
    expect(JSON.parse(seen.body)).toMatchObject({ max_tokens: 2000, stream_options: { include_usage: true } })
    expect(model.provider).toBe('ollama')
    await close()
  })

  it('may report an error in its stream as a text', async () => {
    const { baseUrl, close } = await serve([chunk({ content: 'a' }), { error: 'the model runner has stopped' }])
    const { error } = await outcomeOf(createOpenAIChatModel({ baseUrl }), request({ model: 'qwen3:8b' }))
    expect(error).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('the model runner has stopped'),
    })
    await close()
  })
})

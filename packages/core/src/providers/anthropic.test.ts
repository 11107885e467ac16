import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import type { ModelErrorCode, ModelRequest } from '../ports/language-model.ts'
import { startModelServer, type Fault, type ModelServer } from '../testing/model-server/index.ts'
import { createAnthropicModel, type AnthropicOptions } from './anthropic.ts'
import { blocksIn, outcomeOf } from './outcome.fixture.ts'

let server: ModelServer

beforeAll(async () => {
  server = await startModelServer({ wires: ['anthropic'] })
})
afterAll(() => server.close())

const modelWith = (options: AnthropicOptions = {}) =>
  createAnthropicModel({ baseUrl: server.url, apiKey: 'test-key', ...options })

const request = (own: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'claude-sonnet-5-5',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'What is two times two?' }] }],
  maxOutputTokens: 2000,
  ...own,
})

const TOOL = {
  name: 'read_file',
  description: 'Reads a file',
  inputSchema: { properties: { path: { type: 'string' } } },
}

const outcome = (own: Partial<ModelRequest> = {}, model = modelWith()) => outcomeOf(model, request(own))

describe('a reply of Anthropic', () => {
  it('comes in pieces and as whole blocks, and ends once', async () => {
    server.script({
      reply: {
        blocks: [
          { type: 'thinking', text: 'Two and two make four.' },
          { type: 'text', text: 'I look it up: ✓ 4.' },
          { type: 'tool-call', id: 'toolu_1', name: 'read_file', input: { path: 'a/b.ts', deep: [1, { x: '"é"' }] } },
        ],
      },
    })
    const { events, error } = await outcome({ tools: [TOOL], effort: 'high' })
    expect(error).toBeUndefined()
    expect(events.filter(({ type }) => type === 'done')).toHaveLength(1)
    const joined = (type: 'text' | 'thinking') =>
      events.map((event) => (event.type === type ? event.text : '')).join('')
    expect(joined('text')).toBe('I look it up: ✓ 4.')
    expect(joined('thinking')).toBe('Two and two make four.')
    expect(blocksIn(events)).toEqual([
      { type: 'thinking', text: 'Two and two make four.', signature: expect.stringMatching(/./) },
      { type: 'text', text: 'I look it up: ✓ 4.' },
      { type: 'tool_call', id: 'toolu_1', name: 'read_file', input: { path: 'a/b.ts', deep: [1, { x: '"é"' }] } },
    ])
    const pieces = events.map((event) => (event.type === 'tool-call-progress' ? event.piece : '')).join('')
    expect(JSON.parse(pieces)).toEqual({ path: 'a/b.ts', deep: [1, { x: '"é"' }] })
    const { tokens, responseId } = server.ledger.at(-1) ?? {}
    const { cacheWrite30mTokens: _30m, cacheWrite12hTokens: _12h, ...billed } = tokens ?? {}
    expect(events.at(-1)).toEqual({
      type: 'done',
      stopReason: 'tool-calls',
      providerReason: 'tool_use',
      usage: billed,
      responseId,
    })
  })
})

describe('a request to Anthropic that fails', () => {
  const cases: readonly (readonly [string, Fault, ModelErrorCode])[] = [
    ['a bad request', { kind: 'refuse', as: 'bad-request' }, 'bad-request'],
    ['a prompt that is too long', { kind: 'refuse', as: 'too-long' }, 'context-overflow'],
    ['a body that is too large', { kind: 'refuse', as: 'too-large' }, 'context-overflow'],
    ['a wrong key', { kind: 'refuse', as: 'auth' }, 'auth'],
    ['a key that may not', { kind: 'refuse', as: 'forbidden' }, 'auth'],
    ['no money', { kind: 'refuse', as: 'quota' }, 'quota'],
    ['an unknown model', { kind: 'refuse', as: 'unknown-model' }, 'unknown-model'],
    ['too many requests', { kind: 'refuse', as: 'rate-limit', retryAfter: '7' }, 'rate-limit'],
    ['overload', { kind: 'refuse', as: 'overloaded' }, 'overloaded'],
    ['no service', { kind: 'refuse', as: 'unavailable' }, 'unavailable'],
    ['an error of the server', { kind: 'refuse', as: 'server-error' }, 'unavailable'],
    ['a page instead of an answer', { kind: 'html' }, 'not-an-api'],
    ['a page with a status', { kind: 'html', status: 404 }, 'not-an-api'],
    ['a gateway without a server', { kind: 'html', status: 502 }, 'unavailable'],
    ['nothing', { kind: 'empty' }, 'not-an-api'],
    ['no headers', { kind: 'stall', at: 'before-headers' }, 'timeout'],
    ['no event', { kind: 'stall', at: 'after-headers' }, 'timeout'],
    ['silence in a text', { kind: 'stall', at: 'in-text' }, 'timeout'],
    ['silence in a call', { kind: 'stall', at: 'in-tool-input' }, 'timeout'],
    ['silence before the last event', { kind: 'stall', at: 'before-last-event' }, 'timeout'],
    ['no connection', { kind: 'cut', at: 'before-headers' }, 'connection-lost'],
    ['a connection that breaks before an event', { kind: 'cut', at: 'after-headers' }, 'connection-lost'],
    ['a connection that breaks after one', { kind: 'cut', at: 'after-first-event' }, 'connection-lost'],
    ['a connection that breaks in a text', { kind: 'cut', at: 'in-text' }, 'connection-lost'],
    ['a connection that breaks at the end', { kind: 'cut', at: 'before-last-event' }, 'connection-lost'],
    ['an end before an event', { kind: 'end', at: 'after-headers' }, 'not-an-api'],
    ['an end after one', { kind: 'end', at: 'after-first-event' }, 'cut-off'],
    ['an end in a text', { kind: 'end', at: 'in-text' }, 'cut-off'],
    ['an end in a call', { kind: 'end', at: 'in-tool-input' }, 'cut-off'],
    ['an end before the last event', { kind: 'end', at: 'before-last-event' }, 'cut-off'],
    ['no JSON', { kind: 'malformed', at: 'after-first-event' }, 'malformed'],
    ['no JSON at the end', { kind: 'malformed', at: 'before-last-event' }, 'malformed'],
    ['overload in the stream', { kind: 'error-event', at: 'in-text', as: 'overloaded' }, 'overloaded'],
    ['an error in the stream', { kind: 'error-event', at: 'in-text', as: 'server-error' }, 'unavailable'],
    [
      'too many requests in the stream',
      { kind: 'error-event', at: 'after-first-event', as: 'rate-limit' },
      'rate-limit',
    ],
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
    expect(error?.message).toMatch(/^[^\n]+\.$/)
    expect(error?.message).not.toContain('test-key')
    expect(events.some(({ type }) => type === 'done')).toBe(false)
    expect(blocksIn(events).some(({ type }) => type === 'tool_call')).toBe(
      'at' in fault && fault.at === 'before-last-event',
    )
    await server.untilNoSockets()
  })

  it('says how long to wait, and how much too long it was', async () => {
    server.script({ fault: { kind: 'refuse', as: 'rate-limit', retryAfter: '7' } })
    expect((await outcome()).error?.details).toMatchObject({ status: 429, retryAfterMs: 7000 })
    server.script({ fault: { kind: 'refuse', as: 'too-long' } })
    const { inputTokens = 0, limitTokens = 0 } = (await outcome()).error?.details ?? {}
    expect(inputTokens).toBeGreaterThan(limitTokens)
    expect(limitTokens).toBeGreaterThan(0)
  })

  it('tells what a reply that broke off had used by then', async () => {
    server.script({ fault: { kind: 'end', at: 'in-text' } })
    const { error } = await outcome()
    const { inputTokens } = server.ledger.at(-1)?.tokens ?? {}
    expect(error?.details.usage).toMatchObject({ inputTokens, outputTokens: 1 })
    expect(error?.details.responseId).toBe(server.ledger.at(-1)?.responseId)
  })

  it('never gives a call that the longest reply cut, and would not ask again', async () => {
    const input = { path: 'a/long/path/to/a/file/that/does/not/fit.ts', text: 'x'.repeat(400) }
    server.script({ reply: { blocks: [{ type: 'tool-call', name: 'read_file', input }] } })
    const { events, error } = await outcome({ tools: [TOOL], maxOutputTokens: 40 })
    expect(error).toMatchObject({ code: 'cut-off', isRetryable: false })
    expect(blocksIn(events)).toEqual([])
    expect(error?.details.usage?.outputTokens).toBe(server.ledger.at(-1)?.tokens.outputTokens)
  })

  it('never gives a call that was cut before its first argument', async () => {
    server.script({
      reply: { blocks: [{ type: 'tool-call', name: 'read_file', input: {}, rawInput: '' }], stop: 'max-output' },
    })
    const { events, error } = await outcome({ tools: [TOOL] })
    expect(error?.code).toBe('cut-off')
    expect(blocksIn(events)).toEqual([])
  })

  it('keeps the arguments of a call as the model wrote them when they are no JSON', async () => {
    server.script({
      reply: {
        blocks: [
          { type: 'tool-call', id: 'a', name: 'read_file', input: {}, rawInput: '{"path": oops' },
          { type: 'tool-call', id: 'b', name: 'read_file', input: { path: 'x' } },
        ],
      },
    })
    const { events, error } = await outcome({ tools: [TOOL] })
    expect(error).toBeUndefined()
    expect(blocksIn(events)).toEqual([
      { type: 'tool_call', id: 'a', name: 'read_file', input: '{"path": oops' },
      { type: 'tool_call', id: 'b', name: 'read_file', input: { path: 'x' } },
    ])
  })

  it('was refused by the model', async () => {
    server.script({ reply: { blocks: [{ type: 'text', text: 'No.' }], stop: 'refusal' } })
    const { error } = await outcome()
    expect(error?.code).toBe('refused')
    expect(error?.message).toContain('The request was declined')
    expect(error?.details.usage?.outputTokens).toBe(server.ledger.at(-1)?.tokens.outputTokens)
  })

  it('is cancelled at any time, and lets its connection go', async () => {
    const early = new AbortController()
    early.abort()
    const before = server.requests.length
    expect((await outcome({ signal: early.signal })).error?.code).toBe('cancelled')
    expect(server.requests).toHaveLength(before)
    for (const at of ['before-headers', 'after-headers', 'in-text'] as const) {
      server.script({ fault: { kind: 'stall', at } })
      const controller = new AbortController()
      const ended = outcome({ signal: controller.signal })
      while (server.openSockets() === 0) await new Promise((resolve) => setImmediate(resolve))
      controller.abort()
      expect((await ended).error?.code).toBe('cancelled')
      await server.untilNoSockets()
    }
  })

  it('is cancelled between two events: what was not given yet is not given', async () => {
    const controller = new AbortController()
    const seen: string[] = []
    const run = async (): Promise<void> => {
      for await (const { type } of modelWith().stream(request({ signal: controller.signal }))) {
        seen.push(type)
        if (type === 'text') controller.abort()
      }
    }
    await expect(run()).rejects.toMatchObject({ code: 'cancelled' })
    expect(seen.filter((type) => type === 'text')).toHaveLength(1)
    expect(seen).not.toContain('done')
    await server.untilNoSockets()
  })

  it('ends with its reader, and lets its connection go', async () => {
    server.script({ fault: { kind: 'stall', at: 'in-text' } })
    for await (const { type } of modelWith().stream(request())) if (type === 'text') break
    await server.untilNoSockets()
  })

  it('is refused here when the API would refuse it, before a byte is sent', async () => {
    const before = server.requests.length
    const { error } = await outcome({
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Read it' }] },
        { role: 'assistant', content: [{ type: 'tool_call', id: 'c1', name: 'read_file', input: {} }] },
        { role: 'user', content: [{ type: 'text', text: 'And?' }] },
      ],
    })
    expect(error?.code).toBe('bad-request')
    expect(error?.message).toContain('c1')
    expect(server.requests).toHaveLength(before)
  })

  it('is not sent without a key', async () => {
    const { error } = await outcome({}, createAnthropicModel({}))
    expect(error?.code).toBe('auth')
    expect(error?.message).toContain('ANTHROPIC_API_KEY')
  })
})

describe('what is sent to Anthropic', () => {
  const lastRequest = () => server.requests.at(-1)

  it('is the same to the byte for the same request', async () => {
    const own = { tools: [TOOL], system: 'Be brief.', cacheBreakpoints: [{ after: 'system' as const }, { after: 0 }] }
    await outcome(own)
    const first = lastRequest()?.text
    await outcome(own, modelWith())
    expect(lastRequest()?.text).toBe(first)
  })

  it('has the key where it is wanted, and the version', async () => {
    await outcome()
    expect(lastRequest()?.headers.authorization).toBe('Bearer test-key')
    expect(lastRequest()?.headers['x-api-key']).toBeUndefined()
    const model = modelWith({
      keyHeader: 'x-api-key',
      version: '2023-06-01',
      baseUrl: `${server.url}/v1/`,
      headers: { 'x-own': 'yes' },
    })
    await outcome({}, model)
    expect(lastRequest()?.headers).toMatchObject({
      'x-api-key': 'test-key',
      'anthropic-version': '2023-06-01',
      'x-own': 'yes',
    })
    expect(lastRequest()?.headers.authorization).toBeUndefined()
  })

  it('marks what the cache should keep, longer lifetimes first, and reads it the next time', async () => {
    const text = 'A long system prompt that is kept. '.repeat(300)
    const messages: ModelRequest['messages'] = [
      { role: 'user', content: [{ type: 'text', text: 'One. '.repeat(600) }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Two.' }] },
      { role: 'user', content: [{ type: 'text', text: 'Three.' }] },
    ]
    const cacheBreakpoints = [
      { after: 'system' },
      { after: 0, lifetime: '12h' },
      { after: 2, lifetime: '30m' },
    ] as const
    const first = await outcome({ system: text, messages, cacheBreakpoints })
    const end = first.events.at(-1)
    expect(first.error).toBeUndefined()
    const { tokens } = server.ledger.at(-1) ?? {}
    expect(tokens?.cacheWrite1hTokens).toBeGreaterThan(0)
    expect(tokens?.cacheWrite5mTokens).toBeGreaterThan(0)
    expect(end).toMatchObject({
      usage: { cacheWrite1hTokens: tokens?.cacheWrite1hTokens, cacheWrite5mTokens: tokens?.cacheWrite5mTokens },
    })
    const again = (await outcome({ system: text, messages, cacheBreakpoints })).events.at(-1)
    expect(again).toMatchObject({ usage: { cacheReadTokens: server.ledger.at(-1)?.tokens.cacheReadTokens } })
    expect(server.ledger.at(-1)?.tokens.cacheReadTokens).toBeGreaterThan(0)
  })

  it('keeps only the last of too many breakpoints', async () => {
    const messages = Array.from({ length: 7 }, (_, index) => ({
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: [{ type: 'text' as const, text: `Message ${index}` }],
    }))
    const { error } = await outcome({ messages, cacheBreakpoints: [0, 2, 3, 4, 5, 6].map((after) => ({ after })) })
    expect(error).toBeUndefined()
    expect(lastRequest()?.text.match(/cache_control/g)).toHaveLength(4)
  })

  it.each([
    ['claude-haiku-4-5', 'high', { thinking: { type: 'enabled', budget_tokens: 1600 } }],
    ['claude-haiku-4-5', 'none', {}],
    [
      'claude-opus-4-8',
      'max',
      { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'max' } },
    ],
    ['claude-opus-4-8', 'none', { thinking: { type: 'disabled' } }],
    [
      'claude-sonnet-5-5',
      'none',
      { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'low' } },
    ],
    ['claude-sonnet-5-5', undefined, {}],
  ] as const)('tells %s to reason with effort %s as it wants to be told', async (model, effort, expected) => {
    const { error } = await outcome({ model, ...(effort === undefined ? {} : { effort }) })
    expect(error).toBeUndefined()
    const { thinking, output_config: output } = lastRequest()?.body ?? {}
    expect({
      ...(thinking === undefined ? {} : { thinking }),
      ...(output === undefined ? {} : { output_config: output }),
    }).toEqual(expected)
  })

  it('gives signed reasoning back as it came, hidden reasoning too, and leaves out what has no signature', async () => {
    server.script({
      reply: {
        blocks: [
          { type: 'thinking', text: 'Hidden', isHidden: true },
          { type: 'thinking', text: 'Let me see ✓' },
          { type: 'tool-call', id: 'toolu_9', name: 'read_file', input: { path: 'x' } },
        ],
      },
    })
    const asked = request().messages
    const first = await outcome({ tools: [TOOL], effort: 'high' })
    const reply = blocksIn(first.events)
    expect(reply[0]).toMatchObject({ type: 'other', value: { type: 'redacted_thinking' } })
    const { error } = await outcome({
      tools: [TOOL],
      effort: 'high',
      messages: [
        ...asked,
        {
          role: 'assistant',
          content: [...reply.slice(0, 2), { type: 'thinking', text: 'unsigned' }, ...reply.slice(2)],
        },
        {
          role: 'tool',
          content: [{ type: 'tool_result', callId: 'toolu_9', content: [{ type: 'text', text: 'ok' }] }],
        },
      ],
    })
    expect(error).toBeUndefined()
    expect(lastRequest()?.text).not.toContain('unsigned')
  })

  it('has images and files as the API takes them, and says of others what they are', async () => {
    const { error } = await outcome({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image', mediaType: 'image/svg+xml', data: 'PHN2Zy8+' },
            { type: 'file', path: 'a.pdf', mediaType: 'application/pdf', data: 'JVBERi0=' },
            { type: 'file', path: 'ü.md', mediaType: 'text/markdown', data: Buffer.from('# Größe').toString('base64') },
            { type: 'file', path: 'a.zip', mediaType: 'application/zip', data: 'UEsDBA==' },
          ],
        },
      ],
    })
    expect(error).toBeUndefined()
    expect(lastRequest()?.body.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'text', text: '[an image of the type image/svg+xml, which the API does not take]' },
          {
            type: 'document',
            source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
            title: 'a.pdf',
          },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: '# Größe' }, title: 'ü.md' },
          { type: 'text', text: '[a.zip: a file of the type application/zip, which the API does not take]' },
        ],
      },
    ])
  })

  it('is counted by the API', async () => {
    const model = modelWith()
    const own = { system: 'Be brief.', tools: [TOOL] }
    const count = await model.countTokens?.(request(own))
    const { events } = await outcome(own)
    expect(count).toBeGreaterThan(0)
    expect(events.at(-1)).toMatchObject({ usage: { inputTokens: count } })
    const bad = createAnthropicModel({ baseUrl: server.url, apiKey: 'wrong' })
    await expect(bad.countTokens?.(request())).rejects.toMatchObject({ code: 'auth' })
  })

  it('says nothing on the screen', async () => {
    const methods = ['log', 'warn', 'error', 'info'] as const
    const spies = methods.map((method) => jest.spyOn(console, method).mockImplementation(() => undefined))
    await outcome({ model: 'claude-sonnet-4-5' })
    server.script({ fault: { kind: 'malformed', at: 'in-text' } })
    await outcome()
    for (const spy of spies) {
      expect(spy).not.toHaveBeenCalled()
      spy.mockRestore()
    }
  })
})

describe('a stream of Anthropic', () => {
  it.each([1, 7, 64, 1000])('may be cut anywhere, into pieces of %s bytes', async (bytes) => {
    server.script({ reply: { blocks: [{ type: 'text', text: 'Grüße ✓ 𝒙' }] }, fault: { kind: 'split', bytes } })
    const { events, error } = await outcome()
    expect(error).toBeUndefined()
    expect(blocksIn(events)).toEqual([{ type: 'text', text: 'Grüße ✓ 𝒙' }])
  })

  it('may have comments, other line ends and events that nobody knows', async () => {
    server.script({ fault: { kind: 'comments' } }, { fault: { kind: 'unknown-event', at: 'in-text' } })
    expect((await outcome()).error).toBeUndefined()
    expect((await outcome()).error).toBeUndefined()
  })

  it('may be slow for longer than the silence that is waited for', async () => {
    server.script({
      fault: { kind: 'slow', at: 'in-text', delayMs: 40 },
      reply: { blocks: [{ type: 'text', text: 'x'.repeat(600) }] },
    })
    expect((await outcome({}, modelWith({ idleMs: 1500 }))).error).toBeUndefined()
  })
})

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { ModelErrorCode, ModelRequest } from '../ports/language-model.ts'
import { startModelServer, type Fault, type ModelServer } from '../testing/model-server/index.ts'
import { createOpenAIResponsesModel, type OpenAIResponsesOptions } from './openai-responses.ts'
import { blocksIn, outcomeOf } from './outcome.fixture.ts'

let server: ModelServer

beforeAll(async () => {
  server = await startModelServer({ wires: ['openai-responses'] })
})
afterAll(() => server.close())

const modelWith = (options: OpenAIResponsesOptions = {}) =>
  createOpenAIResponsesModel({ baseUrl: `${server.url}/v1`, apiKey: 'test-key', ...options })

const request = (own: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'gpt-5.6',
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

describe('a reply over the Responses API', () => {
  it('comes in pieces and as whole blocks, and goes back as it came', async () => {
    server.script({
      reply: {
        blocks: [
          { type: 'thinking', text: 'Two and two make four.' },
          { type: 'text', text: 'I look it up: ✓ 4.' },
          { type: 'tool-call', id: 'call_1', name: 'read_file', input: { path: 'a/b.ts' } },
        ],
      },
    })
    const { events, error } = await outcome({ tools: [TOOL], effort: 'high' })
    expect(error).toBeUndefined()
    const joined = (type: 'text' | 'thinking') =>
      events.map((event) => (event.type === type ? event.text : '')).join('')
    expect(joined('text')).toBe('I look it up: ✓ 4.')
    expect(joined('thinking')).toBe('Two and two make four.')
    const blocks = blocksIn(events)
    expect(blocks).toEqual([
      { type: 'thinking', text: 'Two and two make four.', signature: expect.stringMatching(/./), signedBy: 'openai' },
      expect.objectContaining({ type: 'text', text: 'I look it up: ✓ 4.' }),
      { type: 'tool_call', id: 'call_1', name: 'read_file', input: { path: 'a/b.ts' } },
    ])
    expect(events.at(-1)).toMatchObject({
      type: 'done',
      stopReason: 'tool-calls',
      responseId: server.ledger.at(-1)?.responseId,
    })
    const again = await outcome({
      tools: [TOOL],
      effort: 'high',
      messages: [
        ...request().messages,
        { role: 'assistant', content: blocks },
        { role: 'tool', content: [{ type: 'tool_result', callId: 'call_1', content: [{ type: 'text', text: 'ok' }] }] },
      ],
    })
    expect(again.error).toBeUndefined()
    expect(lastRequest()?.body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] })
    expect(lastRequest()?.text).toContain('encrypted_content":"')
  })

  it('tells its usage in disjoint classes', async () => {
    const messages: ModelRequest['messages'] = [
      { role: 'user', content: [{ type: 'text', text: 'A long text. '.repeat(900) }] },
    ]
    const own = { messages, cacheKey: 'session-1', cacheBreakpoints: [{ after: 0, lifetime: '12h' }] } as const
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
          reasoningTokens: tokens?.reasoningTokens,
        },
      })
      const key = round === 0 ? 'cacheWrite12hTokens' : 'cacheReadTokens'
      expect(tokens?.[key]).toBeGreaterThan(0)
    }
  })

  it('is counted by the API', async () => {
    const own = { system: 'Be brief.', tools: [TOOL] }
    const count = await modelWith().countTokens?.(request(own))
    const { events } = await outcome(own)
    expect(count).toBeGreaterThan(0)
    expect(events.at(-1)).toMatchObject({ usage: { inputTokens: count } })
  })

  it('never gives a call that the longest reply cut', async () => {
    const input = { path: 'a/long/path/to/a/file/that/does/not/fit.ts', text: 'x'.repeat(400) }
    server.script({ reply: { blocks: [{ type: 'tool-call', name: 'read_file', input }] } })
    const { events, error } = await outcome({ tools: [TOOL], maxOutputTokens: 40 })
    expect(error).toMatchObject({ code: 'cut-off', isRetryable: false })
    expect(blocksIn(events)).toEqual([])
    expect(error?.details.usage?.outputTokens).toBe(server.ledger.at(-1)?.tokens.outputTokens)
  })

  it.each(['refusal', 'filter'] as const)('may be declined: %s', async (stop) => {
    server.script({ reply: { blocks: [{ type: 'text', text: 'No.' }], stop } })
    expect((await outcome()).error).toMatchObject({ code: 'refused' })
  })

  it('ends at its longest length', async () => {
    server.script({ reply: { blocks: [{ type: 'text', text: 'x'.repeat(400) }] } })
    const { events, error } = await outcome({ maxOutputTokens: 20 })
    expect(error).toBeUndefined()
    expect(events.at(-1)).toMatchObject({ stopReason: 'max-output' })
  })
})

describe('a request over the Responses API that fails', () => {
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
    ['an error of the server', { kind: 'refuse', as: 'server-error' }, 'unavailable'],
    ['a page instead of an answer', { kind: 'html' }, 'not-an-api'],
    ['nothing', { kind: 'empty' }, 'not-an-api'],
    ['silence in a text', { kind: 'stall', at: 'in-text' }, 'timeout'],
    ['no connection', { kind: 'cut', at: 'before-headers' }, 'connection-lost'],
    ['a connection that breaks in a text', { kind: 'cut', at: 'in-text' }, 'connection-lost'],
    ['an end after an event', { kind: 'end', at: 'after-first-event' }, 'cut-off'],
    ['an end in a call', { kind: 'end', at: 'in-tool-input' }, 'cut-off'],
    ['an end before the last event', { kind: 'end', at: 'before-last-event' }, 'cut-off'],
    ['no JSON', { kind: 'malformed', at: 'in-text' }, 'malformed'],
    ['an error in the stream', { kind: 'error-event', at: 'in-text', as: 'server-error' }, 'unavailable'],
    ['too many requests in the stream', { kind: 'error-event', at: 'in-text', as: 'rate-limit' }, 'rate-limit'],
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
    expect(events.some(({ type }) => type === 'done')).toBe(false)
    await server.untilNoSockets()
  })

  it('is refused here when the API would refuse it', async () => {
    const before = server.requests.length
    const { error } = await outcome({
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Read it' }] },
        { role: 'assistant', content: [{ type: 'tool_call', id: 'c1', name: 'read_file', input: {} }] },
        { role: 'user', content: [{ type: 'text', text: 'And?' }] },
      ],
    })
    expect(error).toMatchObject({ code: 'bad-request', message: expect.stringContaining('c1') })
    expect(server.requests).toHaveLength(before)
  })
})

describe('what is sent over the Responses API', () => {
  it('is the same to the byte for the same request', async () => {
    const own = { tools: [TOOL], system: 'Be brief.', cacheBreakpoints: [{ after: 'system' as const }, { after: 0 }] }
    expect((await outcome(own)).error).toBeUndefined()
    const first = lastRequest()?.text
    await outcome(own)
    expect(lastRequest()?.text).toBe(first)
  })

  it.each([
    ['gpt-5.6', 'max', { effort: 'max', summary: 'auto' }],
    ['gpt-5.6', 'minimal', { effort: 'low', summary: 'auto' }],
    ['gpt-5.1', 'max', { effort: 'high', summary: 'auto' }],
    ['gpt-5.1', 'none', { effort: 'none', summary: 'auto' }],
    ['gpt-5.1', undefined, { summary: 'auto' }],
    ['gpt-4.1', undefined, undefined],
  ] as const)('tells %s to reason with effort %s as it knows it', async (model, effort, expected) => {
    const { error } = await outcome({ model, ...(effort === undefined ? {} : { effort }) })
    expect(error).toBeUndefined()
    expect(lastRequest()?.body.reasoning).toEqual(expected)
  })

  it('has no reasoning of others, and images and documents as parts', async () => {
    const { error } = await outcome({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
            { type: 'file', path: 'a.pdf', mediaType: 'application/pdf', data: 'JVBERi0=' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', text: 'Of another', signature: 'sig-of-another' },
            { type: 'other', value: { type: 'redacted_thinking', data: 'hidden' } },
            { type: 'text', text: 'I see.', phase: 'final_answer' },
          ],
        },
        { role: 'user', content: [{ type: 'text', text: 'And?' }] },
      ],
    })
    expect(error).toBeUndefined()
    expect(lastRequest()?.text).not.toMatch(/sig-of-another|hidden/)
    expect(lastRequest()?.text).toContain('data:image/png;base64,iVBORw0KGgo=')
    expect(lastRequest()?.text).toContain('data:application/pdf;base64,JVBERi0=')
    expect(lastRequest()?.text).toContain('"phase":"final_answer"')
  })
})

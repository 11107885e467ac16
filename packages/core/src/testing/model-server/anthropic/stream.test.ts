import { textOf } from '../json.ts'
import { at, ask, eventsOf, jsonOf } from '../sse.fixture.ts'
import { startModelServer, type ModelServer, type Reply } from '../index.ts'

const PATH = '/v1/messages'
const request = {
  model: 'claude-sonnet-5',
  max_tokens: 1000,
  stream: true,
  messages: [{ role: 'user', content: 'What is in a.txt and in b.txt?' }],
}
const reply: Reply = {
  blocks: [
    { type: 'thinking', text: 'Two files have to be read, so two calls.' },
    { type: 'text', text: 'I read both files. 😀😀😀😀' },
    { type: 'tool-call', name: 'read', input: { path: 'a.txt' } },
    { type: 'tool-call', name: 'read', input: { path: 'b.txt', lines: [1, 2, 3] } },
  ],
}

describe('Anthropic’s wire', () => {
  let server: ModelServer
  beforeEach(async () => {
    server = await startModelServer()
  })
  afterEach(() => server.close())

  it('streams thinking, text and parallel calls in order, and bills what it reports', async () => {
    server.script({ reply })
    const { status, text } = await ask(server, PATH, request)
    expect(status).toBe(200)
    const events = eventsOf(text)
    expect(events[0]).toMatchObject({ type: 'message_start', message: { role: 'assistant', content: [] } })
    expect(events.at(-1)).toEqual({ type: 'message_stop' })
    const deltas = (index: number, field: string) =>
      events
        .filter((event) => event.type === 'content_block_delta' && event.index === index)
        .map((event) => textOf(at(event, `delta.${field}`)))
        .join('')
    expect(deltas(0, 'thinking')).toBe('Two files have to be read, so two calls.')
    expect(deltas(0, 'signature').length).toBeGreaterThan(20)
    expect(deltas(1, 'text')).toBe('I read both files. 😀😀😀😀')
    expect(JSON.parse(deltas(2, 'partial_json'))).toEqual({ path: 'a.txt' })
    expect(JSON.parse(deltas(3, 'partial_json'))).toEqual({ path: 'b.txt', lines: [1, 2, 3] })
    const last = events.find(({ type }) => type === 'message_delta')
    expect(at(last, 'delta.stop_reason')).toBe('tool_use')
    const [entry] = server.ledger
    expect(entry).toMatchObject({ isComplete: true, model: 'claude-sonnet-5', request: 0 })
    expect(entry?.tokens).toEqual(entry?.reported)
    expect(at(last, 'usage.output_tokens')).toBe(entry?.tokens.outputTokens)
    expect(at(events[0], 'message.usage.input_tokens')).toBe(entry?.tokens.inputTokens)
    // $2 and $10 a million.
    const { inputTokens = 0, outputTokens = 0 } = entry?.tokens ?? {}
    expect(entry?.costNano).toBe(BigInt(inputTokens * 2000 + outputTokens * 10_000))
  })

  it('answers in one piece where no stream is asked for', async () => {
    server.script({ reply })
    const message = jsonOf(await ask(server, PATH, { ...request, stream: false }))
    expect(message).toMatchObject({ type: 'message', stop_reason: 'tool_use' })
    expect(at(message, 'content.3.input')).toEqual({ path: 'b.txt', lines: [1, 2, 3] })
    expect(server.ledger[0]?.isComplete).toBe(true)
  })

  it('ends at max_tokens, in the middle of a tool input too', async () => {
    server.script({ reply: { blocks: [{ type: 'tool-call', name: 'write', input: { text: 'x'.repeat(500) } }] } })
    const events = eventsOf((await ask(server, PATH, { ...request, max_tokens: 50 })).text)
    const input = events.map((event) => textOf(at(event, 'delta.partial_json'))).join('')
    expect(input.startsWith('{"text":"xxx')).toBe(true)
    expect(input.endsWith('}')).toBe(false)
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 50 } })
    expect(server.ledger[0]?.tokens.outputTokens).toBe(50)
  })

  it('tells why it ended', async () => {
    const stops = {
      end: 'end_turn',
      pause: 'pause_turn',
      refusal: 'refusal',
      'stop-sequence': 'stop_sequence',
    } as const
    for (const [stop, reason] of Object.entries(stops)) {
      server.script({ reply: { blocks: [{ type: 'text', text: 'So.' }], stop: stop as keyof typeof stops } })
      const events = eventsOf((await ask(server, PATH, request)).text)
      expect(at(events.at(-2), 'delta.stop_reason')).toBe(reason)
    }
  })

  it('counts as it bills, and lists its models', async () => {
    const { max_tokens: _most, stream: _stream, ...counted } = request
    const count = jsonOf(await ask(server, `${PATH}/count_tokens`, counted))
    await ask(server, PATH, request)
    expect(count).toEqual({ input_tokens: server.ledger[0]?.tokens.inputTokens })
    const headers = { 'anthropic-version': '2023-06-01', 'x-api-key': 'test-key' }
    const models = await (await fetch(`${server.url}/v1/models`, { headers })).json()
    expect(at(models, 'data.0.id')).toBe('claude-opus-5-5')
    expect(server.ledger.length).toBe(1)
  })

  it('lets in no other key than its own', async () => {
    const refused = await ask(server, PATH, request, { authorization: 'Bearer other' })
    expect([refused.status, at(jsonOf(refused), 'error.type')]).toEqual([401, 'authentication_error'])
    expect((await ask(server, PATH, request, { authorization: '', 'x-api-key': 'test-key' })).status).toBe(200)
    expect(server.ledger.length).toBe(1)
  })
})

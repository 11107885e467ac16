import { at, ask, eventsOf, jsonOf } from '../sse.fixture.ts'
import { startModelServer, type ModelServer } from '../index.ts'
import type { JsonObject } from '../json.ts'

const PATH = '/v1/messages'
const user = (...content: readonly unknown[]) => ({ role: 'user', content })
const assistant = (...content: readonly unknown[]) => ({ role: 'assistant', content })
const text = (words: string, rest: object = {}) => ({ type: 'text', text: words, ...rest })
const use = (id: string, rest: object = {}) => ({ type: 'tool_use', id, name: 'read', input: { path: 'a' }, ...rest })
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'found' })
const short = { cache_control: { type: 'ephemeral' } }
const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } }
const tool = (name: string, rest: object = {}) => ({ name, input_schema: { type: 'object' }, ...rest })
const png = (width: number, height: number) => {
  const bytes = Buffer.alloc(24)
  bytes.writeUInt32BE(0x89504e47, 0)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return { type: 'image', source: { type: 'base64', media_type: 'image/png', data: bytes.toString('base64') } }
}

const valid: JsonObject = {
  model: 'claude-sonnet-5',
  max_tokens: 2000,
  system: [text('You are careful.', short)],
  tools: [tool('read'), tool('write', hour)],
  messages: [
    { role: 'user', content: 'Read a and b.' },
    assistant(text('I do.'), use('toolu_1'), use('toolu_2')),
    user(result('toolu_2'), result('toolu_1'), png(1000, 800), text('Go on.', short)),
  ],
}
const asks = (...messages: readonly unknown[]) => ({ messages })

/** Each rule, broken once: what differs from the valid request, and the error's text. */
const BROKEN: readonly (readonly [string, object, string])[] = [
  ['an unknown field', { top_k_tokens: 3 }, 'Extra inputs are not permitted'],
  ['a temperature', { temperature: 0.5 }, '`temperature` is not supported'],
  ['no max_tokens', { max_tokens: undefined }, 'max_tokens: Field required'],
  ['no output', { max_tokens: 0 }, 'greater than or equal to 1'],
  ['too much output', { max_tokens: 200_000 }, 'max_tokens: 200000 > 128000'],
  ['no messages', asks(), 'at least one message'],
  ['the assistant first', asks(assistant(text('a')), user(text('b'))), 'first message must use the "user" role'],
  ['an unknown role', asks(user(text('a')), { role: 'tool', content: 'b' }), 'messages.1.role'],
  ['a system message in an older model', asks(user(text('a')), { role: 'system', content: 'b' }), 'messages.1.role'],
  ['content that is none', asks({ role: 'user', content: 7 }), 'valid string or list'],
  ['empty content', asks(user()), 'non-empty content'],
  ['prefill', asks(user(text('a')), assistant(text('b'))), 'does not support assistant message prefill'],
  ['an unknown block', asks(user({ type: 'video' })), "Input tag 'video'"],
  ['a call by the user', asks(user(use('toolu_1'))), "Input tag 'tool_use'"],
  ['an empty text', asks(user(text(''))), 'must be non-empty'],
  [
    'an empty text in a result',
    asks(user(text('a')), assistant(use('toolu_1')), user({ ...result('toolu_1'), content: [text('')] })),
    'must be non-empty',
  ],
  ['a blank text', asks(user(text(' \n'))), 'non-whitespace'],
  ['an empty system prompt', { system: [text('')] }, 'must be non-empty'],
  [
    'a call without a result',
    asks(user(text('a')), assistant(use('toolu_1'), use('toolu_2')), user(result('toolu_1'))),
    'without `tool_result` blocks immediately after: toolu_2',
  ],
  [
    'a result without a call',
    asks(user(text('a')), assistant(text('b')), user(result('toolu_9'))),
    'unexpected `tool_use_id` found in `tool_result` blocks: toolu_9',
  ],
  [
    'a result too late',
    asks(user(text('a')), assistant(use('toolu_1')), user(text('wait')), assistant(text('b')), user(result('toolu_1'))),
    'without `tool_result` blocks',
  ],
  [
    'two results of a call',
    asks(user(text('a')), assistant(use('toolu_1')), user(result('toolu_1'), result('toolu_1'))),
    'multiple `tool_result`',
  ],
  [
    'text before the result',
    asks(user(text('a')), assistant(use('toolu_1')), user(text('b'), result('toolu_1'))),
    'must come before',
  ],
  [
    'the same id twice',
    asks(user(text('a')), assistant(use('toolu_1'), use('toolu_1')), user(result('toolu_1'))),
    'ids must be unique',
  ],
  ['an id of other characters', asks(user(text('a')), assistant(use('a:b')), user(result('a:b'))), '^[a-zA-Z0-9_-]+$'],
  [
    'an input that is no object',
    asks(user(text('a')), assistant(use('toolu_1', { input: '{' })), user(result('toolu_1'))),
    'valid dictionary',
  ],
  [
    'a call of a bad name',
    asks(user(text('a')), assistant(use('toolu_1', { name: 'a.b' })), user(result('toolu_1'))),
    'tool_use.name',
  ],
  ['a tool of a bad name', { tools: [tool('a.b')] }, 'tools.0.custom.name'],
  ['the same tool twice', { tools: [tool('a'), tool('a')] }, 'names must be unique'],
  ['a tool without a schema', { tools: [{ name: 'a' }] }, 'input_schema.type'],
  ['a choice without tools', { tools: undefined, tool_choice: { type: 'auto' } }, 'while providing tools'],
  ['an unknown choice', { tool_choice: { type: 'all' } }, 'tool_choice.type'],
  ['the choice of an unknown tool', { tool_choice: { type: 'tool', name: 'x' } }, "Tool 'x' not found"],
  [
    'an image of another type',
    asks(user({ type: 'image', source: { type: 'base64', media_type: 'image/bmp', data: 'a' } })),
    'media_type',
  ],
  [
    'an empty image',
    asks(user({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: '' } })),
    'image cannot be empty',
  ],
  ['an image too large', asks(user(png(8001, 10))), '8000 pixels'],
  [
    'one of 21 images too large',
    asks(user(...Array.from({ length: 20 }, () => png(10, 10)), png(10, 2001))),
    '2000 pixels',
  ],
  ['601 images', asks(user(...Array.from({ length: 601 }, () => png(1, 1)))), 'too many images: 601 > 600'],
  [
    'five breakpoints',
    { cache_control: { type: 'ephemeral' }, system: [text('a', short), text('b', short)] },
    'Found 5',
  ],
  [
    'an unknown lifetime',
    { system: [text('a', { cache_control: { type: 'ephemeral', ttl: '2h' } })] },
    'system.0.cache_control',
  ],
  ['an hour after five minutes', asks(user(text('a', hour))), "messages.0.content.0.cache_control.ttl: a ttl='1h'"],
  [
    'marked thinking',
    asks(user(text('a')), assistant({ type: 'thinking', thinking: 'b', signature: 'c', ...short }), user(text('d'))),
    'thinking.cache_control',
  ],
  [
    'unsigned thinking',
    asks(user(text('a')), assistant({ type: 'thinking', thinking: 'b' }), user(text('c'))),
    'signature: Field required',
  ],
  [
    'thinking of another’s',
    asks(user(text('a')), assistant({ type: 'thinking', thinking: 'b', signature: 'c' }), user(text('d'))),
    'Invalid `signature`',
  ],
  ['a small budget', { thinking: { type: 'enabled', budget_tokens: 500 } }, 'budget_tokens'],
  ['a budget above the limit', { thinking: { type: 'enabled', budget_tokens: 2000 } }, 'must be greater than'],
  [
    'thinking and a forced tool',
    { thinking: { type: 'enabled', budget_tokens: 1500 }, tool_choice: { type: 'any' } },
    'may not be enabled',
  ],
  [
    'no thinking of a model that must',
    { model: 'claude-opus-5-5', thinking: { type: 'disabled' } },
    'disabling thinking',
  ],
  [
    'a forced tool of a newer model',
    { model: 'claude-opus-5-5', tool_choice: { type: 'tool', name: 'read' } },
    'forces tool use',
  ],
  ['an unknown effort', { output_config: { effort: 'minimal' } }, 'output_config.effort'],
  ['a format without a schema', { output_config: { format: { type: 'json_schema' } } }, 'output_config.format'],
]

describe('the rules of the Messages API', () => {
  let server: ModelServer
  beforeAll(async () => {
    server = await startModelServer()
  })
  afterAll(() => server.close())

  it('takes a request that breaks none', async () => {
    expect((await ask(server, PATH, valid)).status).toBe(200)
    const rest = { thinking: { type: 'enabled', budget_tokens: 1024 }, output_config: { effort: 'low' } }
    expect((await ask(server, PATH, { ...valid, ...rest, tool_choice: { type: 'auto' } })).status).toBe(200)
    const bound = { model: 'claude-opus-5-5', thinking: { type: 'adaptive' } }
    expect((await ask(server, PATH, { ...valid, ...bound })).status).toBe(200)
    const prefill = asks(user(text('a')), assistant(text('b')))
    expect((await ask(server, PATH, { ...valid, ...prefill, model: 'claude-haiku-4-5', temperature: 1 })).status).toBe(
      200,
    )
  })

  it.each(BROKEN)('refuses %s', async (_what, difference, message) => {
    const billed = server.ledger.length
    const answer = await ask(server, PATH, { ...valid, ...difference })
    expect(answer.status).toBe(400)
    expect(jsonOf(answer)).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } })
    expect(at(jsonOf(answer), 'error.message')).toContain(message)
    expect(answer.headers.get('request-id')).toBe(jsonOf(answer).request_id)
    expect(server.requests.at(-1)?.problem?.message).toContain(message)
    expect(server.ledger.length).toBe(billed)
  })

  it('refuses another version of the API, an unknown model, and what is too long', async () => {
    const version = await ask(server, PATH, valid, { 'anthropic-version': '2020-01-01' })
    expect(at(jsonOf(version), 'error.message')).toContain('anthropic-version')
    const model = await ask(server, PATH, { ...valid, model: 'claude-2' })
    expect([model.status, at(jsonOf(model), 'error.message')]).toEqual([404, 'model: claude-2'])
    const long = { model: 'claude-haiku-4-5', messages: [{ role: 'user', content: 'word '.repeat(170_000) }] }
    const answer = await ask(server, PATH, { ...valid, ...long })
    expect(answer.status).toBe(400)
    expect(at(jsonOf(answer), 'error.message')).toMatch(/^prompt is too long: 21\d{4} tokens > 200000 maximum$/)
  })
})

describe('signed thinking', () => {
  let server: ModelServer
  beforeEach(async () => {
    server = await startModelServer({ keys: ['test-key', 'other'] })
  })
  afterEach(() => server.close())
  const first = user(text('Read a.'))

  /** Asks for a call with thinking before it. @returns the message's blocks */
  const think = async (model: string, messages: readonly unknown[] = [first], isHidden = false) => {
    const thought = { type: 'thinking', text: 'It is one call.' } as const
    server.script({
      reply: {
        blocks: [
          { ...thought, isHidden },
          { ...thought, text: 'Really.' },
          { type: 'tool-call', name: 'read', input: {} },
        ],
      },
    })
    const answer = await ask(server, PATH, { model, max_tokens: 100, messages })
    return at(jsonOf(answer), 'content') as [JsonObject, JsonObject, { id: string }]
  }
  const send = async (model: string, messages: readonly unknown[], headers = {}) => {
    const answer = await ask(server, PATH, { model, max_tokens: 100, messages }, headers)
    return answer.status === 200 ? 'taken' : at(jsonOf(answer), 'error.message')
  }

  it.each(['claude-sonnet-5', 'claude-opus-5-5'])('is taken back unchanged by %s', async (model) => {
    const blocks = await think(model)
    const messages = [{ role: 'user', content: 'Read a.' }, assistant(...blocks), user(result(blocks[2].id))]
    expect(await send(model, messages)).toBe('taken')
    const more = await think(model, messages, true)
    expect(more[0].type).toBe('redacted_thinking')
    const next = [...messages, assistant(...more), user({ ...result(more[2].id), content: [text('found', {})] })]
    expect(await send(model, next)).toBe('taken')
    expect(await send(model, [...next.slice(0, -1), user(result(more[2].id), text('And?', short))])).toBe('taken')
  })

  it('is streamed with the signature that comes in one piece', async () => {
    server.script({
      reply: {
        blocks: [
          { type: 'thinking', text: 'Hm.' },
          { type: 'text', text: 'So.' },
        ],
      },
    })
    const thinking = { type: 'adaptive', display: 'summarized' }
    const request = { model: 'claude-opus-5-5', max_tokens: 100, messages: [first], stream: true, thinking }
    const events = eventsOf((await ask(server, PATH, request)).text)
    const signature = events.map((event) => at(event, 'delta.signature')).find((value) => value !== undefined)
    const block = { type: 'thinking', thinking: 'Hm.', signature }
    expect(await send('claude-opus-5-5', [first, assistant(block, text('So.')), user(text('And?'))])).toBe('taken')
  })

  it('comes without its text where that is omitted, which is what newer models do', async () => {
    const textsOf = async (model: string, thinking?: object) => {
      server.script({ reply: { blocks: [{ type: 'thinking', text: 'Hm.' }] } })
      const answer = await ask(server, PATH, { model, max_tokens: 2000, messages: [first], stream: true, thinking })
      return eventsOf(answer.text).flatMap((event) => at(event, 'delta.thinking') ?? [])
    }
    expect(await textsOf('claude-opus-5-5')).toEqual([])
    expect(await textsOf('claude-opus-5-5', { type: 'adaptive', display: 'summarized' })).toEqual(['Hm.'])
    expect(await textsOf('claude-sonnet-5')).toEqual(['Hm.'])
    expect(await textsOf('claude-sonnet-5', { type: 'adaptive', display: 'omitted' })).toEqual([])
  })

  it('is refused when changed, reordered or left out within a turn of tools', async () => {
    const model = 'claude-sonnet-5'
    const [one, two, call] = await think(model)
    const back = (...blocks: readonly unknown[]) => send(model, [first, assistant(...blocks), user(result(call.id))])
    expect(await back({ ...one, thinking: 'It is two calls.' }, two, call)).toContain('Invalid `signature`')
    expect(await back(two, one, call)).toContain('cannot be modified')
    expect(await back(one, call)).toContain('cannot be modified')
    expect(await back(call)).toContain('cannot be modified')
    // Once the user has spoken again it may be left out.
    const later = [first, assistant(call), user(result(call.id)), assistant(text('Done.')), user(text('Thanks.'))]
    expect(await send(model, later)).toBe('taken')
  })

  it('is refused by newer models behind any change of what was before it, and may be left out', async () => {
    const model = 'claude-opus-5-5'
    const [one, two, call] = await think(model)
    const rest = [assistant(one, two, call), user(result(call.id))]
    const bound = 'is bound to a different conversation'
    expect(await send(model, [user(text('Read b.')), ...rest])).toContain(bound)
    expect(await send(model, [user(text('Hello.')), assistant(text('Hi.')), first, ...rest])).toContain(bound)
    expect(await send(model, [first, assistant(two, call), user(result(call.id))])).toContain(bound)
    expect(await send('claude-sonnet-5-5', [first, ...rest])).toContain(bound)
    expect(await send(model, [first, ...rest], { authorization: 'Bearer other' })).toContain(bound)
    expect(await send(model, [user(text('Read b.')), assistant(call), user(result(call.id))])).toBe('taken')
    expect(await send(model, [first, assistant(one, call), user(result(call.id))])).toBe('taken')
  })
})

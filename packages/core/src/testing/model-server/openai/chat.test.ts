import { ask, at, eventsOf, jsonOf } from '../sse.fixture.ts'
import { startModelServer, type ModelServer } from '../index.ts'
import { textOf, type JsonObject } from '../json.ts'

const PATH = '/v1/chat/completions'
const assistant = (...ids: readonly string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } })),
})
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'found' })
const user = { role: 'user', content: 'Read a.' }
const valid: JsonObject = {
  model: 'gpt-4.1',
  max_tokens: 500,
  temperature: 0,
  tools: [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }],
  messages: [{ role: 'system', content: 'You are careful.' }, user, assistant('a', 'b'), result('b'), result('a')],
}
const asks = (...messages: readonly unknown[]) => ({ messages })

const BROKEN: readonly (readonly [string, object, string])[] = [
  ['an unknown field', { max_output_tokens: 7 }, 'Unknown parameter'],
  [
    'the old limit in a newer model',
    { model: 'gpt-5.6', temperature: undefined },
    "Use 'max_completion_tokens' instead",
  ],
  ['no output', { max_tokens: 0 }, 'expected a value >= 1'],
  ['too much output', { max_tokens: 50_000 }, 'at most 32768'],
  ['effort of a model without', { reasoning_effort: 'low' }, "'reasoning_effort' is not supported"],
  ['options of no stream', { stream_options: { include_usage: true } }, "only allowed when 'stream'"],
  ['no messages', asks(), 'empty array'],
  ['an unknown role', asks({ role: 'bot', content: 'a' }), "Invalid value: 'bot'"],
  ['no content', asks({ role: 'user', content: null }), 'got null'],
  ['content that is none', asks({ role: 'user', content: 7 }), 'expected a string or an array'],
  [
    'an unknown part',
    asks({ role: 'user', content: [{ type: 'input_text', text: 'a' }] }),
    "Invalid value: 'input_text'",
  ],
  [
    'a breakpoint of an older model',
    asks({ role: 'user', content: [{ type: 'text', text: 'a', prompt_cache_breakpoint: { mode: 'explicit' } }] }),
    'prompt_cache_breakpoint',
  ],
  [
    'arguments that are no text',
    asks(
      user,
      { ...assistant(), tool_calls: [{ id: 'a', type: 'function', function: { name: 'b', arguments: {} } }] },
      result('a'),
    ),
    'got an object instead',
  ],
  ['a call without an id', asks(user, assistant(''), result('')), 'tool_calls[0].id'],
  ['an empty list of calls', asks(user, { ...assistant(), content: 'a' }), 'empty array'],
  [
    'a call without its result',
    asks(user, assistant('a', 'b'), result('a'), user),
    'did not have response messages: b',
  ],
  ['a last call without its result', asks(user, assistant('a')), 'did not have response messages: a'],
  ['a result without its call', asks(user, result('a')), "messages with role 'tool'"],
  ['a result twice', asks(user, assistant('a'), result('a'), result('a')), "messages with role 'tool'"],
  ['the same id twice', asks(user, assistant('a', 'a'), result('a')), 'Duplicate tool call ids'],
  [
    'a tool of a bad name',
    { tools: [{ type: 'function', function: { name: 'a b' } }] },
    "Invalid 'tools[0].function.name'",
  ],
  [
    'the choice of an unknown tool',
    { tool_choice: { type: 'function', function: { name: 'x' } } },
    "Tool choice 'x' not found",
  ],
  ['a format without a schema', { response_format: { type: 'json_schema' } }, 'response_format.json_schema'],
]

describe('OpenAI’s Chat Completions', () => {
  let server: ModelServer
  beforeAll(async () => {
    server = await startModelServer()
  })
  afterAll(() => server.close())

  it('takes a request that breaks no rule', async () => {
    expect((await ask(server, PATH, valid)).status).toBe(200)
  })

  it.each(BROKEN)('refuses %s', async (_what, difference, message) => {
    const answer = await ask(server, PATH, { ...valid, ...difference })
    expect(answer.status).toBe(400)
    expect(at(jsonOf(answer), 'error.message')).toContain(message)
  })

  it('says how long is too long', async () => {
    const long = { model: 'qwen-local', messages: [{ role: 'user', content: 'word '.repeat(120_000) }] }
    const error = at(jsonOf(await ask(server, PATH, long)), 'error')
    expect(error).toMatchObject({ code: 'context_length_exceeded', param: 'messages' })
    expect(at(error, 'message')).toMatch(/maximum context length is 131072 tokens.* resulted in 1500\d\d tokens/)
  })

  it('streams reasoning, text and parallel calls, then usage where asked for', async () => {
    const reply = {
      blocks: [
        { type: 'thinking', text: 'Two files.' },
        { type: 'text', text: 'I read both files.' },
        { type: 'tool-call', name: 'read', input: { path: 'a.txt' } },
        { type: 'tool-call', name: 'read', input: { path: 'b.txt' } },
      ],
    } as const
    server.script({ reply }, { reply })
    const request = { ...valid, model: 'qwen-local', stream: true }
    const answer = await ask(server, PATH, { ...request, stream_options: { include_usage: true } })
    expect(answer.text.endsWith('data: [DONE]\n\n')).toBe(true)
    const events = eventsOf(answer.text)
    const joined = (field: string) => events.map((event) => textOf(at(event, `choices.0.delta.${field}`))).join('')
    expect(joined('reasoning_content')).toBe('Two files.')
    expect(joined('content')).toBe('I read both files.')
    expect(joined('tool_calls.0.function.arguments')).toBe('{"path":"a.txt"}{"path":"b.txt"}')
    expect(events.map((event) => at(event, 'choices.0.finish_reason')).filter(Boolean)).toEqual(['tool_calls'])
    expect(events.at(-1)).toMatchObject({
      choices: [],
      usage: { completion_tokens: server.ledger.at(-1)?.tokens.outputTokens },
    })
    expect(server.ledger.at(-1)?.reported).toEqual(server.ledger.at(-1)?.tokens)
    expect((await ask(server, PATH, request)).text).not.toContain('usage')
    expect(server.ledger.at(-1)).toMatchObject({ isComplete: true, reported: undefined })
  })

  it('reads from the cache of its own', async () => {
    const messages = [{ role: 'user', content: 'word '.repeat(2000) }]
    await ask(server, PATH, { ...valid, messages })
    await ask(server, PATH, { ...valid, messages })
    expect(server.ledger.at(-1)?.tokens.cacheReadTokens).toBe(2432)
  })

  it('ends in each of its ways, with errors in the stream too', async () => {
    const reasonOf = async (stop: 'refusal' | 'filter' | 'end') => {
      server.script({ reply: { blocks: [{ type: 'text', text: 'No.' }], stop } })
      const events = eventsOf((await ask(server, PATH, { ...valid, stream: true })).text)
      return [
        at(events.at(-1), 'choices.0.finish_reason'),
        events.some((event) => at(event, 'choices.0.delta.refusal') === 'No.'),
      ]
    }
    expect(await reasonOf('end')).toEqual(['stop', false])
    expect(await reasonOf('refusal')).toEqual(['stop', true])
    expect(await reasonOf('filter')).toEqual(['content_filter', false])
    server.script({ fault: { kind: 'error-event', at: 'in-text', as: 'overloaded' } })
    const events = eventsOf((await ask(server, PATH, { ...valid, stream: true })).text)
    expect(events.at(-1)).toMatchObject({ error: { code: 'server_is_overloaded' } })
  })
})

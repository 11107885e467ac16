import { ask, at, eventsOf, jsonOf } from '../sse.fixture.ts'
import { startModelServer, type ModelServer, type Reply } from '../index.ts'
import { textOf, type JsonObject } from '../json.ts'

const PATH = '/v1/responses'
const user = (text: string, rest: object = {}) => ({ role: 'user', content: [{ type: 'input_text', text, ...rest }] })
const call = (id: string, rest: object = {}) => ({
  type: 'function_call',
  call_id: id,
  name: 'read',
  arguments: '{}',
  ...rest,
})
const output = (id: string, rest: object = {}) => ({
  type: 'function_call_output',
  call_id: id,
  output: 'found',
  ...rest,
})
const tool = (rest: object = {}) => ({
  type: 'function',
  name: 'read',
  parameters: { type: 'object' },
  strict: false,
  ...rest,
})
const valid: JsonObject = {
  model: 'gpt-5.6',
  store: false,
  include: ['reasoning.encrypted_content'],
  reasoning: { effort: 'low', summary: 'auto' },
  max_output_tokens: 4000,
  instructions: 'You are careful.',
  tools: [tool()],
  input: [user('Read a.'), call('call_1'), call('call_2'), output('call_2'), output('call_1'), user('Go on.')],
}
const asks = (...input: readonly unknown[]) => ({ input })
const reasoning = (rest: object = {}) => ({ type: 'reasoning', id: 'rs_1', summary: [], ...rest })

const BROKEN: readonly (readonly [string, object, string])[] = [
  ['an unknown field', { max_tokens: 7 }, "Unknown parameter: 'max_tokens'"],
  ['a temperature', { temperature: 0.5 }, "'temperature' is not supported"],
  ['too little output', { max_output_tokens: 3 }, 'expected a value >= 16'],
  ['too much output', { max_output_tokens: 200_000 }, 'at most 128000'],
  ['an unknown effort', { reasoning: { effort: 'huge' } }, "Invalid value: 'huge'"],
  ['effort of a model without', { model: 'gpt-4.1', input: 'a', tools: [] }, "'reasoning.effort' is not supported"],
  ['state on the server', { store: true }, "'store' must be false"],
  ['a previous response', { previous_response_id: 'resp_1' }, 'Previous response cannot be used'],
  ['no input', asks(), "Missing required parameter: 'input'"],
  ['an unknown item', asks({ type: 'video' }), "Invalid value: 'video'"],
  ['an unknown role', asks({ role: 'tool', content: 'a' }), "Invalid value: 'tool'"],
  [
    'a part of another role',
    asks({ role: 'user', content: [{ type: 'output_text', text: 'a' }] }),
    "Invalid value: 'output_text'",
  ],
  ['a text that is none', asks({ role: 'user', content: [{ type: 'input_text', text: 7 }] }), 'expected a string'],
  ['an image of nothing', asks({ role: 'user', content: [{ type: 'input_image' }] }), 'expected an image_url'],
  ['a call without an id', asks(call('')), "Missing required parameter: 'input[0].call_id'"],
  ['arguments that are no text', asks(call('call_1', { arguments: {} })), "'input[0].arguments'"],
  ['an output that is none', asks(call('call_1'), output('call_1', { output: 7 })), "'input[1].output'"],
  [
    'a call without its output',
    asks(user('a'), call('call_1'), user('b')),
    'No tool output found for function call call_1',
  ],
  [
    'an output without its call',
    asks(user('a'), output('call_1')),
    'No tool call found for function call output with call_id call_1',
  ],
  ['an output twice', asks(call('call_1'), output('call_1'), output('call_1')), 'Duplicate function call output'],
  ['a call twice', asks(call('call_1'), call('call_1'), output('call_1')), 'Duplicate call_id'],
  ['reasoning by id', asks(user('a'), reasoning(), call('call_1'), output('call_1')), "Item 'rs_1' not found"],
  [
    'reasoning of another',
    asks(user('a'), reasoning({ encrypted_content: 'x' }), call('call_1'), output('call_1')),
    'could not be verified',
  ],
  ['a tool of another type', { tools: [tool({ type: 'custom' })] }, "Invalid value: 'custom'"],
  ['a tool of a bad name', { tools: [tool({ name: 'a.b' })] }, "Invalid 'tools[0].name'"],
  ['a schema that is none', { tools: [tool({ parameters: { type: 'string' } })] }, 'Invalid schema'],
  ['a strict tool that is open', { tools: [tool({ strict: true })] }, "'additionalProperties' is required"],
  [
    'a strict tool with an optional field',
    {
      tools: [
        tool({ strict: true, parameters: { type: 'object', additionalProperties: false, properties: { a: {} } } }),
      ],
    },
    "'required' is required",
  ],
  ['an unknown choice', { tool_choice: 'all' }, "Invalid value: 'all'"],
  ['the choice of an unknown tool', { tool_choice: { type: 'function', name: 'x' } }, "Tool choice 'x' not found"],
  ['a choice without tools', { tools: [], tool_choice: 'auto' }, "only allowed when 'tools'"],
  ['a lifetime of another’s', { prompt_cache_options: { ttl: '1h' } }, "Supported values are: '30m' and '12h'"],
  [
    'cache options of an older model',
    { model: 'gpt-5.1', prompt_cache_options: { ttl: '30m' } },
    'not supported with this model',
  ],
  [
    'a breakpoint that is none',
    asks(user('a', { prompt_cache_breakpoint: { mode: 'implicit' } })),
    'prompt_cache_breakpoint',
  ],
  ['a format without a schema', { text: { format: { type: 'json_schema', name: 'a' } } }, 'text.format.schema'],
]

describe('OpenAI’s Responses', () => {
  let server: ModelServer
  let now = 0
  beforeAll(async () => {
    server = await startModelServer({ clock: () => now })
  })
  afterAll(() => server.close())

  it('takes a request that breaks no rule', async () => {
    expect((await ask(server, PATH, valid)).status).toBe(200)
    expect(
      (await ask(server, PATH, { ...valid, input: 'a', tool_choice: { type: 'function', name: 'read' } })).status,
    ).toBe(200)
  })

  it.each(BROKEN)('refuses %s', async (_what, difference, message) => {
    const answer = await ask(server, PATH, { ...valid, ...difference })
    expect(answer.status).toBe(400)
    expect(jsonOf(answer)).toMatchObject({ error: { type: 'invalid_request_error' } })
    expect(at(jsonOf(answer), 'error.message')).toContain(message)
  })

  it('refuses a wrong key, an unknown model, and what is too long', async () => {
    const codeOf = async (rest: object, headers = {}) => {
      const answer = await ask(server, PATH, { ...valid, ...rest }, headers)
      return [answer.status, at(jsonOf(answer), 'error.code')]
    }
    expect(await codeOf({}, { authorization: 'Bearer x' })).toEqual([401, 'invalid_api_key'])
    expect(await codeOf({ model: 'gpt-2' })).toEqual([404, 'model_not_found'])
    const long = { model: 'gpt-5.1', input: 'word '.repeat(400_000) }
    expect(await codeOf(long)).toEqual([400, 'context_length_exceeded'])
  })

  const reply: Reply = {
    blocks: [
      { type: 'thinking', text: 'One call, then another.', hiddenTokens: 40 },
      { type: 'text', text: 'I read both. 😀' },
      { type: 'thinking', text: 'Now.', isHidden: true },
      { type: 'tool-call', name: 'read', input: { path: 'a.txt' } },
      { type: 'tool-call', name: 'read', input: { path: 'b.txt' } },
    ],
  }

  it('streams items in order, and takes them back', async () => {
    server.script({ reply })
    const events = eventsOf((await ask(server, PATH, { ...valid, stream: true })).text)
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_event, index) => index))
    const joined = (type: string, index: number) =>
      events
        .filter((event) => event.type === type && event.output_index === index)
        .map(({ delta }) => textOf(delta))
        .join('')
    expect(joined('response.reasoning_summary_text.delta', 0)).toBe('One call, then another.')
    expect(joined('response.output_text.delta', 1)).toBe('I read both. 😀')
    expect(joined('response.function_call_arguments.delta', 3)).toBe('{"path":"a.txt"}')
    const response = events.at(-1)
    expect(response).toMatchObject({ type: 'response.completed', response: { status: 'completed' } })
    const entry = server.ledger.at(-1)
    expect(at(response, 'response.usage.output_tokens')).toBe(entry?.tokens.outputTokens)
    expect(at(response, 'response.usage.output_tokens_details.reasoning_tokens')).toBe(entry?.tokens.reasoningTokens)
    expect(entry?.tokens.reasoningTokens).toBeGreaterThan(40)
    const items = at(response, 'response.output') as JsonObject[]
    const results = items.slice(3).map((item) => output(textOf(item.call_id)))
    const send = async (...more: readonly unknown[]) => {
      const answer = await ask(server, PATH, { ...valid, input: [...(valid.input as unknown[]), ...more] })
      return answer.status === 200 ? 'taken' : at(jsonOf(answer), 'error.message')
    }
    expect(await send(...items, ...results)).toBe('taken')
    expect(await send(...items.slice(1), ...results)).toContain("without its required 'reasoning' item")
    expect(await send(items[0], user('And?'))).toContain('required following item')
    const [thought = {}, ...rest] = items
    expect(
      await send({ ...thought, encrypted_content: textOf(items[2]?.encrypted_content) }, ...rest, ...results),
    ).toContain('could not be verified')
  })

  it('ends in each of its ways', async () => {
    const last = async (stop: Reply['stop'], most = 4000) => {
      server.script({
        reply: { blocks: [{ type: 'text', text: 'No. '.repeat(50) }], ...(stop !== undefined && { stop }) },
      })
      return eventsOf((await ask(server, PATH, { ...valid, stream: true, max_output_tokens: most })).text).at(-1)
    }
    expect(at(await last(undefined, 20), 'response.incomplete_details.reason')).toBe('max_output_tokens')
    expect(at(await last('filter'), 'response.incomplete_details.reason')).toBe('content_filter')
    expect(at(await last('refusal'), 'response.output.0.content.0.type')).toBe('refusal')
    server.script(
      { fault: { kind: 'error-event', at: 'in-text', as: 'rate-limit' } },
      { fault: { kind: 'error-event', at: 'in-text', as: 'overloaded' } },
    )
    const failed = eventsOf((await ask(server, PATH, { ...valid, stream: true })).text).at(-1)
    expect(failed).toMatchObject({ type: 'response.failed', response: { error: { code: 'rate_limit_exceeded' } } })
    const error = eventsOf((await ask(server, PATH, { ...valid, stream: true })).text).at(-1)
    expect(error).toMatchObject({ type: 'error', code: 'server_is_overloaded' })
  })

  it('counts as it bills', async () => {
    const { store: _store, include: _include, max_output_tokens: _most, ...counted } = valid
    const counting = { ...counted, input: 'Something new to count.' }
    const count = jsonOf(await ask(server, `${PATH}/input_tokens`, counting)).input_tokens
    await ask(server, PATH, { ...valid, input: 'Something new to count.' })
    expect(count).toBe(server.ledger.at(-1)?.tokens.inputTokens)
  })

  describe('its bill', () => {
    const words = (name: string, count: number) => `${name} ${'word '.repeat(count)}`
    /** [uncached, read, written for 30 minutes, for 12 hours] */
    const bill = async (input: readonly unknown[], rest: object = {}) => {
      expect((await ask(server, PATH, { ...valid, tools: [], input, ...rest })).status).toBe(200)
      const tokens = server.ledger.at(-1)?.tokens
      return [
        tokens?.inputTokens,
        tokens?.cacheReadTokens,
        tokens?.cacheWrite30mTokens,
        tokens?.cacheWrite12hTokens,
      ] as number[]
    }
    it('keeps each 128th prefix of older models for nothing', async () => {
      const model = { model: 'gpt-5.1' }
      const [all = 0] = await bill([user(words('old', 2000))], model)
      const [rest = 0, read = 0, ...written] = await bill([user(words('old', 2000)), user('more')], model)
      expect([read % 128, written]).toEqual([0, [0, 0]])
      expect(all - read).toBeLessThan(128)
      expect(rest + read).toBeGreaterThan(all)
      expect((await bill([user(words('old', 1500)), user('else')], model))[1]).toBeLessThan(read)
      expect((await bill([user(words('short', 700))], model))[1]).toBe(0)
      expect((await bill([user(words('short', 700))], model))[1]).toBe(0)
      expect((await bill([user(words('old', 2000))], { ...model, prompt_cache_key: 'k' }))[1]).toBe(0)
      now += 6 * 60_000
      expect((await bill([user(words('old', 2000))], model))[1]).toBe(0)
    })

    it('bills what newer models write, by lifetime', async () => {
      const mark = (ttl: string) => ({ prompt_cache_breakpoint: { mode: 'explicit', ttl } })
      const head = user(words('new', 2000), mark('12h'))
      const [uncached = 0, read, half = 0, long = 0] = await bill([head, user(words('tail', 500))])
      expect([read, uncached < 128, half > 500, long > 2400]).toEqual([0, true, true, true])
      const again = await bill([head, user(words('tail', 500))])
      expect(again).toEqual([uncached, half + long, 0, 0])
      expect((await bill([head, user(words('other', 500))]))[1]).toBe(long)
      now += 31 * 60_000
      expect((await bill([head, user(words('tail', 500))]))[1]).toBe(long)
      now += 12 * 60 * 60_000
      expect(
        (await bill([head, user(words('tail', 500))], { prompt_cache_options: { mode: 'explicit' } })).slice(1),
      ).toEqual([0, 0, long])
    })
  })
})

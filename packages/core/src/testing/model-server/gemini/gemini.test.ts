import { ask, at, eventsOf, jsonOf } from '../sse.fixture.ts'
import { startModelServer, type ModelServer, type Reply } from '../index.ts'
import { objectOf, textOf, type JsonObject } from '../json.ts'

const pathOf = (verb: string, model = 'gemini-2.5-flash') => `/v1beta/models/${model}:${verb}`
const STREAM = 'streamGenerateContent?alt=sse'
const user = (...parts: readonly unknown[]) => ({ role: 'user', parts })
const model = (...parts: readonly unknown[]) => ({ role: 'model', parts })
const text = (words: string) => ({ text: words })
const call = (name: string, rest: object = {}) => ({ functionCall: { name, args: {} }, ...rest })
const response = (name: string) => ({ functionResponse: { name, response: { output: 'found' } } })
const tools = [{ functionDeclarations: [{ name: 'read', parametersJsonSchema: { type: 'object' } }, { name: 'list' }] }]
const valid: JsonObject = {
  systemInstruction: { parts: [text('You are careful.')] },
  tools,
  generationConfig: { maxOutputTokens: 1000, thinkingConfig: { includeThoughts: true } },
  contents: [
    user(text('Read a.')),
    model(text('I do.'), call('read'), call('list')),
    user(response('list'), response('read')),
  ],
}
const asks = (...contents: readonly unknown[]) => ({ contents })
const config = (generationConfig: object) => ({ generationConfig })
const choice = (functionCallingConfig: object) => ({ toolConfig: { functionCallingConfig } })

const BROKEN: readonly (readonly [string, object, string])[] = [
  ['an unknown field', { messages: [] }, 'Unknown name "messages"'],
  ['an unknown setting', config({ max_tokens: 7 }), 'Unknown name "max_tokens" at'],
  ['too much output', config({ maxOutputTokens: 70_000 }), 'supported range is from 1'],
  ['no output', config({ maxOutputTokens: 0 }), 'supported range is from 1'],
  [
    'a level of an older model',
    config({ thinkingConfig: { thinkingLevel: 'LOW' } }),
    'Thinking level is not supported',
  ],
  ['a level and a budget', config({ thinkingConfig: { thinkingLevel: 'LOW', thinkingBudget: 1 } }), 'only one of'],
  ['a schema of no JSON', config({ responseJsonSchema: {} }), "'application/json'"],
  ['no contents', asks(), 'contents is not specified'],
  ['the model first', asks(model(text('a')), user(text('b'))), 'first turn is of the user'],
  ['the model last', asks(user(text('a')), model(text('b'))), 'last turn is of the user'],
  ['another role', asks(user(text('a')), { role: 'system', parts: [text('b')] }), 'valid role'],
  ['no parts', asks(user()), 'must not be empty'],
  ['an empty text', asks(user(text(''))), 'one initialized field'],
  ['a part of nothing', asks(user({ thought: true })), 'one initialized field'],
  ['a part of two things', asks(user({ text: 'a', inlineData: {} })), 'one initialized field'],
  ['an image of nothing', asks(user({ inlineData: { mimeType: 'image/png' } })), 'mimeType and data'],
  ['a call of the user', asks(user(call('read'))), 'only in turns of the model'],
  [
    'arguments that are text',
    asks(user(text('a')), model({ functionCall: { name: 'read', args: '{}' } }), user(response('read'))),
    'function_call.args',
  ],
  [
    'a response that is text',
    asks(user(text('a')), model(call('read')), user({ functionResponse: { name: 'read', response: 'x' } })),
    'function_response.response',
  ],
  [
    'a call without a response',
    asks(user(text('a')), model(call('read'), call('list')), user(response('read'))),
    'number of function response parts',
  ],
  [
    'a response too late',
    asks(user(text('a')), model(call('read')), user(text('b')), model(text('c')), user(response('read'))),
    'number of function response parts',
  ],
  [
    'a response without a call',
    asks(user(text('a')), model(text('b')), user(response('read'))),
    'immediately after a function call turn',
  ],
  ['a response at the start', asks(user(response('read'))), 'immediately after a function call turn'],
  [
    'a response of another name',
    asks(user(text('a')), model(call('read')), user(response('list'))),
    'names do not match',
  ],
  [
    'a signature of another',
    asks(user(text('a')), model({ text: 'b', thoughtSignature: 'x' }), user(text('c'))),
    'Thought signature is not valid',
  ],
  ['a tool of a bad name', { tools: [{ functionDeclarations: [{ name: 'a b' }] }] }, 'Invalid function name'],
  ['a tool twice', { tools: [...tools, ...tools] }, 'Duplicate function declaration found: read'],
  [
    'parameters of another type',
    { tools: [{ functionDeclarations: [{ name: 'read', parameters: { type: 'STRING' } }] }] },
    'should be OBJECT',
  ],
  ['an unknown mode', choice({ mode: 'ALL' }), 'function_calling_config.mode'],
  ['a name without a mode', choice({ mode: 'AUTO', allowedFunctionNames: ['read'] }), 'only be set when mode is ANY'],
  ['an unknown name', choice({ mode: 'ANY', allowedFunctionNames: ['x'] }), 'Function name x is not'],
]

describe('Gemini’s wire', () => {
  let server: ModelServer
  beforeAll(async () => {
    server = await startModelServer()
  })
  afterAll(() => server.close())

  it('takes a request that breaks no rule', async () => {
    expect((await ask(server, pathOf('generateContent'), valid)).status).toBe(200)
    const forced = choice({ mode: 'ANY', allowedFunctionNames: ['read'] })
    expect((await ask(server, pathOf('generateContent'), { ...valid, ...forced })).status).toBe(200)
  })

  it.each(BROKEN)('refuses %s', async (_what, difference, message) => {
    const answer = await ask(server, pathOf(STREAM), { ...valid, ...difference })
    expect(answer.status).toBe(400)
    expect(jsonOf(answer)).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } })
    expect(at(jsonOf(answer), 'error.message')).toContain(message)
  })

  it('refuses a wrong key with 400, an unknown model, and what is too long', async () => {
    const refused = async (path: string, rest: object = {}, headers = {}) => {
      const answer = await ask(server, path, { ...valid, ...rest }, headers)
      return [answer.status, textOf(at(jsonOf(answer), 'error.message')).slice(0, 27)]
    }
    expect(await refused(pathOf(STREAM), {}, { 'x-goog-api-key': 'x' })).toEqual([400, 'API key not valid. Please p'])
    expect(await refused(pathOf(STREAM, 'gemini-1'))).toEqual([404, 'models/gemini-1 is not foun'])
    const long = asks(user(text('word '.repeat(900_000))))
    expect(await refused(pathOf(STREAM), long)).toEqual([400, 'The input token count (1125'])
    const waiting = { kind: 'refuse', as: 'rate-limit', retryAfter: '7' } as const
    server.script({ fault: waiting })
    const answer = jsonOf(await ask(server, pathOf(STREAM), valid))
    expect(at(answer, 'error.details.1.retryDelay')).toBe('7s')
  })

  const reply: Reply = {
    blocks: [
      { type: 'thinking', text: 'Two files.' },
      { type: 'text', text: 'I read both files.' },
      { type: 'tool-call', name: 'read', input: { path: 'a.txt' } },
      { type: 'tool-call', name: 'read', input: { path: 'b.txt' } },
    ],
  }
  const partsIn = (events: readonly JsonObject[]): JsonObject[] =>
    events.flatMap((event) => (at(event, 'candidates.0.content.parts') ?? []) as JsonObject[])

  it('streams thoughts, text and whole calls, then usage', async () => {
    server.script({ reply })
    const events = eventsOf((await ask(server, pathOf(STREAM), valid)).text)
    const parts = partsIn(events)
    const joined = (isThought: boolean) =>
      parts
        .filter(({ thought }) => (thought === true) === isThought)
        .map((part) => textOf(part.text))
        .join('')
    expect([joined(true), joined(false)]).toEqual(['Two files.', 'I read both files.'])
    expect(parts.flatMap((part) => ('functionCall' in part ? [objectOf(part.functionCall).args] : []))).toEqual([
      { path: 'a.txt' },
      { path: 'b.txt' },
    ])
    const usage = objectOf(events.at(-1)?.usageMetadata)
    const tokens = server.ledger.at(-1)?.tokens
    expect([usage.promptTokenCount, usage.thoughtsTokenCount]).toEqual([tokens?.inputTokens, tokens?.reasoningTokens])
    expect(Number(usage.candidatesTokenCount) + Number(usage.thoughtsTokenCount)).toBe(tokens?.outputTokens)
    expect(at(events.at(-1), 'candidates.0.finishReason')).toBe('STOP')
  })

  it('wants the signature of a turn’s calls back where the model requires it', async () => {
    server.script({ reply }, { reply: { blocks: [{ type: 'text', text: 'Done.' }] } })
    const path = pathOf('generateContent', 'gemini-3-pro')
    const parts = partsIn([jsonOf(await ask(server, path, { ...valid, ...asks(user(text('Read.'))) }))]).filter(
      ({ thought }) => thought !== true,
    )
    expect(parts.map(({ thoughtSignature }) => thoughtSignature !== undefined)).toEqual([false, true, false])
    const send = async (back: readonly unknown[], ...more: readonly unknown[]) => {
      const answer = await ask(server, path, {
        ...valid,
        ...asks(user(text('Read.')), model(...back), user(response('read'), response('read')), ...more),
      })
      return answer.status === 200 ? 'taken' : at(jsonOf(answer), 'error.message')
    }
    expect(await send(parts)).toBe('taken')
    const unsigned = parts.map(({ thoughtSignature: _signature, ...part }) => part)
    expect(await send(unsigned)).toContain('missing a thought_signature')
    expect(await send(unsigned, model(text('So.')), user(text('And?')))).toBe('taken')
    const foreign = unsigned.map((part) => ({ ...part, thoughtSignature: 'skip_thought_signature_validator' }))
    expect(await send(foreign)).toBe('taken')
    const [, one, two] = parts
    expect(await send([{ ...two, thoughtSignature: one?.thoughtSignature }, one])).toContain('not valid')
  })

  it('ends in each of its ways', async () => {
    const last = async (step: Reply, most = 1000) => {
      server.script({ reply: step })
      return eventsOf((await ask(server, pathOf(STREAM), { ...valid, ...config({ maxOutputTokens: most }) })).text).at(
        -1,
      )
    }
    const no = [{ type: 'text', text: 'No. '.repeat(40) }] as const
    expect(at(await last({ blocks: no }, 10), 'candidates.0.finishReason')).toBe('MAX_TOKENS')
    expect(at(await last({ blocks: no, stop: 'refusal' }), 'candidates.0.finishReason')).toBe('SAFETY')
    expect(at(await last({ blocks: no, stop: 'filter' }), 'promptFeedback.blockReason')).toBe('PROHIBITED_CONTENT')
    server.script({ fault: { kind: 'error-event', at: 'in-text', as: 'overloaded' } })
    const events = eventsOf((await ask(server, pathOf(STREAM), valid)).text)
    expect(events.at(-1)).toMatchObject({ error: { code: 503, status: 'UNAVAILABLE' } })
  })

  it('counts as it bills, and reads what it was sent before', async () => {
    const long = asks(user(text('word '.repeat(4000))))
    const counted = { generateContentRequest: { ...valid, ...long, model: 'models/gemini-2.5-flash' } }
    const count = jsonOf(await ask(server, pathOf('countTokens'), counted)).totalTokens
    await ask(server, pathOf(STREAM), { ...valid, ...long })
    expect(server.ledger.at(-1)?.tokens).toMatchObject({ inputTokens: count, cacheReadTokens: 0 })
    const events = eventsOf((await ask(server, pathOf(STREAM), { ...valid, ...long })).text)
    expect(server.ledger.at(-1)?.tokens.cacheReadTokens).toBeGreaterThan(4900)
    expect(at(events.at(-1), 'usageMetadata.cachedContentTokenCount')).toBe(
      server.ledger.at(-1)?.tokens.cacheReadTokens,
    )
    expect(at(events.at(-1), 'usageMetadata.promptTokenCount')).toBe(count)
  })
})

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ContentBlock } from '../messages.ts'
import type { ModelRequest } from '../ports/language-model.ts'
import { startModelServer, type ModelServer } from '../testing/model-server/index.ts'
import { objectOf, parseJsonObject, type JsonObject } from '../json.ts'
import { geminiBody } from './bodies/gemini.ts'
import type { GeminiOptions } from './gemini-client.ts'
import { createGeminiModel } from './gemini.ts'
import { blocksIn, outcomeOf } from './outcome.fixture.ts'

let server: ModelServer

beforeAll(async () => {
  server = await startModelServer({ wires: ['gemini'] })
})
afterAll(() => server.close())

const modelWith = (options: GeminiOptions = {}) =>
  createGeminiModel({ baseUrl: server.url, apiKey: 'test-key', ...options })
const request = (own: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'gemini-3-pro',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Read a.' }] }],
  maxOutputTokens: 2000,
  ...own,
})
const outcome = (own: Partial<ModelRequest> = {}, model = modelWith()) => outcomeOf(model, request(own))

const call = (id: string, path = id): ContentBlock => ({ type: 'tool_call', id, name: 'read', input: { path } })
const result = (callId: string): ContentBlock => ({
  type: 'tool_result',
  callId,
  content: [{ type: 'text', text: `found ${callId}` }],
})
const seal = (signature: string, text = ''): ContentBlock => ({ type: 'thinking', text, signature, signedBy: 'google' })
const conversation = (...reply: readonly ContentBlock[]): ModelRequest['messages'] => [
  ...request().messages,
  { role: 'assistant', content: reply },
  {
    role: 'tool',
    content: reply.flatMap((block) => (block.type === 'tool_call' ? [result(block.id)] : [])).reverse(),
  },
  { role: 'user', content: [{ type: 'text', text: 'And?' }] },
]
const partsAt = (body: JsonObject, index: number) =>
  objectOf((body.contents as readonly JsonObject[])[index]).parts as readonly JsonObject[]

const chunk = (parts: readonly object[], rest: object = {}) =>
  `data: ${JSON.stringify({ candidates: [{ content: { parts, role: 'model' }, ...rest }], responseId: 'r1' })}\n\n`
const read = (...chunks: readonly string[]) => {
  server.script({ recording: { text: chunks.join('') } })
  return outcome()
}

describe('a signature of Gemini', () => {
  it('stands before the part that it came on, and goes back on it', async () => {
    const parts = [
      { text: 'Hm.', thought: true, thoughtSignature: 's1' },
      { text: 'I read ' },
      { text: 'both.', thoughtSignature: 's2' },
      { functionCall: { id: 'a', name: 'read', args: { path: 'a' } }, thoughtSignature: 's3' },
      { functionCall: { id: 'b', name: 'read', args: { path: 'b' } } },
      { text: '', thoughtSignature: 's4' },
    ]
    const { events } = await read(chunk(parts.slice(0, 2)), chunk(parts.slice(2), { finishReason: 'STOP' }))
    const blocks = blocksIn(events)
    expect(blocks).toEqual([
      seal('s1', 'Hm.'),
      { type: 'text', text: 'I read ' },
      seal('s2'),
      { type: 'text', text: 'both.' },
      seal('s3'),
      call('a'),
      call('b'),
      seal('s4'),
    ])
    expect(partsAt(geminiBody(request({ messages: conversation(...blocks) })), 1)).toEqual(parts)
  })

  it('is replaced on calls of other models, where newer models require one', () => {
    const messages = conversation({ type: 'thinking', text: 'Hm', signature: 'x' }, call('a'), call('b'))
    const signatures = (model: string) =>
      partsAt(geminiBody(request({ model, messages })), 1).map(({ thoughtSignature }) => thoughtSignature)
    expect(signatures('gemini-3-pro')).toEqual(['skip_thought_signature_validator', undefined])
    expect(signatures('gemini-2.5-flash')).toEqual([undefined, undefined])
  })

  it('does not pass to the next message of the model', () => {
    const messages: ModelRequest['messages'] = [
      ...request().messages,
      { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }, seal('s1')] },
      ...conversation(seal('s2'), call('a')).slice(1),
    ]
    expect(partsAt(geminiBody(request({ messages })), 1)).toEqual([
      { text: 'Yes.' },
      { text: '', thoughtSignature: 's1' },
      { functionCall: { id: 'a', name: 'read', args: { path: 'a' } }, thoughtSignature: 's2' },
    ])
  })
})

describe('a request to Gemini', () => {
  it('has results in the order of the calls, with their names, and ids for newer models', () => {
    const answer = (id: string, ids: boolean) => ({
      functionResponse: { ...(ids ? { id } : {}), name: 'read', response: { output: `found ${id}` } },
    })
    for (const [model, ids] of [
      ['gemini-3-pro', true],
      ['models/gemini-2.5-pro', false],
    ] as const) {
      const body = geminiBody(request({ model, messages: conversation(call('a'), call('b'), call('c')) }))
      expect(partsAt(body, 2)).toEqual([answer('a', ids), answer('b', ids), answer('c', ids), { text: 'And?' }])
    }
  })

  it.each([
    ['gemini-3-pro', 'medium', { includeThoughts: true, thinkingLevel: 'HIGH' }],
    ['gemini-3.1-pro-preview', 'medium', { includeThoughts: true, thinkingLevel: 'MEDIUM' }],
    ['gemini-3-flash', 'none', { includeThoughts: true, thinkingLevel: 'MINIMAL' }],
    ['gemini-flash-latest', 'max', { includeThoughts: true, thinkingLevel: 'HIGH' }],
    ['gemini-2.5-flash', 'none', { thinkingBudget: 0 }],
    ['gemini-2.5-flash', 'high', { includeThoughts: true, thinkingBudget: 1600 }],
    ['gemini-2.5-pro', 'none', { includeThoughts: true, thinkingBudget: 128 }],
    ['gemini-2.5-pro', undefined, { includeThoughts: true }],
    ['gemini-2.0-flash', 'high', undefined],
    ['gemini-2.5-flash-image', 'high', undefined],
  ] as const)('tells %s to reason: %s', (model, effort, expected) => {
    const body = geminiBody(request({ model, ...(effort === undefined ? {} : { effort }) }))
    expect(objectOf(body.generationConfig).thinkingConfig).toEqual(expected)
  })

  it('is taken by an older model, with images of tools behind the results', async () => {
    const image = { type: 'image', mediaType: 'image/png', data: 'aGVsbG8=' } as const
    const messages = [
      ...conversation(call('a')).slice(0, 2),
      { role: 'tool', content: [{ type: 'tool_result', callId: 'a', content: [image] }] },
    ] satisfies ModelRequest['messages']
    const { error } = await outcome({ model: 'gemini-2.5-flash', messages, effort: 'low' })
    expect(error).toBeUndefined()
    expect(partsAt(parseJsonObject(server.requests.at(-1)?.text ?? ''), 2)).toEqual([
      { functionResponse: { name: 'read', response: { output: '(an image, which follows)' } } },
      { inlineData: { mimeType: 'image/png', data: 'aGVsbG8=' } },
    ])
  })

  it('is not sent when a rule is broken, nor with a key that can be none', async () => {
    const before = server.requests.length
    const unanswered = conversation(call('a')).slice(0, 2)
    expect((await outcome({ messages: unanswered })).error).toMatchObject({ code: 'bad-request' })
    const { error } = await outcome({}, modelWith({ apiKey: 'a key\nof two lines' }))
    expect(error?.code).toBe('auth')
    expect(error?.message).not.toContain('two lines')
    expect((await outcome({}, createGeminiModel())).error?.message).toContain('set GEMINI_API_KEY')
    expect(server.requests.length).toBe(before)
  })
})

describe('a reply of Gemini', () => {
  it('tells a call that the model could not write, and lets it be asked again', async () => {
    const { error } = await read(chunk([], { finishReason: 'MALFORMED_FUNCTION_CALL' }))
    expect([error?.code, error?.isRetryable]).toEqual(['malformed', true])
  })

  it('keeps images as images, and parts without a block of their own whole', async () => {
    const program = { executableCode: { language: 'PYTHON', code: 'print(4)' }, thoughtSignature: 's1' }
    const image = { inlineData: { mimeType: 'image/png', data: 'aGVsbG8=' }, thoughtSignature: 's2' }
    const { events } = await read(chunk([program, image], { finishReason: 'STOP' }))
    const blocks = blocksIn(events)
    expect(blocks).toEqual([
      { type: 'other', value: program },
      seal('s2'),
      { type: 'image', mediaType: 'image/png', data: 'aGVsbG8=' },
    ])
    expect(partsAt(geminiBody(request({ messages: conversation(...blocks) })), 1)).toEqual([program, image])
  })

  it('goes on behind a reason that comes with every chunk', async () => {
    const { events } = await read(
      chunk([{ text: 'Two ' }], { finishReason: 'STOP' }),
      chunk([{ text: 'and two.' }], { finishReason: 'STOP' }),
    )
    expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')).toBe('Two and two.')
    expect(events.at(-1)).toMatchObject({ type: 'done', stopReason: 'end', isUsagePartial: true })
  })
})

describe('an answer of Gemini that is an error', () => {
  const answered = async (answer: RequestListener) => {
    const other = createServer(answer)
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    try {
      const baseUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
      return (await outcome({}, modelWith({ baseUrl }))).error
    } finally {
      await new Promise((resolve) => other.close(resolve))
    }
  }
  const quota = (quotaId: string) => (): Promise<unknown> =>
    answered((_request, response) => {
      const details = [
        { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId }] },
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '39.5s' },
      ]
      const message = 'You exceeded your current quota, please check your plan and billing details.'
      const error = { code: 429, message, status: 'RESOURCE_EXHAUSTED', details }
      response.writeHead(429, { 'content-type': 'application/json', connection: 'close' })
      response.end(JSON.stringify([{ error }]))
    })

  it('tells a quota of a minute from one of a day, and how long to wait', async () => {
    expect(await quota('GenerateRequestsPerMinutePerProjectPerModel-FreeTier')()).toMatchObject({
      code: 'rate-limit',
      details: { status: 429, retryAfterMs: 39_500 },
    })
    expect(await quota('GenerateRequestsPerDayPerProjectPerModel-FreeTier')()).toMatchObject({ code: 'quota' })
  })

  it('does not follow to another address with the key', async () => {
    const asked: (string | undefined)[] = []
    const error = await answered(({ url }, response) => {
      asked.push(url)
      response.writeHead(307, { location: '/elsewhere', connection: 'close' }).end()
    })
    expect([error?.code, asked]).toEqual(['not-an-api', ['/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse']])
  })
})

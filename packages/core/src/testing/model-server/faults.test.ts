import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { textOf } from './json.ts'
import { ask, at, eventsOf, jsonOf, post } from './sse.fixture.ts'
import { startModelServer, type Condition, type Fault, type ModelServer, type Moment, type Reply } from './index.ts'

const PATH = '/v1/messages'
const request = {
  model: 'claude-sonnet-5',
  max_tokens: 1000,
  stream: true,
  messages: [{ role: 'user', content: 'Which files are there?' }],
}
const reply: Reply = {
  blocks: [
    { type: 'text', text: 'I look for them in every folder. 😀é✓' },
    { type: 'tool-call', name: 'list', input: { path: 'src', depth: 3 } },
  ],
}

describe('faults', () => {
  let server: ModelServer
  beforeEach(async () => {
    server = await startModelServer()
  })
  afterEach(() => server.close())

  const run = (fault: Fault) => {
    server.script({ reply, fault })
    return ask(server, PATH, request)
  }
  /** The types of the events that came before the connection broke or the body ended. */
  const typesUntilEnd = async (fault: Fault): Promise<string[]> => {
    server.script({ reply, fault })
    const response = await post(server, PATH, request)
    let text = ''
    try {
      const decoder = new TextDecoder()
      for await (const piece of response.body ?? []) text += decoder.decode(piece as Uint8Array, { stream: true })
    } catch (error) {
      text += `data: {"type":"broken: ${(error as Error).message}"}\n\n`
    }
    return eventsOf(text).map(({ type }) => String(type))
  }

  const statuses: readonly (readonly [Condition, number, string])[] = [
    ['bad-request', 400, 'invalid_request_error'],
    ['too-long', 400, 'invalid_request_error'],
    ['too-large', 413, 'request_too_large'],
    ['auth', 401, 'authentication_error'],
    ['forbidden', 403, 'permission_error'],
    ['quota', 429, 'rate_limit_error'],
    ['unknown-model', 404, 'not_found_error'],
    ['rate-limit', 429, 'rate_limit_error'],
    ['overloaded', 529, 'overloaded_error'],
    ['unavailable', 503, 'api_error'],
    ['server-error', 500, 'api_error'],
  ]
  it.each(statuses)('refuses as %s', async (as, status, type) => {
    const answer = await run({ kind: 'refuse', as, retryAfter: '7' })
    expect([answer.status, at(jsonOf(answer), 'error.type')]).toEqual([status, type])
    expect(answer.headers.get('retry-after')).toBe('7')
    expect(server.ledger).toEqual([])
    expect(server.requests[0]?.problem).toBe(undefined)
  })

  it('answers with a page, or with nothing', async () => {
    const page = await run({ kind: 'html', status: 502 })
    expect([page.status, page.headers.get('content-type')]).toEqual([502, 'text/html'])
    expect((await run({ kind: 'html' })).text).toContain('<html>')
    const empty = await run({ kind: 'empty' })
    expect([empty.status, empty.text]).toEqual([200, ''])
  })

  const moments: readonly (readonly [Moment, number])[] = [
    ['after-headers', 0],
    ['after-first-event', 1],
    ['in-text', 4],
    ['in-tool-input', 11],
    ['before-last-event', 14],
  ]
  it.each(moments)('cuts, and ends early, %s', async (moment, count) => {
    const cut = await typesUntilEnd({ kind: 'cut', at: moment })
    expect(cut).toEqual([...cut.slice(0, -1), 'broken: terminated'])
    const ended = await typesUntilEnd({ kind: 'end', at: moment })
    expect(ended).toEqual(cut.slice(0, -1))
    expect([moment, ended.length]).toEqual([moment, count])
    expect(server.ledger.map(({ isComplete }) => isComplete)).toEqual([false, false])
    const told = server.ledger[0]?.reported?.outputTokens
    expect(told).toBe(
      moment === 'after-headers'
        ? undefined
        : moment === 'before-last-event'
          ? server.ledger[0]?.tokens.outputTokens
          : 1,
    )
  })

  it('breaks the connection before any header', async () => {
    await expect(run({ kind: 'cut', at: 'before-headers' })).rejects.toThrow('fetch failed')
    expect(server.ledger).toEqual([])
  })

  it.each([...moments.map(([moment]) => moment), 'before-headers'] as const)(
    'stalls %s until the client gives up, and has no socket left',
    async (moment) => {
      server.script({ reply, fault: { kind: 'stall', at: moment } })
      const controller = new AbortController()
      const asked = fetch(`${server.url}${PATH}`, {
        method: 'POST',
        headers: { 'x-api-key': 'test-key', 'anthropic-version': '2023-06-01' },
        body: JSON.stringify(request),
        signal: controller.signal,
      }).then((response) => response.text())
      while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
      expect(server.openSockets()).toBe(1)
      controller.abort()
      await expect(asked).rejects.toThrow('aborted')
      await server.untilNoSockets()
    },
  )

  it('puts what is no JSON, an error or an unknown event into the stream', async () => {
    const malformed = await run({ kind: 'malformed', at: 'in-text' })
    expect(() => eventsOf(malformed.text)).toThrow(SyntaxError)
    expect(malformed.text).toContain('message_stop')
    const error = eventsOf((await run({ kind: 'error-event', at: 'in-tool-input', as: 'overloaded' })).text)
    expect(error.at(-1)).toMatchObject({ type: 'error', error: { type: 'overloaded_error' } })
    const unknown = eventsOf((await run({ kind: 'unknown-event', at: 'after-first-event' })).text)
    expect(unknown[1]).toEqual({ type: 'weather_report', sky: 'clear' })
    expect(unknown.at(-1)).toEqual({ type: 'message_stop' })
  })

  it('sends the same in awkward pieces, with comments, or slowly', async () => {
    const written = (text: string) =>
      eventsOf(text)
        .map((event) => textOf(at(event, 'delta.text')))
        .join('')
    for (const fault of [
      { kind: 'split', bytes: 3 },
      { kind: 'comments' },
      { kind: 'slow', at: 'in-text', delayMs: 1 },
    ] as const)
      expect([fault.kind, written((await run(fault)).text)]).toEqual([
        fault.kind,
        'I look for them in every folder. 😀é✓',
      ])
    expect(server.ledger.every(({ isComplete }) => isComplete)).toBe(true)
  })

  it('strikes before the last event where the reply lacks what it waits for', async () => {
    server.script({
      reply: { blocks: [{ type: 'text', text: 'No calls.' }] },
      fault: { kind: 'end', at: 'in-tool-input' },
    })
    expect(eventsOf((await ask(server, PATH, request)).text).at(-1)).toMatchObject({ type: 'message_delta' })
    expect(server.ledger[0]?.isComplete).toBe(false)
  })

  it('refuses what it can’t read: no JSON, too long, another path', async () => {
    expect(at(jsonOf(await ask(server, PATH, '{"model":')), 'error.type')).toBe('invalid_request_error')
    const long = await ask(server, PATH, JSON.stringify({ ...request, system: 'x'.repeat(33 * 1024 * 1024) }))
    expect([long.status, at(jsonOf(long), 'error.type')]).toEqual([413, 'request_too_large'])
    expect((await ask(server, '/v2/messages', request)).status).toBe(404)
    expect(server.requests.map(({ problem }) => problem?.condition)).toEqual([
      'bad-request',
      'too-large',
      'bad-request',
    ])
  })

  it('answers with a recorded body, of a text or a file, and bills nothing', async () => {
    const text = 'event: ping\ndata: {"type":"ping"}\n\n'
    const folder = mkdtempSync(join(tmpdir(), 'cairn-recording-'))
    const file = join(folder, 'recorded.sse')
    writeFileSync(file, text)
    try {
      server.script({ recording: { text } }, { recording: { file } }, { recording: { file: pathToFileURL(file) } })
      for (let count = 0; count < 3; count++) expect((await ask(server, PATH, request)).text).toBe(text)
    } finally {
      rmSync(folder, { recursive: true })
    }
    expect(server.ledger).toEqual([])
  })

  it('says so when it failed itself, and ends with connections open', async () => {
    const broken = await startModelServer({
      makeReply: () => {
        throw new Error('no idea')
      },
    })
    await expect(ask(broken, PATH, request)).rejects.toThrow('fetch failed')
    await expect(broken.close()).rejects.toThrow('no idea')
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    await once(socket, 'connect')
    const closed = once(socket, 'close')
    await server.close()
    await closed
    expect(server.openSockets()).toBe(0)
  })
})

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { request } from 'node:http'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Engine } from '@cairn/core'
import { PROJECT, SESSION, callTool, engineWithTalk, serverOver } from './conversation.fixture.ts'
import { allowedNames, refusalOf } from './http-guard.ts'
import { HTTP_LIMITS } from './http-sessions.ts'
import { serveHttp } from './http.ts'
import type { HttpMcpServer } from './http.ts'

const TOKEN = 'a-token-of-this-test-0123456789'
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
})

let engine: Engine
let server: HttpMcpServer
let now = 0

beforeEach(async () => {
  engine = await engineWithTalk()
  server = await serveHttp({
    host: '127.0.0.1',
    port: 0,
    token: TOKEN,
    allowedHosts: [],
    create: () => serverOver({ engine }),
    limits: { ...HTTP_LIMITS, mostSessions: 2, mostBodyBytes: 10_000 },
    now: () => now,
  })
})
afterEach(() => server.close())

const connect = async (
  token = TOKEN,
): Promise<{ readonly client: Client; readonly transport: StreamableHTTPClientTransport }> => {
  const client = new Client({ name: 'test client', version: '0.1.0' }, { capabilities: { roots: {} } })
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: `file://${PROJECT}` }] }))
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  })
  await client.connect(transport)
  return { client, transport }
}

interface Raw {
  readonly status: number
  readonly session: string | undefined
  readonly body: string
}

/** Unlike fetch, it sends any Host. */
const raw = (
  headers: Readonly<Record<string, string>>,
  body = INITIALIZE,
  path = '/mcp',
  method = 'POST',
): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port: server.port,
        path,
        method,
        headers: {
          Accept: 'application/json, text/event-stream',
          'Content-Type': 'application/json',
          Authorization: `Bearer ${TOKEN}`,
          ...headers,
        },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => (text += part))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            session: response.headers['mcp-session-id'] as string | undefined,
            body: text,
          }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(method === 'POST' ? body : undefined)
  })

describe('over HTTP', () => {
  it("answers calls, with the client's folder as project", async () => {
    const { client, transport } = await connect()
    expect((await client.listTools()).tools).toHaveLength(10)
    expect((await callTool(client, 'recall', { query: 'flaky login' })).text).toContain(`${SESSION}#`)
    expect((await callTool(client, 'memory', { operation: 'stats' })).text).toContain(`${PROJECT}: 0 entries`)
    expect((await callTool(client, 'recall', {})).isError).toBe(true)
    await expect(client.callTool({ name: 'nope' })).rejects.toMatchObject({ code: -32_602 })
    const id = transport.sessionId ?? ''
    await transport.terminateSession()
    await client.close()
    expect((await raw({ 'Mcp-Session-Id': id }, '{"jsonrpc":"2.0","id":2,"method":"ping"}')).status).toBe(404)
  })

  it.each([
    ['no token', { Authorization: '' }, 401],
    ['a wrong token', { Authorization: 'Bearer wrong' }, 401],
    ['a token in another form', { Authorization: `Basic ${TOKEN}` }, 401],
    ["a stranger's name", { Host: 'evil.example' }, 403],
    ["a stranger's name with our port", { Host: 'evil.example:80' }, 403],
    ['a page of another place', { Origin: 'https://evil.example' }, 403],
    ['a page on another port', { Origin: 'http://localhost:1' }, 403],
    ['a page without a place', { Origin: 'null' }, 403],
  ])('refuses %s', async (_, headers, status) => {
    const answer = await raw(headers)
    expect(answer.status).toBe(status)
    expect(answer.session).toBeUndefined()
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: -32_000 } })
    expect(answer.body).not.toContain(TOKEN)
  })

  it('answers under allowed names, and to pages of its own origin', async () => {
    expect((await raw({ Host: `localhost:${server.port}`, Origin: `http://localhost:${server.port}` })).status).toBe(
      200,
    )
  })

  it('refuses other paths and methods, and malformed or oversized bodies', async () => {
    expect((await raw({}, INITIALIZE, '/')).status).toBe(404)
    expect((await raw({}, '', '/mcp', 'GET')).status).toBe(400)
    expect((await raw({}, '{')).status).toBe(400)
    expect((await raw({}, '{"jsonrpc":"2.0","id":2,"method":"tools/list"}')).status).toBe(400)
    expect((await raw({}, `{"long":"${'x'.repeat(10_001)}"}`)).status).toBe(413)
    expect((await raw({ 'Transfer-Encoding': 'chunked' }, `{"long":"${'x'.repeat(10_001)}"}`)).status).toBe(413)
  })

  it('has a limited number of sessions, and ends the longest idle one for a new one', async () => {
    const ids: string[] = []
    for (now = 1; now <= 3; now++) ids.push((await raw({})).session ?? '')
    const ping = (id: string | undefined): Promise<Raw> =>
      raw({ 'Mcp-Session-Id': id ?? '' }, '{"jsonrpc":"2.0","id":2,"method":"ping"}')
    expect((await ping(ids[0])).status).toBe(404)
    expect((await ping(ids[1])).status).toBe(200)
    expect((await ping(ids[2])).status).toBe(200)
  })

  it('ends a session that is idle for long', async () => {
    now = 0
    const { session } = await raw({})
    now = HTTP_LIMITS.idleMs + 1
    expect((await raw({ 'Mcp-Session-Id': session ?? '' }, '{"jsonrpc":"2.0","id":2,"method":"ping"}')).status).toBe(
      404,
    )
  })

  it('says that a port is in use', async () => {
    await expect(
      serveHttp({
        host: '127.0.0.1',
        port: server.port,
        token: TOKEN,
        allowedHosts: [],
        create: () => serverOver({ engine }),
      }),
    ).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining('--port') })
  })
})

describe('names under which it answers', () => {
  const headers = { authorization: `Bearer ${TOKEN}` }

  it("are this machine's own when it listens on all addresses, and those that are allowed", () => {
    const names = allowedNames('0.0.0.0', 4680, ['agents.example', 'other.example:99'])
    expect(refusalOf({ ...headers, host: 'LOCALHOST:4680' }, names, TOKEN)).toBeUndefined()
    expect(refusalOf({ ...headers, host: 'agents.example:1234' }, names, TOKEN)).toBeUndefined()
    expect(refusalOf({ ...headers, host: 'other.example:99' }, names, TOKEN)).toBeUndefined()
    expect(refusalOf({ ...headers, host: 'other.example:98' }, names, TOKEN)).toMatchObject({ status: 403 })
    expect(refusalOf({ ...headers, host: 'evil.example:4680' }, names, TOKEN)).toMatchObject({ status: 403 })
    expect(refusalOf(headers, names, TOKEN)).toMatchObject({ status: 403 })
  })

  it('include IPv6 addresses', () => {
    expect(
      refusalOf({ ...headers, host: '[::1]:4680', origin: 'http://[::1]:4680' }, allowedNames('::1', 4680, []), TOKEN),
    ).toBeUndefined()
  })
})

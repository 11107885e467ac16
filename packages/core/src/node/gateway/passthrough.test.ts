import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterEach, describe, expect, it } from '@jest/globals'
import { createAccess } from './access.ts'
import { LARGEST_COPY } from './body-copy.ts'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from './gateway.fixture.ts'

let upstream: Server | undefined
let gateway: TestGateway | undefined

afterEach(async () => {
  await gateway?.close()
  upstream?.closeAllConnections()
  await new Promise((resolve) => (upstream === undefined ? resolve(undefined) : upstream.close(resolve)))
  gateway = undefined
  upstream = undefined
})

interface Received {
  readonly headers: readonly string[]
  readonly url: string
  readonly body: Buffer
}

const bodyOf = async (message: IncomingMessage): Promise<Buffer> => {
  const pieces: Buffer[] = []
  for await (const piece of message as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** A gateway before a server that answers each request as it is told. */
const start = async (
  answer: (received: Received, response: Parameters<Parameters<typeof createServer>[1] & object>[1]) => void,
  own: Partial<TestGatewayOptions> = {},
): Promise<TestGateway> => {
  upstream = createServer((request, response) => {
    void bodyOf(request)
      .then((body) => answer({ headers: request.rawHeaders, url: request.url ?? '', body }, response))
      .catch(() => undefined)
  })
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  gateway = await startTestGateway({
    upstream: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
    ...own,
  })
  return gateway
}

/** Sends a request just as it is told; resolves with the answer as it came. */
const send = (
  { url }: TestGateway,
  path: string,
  headers: readonly string[],
  body: Buffer,
): Promise<{ readonly status: number | undefined; readonly headers: readonly string[]; readonly body: Buffer }> =>
  new Promise((resolve, reject) => {
    const { hostname, port, host } = new URL(url)
    const outgoing = httpRequest({ hostname, port, path, method: 'POST', headers: ['Host', host, ...headers] })
    outgoing.on('error', reject)
    outgoing.on('response', (message) => {
      bodyOf(message).then(
        (all) => resolve({ status: message.statusCode, headers: message.rawHeaders, body: all }),
        reject,
      )
    })
    outgoing.end(body)
  })

const REQUEST = Buffer.from(JSON.stringify({ model: 'claude-x', messages: [{ role: 'user', content: 'Hé' }] }))
const REPLY = Buffer.from(
  JSON.stringify({
    id: 'msg_1',
    model: 'claude-x',
    role: 'assistant',
    content: [{ type: 'text', text: 'Yes ✓' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 11, output_tokens: 3 },
  }),
)
const JSON_TYPE = ['Content-Type', 'application/json']

describe('what passes through', () => {
  it('is the same both ways: order, case and repetition of headers, bytes of bodies', async () => {
    let received: Received | undefined
    const sent = randomBytes(200_000)
    const answered = randomBytes(300_000)
    const { url } = await start((request, response) => {
      received = request
      response.sendDate = false
      response.writeHead(207, 'Quite Well', [
        'X-B',
        '1',
        'x-a',
        '2',
        'X-B',
        '3',
        'Set-Cookie',
        'a=b',
        'Content-Length',
        '300000',
      ])
      response.end(answered)
    })
    const given = [
      'X-Two',
      'b',
      'anthropic-BETA',
      'x-2099,y',
      'X-Two',
      'a',
      'Authorization',
      'Bearer k',
      'Content-Length',
      '200000',
    ]
    const connection = [
      'Connection',
      'keep-alive, X-Only-Here',
      'X-Only-Here',
      '1',
      'TE',
      'gzip',
      'X-Cairn-Session',
      's',
    ]
    const answer = await send({ url } as TestGateway, '/v1/files?a=%2F&b=', [...given, ...connection], sent)
    expect(received?.url).toBe('/v1/files?a=%2F&b=')
    expect(received?.body.equals(sent)).toBe(true)
    expect(received?.headers.slice(2, 2 + given.length)).toEqual(given)
    expect(received?.headers.join()).not.toMatch(/X-Only-Here|Cairn/i)
    expect(answer.status).toBe(207)
    expect(answer.body.equals(answered)).toBe(true)
    expect(answer.headers.slice(0, 10)).toEqual([
      'X-B',
      '1',
      'x-a',
      '2',
      'X-B',
      '3',
      'Set-Cookie',
      'a=b',
      'Content-Length',
      '300000',
    ])
  })

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const)('is read where it is packed with %s, and passed on packed', async (encoding, pack) => {
    const packed = pack(REQUEST)
    let received: Received | undefined
    const at = await start((request, response) => {
      received = request
      response.writeHead(200, [...JSON_TYPE, 'Content-Encoding', encoding]).end(pack(REPLY))
    })
    const answer = await send(at, '/v1/messages', [...JSON_TYPE, 'Content-Encoding', encoding], packed)
    expect(received?.body.equals(packed)).toBe(true)
    expect(answer.body.equals(pack(REPLY))).toBe(true)
    const [recorded] = await at.untilRecorded(1)
    expect(recorded).toMatchObject({ kept: 'messages', messages: 2, bill: { callId: 'msg_1', inputTokens: 11 } })
    expect(await at.store.sessions.read(recorded?.sessionId ?? '')).toMatchObject([
      { content: [{ text: 'Hé' }] },
      { content: [{ text: 'Yes ✓' }] },
    ])
  })

  it.each([
    ['is no JSON', Buffer.from('{"model": '), []],
    ['is packed in an unknown way', REQUEST, ['Content-Encoding', 'rot13']],
    ['is larger than is read', Buffer.alloc(LARGEST_COPY + 1, 0x20), []],
    ['unpacks to more than is read', gzipSync(Buffer.alloc(LARGEST_COPY + 1, 0x20)), ['Content-Encoding', 'gzip']],
  ] as const)('passes where it %s, and is recorded as not read', async (_what, body, headers) => {
    let digest = ''
    const at = await start((request, response) => {
      digest = createHash('sha256').update(request.body).digest('hex')
      response.writeHead(200, JSON_TYPE).end(REPLY)
    })
    await send(at, '/v1/messages', [...JSON_TYPE, ...headers], body)
    expect(digest).toBe(createHash('sha256').update(body).digest('hex'))
    const [recorded] = await at.untilRecorded(1)
    expect(recorded).toMatchObject({ sessionId: 'gateway:unread', kept: 'unread', bill: { inputTokens: 11 } })
  })

  it('waits for a client that reads slowly, instead of holding the reply', async () => {
    const size = 64 << 20
    let written = 0
    const at = await start((_request, response) => {
      response.writeHead(200, ['Content-Type', 'application/octet-stream'])
      const chunk = Buffer.alloc(1 << 20, 0x61)
      const go = (): void => {
        while (written < size) {
          written += chunk.length
          if (!response.write(chunk)) {
            response.once('drain', go)
            return
          }
        }
        response.end()
      }
      go()
    })
    const { port, host } = new URL(at.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`POST /v1/files HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\n\r\n`)
    await once(socket, 'readable')
    socket.pause()
    // What fits into sockets and buffers on the way gets off; then the upstream has to stand still.
    let before = -1
    while (before !== written) {
      before = written
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    expect(written).toBeLessThan(size)
    let got = 0
    socket.on('data', (data: Buffer) => (got += data.length))
    socket.resume()
    while (got < size) await once(socket, 'data')
    socket.destroy()
  })

  it('is refused as a WebSocket, with a sentence', async () => {
    const { url } = await start((_request, response) => response.end())
    const { port, host } = new URL(url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`GET /v1/responses HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
    let text = ''
    socket.setEncoding('utf8').on('data', (piece: string) => (text += piece))
    await once(socket, 'end')
    expect(text).toMatch(/^HTTP\/1\.1 426 [\s\S]*takes no WebSocket; this client has to use HTTP/)
  })

  it('is refused where the request names another host, comes from a page, or lacks the token', async () => {
    const at = await start((_request, response) => response.end('{}'), {
      input: { access: (port) => createAccess({ hostNames: new Set([`127.0.0.1:${port}`]), token: 'open-sesame' }) },
    })
    const { host } = new URL(at.url)
    const ask = async (path: string, headers: readonly string[]): Promise<string> => {
      const { hostname, port } = new URL(at.url)
      const outgoing = httpRequest({ hostname, port, path, method: 'POST', headers, setDefaultHeaders: false })
      outgoing.end()
      const [message] = (await once(outgoing, 'response')) as [IncomingMessage]
      return `${message.statusCode} ${(await bodyOf(message)).toString()}`
    }
    expect(await ask('/v1/messages', ['Host', 'evil.example:80'])).toMatch(
      /^403 .*permission_error.*not called by that name/,
    )
    const ours = ['Host', host]
    expect(await ask('/v1/messages', [...ours, 'Origin', 'https://evil.example'])).toMatch(
      /^403 .*Pages of other places/,
    )
    expect(await ask('/v1/messages', ours)).toMatch(/^401 .*authentication_error.*wants its token/)
    expect(await ask('/token/open-sesamf/v1/messages', ours)).toMatch(/^401 .*not the token/)
    expect(await ask('/v1/chat/completions', ours)).toMatch(/^401 .*"code":"invalid_api_key"/)
    expect(await ask('/token/open-sesame/v1/messages', ours)).toBe('200 {}')
  })
})

/** What the server answers to: its own names and addresses, reading only, and nothing that it does not have. */
import { mkdtempSync, rmSync } from 'node:fs'
import { hostname, networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { TOKEN, ask, startServer } from './server.ts'
import type { RunningServer } from './server.ts'

describe('a server that listens on every address', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-addresses-'))
  let server: RunningServer
  let port: string
  let cookie: string

  beforeAll(async () => {
    server = await startServer(`file:${join(folder, 'store.db')}`, '0.0.0.0')
    port = new URL(server.url).port
    cookie = String((await ask(`${server.url}?token=${TOKEN}`)).headers['set-cookie']).split(';')[0] ?? ''
  })

  afterAll(async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it("is reachable by the machine's addresses and name, and by no other", async () => {
    const own = Object.values(networkInterfaces()).flatMap((all) =>
      (all ?? []).filter(({ family }) => family === 'IPv4').map(({ address }) => address),
    )
    for (const host of [...own, 'localhost', hostname()])
      expect([host, (await ask(server.url, { host: `${host}:${port}`, cookie })).status]).toEqual([host, 200])
    for (const host of ['evil.example', '0.0.0.0', `${hostname()}.evil.example`])
      expect([host, (await ask(server.url, { host: `${host}:${port}`, cookie })).status]).toEqual([host, 421])
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])('is read-only: %s', async (method) => {
    for (const path of ['', 'sessions', 'api/trpc/live.revision', 'nothing']) {
      const { status, headers } = await ask(`${server.url}${path}`, { cookie }, method)
      expect([path, status, headers['allow']]).toEqual([path, 405, 'GET, HEAD'])
    }
  })

  it('has an icon where browsers look for one', async () => {
    for (const path of ['favicon.ico', 'icon.svg']) {
      const { status, headers, body } = await ask(`${server.url}${path}`, { cookie })
      expect([path, status, headers['content-type']]).toEqual([path, 200, 'image/svg+xml'])
      expect(body).toContain('<svg')
    }
  })

  it('accepts no request body', async () => {
    expect((await ask(server.url, { cookie, 'Content-Length': '3' }, 'GET', 'abc')).status).toBe(413)
    expect((await ask(server.url, { cookie, 'Transfer-Encoding': 'chunked' }, 'GET', 'abc')).status).toBe(413)
  })

  it.each(['api', 'api/trpc', 'api/trpc/a/b', '_next/image?url=%2Ficon.svg&w=64&q=75'])(
    'tells programs that there is no %s',
    async (path) => {
      const { status, headers, body } = await ask(`${server.url}${path}`, { cookie })
      expect([status, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8'])
      expect(JSON.parse(body)).toEqual({ error: { code: 'not-found', message: 'There is nothing at this address.' } })
      expect((await ask(`${server.url}${path}`)).status).toBe(401)
    },
  )
})

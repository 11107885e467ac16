/** A team's dashboard, from outside: what each role is shown, and that nobody gets beyond it by HTTP. */
import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { openStore } from '@cairn/storage-prisma'
import { z } from 'zod'
import { ask, startServer } from './server.ts'
import type { RawAnswer, RunningServer } from './server.ts'
import type { TestIssuer } from './team-issuer.ts'
import { ATTEMPTS, HOST, TEXT, list, overview, procedure } from './team-attempts.ts'
import type { Who } from './team-attempts.ts'
import { makeTeamFolder } from './team-folder.ts'
import { COSTS, PLANTED, SESSIONS } from './team-store.ts'

let folder = ''
let server: RunningServer
let issuer: TestIssuer
const tokens = { viewer: '', lead: '', admin: '', stranger: '' }

beforeAll(async () => {
  const team = await makeTeamFolder({
    roles: { viewer: ['staff'], lead: ['leads'], admin: ['admins'] },
    perPerson: { perSecond: 1_000, burst: 10_000 },
    perAddress: { perSecond: 1_000, burst: 100_000 },
  })
  folder = team.folder
  issuer = team.issuer
  tokens.viewer = await issuer.token({ claims: { sub: 'ada', email: 'ada@example.com', groups: ['staff'] } })
  tokens.lead = await issuer.token({ claims: { sub: 'lea', email: 'lea@example.com', groups: ['staff', 'leads'] } })
  tokens.admin = await issuer.token({ claims: { sub: 'root', email: 'root@example.com', groups: ['admins'] } })
  tokens.stranger = await issuer.token({ claims: { sub: 'eve', email: 'eve@example.com', groups: ['others'] } })
  server = await startServer(team.store, '127.0.0.1', {
    token: '',
    // Writes that are allowed elsewhere are not here.
    isWritable: true,
    variables: team.variables,
  })
})

afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const ADDRESS = '192.0.2.7'

/** A request with the path exactly as it is written, which `URL` would tidy. */
const rawly = (
  path: string,
  headers: Readonly<Record<string, string>> | readonly string[],
  method = 'GET',
  body = '',
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url)
    request({ hostname, port, path, method, agent: false, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      )
    })
      .on('error', reject)
      .end(body)
  })

const headersOf = (token: string): Record<string, string> => ({
  host: HOST,
  'x-forwarded-for': ADDRESS,
  ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
})

const by = (who: Who, path: string): Promise<RawAnswer> => rawly(path, headersOf(tokens[who]))

const eventsSchema = z.array(z.record(z.string(), z.unknown()))

const audit = (): z.infer<typeof eventsSchema> =>
  eventsSchema.parse(
    readFileSync(join(folder, 'team-audit.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
  )

describe('what each role is shown', () => {
  it('everybody: sums of all; a viewer sessions of their own, a lead all, both without titles; an admin text', async () => {
    for (const who of ['viewer', 'lead', 'admin'] as const) {
      const { status, body } = await by(who, overview)
      expect([who, status]).toEqual([who, 200])
      expect(body).toContain(`$${COSTS.ada + COSTS.bo}.00`)
      expect(body.includes(PLANTED)).toBe(false)
    }
    const listed = async (who: Who) => {
      const { status, body } = await by(who, procedure('sessions.page', list))
      return [status, body.includes(SESSIONS.ada), body.includes(SESSIONS.bo), body.includes(PLANTED)]
    }
    expect(await listed('viewer')).toEqual([200, true, false, false])
    expect(await listed('lead')).toEqual([200, true, true, false])
    expect(await listed('admin')).toEqual([200, true, true, true])
    for (const who of ['viewer', 'lead'] as const) {
      const { status, body } = await by(who, procedure('session.head', { id: SESSIONS.ada }))
      expect([who, status, body.includes('$3.00'), body.includes(PLANTED)]).toEqual([who, 200, true, false])
    }
    const text = await by('admin', procedure('session.entries', { id: SESSIONS.bo, page: 0 }))
    expect([text.status, text.body.includes(`${PLANTED} of bo`)]).toEqual([200, true])
  })

  it('pages, with the policy of every page', async () => {
    for (const [who, path] of [
      ['viewer', '/'],
      ['viewer', `/sessions/${encodeURIComponent(SESSIONS.ada)}`],
      ['lead', '/insights'],
      ['admin', '/memory'],
    ] as const) {
      const { status, headers, body } = await by(who, path)
      expect([path, status, headers['cache-control']]).toEqual([path, 200, 'no-store'])
      expect(body).toContain('<html')
      expect(body.includes(PLANTED)).toBe(false)
    }
    const page = await by('admin', `/sessions/${encodeURIComponent(SESSIONS.bo)}`)
    expect(page.body).toContain(`${PLANTED} title of bo`)
  })

  it('nothing for a request that names two hosts, whichever comes first', async () => {
    const rest = Object.entries(headersOf(tokens.admin)).flat()
    for (const hosts of [
      ['host', 'evil.example.com'],
      ['Host', HOST],
    ]) {
      const { status, body } = await rawly('/', [...hosts, ...rest])
      expect([status, body]).toEqual([400, 'A request names one host, and this one names several.\n'])
    }
    expect((await rawly('/', rest)).status).toBe(200)
  })

  it('exports, which are written down', async () => {
    const { status, body } = await by('lead', '/api/export/sessions?format=csv&period=all')
    expect([status, body.includes(SESSIONS.bo), body.includes(PLANTED)]).toEqual([200, true, false])
    expect(audit()).toContainEqual(
      expect.objectContaining({
        event: 'export',
        subject: 'lea',
        what: 'export.sessions',
        input: 'format=csv&period=all',
      }),
    )
  })

  it('whose text an admin read is written down, before it is shown', () => {
    expect(audit()).toContainEqual(
      expect.objectContaining({
        event: 'text',
        subject: 'root',
        email: 'root@example.com',
        role: 'admin',
        address: ADDRESS,
        what: 'session.entries',
        input: JSON.stringify({ id: SESSIONS.bo, page: 0 }),
      }),
    )
  })

  it('health is told to anybody, and nothing else with it', async () => {
    for (const path of ['/healthz', '/readyz'])
      expect(await ask(`${server.url.slice(0, -1)}${path}`)).toMatchObject({ status: 200, body: 'ok\n' })
  })
})

describe('attempts at more', () => {
  const contentOf = (): string =>
    createHash('sha256')
      .update(readFileSync(join(folder, 'team.db')))
      .digest('hex')

  it('are more than fifty', () => {
    expect(ATTEMPTS.length).toBeGreaterThan(50)
    expect(new Set(ATTEMPTS.map(({ name }) => name)).size).toBe(ATTEMPTS.length)
  })

  it.each(ATTEMPTS)('$name', async ({ path = TEXT, who, headers = {}, token, method, body, status }) => {
    const before = contentOf()
    const sent = token === undefined ? (who === undefined ? '' : tokens[who]) : await token(issuer)
    const named = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replaceAll('TOKEN', tokens.admin)]),
    )
    const answer = await rawly(path.replaceAll('TOKEN', tokens.admin), { ...headersOf(sent), ...named }, method, body)
    expect([status].flat()).toContain(answer.status)
    // Of an address that is repeated in the answer, only the question is the asker's own.
    expect(answer.body).not.toContain(`${PLANTED} `)
    expect(contentOf()).toBe(before)
  })

  it('components of a page hold no title either, where Next sends to their own address', async () => {
    for (const [who, id, has] of [
      ['viewer', SESSIONS.bo, false],
      ['viewer', SESSIONS.ada, false],
      ['lead', SESSIONS.bo, false],
      ['admin', SESSIONS.bo, true],
    ] as const) {
      const headers = { ...headersOf(tokens[who]), rsc: '1' }
      const sent = await rawly(`/sessions/${encodeURIComponent(id)}?_rsc=1`, headers)
      const { status, headers: answered, body } = await rawly(String(sent.headers['location']), headers)
      expect([who, status, answered['content-type']]).toEqual([who, expect.any(Number), 'text/x-component'])
      expect([who, id, body.includes(PLANTED)]).toEqual([who, id, has])
    }
  })

  it('left the store as it was, and are in the audit log', async () => {
    const store = await openStore(`file:${join(folder, 'team.db')}`)
    expect((await store.notes.get('/work/shop', 'note'))?.text).toBe(`${PLANTED} note`)
    await store.close()
    const refused = audit().filter(({ event }) => event === 'refused')
    expect(refused).toContainEqual(
      expect.objectContaining({ subject: 'lea', what: 'search.messages', address: ADDRESS }),
    )
    expect(refused).toContainEqual(
      expect.objectContaining({ subject: 'lea', what: '/memory', status: 403, reason: 'role' }),
    )
    expect(refused).toContainEqual(expect.objectContaining({ what: '/api/trpc/session.entries', status: 401 }))
    expect(refused).toContainEqual(expect.objectContaining({ what: '/api/trpc/memory.setNote', status: 405 }))
    expect(JSON.stringify(audit())).not.toContain(tokens.admin)
  })
})

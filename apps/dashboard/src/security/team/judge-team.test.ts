import { mayCall, mayOpen, FIGURE_PROCEDURES } from './access.ts'
import type { Person } from './asker.ts'
import type { AuditEvent } from './audit.ts'
import { addressOf, judgeTeam } from './judge-team.ts'
import { createRateLimiter } from './rate-limit.ts'
import type { Team } from './team.ts'

const ADA: Person = { subject: 'ada', role: 'viewer' }

const teamOf = (person: Person | undefined, burst = 100): { readonly team: Team; readonly events: AuditEvent[] } => {
  const events: AuditEvent[] = []
  const write = (event: AuditEvent): void => void events.push(event)
  return {
    events,
    team: {
      settings: { hosts: ['cairn.example.com'], proxies: 1 },
      identify: () =>
        Promise.resolve(
          person === undefined ? { kind: 'refused', status: 401, reason: 'no token' } : { kind: 'known', person },
        ),
      audit: { write, writeOnce: write, close: () => undefined },
      ofPerson: createRateLimiter({ perSecond: 1, burst }, () => 0),
      ofAddress: createRateLimiter({ perSecond: 1, burst }, () => 0),
    },
  }
}

const request = (path: string, headers: Record<string, string> = {}, method = 'GET') => ({
  url: `http://127.0.0.1${path}`,
  method,
  headers: new Headers({ host: 'cairn.example.com', 'x-forwarded-for': '192.0.2.1', ...headers }),
})

describe('the guard of a team’s dashboard', () => {
  it('lets in whom the token names, with the origin that a proxy makes of it', async () => {
    for (const origin of ['https://cairn.example.com', 'http://cairn.example.com'])
      expect(await judgeTeam(teamOf(ADA).team, request('/', { origin }))).toEqual({
        kind: 'pass',
        asker: { ...ADA, address: '192.0.2.1' },
      })
  })

  it.each([
    ['another host', request('/', { host: 'evil.example' }), ADA, 421],
    ['another origin', request('/', { origin: 'https://evil.example' }), ADA, 403],
    ['no origin', request('/', { origin: 'null' }), ADA, 403],
    ['another site', request('/api/trpc/live.revision', { 'sec-fetch-site': 'same-site' }), ADA, 403],
    ['nobody', request('/'), undefined, 401],
    ['a write', request('/', {}, 'POST'), ADA, 405],
    ['a page of admins', request('/memory'), ADA, 403],
  ])('refuses %s, and writes that down', async (_what, asked, person, status) => {
    const { team, events } = teamOf(person)
    expect(await judgeTeam(team, asked)).toMatchObject({ kind: 'refuse', status })
    expect(events).toMatchObject([{ event: 'refused', status, address: '192.0.2.1' }])
  })

  it('counts a batch as its calls, and refusals more than once', async () => {
    const statusOf = async ({ team }: ReturnType<typeof teamOf>, asked: ReturnType<typeof request>) => {
      const verdict = await judgeTeam(team, asked)
      return verdict.kind === 'pass' ? 200 : verdict.status
    }
    const batched = teamOf(ADA, 10)
    const calls = Array.from({ length: 6 }, () => 'live.revision')
    expect(await statusOf(batched, request(`/api/trpc/${calls.join(',')}`))).toBe(200)
    expect(await statusOf(batched, request(`/api/trpc/${calls.join('%2C')}`))).toBe(429)
    expect(await statusOf(batched, request('/'))).toBe(200)
    const guessing = teamOf(undefined, 100)
    const statuses: number[] = []
    for (let times = 0; times < 30; times += 1) statuses.push(await statusOf(guessing, request('/')))
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.at(-1)).toBe(429)
    expect(guessing.events).toHaveLength(10)
  })

  it('takes the address that the last of our proxies saw, not what was sent along', () => {
    const address = (value: string, proxies: number): string =>
      addressOf(new Headers({ 'x-forwarded-for': value }), proxies)
    expect(address('198.51.100.1, 192.0.2.1', 1)).toBe('192.0.2.1')
    expect(address('198.51.100.1, 192.0.2.1, 10.0.0.1', 2)).toBe('192.0.2.1')
    expect(address('2001:db8::1', 1)).toBe('2001:db8::1')
    expect(address('"><script>', 1)).toBe('unknown')
    expect(addressOf(new Headers(), 1)).toBe('unknown')
  })
})

describe('what is not named', () => {
  it.each(['usage.somethingNew', 'Usage.overview', 'usage.overview ', 'constructor', '__proto__', ''])(
    'is for admins alone: procedure "%s"',
    (name) => {
      expect([mayCall('lead', name), mayCall('admin', name)]).toEqual([false, true])
    },
  )

  it.each(['/somethingNew', '/Memory', '//', '/sessions/a/b', '/%6demory', '/api/trpc', '/api/trpc/a/b', '/healthz/'])(
    'is for admins alone: %s',
    (path) => {
      expect([mayOpen('lead', path), mayOpen('admin', path)]).toEqual([false, true])
    },
  )

  it('and of what is named nothing changes anything, or searches', () => {
    for (const name of FIGURE_PROCEDURES) expect(name).toMatch(/^(?:usage|insights|live|sessions|session)\./)
  })
})

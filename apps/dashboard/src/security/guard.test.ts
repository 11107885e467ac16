import { cookieName, cookieValue, judge } from './guard.ts'
import type { GuardSettings, Verdict } from './guard.ts'
import { guardSettings } from './guard-settings.ts'
import { pagePolicy } from './headers.ts'
import { noSuchAddress } from './no-such-address.ts'
import { refusal } from './refusal.ts'

const TOKEN = 'correct-horse-battery'
const settings: GuardSettings = { token: TOKEN, hostname: '127.0.0.1', otherHosts: [], port: 4242, isWritable: false }
const COOKIE = `${cookieName(4242)}=${cookieValue(TOKEN, 4242)}`

const judged = (headers: Record<string, string>, path = '/', with_: Partial<GuardSettings> = {}): Verdict =>
  judge(
    { ...settings, ...with_ },
    { url: `http://127.0.0.1:4242${path}`, headers: new Headers({ host: '127.0.0.1:4242', ...headers }) },
  )

const outcome = (verdict: Verdict): string | number => (verdict.kind === 'refuse' ? verdict.status : verdict.kind)

describe('the guard', () => {
  it.each(['127.0.0.1:4242', 'localhost:4242', '[::1]:4242', 'LOCALHOST:4242'])(
    'lets in a request for %s that has the cookie',
    (host) => {
      expect(outcome(judged({ host, cookie: COOKIE }))).toBe('pass')
    },
  )

  it.each([
    'evil.example',
    'evil.example:4242',
    '127.0.0.1',
    '127.0.0.1:4243',
    'localhost:80',
    '127.0.0.1.evil.example:4242',
    '0.0.0.0:4242',
    '',
  ])('refuses the host "%s" even with the cookie', (host) => {
    expect(outcome(judged({ host, cookie: COOKIE }))).toBe(421)
  })

  it('refuses a foreign host even with the right token', () => {
    expect(outcome(judged({ host: 'evil.example:4242' }, `/?token=${TOKEN}`))).toBe(421)
  })

  it('accepts the name it was configured to listen on, but not a wildcard', () => {
    expect(outcome(judged({ host: 'team.internal:4242', cookie: COOKIE }, '/', { hostname: 'team.internal' }))).toBe(
      'pass',
    )
    expect(outcome(judged({ host: '[fd00::1]:4242', cookie: COOKIE }, '/', { hostname: 'fd00::1' }))).toBe('pass')
    expect(outcome(judged({ host: '0.0.0.0:4242', cookie: COOKIE }, '/', { hostname: '0.0.0.0' }))).toBe(421)
  })

  it.each(['192.168.1.7:4242', '[fd00::7]:4242', 'box:4242', 'BOX:4242', 'gate.example:8443', '[fd00::9]:99'])(
    "accepts the machine's own names and the configured ones: %s",
    (host) => {
      const otherHosts = ['192.168.1.7', 'fd00::7', 'Box', 'gate.example:8443', '[fd00::9]:99']
      expect(outcome(judged({ host, cookie: COOKIE }, '/', { hostname: '0.0.0.0', otherHosts }))).toBe('pass')
      expect(
        outcome(
          judged({ host, cookie: COOKIE, origin: `http://${host}` }, '/api/trpc/x', {
            hostname: '0.0.0.0',
            otherHosts,
          }),
        ),
      ).toBe('pass')
      expect(outcome(judged({ host, cookie: COOKIE }, '/', { hostname: '0.0.0.0' }))).toBe(421)
    },
  )

  it.each([
    'evil.example:4242',
    'box.evil.example:4242',
    '192.168.1.8:4242',
    'box',
    'box:4243',
    'gate.example:4242',
    '0.0.0.0:4242',
    '[::]:4242',
  ])('refuses %s although it listens on every address', (host) => {
    expect(
      outcome(
        judged({ host, cookie: COOKIE }, '/', {
          hostname: '0.0.0.0',
          otherHosts: ['192.168.1.7', 'box', 'gate.example:8443'],
        }),
      ),
    ).toBe(421)
  })

  it('assumes port 80 where the browser leaves the port out', () => {
    const cookie = `${cookieName(80)}=${cookieValue(TOKEN, 80)}`
    expect(outcome(judged({ host: 'localhost', cookie }, '/', { port: 80 }))).toBe('pass')
  })

  it.each(['http://evil.example', 'http://127.0.0.1:4243', 'https://127.0.0.1:4242', 'null', ''])(
    'refuses the origin "%s"',
    (origin) => {
      expect(outcome(judged({ origin, cookie: COOKIE }))).toBe(403)
    },
  )

  it('accepts its own origin', () => {
    expect(outcome(judged({ origin: 'http://127.0.0.1:4242', cookie: COOKIE }))).toBe('pass')
  })

  it.each(['same-site', 'cross-site'])('gives no data to a page that is %s', (site) => {
    expect(outcome(judged({ 'sec-fetch-site': site, cookie: COOKIE }, '/api/trpc/usage.overview'))).toBe(403)
    expect(outcome(judged({ 'sec-fetch-site': 'same-origin', cookie: COOKIE }, '/api/trpc/usage.overview'))).toBe(
      'pass',
    )
  })

  it.each([
    ['no cookie', {}],
    ['a cookie that is the token itself', { cookie: `${cookieName(4242)}=${TOKEN}` }],
    ['the cookie of another port', { cookie: `${cookieName(4242)}=${cookieValue(TOKEN, 4243)}` }],
    ['the cookie of another token', { cookie: `${cookieName(4242)}=${cookieValue('another', 4242)}` }],
    ['a longer cookie', { cookie: `${COOKIE}x` }],
    ['an empty cookie', { cookie: `${cookieName(4242)}=` }],
  ])('refuses %s', (_what, headers) => {
    expect(outcome(judged(headers))).toBe(401)
  })

  it('finds its cookie among others', () => {
    expect(outcome(judged({ cookie: `a=b; ${COOKIE}; c=d=e` }))).toBe('pass')
  })

  it.each(['wrong', '', `${TOKEN}x`, TOKEN.slice(1)])('refuses the token "%s" and sets nothing', (token) => {
    expect(outcome(judged({}, `/?token=${token}`))).toBe(401)
    // Also for whoever has the cookie: the link was not ours.
    expect(outcome(judged({ cookie: COOKIE }, `/?token=${token}`))).toBe(401)
  })

  it('turns the token into a cookie that scripts and other sites do not get, and an address without it', () => {
    const verdict = judged({}, `/?period=7d&token=${TOKEN}&zone=UTC`)
    expect(verdict).toEqual({
      kind: 'enter',
      cookie: `${COOKIE}; Path=/; HttpOnly; SameSite=Strict`,
      location: '/?period=7d&zone=UTC',
      isCrossSite: false,
    })
    expect(JSON.stringify(verdict)).not.toContain(TOKEN)
  })

  it('says when another site led here, because its redirect would come without the cookie', () => {
    expect(judged({ 'sec-fetch-site': 'cross-site' }, `/?token=${TOKEN}`)).toMatchObject({
      kind: 'enter',
      isCrossSite: true,
    })
  })

  it.each(['//evil.example/', '/\\evil.example/', '///evil.example'])(
    'never redirects to another host (%s)',
    (path) => {
      const verdict = judge(settings, {
        url: `http://127.0.0.1:4242${path}?token=${TOKEN}`,
        headers: new Headers({ host: '127.0.0.1:4242' }),
      })
      expect(verdict).toMatchObject({ kind: 'enter', location: expect.stringMatching(/^\/(?![/\\])/) })
    },
  )

  it('serves nothing without a token, nor for a cookie made of an empty one', () => {
    const cookie = `${cookieName(4242)}=${cookieValue('', 4242)}`
    expect(outcome(judged({ cookie }, '/', { token: undefined }))).toBe(503)
    expect(outcome(judged({}, '/?token=', { token: undefined }))).toBe(503)
  })
})

describe('a request that changes something', () => {
  const ORIGIN = 'http://127.0.0.1:4242'
  const HEADERS = { cookie: COOKIE, origin: ORIGIN, 'content-type': 'application/json' }
  const written = (headers: Record<string, string>, isWritable = true, method = 'POST'): string | number =>
    outcome(
      judge(
        { ...settings, isWritable },
        {
          url: `${ORIGIN}/api/trpc/memory.forget`,
          method,
          headers: new Headers({ host: '127.0.0.1:4242', ...headers }),
        },
      ),
    )

  it('passes with the cookie, from our own page, as JSON', () => {
    expect(written(HEADERS)).toBe('pass')
    expect(written({ ...HEADERS, 'content-type': 'application/json; charset=utf-8' })).toBe('pass')
    expect(written({ ...HEADERS, 'sec-fetch-site': 'same-origin' })).toBe('pass')
  })

  it.each(['POST', 'PUT', 'DELETE'])('is refused where the dashboard can only be read: %s', (method) => {
    expect(written(HEADERS, false, method)).toBe(405)
  })

  it.each([
    ['no origin', { cookie: COOKIE, 'content-type': 'application/json' }, 403],
    ['another origin', { ...HEADERS, origin: 'http://evil.example' }, 403],
    ['an origin of another port', { ...HEADERS, origin: 'http://127.0.0.1:4243' }, 403],
    ['no cookie', { origin: ORIGIN, 'content-type': 'application/json' }, 401],
    ['another site', { ...HEADERS, 'sec-fetch-site': 'cross-site' }, 403],
    ['what a form sends', { ...HEADERS, 'content-type': 'text/plain' }, 415],
    ['what another form sends', { ...HEADERS, 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['no type', { cookie: COOKIE, origin: ORIGIN }, 415],
  ])('is refused with %s', (_what, headers, status) => {
    expect(written(headers)).toBe(status)
  })
})

describe('the settings', () => {
  it.each([
    ['on', true],
    ['off', false],
    ['1', false],
    [undefined, false],
  ])('let pages write where CAIRN_DASHBOARD_WRITES is %s: %s', (value, isWritable) => {
    expect(guardSettings({ CAIRN_DASHBOARD_WRITES: value }).isWritable).toBe(isWritable)
  })

  it('come from the environment', () => {
    expect(guardSettings({ CAIRN_DASHBOARD_TOKEN: 'a', PORT: '81', HOSTNAME: 'h' })).toEqual({
      token: 'a',
      port: 81,
      hostname: 'h',
      otherHosts: [],
      isWritable: false,
    })
  })

  it('treat an empty token as missing', () => {
    expect(guardSettings({ CAIRN_DASHBOARD_TOKEN: '' })).toEqual({
      token: undefined,
      port: 3000,
      hostname: '127.0.0.1',
      otherHosts: [],
      isWritable: false,
    })
  })

  it.each(['0.0.0.0', '::', ''])(
    'hold the names of the machine where it listens on every address (%s), and those that are allowed',
    (hostname) => {
      const names = () => ({ name: 'box', addresses: ['127.0.0.1', '192.168.1.7'] })
      expect(
        guardSettings({ HOSTNAME: hostname, CAIRN_DASHBOARD_HOSTS: 'gate.example, team:80,' }, names).otherHosts,
      ).toEqual(['box', '127.0.0.1', '192.168.1.7', 'gate.example', 'team:80'])
      expect(
        guardSettings({ HOSTNAME: '192.168.1.7', CAIRN_DASHBOARD_HOSTS: 'gate.example' }, names).otherHosts,
      ).toEqual(['gate.example'])
    },
  )
})

describe('unknown addresses', () => {
  it.each(['/api', '/api/', '/api/trpc', '/api/trpc/', '/api/trpc/a/b', '/api/other', '/_next/image'])(
    'are reported to programs as such: %s',
    async (path) => {
      const response = noSuchAddress(path)
      expect(response?.status).toBe(404)
      expect(await response?.json()).toEqual({
        error: { code: 'not-found', message: 'There is nothing at this address.' },
      })
    },
  )

  it.each(['/', '/sessions/api', '/api/trpc/usage.overview', '/api/export/sessions', '/_next/static/x.js', '/apiary'])(
    'are not %s',
    (path) => {
      expect(noSuchAddress(path)).toBeUndefined()
    },
  )
})

describe('answers', () => {
  it('to refused requests are a sentence of plain text that is not cached', async () => {
    const response = refusal({ kind: 'refuse', status: 401, sentence: 'No.' })
    expect(response.status).toBe(401)
    expect(await response.text()).toBe('No.\n')
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-frame-options')).toBe('DENY')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  })

  it('allow pages no inline code outside of development', () => {
    expect(pagePolicy('abc', false)).not.toMatch(/unsafe/)
    expect(pagePolicy('abc', false)).toContain("script-src 'nonce-abc' 'strict-dynamic';")
  })
})

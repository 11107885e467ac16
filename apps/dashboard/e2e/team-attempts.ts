/** Attempts to get beyond one's role in a team's dashboard by HTTP, and the status that each is answered with. */
import type { TestIssuer } from './team-issuer.ts'
import { PLANTED, SESSIONS } from './team-store.ts'

export const HOST = 'cairn.example.com'
const SELECTION = { period: 'all', timeZone: 'UTC', filter: {} }
export type Who = 'viewer' | 'lead' | 'admin' | 'stranger'

export const procedure = (name: string, input?: unknown): string =>
  `/api/trpc/${name}${input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`}`

const batch = (...calls: readonly (readonly [name: string, input?: unknown])[]): string =>
  `/api/trpc/${calls.map(([name]) => name).join(',')}?batch=1&input=${encodeURIComponent(
    JSON.stringify(Object.fromEntries(calls.map(([, input], index) => [index, input]))),
  )}`

export const overview = procedure('usage.overview', SELECTION)
export const list = { selection: SELECTION, sort: 'updated', order: 'descending', text: '', page: 1 }

export interface Attempt {
  readonly name: string
  readonly path?: string
  readonly who?: Who
  readonly headers?: Readonly<Record<string, string>>
  /** A token of its own, instead of that of `who`. */
  readonly token?: (issuer: TestIssuer) => Promise<string> | string
  readonly method?: string
  readonly body?: string
  readonly status: number | readonly number[]
}

const ADMIN = { sub: 'root', email: 'root@example.com', groups: ['admins'] }
export const TEXT = procedure('session.entries', { id: SESSIONS.bo, page: 0 })
const now = (): number => Math.floor(Date.now() / 1_000)
const as =
  (claims: object, rest: object = {}) =>
  (issuer: TestIssuer): Promise<string> =>
    issuer.token({ claims: { ...ADMIN, ...claims }, ...rest })

const IDENTITIES: readonly Attempt[] = [
  { name: 'no token', status: 401 },
  {
    name: 'names in plain headers',
    headers: {
      'x-forwarded-user': 'root',
      'x-forwarded-email': 'root@example.com',
      'x-forwarded-groups': 'admins',
      'x-auth-request-user': 'root',
      remote_user: 'root',
    },
    status: 401,
  },
  { name: 'an unsigned token', token: (issuer) => issuer.unsigned(ADMIN), status: 401 },
  { name: 'the public key as a shared secret', token: (issuer) => issuer.confused(ADMIN), status: 401 },
  { name: 'another key under a known name', token: as({}, { isForged: true }), status: 401 },
  { name: 'another audience', token: as({ aud: 'another' }), status: 401 },
  { name: 'no audience', token: as({}, { without: ['aud'] }), status: 401 },
  {
    name: 'several audiences, issued to another',
    token: as({ aud: ['cairn', 'another'], azp: 'another' }),
    status: 401,
  },
  { name: 'another issuer', token: as({ iss: 'https://id.example.com.evil.example' }), status: 401 },
  { name: 'an expired token', token: as({ exp: now() - 60 }), status: 401 },
  { name: 'one that never ends', token: as({}, { without: ['exp'] }), status: 401 },
  {
    name: 'one from long ago that is valid for a year',
    token: as({ iat: now() - 13 * 3_600, exp: now() + 31_536_000 }),
    status: 401,
  },
  { name: 'one that is not valid yet', token: as({ nbf: now() + 600 }), status: 401 },
  { name: 'one of nobody', token: as({}, { without: ['sub'] }), status: 401 },
  {
    name: 'one whose claims were changed',
    token: async (issuer) => {
      const [head = '', , sign = ''] = (await as({})(issuer)).split('.')
      return [head, Buffer.from(JSON.stringify({ ...ADMIN, exp: now() + 600 })).toString('base64url'), sign].join('.')
    },
    status: 401,
  },
  {
    name: 'one whose signature is left out',
    token: async (issuer) => `${(await as({})(issuer)).split('.').slice(0, 2).join('.')}.`,
    status: 401,
  },
  { name: 'somebody without a role', who: 'stranger', status: 403 },
  { name: 'a token in the header that is not read', headers: { 'x-forwarded-access-token': 'TOKEN' }, status: 401 },
  { name: 'a token in the address', path: `${TEXT}&token=TOKEN&access_token=TOKEN`, status: 401 },
  { name: 'a token as a cookie', headers: { cookie: `_oauth2_proxy=TOKEN; token=TOKEN` }, status: 401 },
  { name: 'two tokens in one header', headers: { authorization: 'Bearer TOKEN, Bearer TOKEN' }, status: 401 },
  { name: 'another scheme', headers: { authorization: 'Basic TOKEN' }, status: 401 },
  {
    name: "Next's own header for what passed already",
    headers: { 'x-middleware-subrequest': 'src/proxy:src/proxy:src/proxy:src/proxy:src/proxy' },
    status: 401,
  },
  {
    name: 'the same for a page',
    path: '/',
    headers: { 'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy' },
    status: 401,
  },
  {
    name: 'an invoked path of Next',
    headers: {
      'x-invoke-path': '/healthz',
      'x-matched-path': '/healthz',
      'x-rewrite-url': '/healthz',
      'x-original-url': '/healthz',
    },
    status: 401,
  },
]

const HOSTS: readonly Attempt[] = [
  { name: 'another host', who: 'admin', headers: { host: 'evil.example' }, status: 421 },
  { name: 'a host that begins like ours', who: 'admin', headers: { host: `${HOST}.evil.example` }, status: 421 },
  { name: 'our host with another port', who: 'admin', headers: { host: `${HOST}:8080` }, status: 421 },
  { name: 'the address that it listens on', who: 'admin', headers: { host: '127.0.0.1' }, status: 421 },
  {
    name: 'our host only as forwarded',
    who: 'admin',
    headers: { host: 'evil.example', 'x-forwarded-host': HOST },
    status: 421,
  },
  { name: 'another origin', who: 'admin', headers: { origin: 'https://evil.example' }, status: 403 },
  { name: 'a page of another site', who: 'admin', headers: { 'sec-fetch-site': 'cross-site' }, status: 403 },
]

/** What only admins are shown, of every kind that there is. */
const CALLS: readonly (readonly [name: string, input?: unknown])[] = [
  ['session.entries', { id: SESSIONS.ada, page: 0 }],
  ['session.entry', { id: SESSIONS.ada, seq: 0 }],
  ['session.image', { id: SESSIONS.ada, seq: 0, position: [0, null] }],
  ['session.find', { id: SESSIONS.ada, text: PLANTED }],
  ['session.matches', { id: SESSIONS.ada, seq: 0, text: PLANTED }],
  ['session.timeline', { id: SESSIONS.ada }],
  ['session.outline', { id: SESSIONS.ada }],
  ['session.files', { id: SESSIONS.ada, sort: 'path', order: 'ascending', state: 'all', page: 1, isAll: true }],
  ['search.messages', { text: PLANTED, limit: 10 }],
  ['search.sessions', { text: PLANTED, limit: 10 }],
  ['search.knowledge', { text: PLANTED, limit: 10 }],
  ['search.files', { text: PLANTED, limit: 10 }],
  ['memory.projects'],
  ['memory.notes', { text: '', page: 1 }],
  ['memory.note', { project: '/work/shop', key: 'note' }],
  ['memory.entries', { text: '', page: 1 }],
  ['memory.profile'],
  ['insights.leaks', SELECTION],
  ['insights.session', { id: SESSIONS.ada }],
  ['insights.commits', SELECTION],
  ['now.sessions', { timeZone: 'UTC' }],
  ['replay.run', { id: SESSIONS.ada, policy: 'none', preset: 'balanced', window: 'model' }],
  ['checkpoints.ofProject', { page: 1 }],
  ['checkpoints.changes', { id: '01KB0000ZZZZ' }],
  ['checkpoints.patch', { id: '01KB0000ZZZZ', path: 'src/a.ts' }],
  [
    'files.page',
    {
      selection: { period: 'all', timeZone: 'UTC', filter: {} },
      sort: 'edits',
      order: 'descending',
      text: '',
      page: 1,
    },
  ],
  ['files.history', { path: 'src/a.ts', folder: null, isEditsOnly: true, page: 1 }],
  ['health.report', { hours: 1 }],
  ['settings.report'],
]

const CALLED: readonly Attempt[] = [
  ...CALLS.map(([name, input]): Attempt => ({
    name: `a lead calls ${name}`,
    who: 'lead',
    path: procedure(name, input),
    status: 403,
  })),
  ...CALLS.map(([name, input]): Attempt => ({
    name: `a viewer calls ${name}`,
    who: 'viewer',
    path: procedure(name, input),
    status: 403,
  })),
  {
    name: 'a viewer asks for what leads see',
    who: 'viewer',
    path: procedure('insights.spending', SELECTION),
    status: 403,
  },
  {
    name: "a viewer opens another's session",
    who: 'viewer',
    path: procedure('session.head', { id: SESSIONS.bo }),
    status: 404,
  },
  {
    name: "a viewer exports another's requests",
    who: 'viewer',
    path: `/api/export/requests?session=${encodeURIComponent(SESSIONS.bo)}`,
    status: [400, 403, 404],
  },
  {
    name: 'a lead finds sessions by their titles',
    who: 'lead',
    path: procedure('sessions.page', { ...list, text: PLANTED }),
    status: 403,
  },
  {
    name: 'a viewer finds sessions by their titles',
    who: 'viewer',
    path: procedure('sessions.page', { ...list, text: PLANTED }),
    status: 403,
  },
  {
    name: 'a lead exports files',
    who: 'lead',
    path: `/api/export/files?session=${encodeURIComponent(SESSIONS.ada)}`,
    status: 403,
  },
  {
    name: 'a lead exports by titles',
    who: 'lead',
    path: `/api/export/sessions?text=${PLANTED}&q=${PLANTED}`,
    status: 403,
  },
  {
    name: 'allowed and refused calls in a batch',
    who: 'lead',
    path: batch(['usage.overview', SELECTION], ['session.entries', { id: SESSIONS.bo, page: 0 }]),
    status: 207,
  },
  {
    name: 'a batch with an encoded comma',
    who: 'lead',
    path: batch(['usage.choices'], ['session.entries', { id: SESSIONS.bo, page: 0 }]).replace(',', '%2C'),
    status: [207, 403, 404],
  },
  {
    name: 'the same procedure twice, once in other letters',
    who: 'lead',
    path: batch(['live.revision'], ['Session.entries', { id: SESSIONS.bo, page: 0 }]),
    status: [207, 403, 404],
  },
]

const PATHS: readonly Attempt[] = [
  ...['/memory', '/health', '/settings', '/checkpoints', '/files', '/now'].map((path): Attempt => ({
    name: `a lead opens ${path}`,
    who: 'lead',
    path,
    status: 403,
  })),
  { name: 'a viewer opens /insights', who: 'viewer', path: '/insights', status: 403 },
  {
    name: "a lead's page of a session",
    who: 'lead',
    path: `/sessions/${encodeURIComponent(SESSIONS.bo)}`,
    status: 200,
  },
  {
    name: "a viewer's page of another's session",
    who: 'viewer',
    path: `/sessions/${encodeURIComponent(SESSIONS.bo)}`,
    status: 404,
  },
  {
    name: 'the same as components',
    who: 'viewer',
    path: `/sessions/${encodeURIComponent(SESSIONS.bo)}?_rsc=1`,
    headers: { rsc: '1', 'next-router-prefetch': '1' },
    status: 307,
  },
  {
    name: 'components without a token',
    path: `/sessions/${encodeURIComponent(SESSIONS.bo)}?_rsc=1`,
    headers: { rsc: '1' },
    status: 401,
  },
  { name: 'components of a page of admins', who: 'lead', path: '/memory?_rsc=1', headers: { rsc: '1' }, status: 403 },
  { name: 'two slashes', who: 'lead', path: '//memory', status: [308, 403, 404] },
  { name: 'an encoded letter', who: 'lead', path: '/%6demory', status: [403, 404] },
  { name: 'an encoded slash', who: 'lead', path: '/%2fmemory', status: [403, 404] },
  { name: 'a slash at the end', who: 'lead', path: '/memory/', status: [308, 403, 404] },
  { name: 'a way round by dots', who: 'lead', path: '/sessions/../memory', status: [308, 403, 404] },
  { name: 'the same, encoded', who: 'lead', path: '/sessions/%2e%2e/memory', status: [308, 403, 404] },
  { name: 'a backslash', who: 'lead', path: '/\\memory', status: [308, 403, 404] },
  { name: 'capital letters', who: 'lead', path: '/MEMORY', status: [403, 404] },
  { name: 'the health check as a way in', path: `/healthz/..${TEXT}`, status: 401 },
  { name: 'the same with an encoded slash', path: '/healthz%2f..%2fapi%2ftrpc%2fmemory.notes', status: [401, 404] },
  { name: 'two slashes before the API', path: `/${TEXT}`, status: [308, 401, 403, 404] },
  { name: 'two slashes before the API, as a lead', who: 'lead', path: `/${TEXT}`, status: [308, 403, 404] },
  { name: 'an absolute address', path: `http://${HOST}${TEXT}`, status: 400 },
  {
    name: 'an absolute address of the health check',
    path: `http://${HOST}/healthz?x=${TEXT}`,
    status: 400,
  },
  { name: "a file of Next's build", path: '/_next/static/../server/app/page.js', status: [401, 404] },
  { name: 'the image service', who: 'lead', path: '/_next/image?url=%2Fmemory&w=64&q=75', status: [403, 404] },
  { name: 'a page as data', who: 'lead', path: '/_next/data/x/memory.json', status: [403, 404] },
]

const WRITES: readonly Attempt[] = [
  ...['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method): Attempt => ({
    name: `an admin sends ${method}`,
    who: 'admin',
    path: '/api/trpc/memory.setNote',
    method,
    status: 405,
  })),
  {
    name: 'an admin writes as a page would',
    who: 'admin',
    path: '/api/trpc/memory.setNote',
    method: 'POST',
    headers: { origin: `https://${HOST}`, 'content-type': 'application/json' },
    body: JSON.stringify({ project: '/work/shop', key: 'note', text: 'x' }),
    status: 405,
  },
  {
    name: 'an admin writes by GET',
    who: 'admin',
    path: procedure('memory.setNote', { project: '/work/shop', key: 'note', text: 'x' }),
    status: 405,
  },
  {
    name: 'a method in a header',
    who: 'admin',
    path: procedure('memory.deleteNote', { project: '/work/shop', key: 'note' }),
    headers: { 'x-http-method-override': 'POST' },
    status: 405,
  },
  { name: 'a server action', who: 'admin', path: '/', method: 'POST', headers: { 'next-action': 'x' }, status: 405 },
  {
    name: 'a body with GET',
    who: 'admin',
    path: overview,
    headers: { 'content-length': '2' },
    body: '{}',
    status: 413,
  },
]

/** More than fifty attempts to read or write beyond one's role. */
export const ATTEMPTS: readonly Attempt[] = [...IDENTITIES, ...HOSTS, ...CALLED, ...PATHS, ...WRITES]

/**
 * Decides whether a request may reach the dashboard, from its headers and address alone. It stands before every
 * page and file (proxy.ts) and once more before the data (the tRPC route).
 *
 * What it keeps out: pages of other sites that reach for the loopback address (`Origin`, `Sec-Fetch-Site`), names
 * that were made to resolve to it (`Host`), and other users of the machine (the token).
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { isIPv6 } from 'node:net'

/** What the guard goes by; see `guardSettings`. */
export interface GuardSettings {
  /** The secret in the printed address; undefined: none was given, so nothing is served. */
  readonly token: string | undefined
  /** The name or address that the server was told to listen on. */
  readonly hostname: string
  /** Other names and addresses that mean this server, IPv6 without brackets; with a port if it is not the server's. */
  readonly otherHosts: readonly string[]
  readonly port: number
  /** Whether pages may change what is remembered; else the dashboard can only be read. */
  readonly isWritable: boolean
}

/** The part of a request that the guard looks at. */
export interface GuardedRequest {
  /** Absolute, as the server sees it; only its path and query count. */
  readonly url: string
  readonly headers: Pick<Headers, 'get'>
  /** Default `GET`. */
  readonly method?: string
}

type RefusalStatus = 401 | 403 | 405 | 415 | 421 | 503

/** What happens to a request. */
export type Verdict =
  | { readonly kind: 'pass' }
  /**
   * The token was right: set the cookie (`cookie` is the value of `Set-Cookie`) and go on at `location`, a path and
   * query without the token. `isCrossSite`: a link on another site led here; a redirect would come without the cookie.
   */
  | { readonly kind: 'enter'; readonly cookie: string; readonly location: string; readonly isCrossSite: boolean }
  /** One sentence for the reader, and nothing else. */
  | { readonly kind: 'refuse'; readonly status: RefusalStatus; readonly sentence: string }

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '::1']
const HAS_PORT = /^(?:[^:]+|\[.*\]):\d+$/
/** Addresses that mean "all of this machine's". As a `Host` they are what a page of another site would name. */
const WILDCARDS = new Set(['0.0.0.0', '::', '[::]', ''])

/** Whether the server listens on every address of the machine, by the address that it was told. */
export const isWildcard = (hostname: string): boolean => WILDCARDS.has(hostname)

/** Returns a refusal. */
const refuse = (status: RefusalStatus, sentence: string): Verdict => ({ kind: 'refuse', status, sentence })

/** Whether two texts are equal, in a time that reveals neither where they differ nor how long they are. */
const isSame = (left: string, right: string): boolean => {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(left), digest(right))
}

/** Returns the cookie's name, which contains the port: browsers keep one set of cookies for all ports of a host. */
export const cookieName = (port: number): string => `cairn-dashboard-${port}`

/**
 * What the cookie holds: a digest of token and port, not the token itself. What a server on another port may be sent by
 * the browser does not open this one's printed address. In base64url; the same arguments give the same.
 */
export const cookieValue = (token: string, port: number): string =>
  createHmac('sha256', token).update(`cairn dashboard on port ${port}`).digest('base64url')

/** Returns a cookie's value as it stands in the header, the first of that name; undefined if there is none. */
const readCookie = (header: string | null, name: string): string | undefined => {
  for (const part of (header ?? '').split(';')) {
    const [key, ...value] = part.split('=')
    if (key?.trim() === name) return value.join('=').trim()
  }
  return undefined
}

/** Returns a host as it stands in an address: IPv6 in brackets, in lower case. */
const bracketed = (name: string): string => (isIPv6(name) ? `[${name}]` : name).toLowerCase()

/** Returns the values of `Host` that mean this server, in lower case, with their port; port 80 may be left out. */
const expectedHosts = ({ hostname, otherHosts, port }: GuardSettings): ReadonlySet<string> => {
  const names = [...LOOPBACK_NAMES, ...(isWildcard(hostname) ? [] : [hostname]), ...otherHosts].map(bracketed)
  // A browser leaves the port out where it is the scheme's own.
  return new Set(
    names.flatMap((name) => (HAS_PORT.test(name) ? [name] : port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])),
  )
}

/** Whether an origin is this server's; `host` is the request's own, in lower case, known to mean this server. */
const isOwnOrigin = (origin: string, host: string): boolean => origin.toLowerCase() === `http://${host}`

/**
 * Judges the method, after all that {@link judge} asks of every request. GET and HEAD pass. Others are refused with 405
 * if nothing may be changed, 403 without an `Origin`, 415 if they send no JSON. A page of another site can't have the
 * browser send our cookie (`SameSite=Strict`), name our origin, or send JSON without asking first.
 */
const judgeMethod = ({ isWritable }: GuardSettings, { method = 'GET', headers }: GuardedRequest): Verdict => {
  if (method === 'GET' || method === 'HEAD') return { kind: 'pass' }
  if (!isWritable) return refuse(405, 'This dashboard can only be read.')
  // Where there is one, it has been compared with our own.
  if (headers.get('origin') === null) return refuse(403, 'Only the dashboard’s own pages change something.')
  const type = (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json') return refuse(415, 'What is to be changed is sent as application/json.')
  return { kind: 'pass' }
}

/** What a request that offers a token is judged by. */
interface OfferedToken {
  /** The dashboard's own. */
  readonly token: string
  readonly port: number
  readonly pathname: string
  /** Loses its `token`. */
  readonly searchParams: URLSearchParams
  /** A page of another site began the request. */
  readonly isForeignSite: boolean
}

/**
 * Compares the token in a request's address with the dashboard's. If they are the same, returns `enter`: the cookie,
 * and the same path and query without `token`, which is deleted from `searchParams` itself; a foreign site only sets
 * `isCrossSite`. Otherwise refuses with 401, whatever cookie there is.
 */
const judgeToken = (offered: string, { token, port, pathname, searchParams, isForeignSite }: OfferedToken): Verdict => {
  if (!isSame(offered, token))
    return refuse(401, 'This token is not the dashboard’s; open the address that "cairn dashboard" printed last.')
  searchParams.delete('token')
  const query = searchParams.toString()
  return {
    kind: 'enter',
    cookie: `${cookieName(port)}=${cookieValue(token, port)}; Path=/; HttpOnly; SameSite=Strict`,
    // A path that begins with two slashes would name another host.
    location: `/${pathname.replace(/^[/\\]+/, '')}${query === '' ? '' : `?${query}`}`,
    isCrossSite: isForeignSite,
  }
}

/**
 * Returns whether a request passes, enters or is refused, before anything of the store is read. In this order: 503 if
 * no token was set; 421 for another host; 403 for another origin, or another site's call below `/api/`; with a token in
 * the address, of any method, as `judgeToken`; 401 without the right cookie; then as `judgeMethod`.
 */
export const judge = (settings: GuardSettings, request: GuardedRequest): Verdict => {
  const { url, headers } = request
  const { token } = settings
  if (token === undefined)
    return refuse(503, 'The dashboard was started without a token and serves nothing; start it with "cairn dashboard".')

  const host = (headers.get('host') ?? '').toLowerCase()
  if (!expectedHosts(settings).has(host))
    return refuse(421, 'This address is not the dashboard’s; open the one that "cairn dashboard" printed.')

  const origin = headers.get('origin')
  if (origin !== null && !isOwnOrigin(origin, host)) return refuse(403, 'The dashboard answers only its own pages.')

  const { pathname, searchParams } = new URL(url, 'http://dashboard.invalid')
  const site = headers.get('sec-fetch-site')
  const isForeignSite = site !== null && site !== 'same-origin' && site !== 'none'
  if (pathname.startsWith('/api/') && isForeignSite) return refuse(403, 'The dashboard answers only its own pages.')

  const offered = searchParams.get('token')
  if (offered !== null)
    return judgeToken(offered, { token, port: settings.port, pathname, searchParams, isForeignSite })

  const { port } = settings
  const cookie = readCookie(headers.get('cookie'), cookieName(port))
  if (cookie === undefined || !isSame(cookie, cookieValue(token, port))) {
    return refuse(401, 'The dashboard needs the token of its address; open the one that "cairn dashboard" printed.')
  }
  return judgeMethod(settings, request)
}

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
  /** Other names and addresses that mean this server, IPv6 without brackets; with a port where it is not the server's. */
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
  /** The token was right: set the cookie, and go on at an address that does not hold the token. */
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

/** Returns the values of `Host` that mean this server, in lower case, with and without port 80. */
const expectedHosts = ({ hostname, otherHosts, port }: GuardSettings): ReadonlySet<string> => {
  const names = [...LOOPBACK_NAMES, ...(isWildcard(hostname) ? [] : [hostname]), ...otherHosts].map(bracketed)
  // A browser leaves the port out where it is the scheme's own.
  return new Set(
    names.flatMap((name) => (HAS_PORT.test(name) ? [name] : port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])),
  )
}

/** Whether an origin is this server's. */
const isOwnOrigin = (origin: string, host: string): boolean => origin.toLowerCase() === `http://${host}`

/**
 * Whether a request that reads, or one that changes something, may pass, after all that {@link judge} asks of every request. A page of another site
 * can't have the browser send our cookie (`SameSite=Strict`), name our origin, or send JSON without asking first: each
 * of the three keeps it out alone.
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

interface OfferedToken {
  readonly token: string
  readonly port: number
  readonly pathname: string
  readonly searchParams: URLSearchParams
  readonly isForeignSite: boolean
}

/**
 * Returns the verdict for a request with a token: the cookie is set and the token removed from the address, or the
 * request is refused.
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
 * Returns whether a request passes, is redirected with the cookie set, or is refused. Every refusal comes before
 * anything of the store is read. Refuses with 503 without a token, 421 for another host, 403 for another origin, 401
 * without the cookie; then as `judgeToken` and `judgeMethod` do.
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

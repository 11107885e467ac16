/** Decides which HTTP requests are answered: those with an allowed host and origin, and the token. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { hostname, networkInterfaces } from 'node:os'
import { isLoopback } from '../dashboard/addresses.ts'

/** Why a request is refused, with its HTTP status. */
export interface Refusal {
  readonly status: 401 | 403
  readonly message: string
}

const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::'])
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/** A host as it is written in URLs, IPv6 addresses in brackets. */
const bracketed = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)

/**
 * Returns the hosts (`name:port`, lower case) that requests may name: those of the address that the server listens on,
 * all of this machine's if it listens on every address, and `more`. A name in `more` without a port is allowed with any
 * port.
 */
export const allowedNames = (host: string, port: number, more: readonly string[]): ReadonlySet<string> => {
  const addresses = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))
  const own = WILDCARDS.has(host) ? [...addresses, hostname()] : [host]
  const local = isLoopback(host) || WILDCARDS.has(host) ? ['127.0.0.1', 'localhost', '::1'] : []
  return new Set(
    [...[...own, ...local].map((name) => `${bracketed(name)}:${port}`), ...more].map((name) => name.toLowerCase()),
  )
}

/** Whether a host, with or without a port, is allowed. */
const isAllowed = (name: string, names: ReadonlySet<string>): boolean =>
  names.has(name) || names.has(name.replace(/:\d+$/, ''))

/**
 * Returns the host and port of an `Origin` header, the port also where it is the scheme's own; undefined if it is not
 * an HTTP URL.
 */
const hostOfOrigin = (origin: string): string | undefined => {
  try {
    const { protocol, hostname: name, port } = new URL(origin)
    return protocol in DEFAULT_PORTS ? `${name}:${port === '' ? (DEFAULT_PORTS[protocol] ?? '') : port}` : undefined
  } catch {
    return undefined
  }
}

/** A hash of fixed length, for comparing tokens in constant time. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Returns why a request is refused, checking the host first, then the origin, then the token; undefined if it is
 * allowed. `names`: as {@link allowedNames} returns them.
 */
export const refusalOf = (
  { host, origin, authorization }: IncomingHttpHeaders,
  names: ReadonlySet<string>,
  token: string,
): Refusal | undefined => {
  // A foreign page can make its own name resolve to this machine, but the browser sends that name as the host.
  if (host === undefined || !isAllowed(host.toLowerCase(), names))
    return { status: 403, message: 'This server is not called by that name (Host).' }
  if (origin !== undefined) {
    const from = hostOfOrigin(origin)
    if (from === undefined || !isAllowed(from.toLowerCase(), names))
      return { status: 403, message: 'Pages of other places may not call this server (Origin).' }
  }
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  if (given === undefined)
    return { status: 401, message: 'This server wants its token: Authorization: Bearer <token>.' }
  return timingSafeEqual(digest(given), digest(token))
    ? undefined
    : { status: 401, message: 'That is not the token of this server.' }
}

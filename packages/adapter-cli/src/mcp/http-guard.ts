/** Who may talk to the server over HTTP: the right name, no foreign page, the token. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { hostname, networkInterfaces } from 'node:os'
import { isLoopback } from '../dashboard/addresses.ts'

export interface Refusal {
  readonly status: 401 | 403
  readonly message: string
}

const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::'])
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

const bracketed = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)

/** The names, with the port, that the server is called by. A name that is allowed without a port is allowed with any. */
export const allowedNames = (host: string, port: number, more: readonly string[]): ReadonlySet<string> => {
  const addresses = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))
  const own = WILDCARDS.has(host) ? [...addresses, hostname()] : [host]
  const local = isLoopback(host) || WILDCARDS.has(host) ? ['127.0.0.1', 'localhost', '::1'] : []
  return new Set(
    [...[...own, ...local].map((name) => `${bracketed(name)}:${port}`), ...more].map((name) => name.toLowerCase()),
  )
}

const isAllowed = (name: string, names: ReadonlySet<string>): boolean =>
  names.has(name) || names.has(name.replace(/:\d+$/, ''))

const hostOfOrigin = (origin: string): string | undefined => {
  try {
    const { protocol, hostname: name, port } = new URL(origin)
    return protocol in DEFAULT_PORTS ? `${name}:${port === '' ? (DEFAULT_PORTS[protocol] ?? '') : port}` : undefined
  } catch {
    return undefined
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Why a request is refused; undefined when it is not. */
export const refusalOf = (
  { host, origin, authorization }: IncomingHttpHeaders,
  names: ReadonlySet<string>,
  token: string,
): Refusal | undefined => {
  // A page of a stranger can have its own name lead here; it can't choose what the browser calls it.
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

/**
 * Who may use the gateway. A request names this server as its host, so that no foreign page reaches it by a name of its
 * own; it comes from no other page; and where a token is asked for, it has that: in a header, or before the path, as a
 * base address is all that some agents let their users set.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { headerOf } from './headers.ts'

export interface AccessRefusal {
  readonly status: 401 | 403
  /** One sentence for the user. */
  readonly message: string
}

/** A request's path without the token, and why it is refused, if it is. */
export type Access = (
  url: string,
  headers: IncomingHttpHeaders,
) => { readonly url: string; readonly refusal?: AccessRefusal }

export interface AccessInput {
  /** Values of `Host` that are this server, lower case; a name without a port is allowed with any. */
  readonly hostNames: ReadonlySet<string>
  /** Undefined: none is asked for. */
  readonly token: string | undefined
  /** What sentences call the server; default the gateway. */
  readonly server?: string
}

/** The header for the token. */
export const TOKEN_HEADER = 'x-cairn-token'
const TOKEN_PATH = /^\/token\/([^/?]+)(\/.*|$)/

/**
 * Makes what judges requests: it gives the path, without a token where one is asked for, and a refusal (status,
 * sentence) where the host, the page it comes from or the token is not right. Of a token in the path and one in the
 * header that in the path counts. It answers nothing itself.
 */
export const createAccess =
  ({ hostNames, token, server = "Cairn's gateway" }: AccessInput): Access =>
  (url, headers) => {
    const inPath = token === undefined ? null : TOKEN_PATH.exec(url)
    const path = inPath === null ? url : (inPath[2] ?? '') || '/'
    const refusal =
      hostRefusal(headers, hostNames, server) ??
      tokenRefusal(token, inPath?.[1] ?? headerOf(headers, TOKEN_HEADER), server)
    return refusal === undefined ? { url: path } : { url: path, refusal }
  }

/**
 * Why a request is refused for the name it calls the server by, or for the page it comes from; undefined if it is not.
 * `names`: the hosts (see `hostNames`) that both may have; without `Host` it is refused, without `Origin` it is no page's.
 * `server`: what the sentence calls it.
 */
const hostRefusal = (
  { host, origin }: IncomingHttpHeaders,
  names: ReadonlySet<string>,
  server: string,
): AccessRefusal | undefined => {
  if (host === undefined || !isAmong(host.toLowerCase(), names))
    return { status: 403, message: `${server} is not called by that name (Host); --allowed-host adds one.` }
  if (origin === undefined) return undefined
  const from = URL.canParse(origin) ? new URL(origin).host.toLowerCase() : undefined
  return from !== undefined && isAmong(from, names)
    ? undefined
    : { status: 403, message: `Pages of other places may not call ${server} (Origin).` }
}

const isAmong = (name: string, names: ReadonlySet<string>): boolean =>
  names.has(name) || names.has(name.replace(/:\d+$/, ''))

/** Why a request is refused for its token; undefined if it is right, or if none is wanted. */
const tokenRefusal = (
  token: string | undefined,
  given: string | undefined,
  server: string,
): AccessRefusal | undefined => {
  if (token === undefined) return undefined
  if (given === undefined)
    return {
      status: 401,
      message: `${server} wants its token: as the header ${TOKEN_HEADER}, or in the base address: http://…/token/<token>.`,
    }
  return timingSafeEqual(digest(given), digest(token))
    ? undefined
    : { status: 401, message: `That is not the token of ${server}.` }
}

/** Of fixed length, so that tokens are compared in constant time. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

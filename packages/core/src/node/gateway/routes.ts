/** Which API a request is for, by its path and headers, and where it goes. */
import type { IncomingHttpHeaders } from 'node:http'

/** The APIs whose requests are recorded. */
export type Wire = 'anthropic' | 'responses' | 'chat'
export const WIRES: readonly Wire[] = ['anthropic', 'responses', 'chat']

/** The base address of each API. */
export type Upstreams = Readonly<Record<Wire, URL>>

export interface Route {
  /** Whose address it goes to. */
  readonly wire: Wire
  /** Whether it asks for a reply, and so is recorded; anything else is only passed on. */
  readonly asksForReply: boolean
}

export const DEFAULT_UPSTREAMS: Upstreams = {
  anthropic: new URL('https://api.anthropic.com'),
  responses: new URL('https://api.openai.com/v1'),
  chat: new URL('https://api.openai.com/v1'),
}

const REPLIES: readonly (readonly [RegExp, Wire])[] = [
  [/\/messages$/, 'anthropic'],
  [/\/responses$/, 'responses'],
  [/\/chat\/completions$/, 'chat'],
]
/** The rest of OpenAI's paths; with a header of Anthropic's those that both have are Anthropic's. */
const OF_OPENAI = /^(?:\/v1)?\/(?:models|completions|embeddings|files|images|audio|moderations|batches|conversations)\b/

/** The path of a request's target, without its query. */
const pathOf = (url: string): string => url.split('?', 1)[0] ?? ''

/**
 * Which API a request is for, and whether it asks for a reply (only `POST` to `…/messages`, `…/responses` or
 * `…/chat/completions`). Of other paths those below `/responses/` are `responses`, OpenAI's others `chat` unless a
 * header is Anthropic's, all the rest Anthropic's, whose clients have more paths.
 */
export const routeOf = (method: string, url: string, headers: IncomingHttpHeaders): Route => {
  const path = pathOf(url)
  const reply = REPLIES.find(([pattern]) => pattern.test(path))?.[1]
  if (reply !== undefined) return { wire: reply, asksForReply: method === 'POST' }
  if (/\/responses\//.test(path)) return { wire: 'responses', asksForReply: false }
  const isOfAnthropic = headers['anthropic-version'] !== undefined || headers['x-api-key'] !== undefined
  return { wire: !isOfAnthropic && OF_OPENAI.test(path) ? 'chat' : 'anthropic', asksForReply: false }
}

const VERSION = /^\/v1(?=[/?]|$)/

/**
 * The path and query that a request has at its upstream, behind the base address's own path. A `/v1` that the request
 * begins with is dropped, of Anthropic's only where the base ends with `/v1`; a base of OpenAI's without a path gets
 * `/v1`.
 */
export const upstreamPath = (base: URL, wire: Wire, url: string): string => {
  const own = base.pathname.replace(/\/+$/, '')
  if (wire === 'anthropic') return own + (own.endsWith('/v1') ? url.replace(VERSION, '') : url)
  return (own === '' ? '/v1' : own) + url.replace(VERSION, '')
}

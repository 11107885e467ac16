/**
 * One request on its way to its upstream and back. Bytes go through as they come; an observer is handed the same ones
 * after they were written on. A client that goes away ends the request upstream; an upstream that breaks off breaks the
 * client's connection, so that a cut reply is never taken for a whole one.
 */
import { request as httpRequest, type Agent, type IncomingMessage, type ServerResponse } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { ReadBody } from './body-copy.ts'
import { sendError, upstreamError } from './error-bodies.ts'
import { OWN_HEADERS, passedHeaders } from './headers.ts'
import { upstreamPath, type Wire } from './routes.ts'

/** How a request ended: its whole answer was passed on; the client went away; the upstream could not be reached, or broke off. */
export type ExchangeEnd = 'whole' | 'client-cut' | 'upstream-cut' | 'unreachable'

/** Sees an exchange's bytes; what it does with them is its own matter. Never throws. */
export interface ExchangeObserver {
  requestBytes(chunk: Uint8Array): void
  responseHead(head: Pick<IncomingMessage, 'statusCode' | 'headers'>): void
  responseBytes(chunk: Uint8Array): void
  /** Called once, last. */
  ended(end: ExchangeEnd): void
}

export interface Passage {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Path and query, without what was for the gateway itself. */
  readonly url: string
  readonly wire: Wire
  readonly base: URL
  readonly agents: { readonly http: Agent; readonly https: Agent }
  readonly observer: ExchangeObserver
  /** Sent instead of the client's own body, which was read whole. */
  readonly body?: Uint8Array | undefined
  /** What of the client's body was read already. */
  readonly begun?: ReadBody | undefined
}

/**
 * Passes a request on, and the answer back, byte for byte (`body` instead of the client's own where it is given). The
 * observer is told of both, and last how it ended; an upstream that can't be reached is answered with an error of
 * Cairn's. Resolves with how it ended; never rejects.
 */
export const passThrough = (passage: Passage): Promise<ExchangeEnd> =>
  new Promise((resolve) => {
    const { request, response, observer } = passage
    let answer: IncomingMessage | undefined
    let end: ExchangeEnd | undefined
    const finish = (how: ExchangeEnd): void => {
      if (end !== undefined) return
      end = how
      observer.ended(how)
      resolve(how)
    }
    const outgoing = openUpstream(passage)

    outgoing.on('response', (message: IncomingMessage) => {
      answer = message
      observer.responseHead(message)
      passAnswer(message, response, observer)
      message.on('close', () => {
        if (message.complete) return
        finish('upstream-cut')
        response.destroy()
      })
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (end !== undefined) return
      if (answer !== undefined) {
        finish('upstream-cut')
        response.destroy()
        return
      }
      finish('unreachable')
      sendError(response, passage.wire, upstreamError(unreachable(passage.base, error)))
    })
    response.on('close', () => {
      finish(response.writableFinished ? 'whole' : 'client-cut')
      // Also the end of an upload that nobody waits for any more.
      if (answer?.complete !== true) outgoing.destroy()
    })
    sendBody(passage, outgoing)
    // Gone while its body was looked at.
    if (response.destroyed) {
      finish('client-cut')
      outgoing.destroy()
      return
    }
    // A client that is gone before its request was whole; the rest of its body will not come.
    request.on('close', () => {
      if (!request.complete) outgoing.destroy()
    })
  })

/**
 * Begins the request to the provider, with the client's headers except Cairn's own; with a replaced body, except those
 * that describe the body.
 */
const openUpstream = ({ request, url, wire, base, agents, body }: Passage): ReturnType<typeof httpRequest> => {
  const isOurs = (name: string): boolean =>
    name === 'host' || name.startsWith(OWN_HEADERS) || (body !== undefined && REPLACED.has(name))
  const headers = ['Host', base.host, ...passedHeaders(request.rawHeaders, isOurs), ...framingOf(request, body)]
  const isSecure = base.protocol === 'https:'
  const open = isSecure ? httpsRequest : httpRequest
  const outgoing = open({
    hostname: base.hostname.replace(/^\[|\]$/g, ''),
    port: base.port === '' ? (isSecure ? 443 : 80) : Number(base.port),
    method: request.method ?? 'GET',
    path: upstreamPath(base, wire, url),
    headers,
    agent: isSecure ? agents.https : agents.http,
    setDefaultHeaders: false,
  })
  outgoing.setNoDelay(true)
  return outgoing
}

/**
 * The header that says how long the body is, or that it comes in chunks; none where a header that passed says it, or
 * there is no body.
 */
const framingOf = ({ headers }: IncomingMessage, body: Uint8Array | undefined): readonly string[] => {
  if (body !== undefined) return ['Content-Length', String(body.length)]
  return headers['transfer-encoding'] === undefined ? [] : ['Transfer-Encoding', 'chunked']
}

/** Headers of a body that was replaced. */
const REPLACED: ReadonlySet<string> = new Set(['content-length', 'content-encoding'])

/**
 * Sends the body: the replaced one, or what was read of the client's and then the rest as it comes. What the client
 * sent goes to the observer in either case.
 */
const sendBody = ({ request, observer, body, begun }: Passage, outgoing: ReturnType<typeof httpRequest>): void => {
  for (const chunk of begun?.chunks ?? []) {
    if (body === undefined) outgoing.write(chunk)
    observer.requestBytes(chunk)
  }
  if (body !== undefined || begun?.isWhole === true) {
    outgoing.end(body)
    return
  }
  request.pipe(outgoing)
  request.on('data', (chunk: Uint8Array) => observer.requestBytes(chunk))
}

/**
 * Passes an answer's head and body on to the client as they come, at the client's pace, and hands the bytes to the
 * observer.
 */
const passAnswer = (answer: IncomingMessage, response: ServerResponse, observer: ExchangeObserver): void => {
  response.sendDate = false
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', passedHeaders(answer.rawHeaders))
  answer.pipe(response)
  // The head alone tells the client that its stream has begun; what comes with it goes in the same packet.
  setImmediate(() => {
    if (!response.destroyed && !response.writableEnded) response.flushHeaders()
  })
  answer.on('data', (chunk: Uint8Array) => observer.responseBytes(chunk))
  // Told by "close" of the answer or of the request.
  answer.on('error', () => undefined)
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNRESET: 'it closed the connection',
  ETIMEDOUT: 'it did not answer',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no network',
}

const unreachable = ({ origin }: URL, { code = '', message }: NodeJS.ErrnoException): string =>
  `Cairn's gateway can't reach ${origin}: ${REASONS[code] ?? message}. Check the network, or --upstream.`

/**
 * The gateway: a server that agents are pointed at instead of their provider. It passes every request on as it is and
 * records a copy. What it answers by itself is in the provider's own form of an error.
 */
import { Agent as HttpAgent, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Access } from './access.ts'
import { BodyCopy, newAllowance, readWhole, type CopyAllowance } from './body-copy.ts'
import { accessError, sendError, type OwnError } from './error-bodies.ts'
import { observeExchange, UNOBSERVED } from './observe.ts'
import { passThrough, type ExchangeObserver, type Passage } from './passthrough.ts'
import { headerOf } from './headers.ts'
import { listen } from '../listen.ts'
import type { RequestPolicy } from './policy/request-policy.ts'
import type { FinishedExchange, PassedBy } from './recorder.ts'
import { routeOf, type Upstreams, type Wire } from './routes.ts'

export interface GatewayInput {
  readonly host: string
  /** 0: a free one. */
  readonly port: number
  readonly upstreams: Upstreams
  /** Made when the port is known. */
  readonly access: (port: number) => Access
  /** Asked before a request for a reply goes out; an error is sent instead. */
  readonly admit?: (wire: Wire) => Promise<OwnError | undefined>
  /** Asked what becomes of a request for a reply before it is sent; without it bytes pass untouched. */
  readonly policy?: RequestPolicy | undefined
  /** Given each request for a reply when it is over; what it throws is its own matter. */
  readonly exchanged: (exchange: Promise<FinishedExchange>) => void
  /** ms since the epoch */
  readonly now: () => number
}

export interface Gateway {
  readonly port: number
  /** Requests that are under way. */
  openExchanges(): number
  /** Stops listening and ends what is under way; resolves when all of it was handed to `exchanged`. */
  close(): Promise<void>
}

/** A connection that nobody uses is closed before its server would do so: a request never meets a closing one. */
const IDLE_UPSTREAM_MS = 4_000
const IDLE_CLIENT_MS = 75_000
const NO_WEBSOCKET = "Cairn's gateway takes no WebSocket; this client has to use HTTP."

/**
 * Listens, and resolves with the port that was taken when requests are served; each request for a reply is given to
 * `exchanged`. WebSockets are refused with 426. Rejects with `usage` when the port is taken or the address is not this
 * machine's. `close` ends what is under way.
 */
export const startGateway = async (input: GatewayInput): Promise<Gateway> => {
  const settings = { keepAlive: true, timeout: IDLE_UPSTREAM_MS, scheduling: 'lifo' } as const
  const agents = { http: new HttpAgent(settings), https: new HttpsAgent(settings) }
  const open = new Set<Promise<unknown>>()
  const allowance = newAllowance()
  // A long upload, and a reply that takes its time, are the provider's to limit.
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: IDLE_CLIENT_MS, noDelay: true })
  server.on('upgrade', (_request, socket) => {
    const body = JSON.stringify({
      error: { message: NO_WEBSOCKET, type: 'invalid_request_error', code: 'no_websocket' },
    })
    socket.on('error', () => undefined)
    socket.end(
      `HTTP/1.1 426 Upgrade Required\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
  })
  const port = await listen(server, input.host, input.port)
  const admitted = input.access(port)
  server.on('request', (request, response) => {
    const answering = answer(request, response, { ...input, agents, access: admitted, allowance })
    open.add(answering)
    void answering.finally(() => open.delete(answering))
  })
  return {
    port,
    openExchanges: () => open.size,
    /** Takes no more connections, cuts those that are open, and waits until each request under way has ended. */
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await Promise.all([closed, ...open])
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

/** What requests are answered with. */
interface Answering extends Omit<GatewayInput, 'access'> {
  readonly agents: { readonly http: HttpAgent; readonly https: HttpsAgent }
  readonly access: Access
  readonly allowance: CopyAllowance
}

/**
 * Answers one request: refuses it, or passes it on and streams the reply. Only requests for a model's reply are asked
 * of `admit`, recorded and put under the policy. Resolves when both sides are done with it; a failure to reach the
 * provider is answered.
 */
const answer = async (request: IncomingMessage, response: ServerResponse, answering: Answering): Promise<void> => {
  const { upstreams, admit, agents, access, policy } = answering
  // What a socket that breaks says is known by its closing.
  request.on('error', () => undefined)
  response.on('error', () => undefined)
  const admitted = access(request.url ?? '/', request.headers)
  const { wire, asksForReply } = routeOf(request.method ?? 'GET', admitted.url, request.headers)
  if (admitted.refusal !== undefined) {
    sendError(response, wire, accessError(admitted.refusal.status, admitted.refusal.message))
    return
  }
  const refused = asksForReply ? await admit?.(wire) : undefined
  if (refused !== undefined) {
    sendError(response, wire, refused)
    return
  }
  const passage = { request, response, url: admitted.url, wire, base: upstreams[wire], agents }
  if (!asksForReply) await passThrough({ ...passage, observer: UNOBSERVED })
  else if (policy === undefined) await passThrough({ ...passage, observer: observed(passage, answering) })
  else await passWithPolicy(passage, policy, answering)
}

type Unobserved = Omit<Passage, 'observer'>

const observed = (
  { wire, request }: Pick<Unobserved, 'wire' | 'request'>,
  { now, allowance, exchanged }: Answering,
  begun?: PassedBy,
): ExchangeObserver => observeExchange(wire, request, now, allowance, exchanged, begun)

/**
 * Reads the request to its end, has the policy applied, and passes on what came of it. One that is too large to be kept
 * passes as it came, which the policy is told; one whose client went away meanwhile is not put under it.
 */
const passWithPolicy = async (passage: Unobserved, policy: RequestPolicy, answering: Answering): Promise<void> => {
  const { wire, request } = passage
  const { headers } = request
  const begun = await readWhole(request)
  const copy = new BodyCopy(answering.allowance)
  for (const chunk of begun.chunks) copy.take(chunk)
  const text = await copy.text(headerOf(headers, 'content-encoding'))
  const applied = begun.isWhole || 'unread' in text ? await policy.apply({ wire, headers, body: text }) : undefined
  const body = applied?.body === undefined ? undefined : Buffer.from(applied.body)
  await passThrough({ ...passage, observer: observed(passage, answering, applied?.begun), begun, body })
}

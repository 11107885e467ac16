/** The server over Streamable HTTP, for clients that do not start it themselves. */
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { listen } from '@cairn/core/node'
import { reachableHost } from '../options/listening-options.ts'
import { allowedNames, refusalOf } from './http-guard.ts'
import { HTTP_LIMITS, createHttpSessions } from './http-sessions.ts'
import type { HttpSession, HttpSessionLimits, HttpSessions } from './http-sessions.ts'
import type { CairnMcpServer } from './server.ts'

const MCP_PATH = '/mcp'

/** What the server is started with. */
export interface HttpServerInput {
  readonly host: string
  /** 0: a free one. */
  readonly port: number
  readonly token: string
  readonly allowedHosts: readonly string[]
  readonly create: () => CairnMcpServer
  readonly limits?: HttpSessionLimits
  readonly now?: () => number
}

/** A server that listens. */
export interface HttpMcpServer {
  readonly url: string
  readonly port: number
  /** Stops listening and ends all sessions; resolves when all connections are closed. */
  close(): Promise<void>
}

const MOST_CONNECTIONS = 256
/** How long the headers and body of a request may take; responses are not limited. */
const REQUEST_LIMIT_MS = 30_000

/** Answers with a JSON-RPC error and closes the connection; the rest of the request is not read. */
const refuse = async (
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> => {
  // Whatever else a refused client sends is not read.
  response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close', ...headers })
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }))
}

/** What requests are answered with. */
interface Answering {
  readonly sessions: HttpSessions
  readonly limits: HttpSessionLimits
  readonly token: string
  readonly now: () => number
  /** The values of a `Host` header that are this server. */
  readonly hostNames: ReadonlySet<string>
}

/** Passes a request to a session's transport. The session does not expire while the response is open. */
const serve = async (
  session: HttpSession,
  now: () => number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  session.open++
  response.once('close', () => {
    session.open--
    session.usedAt = now()
  })
  await session.transport.handleRequest(request, response)
}

/**
 * Refuses a request whose host, origin or token is wrong, whose path is another one, or whose `Content-Length` is too
 * large; returns whether it did, and has then answered it.
 */
const refused = async (
  request: IncomingMessage,
  response: ServerResponse,
  { limits, token, hostNames }: Answering,
): Promise<boolean> => {
  const refusal = refusalOf(request.headers, hostNames, token)
  const path = (request.url ?? '').split('?')[0]
  if (refusal !== undefined)
    await refuse(
      response,
      refusal.status,
      refusal.message,
      refusal.status === 401 ? { 'WWW-Authenticate': 'Bearer realm="cairn"' } : {},
    )
  else if (path !== MCP_PATH && path !== `${MCP_PATH}/`) await refuse(response, 404, `There is only ${MCP_PATH} here.`)
  else if (Number(request.headers['content-length'] ?? 0) > limits.mostBodyBytes)
    await refuse(response, 413, `A request holds at most ${limits.mostBodyBytes} bytes.`)
  else return false
  return true
}

/**
 * Answers a request in the session that it names, or in a new one that an `initialize` request starts; first of all it
 * is refused as `refused` says. An unknown or expired session is 404, a request other than POST without one 400, one
 * session too many 503.
 */
const answer = async (request: IncomingMessage, response: ServerResponse, answering: Answering): Promise<void> => {
  if (await refused(request, response, answering)) return
  const { sessions, limits, now } = answering
  const id = request.headers['mcp-session-id']
  if (typeof id === 'string') {
    const session = sessions.get(id)
    return session === undefined
      ? refuse(response, 404, 'That session has ended; begin a new one.')
      : serve(session, now, request, response)
  }
  if (request.method !== 'POST') return refuse(response, 400, 'Which session? Begin with an initialize request.')
  const fresh = await sessions.begin()
  if (fresh === undefined)
    return refuse(response, 503, `There are ${limits.mostSessions} sessions already; try again later.`, {
      'Retry-After': '60',
    })
  try {
    await serve(fresh, now, request, response)
  } finally {
    if (fresh.transport.sessionId === undefined) await sessions.discard(fresh)
  }
}

/**
 * Starts serving over HTTP until `close` is called, with one session per client; every request must carry the token.
 * Rejects with `usage` if the port is taken or the address is not one of this machine. `close` ends all sessions and
 * connections.
 */
export const serveHttp = async (input: HttpServerInput): Promise<HttpMcpServer> => {
  const { host, token, allowedHosts, create, limits = HTTP_LIMITS, now = () => performance.now() } = input
  const sessions = createHttpSessions(create, limits, now)
  let answering: Answering = { sessions, limits, token, now, hostNames: new Set() }
  const http = createServer(
    { requestTimeout: REQUEST_LIMIT_MS, headersTimeout: REQUEST_LIMIT_MS },
    (request, response) => {
      answer(request, response, answering).catch(() => {
        if (response.headersSent) response.destroy()
        else void refuse(response, 500, 'That could not be answered.')
      })
    },
  )
  http.maxConnections = MOST_CONNECTIONS
  const port = await listen(http, host, input.port)
  answering = { ...answering, hostNames: allowedNames(host, port, allowedHosts) }
  return {
    url: `http://${reachableHost(host)}:${port}${MCP_PATH}`,
    port,
    close: async () => {
      const closed = new Promise<void>((resolve) => http.close(() => resolve()))
      await sessions.close()
      http.closeAllConnections()
      await closed
    },
  }
}

/** The server over Streamable HTTP, for clients that do not start it themselves. */
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { CairnError } from '@cairn/core'
import { allowedNames, refusalOf } from './http-guard.ts'
import { HTTP_LIMITS, createHttpSessions } from './http-sessions.ts'
import type { HttpSession, HttpSessionLimits } from './http-sessions.ts'
import type { CairnMcpServer } from './server.ts'

const MCP_PATH = '/mcp'

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

export interface HttpMcpServer {
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

const MOST_CONNECTIONS = 256
/** For a request's headers and body; streams of answers are not limited. */
const REQUEST_LIMIT_MS = 30_000

const refuse = async (
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> => {
  // What a refused client goes on to send is not read.
  response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close', ...headers })
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }))
}

/** Listens. Rejects with `usage` when the port is taken or the address is not this machine's. */
export const serveHttp = async (input: HttpServerInput): Promise<HttpMcpServer> => {
  const { host, token, allowedHosts, create, limits = HTTP_LIMITS, now = () => performance.now() } = input
  const sessions = createHttpSessions(create, limits, now)
  let names: ReadonlySet<string> = new Set()

  const serve = async (session: HttpSession, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    session.open++
    response.once('close', () => {
      session.open--
      session.usedAt = now()
    })
    await session.transport.handleRequest(request, response)
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = refusalOf(request.headers, names, token)
    if (refusal !== undefined)
      return refuse(
        response,
        refusal.status,
        refusal.message,
        refusal.status === 401 ? { 'WWW-Authenticate': 'Bearer realm="cairn"' } : {},
      )
    const path = (request.url ?? '').split('?')[0]
    if (path !== MCP_PATH && path !== `${MCP_PATH}/`) return refuse(response, 404, `There is only ${MCP_PATH} here.`)
    if (Number(request.headers['content-length'] ?? 0) > limits.mostBodyBytes)
      return refuse(response, 413, `A request holds at most ${limits.mostBodyBytes} bytes.`)
    const id = request.headers['mcp-session-id']
    if (typeof id === 'string') {
      const session = sessions.get(id)
      return session === undefined
        ? refuse(response, 404, 'That session has ended; begin a new one.')
        : serve(session, request, response)
    }
    if (request.method !== 'POST') return refuse(response, 400, 'Which session? Begin with an initialize request.')
    const fresh = await sessions.begin()
    if (fresh === undefined)
      return refuse(response, 503, `There are ${limits.mostSessions} sessions already; try again later.`, {
        'Retry-After': '60',
      })
    try {
      await serve(fresh, request, response)
    } finally {
      if (fresh.transport.sessionId === undefined) await sessions.discard(fresh)
    }
  }

  const http = createServer(
    { requestTimeout: REQUEST_LIMIT_MS, headersTimeout: REQUEST_LIMIT_MS },
    (request, response) => {
      answer(request, response).catch(() => {
        if (response.headersSent) response.destroy()
        else void refuse(response, 500, 'That could not be answered.')
      })
    },
  )
  http.maxConnections = MOST_CONNECTIONS
  const port = await new Promise<number>((resolve, reject) => {
    http.once('error', (cause: NodeJS.ErrnoException) =>
      reject(
        new CairnError(
          'usage',
          cause.code === 'EADDRINUSE'
            ? `Port ${input.port} of ${host} is taken; choose another with --port (0 takes a free one).`
            : `It can't listen on ${host}, port ${input.port}: ${cause.message}.`,
          { cause },
        ),
      ),
    )
    http.listen(input.port, host, () => {
      const address = http.address()
      resolve(typeof address === 'object' && address !== null ? address.port : input.port)
    })
  })
  names = allowedNames(host, port, allowedHosts)
  const shownHost = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${shownHost}:${port}${MCP_PATH}`,
    port,
    close: async () => {
      const closed = new Promise<void>((resolve) => http.close(() => resolve()))
      await sessions.close()
      http.closeAllConnections()
      await closed
    },
  }
}

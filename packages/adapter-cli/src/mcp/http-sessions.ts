/** The clients of the server over HTTP: each with a server of its own, forgotten when it is silent for long. */
import { randomUUID } from 'node:crypto'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { CairnMcpServer } from './server.ts'

export interface HttpSession {
  readonly server: CairnMcpServer
  readonly transport: StreamableHTTPServerTransport
  /** Requests and streams that are open. */
  open: number
  usedAt: number
}

export interface HttpSessions {
  /** Undefined when there is none (any more). */
  get(id: string): HttpSession | undefined
  /** One for a client that comes; undefined when there are too many that are in use. */
  begin(): Promise<HttpSession | undefined>
  /** Lets go of one that no client has begun after all. */
  discard(session: HttpSession): Promise<void>
  close(): Promise<void>
}

export interface HttpSessionLimits {
  readonly mostSessions: number
  readonly idleMs: number
  readonly mostBodyBytes: number
}

export const HTTP_LIMITS: HttpSessionLimits = { mostSessions: 64, idleMs: 30 * 60_000, mostBodyBytes: 1024 * 1024 }

const LOOK_EVERY_MS = 60_000

export const createHttpSessions = (
  create: () => CairnMcpServer,
  { mostSessions, idleMs, mostBodyBytes }: HttpSessionLimits,
  now: () => number,
): HttpSessions => {
  const sessions = new Map<string, HttpSession>()
  const beginning = new Set<HttpSession>()

  const end = async (session: HttpSession): Promise<void> => {
    beginning.delete(session)
    const id = session.transport.sessionId
    if (id !== undefined) sessions.delete(id)
    await session.server.mcp.close()
  }

  const expire = (): void => {
    for (const session of [...sessions.values()])
      if (session.open === 0 && now() - session.usedAt >= idleMs) void end(session)
  }
  const timer = setInterval(expire, Math.min(LOOK_EVERY_MS, idleMs))
  timer.unref()

  /** Ends the session that was idle for longest when there are too many; false when all of them are in use. */
  const endOldestIdle = async (): Promise<boolean> => {
    if (sessions.size + beginning.size < mostSessions) return true
    const [idle] = [...sessions.values()]
      .filter(({ open }) => open === 0)
      .toSorted((left, right) => left.usedAt - right.usedAt)
    if (idle === undefined) return false
    await end(idle)
    return true
  }

  return {
    get: (id) => {
      const session = sessions.get(id)
      if (session === undefined || session.open > 0 || now() - session.usedAt < idleMs) return session
      void end(session)
      return undefined
    },
    begin: async () => {
      expire()
      if (!(await endOldestIdle())) return undefined
      const server = create()
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        maxRequestBodySize: mostBodyBytes,
        onsessioninitialized: (id) => {
          beginning.delete(session)
          sessions.set(id, session)
        },
        onsessionclosed: (id) => {
          sessions.delete(id)
        },
      })
      const session: HttpSession = { server, transport, open: 0, usedAt: now() }
      beginning.add(session)
      await server.connect(transport)
      return session
    },
    discard: end,
    close: async () => {
      clearInterval(timer)
      await Promise.all([...sessions.values(), ...beginning].map(end))
    },
  }
}

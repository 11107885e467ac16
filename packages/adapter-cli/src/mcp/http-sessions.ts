/** The clients of the server over HTTP: each with a server of its own, which ends when it was idle for long. */
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
  /** The session of an id; undefined when there is none or it has expired. */
  get(id: string): HttpSession | undefined
  /** A session for a new client; undefined when the limit is reached and all are in use. */
  begin(): Promise<HttpSession | undefined>
  /** Ends a session whose client never got an id. */
  discard(session: HttpSession): Promise<void>
  /** Ends all sessions and their servers. */
  close(): Promise<void>
}

export interface HttpSessionLimits {
  readonly mostSessions: number
  readonly idleMs: number
  readonly mostBodyBytes: number
}

export const HTTP_LIMITS: HttpSessionLimits = { mostSessions: 64, idleMs: 30 * 60_000, mostBodyBytes: 1024 * 1024 }

const LOOK_EVERY_MS = 60_000

/**
 * The sessions of one HTTP server. `create` makes the server of a new client; `now` gives ms. `get` gives undefined for
 * an unknown or expired id, `begin` where all sessions are in use at the limit.
 */
export const createHttpSessions = (
  create: () => CairnMcpServer,
  { mostSessions, idleMs, mostBodyBytes }: HttpSessionLimits,
  now: () => number,
): HttpSessions => {
  const sessions = new Map<string, HttpSession>()
  /** Sessions whose client has no id yet. */
  const beginning = new Set<HttpSession>()

  const end = async (session: HttpSession): Promise<void> => {
    beginning.delete(session)
    const id = session.transport.sessionId
    if (id !== undefined) sessions.delete(id)
    await session.server.mcp.close()
  }

  const isExpired = (session: HttpSession): boolean => session.open === 0 && now() - session.usedAt >= idleMs
  const endExpired = (): void => {
    for (const session of [...sessions.values()]) if (isExpired(session)) void end(session)
  }
  const timer = setInterval(endExpired, Math.min(LOOK_EVERY_MS, idleMs))
  timer.unref()

  /**
   * Whether one more session may begin. At the limit the one that was idle longest ends; false where all are in use.
   */
  const mayBegin = async (): Promise<boolean> => {
    if (sessions.size + beginning.size < mostSessions) return true
    const idle = longestIdle([...sessions.values()])
    if (idle === undefined) return false
    await end(idle)
    return true
  }

  return {
    get: (id) => {
      const session = sessions.get(id)
      if (session === undefined || !isExpired(session)) return session
      void end(session)
      return undefined
    },
    begin: async () => {
      endExpired()
      if (!(await mayBegin())) return undefined
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        maxRequestBodySize: mostBodyBytes,
        onsessioninitialized: (id) => {
          beginning.delete(session)
          sessions.set(id, session)
        },
        onsessionclosed: (id) => void sessions.delete(id),
      })
      const session: HttpSession = { server: create(), transport, open: 0, usedAt: now() }
      beginning.add(session)
      await session.server.connect(transport)
      return session
    },
    discard: end,
    close: async () => {
      clearInterval(timer)
      await Promise.all([...sessions.values(), ...beginning].map(end))
    },
  }
}

/** The session without open requests that was used least recently; undefined where all are in use. */
const longestIdle = (sessions: readonly HttpSession[]): HttpSession | undefined =>
  sessions.filter(({ open }) => open === 0).toSorted((left, right) => left.usedAt - right.usedAt)[0]

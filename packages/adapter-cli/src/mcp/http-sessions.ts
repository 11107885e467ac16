/** The clients of the server over HTTP: each with a server of its own, which ends when it was idle for long. */
import { randomUUID } from 'node:crypto'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { CairnMcpServer } from './server.ts'

/** One client's session. */
export interface HttpSession {
  readonly server: CairnMcpServer
  readonly transport: StreamableHTTPServerTransport
  /** Requests and streams that are open. */
  open: number
  /** When it began or its last request or stream ended, as `now` tells it. */
  usedAt: number
}

/** The sessions of all clients. */
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

/** How many sessions there may be, how long they may be idle (ms), and how large a request may be. */
export interface HttpSessionLimits {
  readonly mostSessions: number
  readonly idleMs: number
  readonly mostBodyBytes: number
}

/** The limits in normal use: 64 sessions, 30 minutes, 1 MiB. */
export const HTTP_LIMITS: HttpSessionLimits = { mostSessions: 64, idleMs: 30 * 60_000, mostBodyBytes: 1024 * 1024 }

const LOOK_EVERY_MS = 60_000

/**
 * Creates the sessions of one HTTP server; idle ones are ended. `create` makes the server of a new client; `now`
 * returns ms. `get` returns undefined for an unknown or expired id, `begin` if the limit is reached and all sessions
 * are in use.
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
    /** Connects a server of its own; the session is known by its id only once the client has initialised it. */
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

/** The session without open requests that was used least recently; undefined if all are in use. */
const longestIdle = (sessions: readonly HttpSession[]): HttpSession | undefined =>
  sessions.filter(({ open }) => open === 0).toSorted((left, right) => left.usedAt - right.usedAt)[0]

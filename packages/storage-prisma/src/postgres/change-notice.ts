/**
 * How an open store on PostgreSQL hears of commits: by LISTEN on a connection of its own, where it has a session of the
 * server to itself. Behind a pooler, which may give each transaction another session, and on a replica, which refuses
 * LISTEN, it asks the server instead.
 */
import pg from 'pg'
import { CHANGES_CHANNEL } from '../sql/database.ts'
import { errorCode } from '../sql/error-code.ts'

const RECONNECT_MS = 1_000
const POLL_MS = 500
/** What a replica answers to LISTEN: the session is read-only. */
const READ_ONLY = '25006'

/**
 * Its text is another one after every commit that wrote something: the transaction leaves the list of those under way, or
 * moves the end of the list. It costs the server no table and no lock. Other databases of the server change it, too.
 */
const SNAPSHOT = 'SELECT txid_current_snapshot()::text AS snapshot'

export interface ChangeNoticeDeps {
  readonly url: string
  /** For asking; no connection of it is kept between two questions. */
  readonly pool: Pick<pg.Pool, 'query'>
  /** Called after commits by any process, and now and then without one. */
  readonly tell: () => void
}

/**
 * Whether the process that answered the connection's start-up is the one that runs its queries. A pooler answers by
 * itself, with a key that it has made up.
 */
const hasOwnSession = async (client: pg.Client): Promise<boolean> => {
  const announced: unknown = Reflect.get(client, 'processID')
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid === announced
}

/**
 * Calls `tell` when the snapshot is another one; returns its end, which waits for a question under way. It asks every
 * `POLL_MS`, at once for the first time, which tells too.
 */
const poll = ({ pool, tell }: ChangeNoticeDeps): (() => Promise<void>) => {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let known: string | undefined
  let asking: Promise<void> = Promise.resolve()
  const ask = async (): Promise<void> => {
    try {
      const { rows } = await pool.query<{ snapshot: string }>(SNAPSHOT)
      const snapshot = rows[0]?.snapshot
      if (stopped || snapshot === known) return
      known = snapshot
      tell()
    } catch {
      // The server is away: what was committed meanwhile shows in the first answer after it.
    } finally {
      if (!stopped) next()
    }
  }
  const next = (): void => {
    timer = setTimeout(() => {
      asking = ask()
    }, POLL_MS)
    timer.unref()
  }
  asking = ask()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await asking
  }
}

/**
 * Calls `tell` after commits until the promise of the function that it returns resolves. Changes made before it is
 * ready are not announced to it, so it tells once it is. A connection that is lost is rebuilt.
 */
export const followChanges = (deps: ChangeNoticeDeps): (() => Promise<void>) => {
  let stopped = false
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let stopPolling: (() => Promise<void>) | undefined
  /**
   * Connects to listen, and again some time after an error; polls instead where the server's session is shared by a
   * pooler. Nothing once stopped.
   */
  const connect = async (): Promise<void> => {
    if (stopped) return
    const next = new pg.Client({
      connectionString: deps.url,
      application_name: 'cairn-listener',
      // A connection that a network has dropped silently is noticed, and rebuilt.
      keepAlive: true,
    })
    client = next
    const disconnect = (): void => {
      client = undefined
      next.end().catch(() => undefined)
    }
    const again = (): void => {
      if (stopped || client !== next) return
      disconnect()
      retry = setTimeout(() => void connect(), RECONNECT_MS)
      retry.unref()
    }
    const pollInstead = (): void => {
      if (stopped) return
      disconnect()
      stopPolling = poll(deps)
    }
    next.on('error', again)
    next.on('notification', deps.tell)
    try {
      await next.connect()
      if (!(await hasOwnSession(next))) {
        pollInstead()
        return
      }
      await next.query(`LISTEN ${CHANGES_CHANNEL}`)
      deps.tell()
    } catch (error) {
      if (errorCode(error) === READ_ONLY) pollInstead()
      else again()
    }
  }
  const connecting = connect()
  return async () => {
    stopped = true
    clearTimeout(retry)
    await connecting
    await client?.end().catch(() => undefined)
    await stopPolling?.()
  }
}

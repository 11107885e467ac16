/**
 * Connections to a PostgreSQL server that are lost while a store is open: the server was restarted, or the network failed.
 * What had not been committed is done again; of a commit without an answer the server is asked whether it was.
 */
import type pg from 'pg'
import { CairnError, StorageError } from '@cairn/core'
import { CHANGES_CHANNEL } from '../sql/database.ts'
import { errorCode } from '../sql/error-code.ts'

/** A server is back after seconds; who waits longer wants to be told. */
const PATIENCE_MS = 20_000
const SHORTEST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 1_000
/** The server shuts down, or has just started, or ends what was idle for longer than it allows (session, transaction). */
const SERVER_CODES = ['57P01', '57P02', '57P03', '57P05', '25P03']
const SYSTEM_CODES = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'P1001', 'P1017']
/** What the driver says without a code. The last: a busy server, or one that hangs, gave no connection in time. */
const DRIVER_MESSAGES =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect)/
/** What Prisma's adapter makes of the system's codes, which it does not keep. */
const ADAPTER_KINDS = ['ConnectionClosed', 'DatabaseNotReachable', 'SocketTimeout']
/** Prisma's errors hold the driver's within another or two. */
const DEEPEST_CAUSE = 5

/**
 * Whether an error, or one that caused it, says that there is no connection any more: nothing that was not committed
 * has been kept. False for Cairn's own errors, whatever caused them.
 */
export const isConnectionLost = (thrown: unknown, depth = 0): boolean => {
  if (typeof thrown !== 'object' || thrown === null || depth > DEEPEST_CAUSE) return false
  // Was judged already: of a commit that nobody can tell of, doing it again could do it twice.
  if (CairnError.is(thrown)) return false
  const code = errorCode(thrown)
  if (code.startsWith('08') || SERVER_CODES.includes(code) || SYSTEM_CODES.includes(code)) return true
  if ('originalCode' in thrown && SERVER_CODES.includes(String(thrown.originalCode))) return true
  if ('kind' in thrown && ADAPTER_KINDS.includes(String(thrown.kind))) return true
  if ('message' in thrown && DRIVER_MESSAGES.test(String(thrown.message))) return true
  const inner = ['cause', 'meta', 'driverAdapterError'].map((key): unknown => Reflect.get(thrown, key))
  return inner.some((each) => isConnectionLost(each, depth + 1))
}

/** Whether an error says that the server, or the connection, only lets be read. */
export const isReadOnlyRefusal = (thrown: unknown): boolean => errorCode(thrown) === '25006'

/** Makes (does not throw) an error that counts as a lost connection: a replica answered that is to be promoted. */
export const replicaRefused = (cause?: unknown): Error =>
  Object.assign(new Error('the server is a replica, which takes no writes', { cause }), { code: '57P03' })

/** Whether an error says that the server is there, but can't be talked to yet. */
export const isStarting = (thrown: unknown): boolean => errorCode(thrown) === '57P03'

/**
 * Runs `work` again while the connection is lost (or `isPassing` says so), for `patienceMs` since it first failed, with
 * growing pauses; then it rejects with the last error. Any other error rejects at once. `work` must be one that has had
 * no effect when its connection is lost.
 */
export const untilConnected = async <T>(
  work: () => Promise<T>,
  isPassing: (thrown: unknown) => boolean = isConnectionLost,
  patienceMs = PATIENCE_MS,
): Promise<T> => {
  let lostAt: number | undefined
  for (let pause = SHORTEST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error)) throw error
      lostAt ??= performance.now()
      if (performance.now() - lostAt > patienceMs) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())))
  }
}

/** A server that was promoted counts on from where its predecessor's log ended for it, under the next number of these. */
const TIMELINE = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)'

const NOTED = `${TIMELINE} AS timeline, pg_notify('${CHANGES_CHANNEL}', '')::text AS notified`

/** Asks a server that takes writes for its timeline. */
export const TIMELINE_QUERY = `SELECT ${TIMELINE} AS timeline`

/** The last statement of a transaction: others hear of it, and the rest is what {@link wasCommitted} asks for. */
export const LAST_STATEMENT = `SELECT txid_current_if_assigned()::text AS id, ${NOTED}`

/** The same beside the first write of a transaction, which may find nothing to write: it has an `id` from then on. */
export const WITH_FIRST_WRITE = `SELECT txid_current()::text AS id, ${NOTED}`

/** What {@link LAST_STATEMENT} and {@link WITH_FIRST_WRITE} answer. */
export interface LastStatement {
  /** The transaction's number; null where nothing was written. */
  readonly id: string | null
  /** Which server's numbers these are: another one after a replica was promoted. */
  readonly timeline: string
}

/**
 * The number of a transaction means another transaction on a server that was promoted before it got this one, so there
 * nothing is asked.
 */
const STATUS = `SELECT recovering, CASE WHEN timeline = $2 THEN txid_status($1::bigint) END AS status
  FROM (SELECT pg_is_in_recovery() AS recovering, CASE WHEN NOT pg_is_in_recovery() THEN ${TIMELINE} END AS timeline) AS server`

/**
 * Whether a transaction was committed that lost its connection at its commit; waits for one that is still under way.
 * Without an `id` it wrote nothing, which counts as committed. Rejects with `storage-unavailable` where that can't be found
 * out, as after a replica took the server's place.
 */
export const wasCommitted = async (
  pool: Pick<pg.Pool, 'query'>,
  location: string,
  { id, timeline }: LastStatement,
): Promise<boolean> => {
  // Nothing was written: there is nothing to lose.
  if (id === null) return true
  const unknown = (cause?: unknown): StorageError =>
    new StorageError(
      'storage-unavailable',
      `The connection to the store ${location} was lost while a change was being kept, and whether it was is not known; see what is there before you do it again.`,
      { cause },
    )
  const ask = async (): Promise<string | null> => {
    const { rows } = await pool.query<{ recovering: boolean; status: string | null }>(STATUS, [id, timeline])
    const [row] = rows
    if (row?.recovering === true) throw replicaRefused()
    if (row?.status !== 'in progress') return row?.status ?? null
    // Its process has not noticed yet that nobody listens.
    throw Object.assign(new Error('the transaction is under way'), { code: '57P03' })
  }
  const status = await untilConnected(ask).catch((cause: unknown) => {
    throw unknown(cause)
  })
  if (status === null) throw unknown()
  return status === 'committed'
}

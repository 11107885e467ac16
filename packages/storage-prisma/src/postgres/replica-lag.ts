/** How far a streaming replica is behind, as it knows by itself: every role may ask for this, also through a pooler. */
import type { ReplicaLag } from '@cairn/core'
import type { SqlReader } from '../sql/database.ts'

/**
 * The clock of the last commit says nothing while nobody writes: what is connected and has applied all that it received
 * is up to date. The columns of the receiver are shown to monitoring roles only, its row is shown to all.
 */
const LAG = `SELECT recovering, bytes, paused, connected,
    CASE WHEN connected AND bytes = 0 THEN 0 ELSE CASE WHEN applied_at IS NULL THEN NULL ELSE greatest(0, extract(epoch FROM clock_timestamp() - applied_at))::float8 END END AS seconds
  FROM (SELECT pg_is_in_recovery() AS recovering, pg_last_xact_replay_timestamp() AS applied_at,
    pg_wal_lsn_diff(greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()), pg_last_wal_replay_lsn()) AS bytes,
    CASE WHEN pg_is_in_recovery() THEN pg_is_wal_replay_paused() ELSE FALSE END AS paused,
    EXISTS (SELECT 1 FROM pg_stat_wal_receiver) AS connected) AS replica`

interface LagRow {
  readonly recovering: boolean
  readonly seconds: number | null
  readonly bytes: number | null
  readonly paused: boolean
  readonly connected: boolean
}

/** The lag of a PostgreSQL server; null where it is no replica. Rejects with the database's errors. */
export const replicaLagOf = async (database: SqlReader): Promise<ReplicaLag | null> => {
  const [row] = await database.all<LagRow>(LAG)
  if (row?.recovering !== true) return null
  return { seconds: row.seconds, bytes: row.bytes, isPaused: row.paused, isConnected: row.connected }
}

/** Sums for a line of text, by fixed statements over the rollups; money in nano-USD. */
import { storableText } from '../repository/labels.ts'
import { marginNumber } from '../repository/rollups.ts'
import type { SqlReader } from '../sql/database.ts'

const BUCKET_MS = 900_000

export interface UsageFigures {
  /** Since the start of the day. */
  readonly todayNano: bigint
  /** Of the workspace, over all time; undefined for an unknown one. */
  readonly projectNano: bigint | undefined
  readonly projectTodayNano: bigint | undefined
  /** Since the start of the month. */
  readonly monthNano: bigint
  /** Of the session as far as it was imported; undefined for an unknown one. */
  readonly sessionNano: bigint | undefined
}

export interface FiguresQuery {
  /** Start of the local day and of the local month, ms. */
  readonly day: number
  readonly month: number
  readonly workspace?: string | undefined
  /** The store's id of it. */
  readonly sessionId?: string | undefined
}

/** A sum of costs, nano-USD; 0 for no rows. */
const sum = async (database: SqlReader, sql: string, parameters: readonly (string | number)[]): Promise<bigint> => {
  const [row] = await database.all<{ cost: string }>(
    `SELECT CAST(COALESCE(sum(cost_nano), 0) AS TEXT) AS cost ${sql}`,
    parameters,
  )
  return BigInt(row?.cost ?? '0')
}

/**
 * The costs (nano-USD) of a query: since `day` and `month` (ms, rounded down to a quarter of an hour), of the folder at
 * exactly `workspace` in all and since `day`, and of the session. Those of a folder or session that is not named, or
 * that the store does not have, are undefined. Rejects when the store can't be read.
 */
export const usageFigures = async (database: SqlReader, query: FiguresQuery): Promise<UsageFigures> => {
  const { day, month } = query
  const total = (from: number): Promise<bigint> =>
    sum(database, 'FROM usage_total WHERE bucket >= ?', [Math.floor(from / BUCKET_MS)])
  const [workspace] =
    query.workspace === undefined
      ? []
      : await database.all<{ id: number }>('SELECT id FROM workspace WHERE "path" = ?', [storableText(query.workspace)])
  const [session] =
    query.sessionId === undefined
      ? []
      : await database.all<{ cost: string }>('SELECT CAST(cost_nano AS TEXT) AS cost FROM session WHERE "key" = ?', [
          storableText(query.sessionId),
        ])
  return {
    todayNano: await total(day),
    monthNano: await total(month),
    // Whole days of a dimension are summed in one small table.
    projectNano:
      workspace === undefined
        ? undefined
        : await sum(database, 'FROM usage_margin WHERE dimension = ? AND value_id = ?', [
            marginNumber['workspace_id'] ?? 0,
            workspace.id,
          ]),
    projectTodayNano:
      workspace === undefined
        ? undefined
        : await sum(database, 'FROM usage_quarter WHERE bucket >= ? AND workspace_id = ?', [
            Math.floor(day / BUCKET_MS),
            workspace.id,
          ]),
    sessionNano: session === undefined ? undefined : BigInt(session.cost),
  }
}

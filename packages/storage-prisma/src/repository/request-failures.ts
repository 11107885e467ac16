/** Requests that failed and were not billed: kept one by one, summed when asked for. They are few. */
import { hash } from 'node:crypto'
import { CairnError } from '@cairn/core'
import type { FailureQuery, FailureSum, RequestFailure } from '@cairn/core'
import { named } from '../sql/statements.ts'
import type { SqlValue } from '../sql/database.ts'
import { tables } from '../sql/schema.ts'
import { rowLockClause } from './context.ts'
import type { StoreContext } from './context.ts'
import { Labels, storableText } from './labels.ts'

const COLUMNS = Object.keys(tables.requestFailure.columns)

/** Keeps a failure; one that is known already is not kept twice. Rejects with `not-found` without the session. */
export const addFailure = async (context: StoreContext, sessionId: string, failure: RequestFailure): Promise<void> => {
  const labelsInUse = await context.database.transaction({ durability: 'synced' }, async (transaction) => {
    const [session] = await transaction.all<{ id: number }>(
      `SELECT id FROM session WHERE "key" = ?${rowLockClause(context)}`,
      [storableText(sessionId)],
    )
    if (session === undefined) throw new CairnError('not-found', `There is no session ${sessionId}.`)
    const labels = new Labels(transaction, context.labels)
    const row: Readonly<Record<string, SqlValue>> = {
      failure_hash: hash('sha256', `${sessionId}\0${failure.id}`, 'buffer').subarray(0, 16),
      session_id: session.id,
      at: failure.at,
      model_id: await labels.label('model', failure.model),
      provider_id: await labels.label('provider', failure.provider),
      mode_id: await labels.label('mode', failure.mode),
      code: storableText(failure.code),
      attempt: failure.attempt,
      total_ms: failure.totalMs,
    }
    await transaction.insert(
      tables.requestFailure,
      COLUMNS,
      [COLUMNS.map((column) => row[column] ?? null)],
      'ON CONFLICT (failure_hash) DO NOTHING',
    )
    return labels
  })
  labelsInUse.remember()
}

const FAILURES = `SELECT code, COALESCE(model.value, '') AS model, provider.value AS provider, count(*) AS failures, max("at") AS last_at
  FROM request_failure LEFT JOIN label AS model ON model.id = model_id LEFT JOIN label AS provider ON provider.id = provider_id
  WHERE "at" >= :since AND "at" < :until`

/** Failures by code and model, the most frequent first, then the newest. */
export const failureSums = async (
  { database }: StoreContext,
  { since = Number.MIN_SAFE_INTEGER, until = Number.MAX_SAFE_INTEGER, sessionId }: FailureQuery = {},
): Promise<readonly FailureSum[]> => {
  const session = sessionId === undefined ? '' : ' AND session_id = (SELECT id FROM session WHERE "key" = :session)'
  const rows = await database.all<Omit<FailureSum, 'lastAt'> & { readonly last_at: number }>(
    ...named(`${FAILURES}${session} GROUP BY 1, 2, 3 ORDER BY 4 DESC, 5 DESC, 1, 2`, {
      since,
      until,
      ...(sessionId === undefined ? {} : { session: storableText(sessionId) }),
    }),
  )
  return rows.map(({ last_at: lastAt, ...row }) => ({ ...row, lastAt }))
}

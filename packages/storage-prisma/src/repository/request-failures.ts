/** Requests that failed and were not billed: kept one by one, summed when asked for. They are few. */
import { hash } from 'node:crypto'
import { CairnError, sumFailures } from '@cairn/core'
import type { FailureQuery, FailureSum, RequestFailure } from '@cairn/core'
import { assertRowsIntact, checkedColumns, isSetAside, rowChecksum } from '../sql/row-checksum.ts'
import { tables } from '../sql/schema.ts'
import { insertRows, named } from '../sql/statements.ts'
import type { RowValues } from '../sql/statements.ts'
import { rowLockClause } from './store-context.ts'
import type { StoreContext } from './store-context.ts'
import { assertNamesIntact } from './integrity.ts'
import { Labels, storableText } from './labels.ts'

type Column = keyof typeof tables.requestFailure.columns
const INSERTED = Object.keys(tables.requestFailure.columns) as readonly Column[]

/**
 * Keeps a failure; one that is known already is not kept twice. Rejects with `not-found` without the session. Its
 * failures are told apart by session and id.
 */
export const addFailure = async (context: StoreContext, sessionId: string, failure: RequestFailure): Promise<void> => {
  const labels = await context.database.transaction({ durability: 'synced' }, async (transaction) => {
    const [session] = await transaction.all<{ id: number }>(
      `SELECT id FROM session WHERE "key" = ?${rowLockClause(context)}`,
      [storableText(sessionId)],
    )
    if (session === undefined) throw new CairnError('not-found', `There is no session ${sessionId}.`)
    const labelsInUse = new Labels(transaction, context.labels, context.database.dialect)
    const row: RowValues<Exclude<Column, 'checksum'>> = {
      failure_hash: hash('sha256', `${sessionId}\0${failure.id}`, 'buffer').subarray(0, 16),
      session_id: session.id,
      at: failure.at,
      model_id: await labelsInUse.label('model', failure.model),
      provider_id: await labelsInUse.label('provider', failure.provider),
      mode_id: await labelsInUse.label('mode', failure.mode),
      code: storableText(failure.code),
      attempt: failure.attempt,
      total_ms: failure.totalMs,
    }
    const checked = { ...row, checksum: rowChecksum(tables.requestFailure, row) }
    await insertRows(transaction, tables.requestFailure, INSERTED, [checked], 'ON CONFLICT (failure_hash) DO NOTHING')
    return labelsInUse
  })
  labels.remember()
}

const COLUMNS = checkedColumns(tables.requestFailure)
  .map((column) => `request_failure."${column}"`)
  .join(', ')
const FAILURES = `SELECT ${COLUMNS}, model.value AS model, provider.value AS provider
  FROM request_failure LEFT JOIN label AS model ON model.id = model_id LEFT JOIN label AS provider ON provider.id = provider_id
  WHERE "at" >= :since AND "at" < :until`

interface Row {
  readonly at: number
  readonly code: string
  readonly model: string | null
  readonly provider: string | null
  readonly checksum: number | null
}

/**
 * Failures by code, model and provider, the most frequent first, then the newest; empty without any. `since`
 * (inclusive) to `until` (exclusive), ms; of one session if it is given. Those set aside as damaged are left out;
 * rejects with `storage-corrupt` for another damaged one. A model without a name is ''.
 */
export const failureSums = async (
  { database }: StoreContext,
  { since = Number.MIN_SAFE_INTEGER, until = Number.MAX_SAFE_INTEGER, sessionId }: FailureQuery = {},
): Promise<readonly FailureSum[]> => {
  const session = sessionId === undefined ? '' : ' AND session_id = (SELECT id FROM session WHERE "key" = :session)'
  const all = await database.all<Row>(
    ...named(`${FAILURES}${session}`, {
      since,
      until,
      ...(sessionId === undefined ? {} : { session: storableText(sessionId) }),
    }),
  )
  const rows = all.filter((row) => !isSetAside(tables.requestFailure, row))
  if (rows.length === 0) return []
  assertRowsIntact(database.location, tables.requestFailure, rows)
  await assertNamesIntact(database)
  return sumFailures(
    rows.map(({ at, code, model, provider }) => ({
      at,
      code,
      model: model ?? '',
      ...(provider === null ? {} : { provider }),
    })),
  )
}

/**
 * A deletion wins over every copy of the session: whoever takes something in shares a lock with others who do, and who
 * removes sessions holds it alone while it notes what is out from there on. SQLite has one writer at a time.
 */
import type { SqlTransaction } from '../sql/database.ts'
import { tables } from '../sql/schema.ts'
import { rowLockClause } from './store-context.ts'
import type { StoreContext } from './store-context.ts'
import { storableText } from './labels.ts'

const LOCK = 'SELECT removed_names FROM clean_up WHERE id = 1'

/** Shares the lock, so that nothing is withdrawn until the transaction ends. */
export const holdWithdrawals = async (transaction: SqlTransaction, { database }: StoreContext): Promise<void> => {
  if (database.dialect === 'postgresql') await transaction.all(`${LOCK} FOR SHARE`)
}

/** Holds the lock alone: who is taking something in is waited for. */
export const excludeReceivers = async (transaction: SqlTransaction, context: StoreContext): Promise<void> => {
  await transaction.all(`${LOCK}${rowLockClause(context)}`)
}

/**
 * Records that these sessions are withdrawn, so that none of them is taken in any more; waits for transactions that are
 * taking one in. Deletes nothing.
 */
export const keepOut = (context: StoreContext, sessionIds: readonly string[]): Promise<void> =>
  context.database.transaction({ durability: 'synced' }, async (transaction) => {
    await excludeReceivers(transaction, context)
    const at = Date.now()
    await transaction.insert(
      tables.deletedSession,
      ['key', 'deleted_at'],
      [...new Set(sessionIds.map(storableText))].sort().map((key) => [key, at]),
      'ON CONFLICT ("key") DO NOTHING',
    )
  })

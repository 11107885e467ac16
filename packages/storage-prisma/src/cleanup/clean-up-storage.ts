/** Clean-up of a store on SQLite or PostgreSQL. */
import type { CleanUpRecord, CleanUpStorage, OrphanCount, OrphanQuery } from '@cairn/core'
import type { StoreContext } from '../repository/store-context.ts'
import { foldSums } from '../repository/folded-sums.ts'
import { storableText } from '../repository/labels.ts'
import { removeOrphanImports } from './orphan-imports.ts'
import { removeOrphanNames } from './orphan-names.ts'
import { removeOrphanRows } from './orphan-rows.ts'

/**
 * Clean-up over the tables of a store. `claim` lets one process of many run it, and `last` gives the last report,
 * undefined where there was none.
 */
export const createCleanUpStorage = (context: StoreContext): CleanUpStorage => ({
  removeOrphans: (query) => removeOrphans(context, query),
  claim: (now, everyMs) => claim(context, now, everyMs),
  record: async ({ at, report }) => {
    await context.database.transaction({ durability: 'lazy' }, (transaction) =>
      transaction.run('UPDATE clean_up SET "at" = ?, report = ? WHERE id = 1', [at, storableText(report)]),
    )
  },
  last: async () => {
    const [row] = await context.database.all<CleanUpRecord>('SELECT "at", report FROM clean_up WHERE id = 1')
    return row === undefined || row.report === '' ? undefined : row
  },
})

/**
 * Counts what nothing needs any more, and removes it unless it is a dry run: rows, records of imports if `isGone` is given,
 * and names unless it is to be quick. Names come last: what was removed before may have been the last to have one. Unless it
 * is a dry run, sums of past days are put together as well.
 */
const removeOrphans = async (context: StoreContext, query: OrphanQuery): Promise<readonly OrphanCount[]> => {
  const { dryRun, quick, isGone } = query
  if (!dryRun) await foldSums(context.database, Date.now())
  const rows = await removeOrphanRows(context, query)
  const imports = isGone === undefined ? [] : [await removeOrphanImports(context, dryRun, isGone)]
  // They are few, but what has them is found by reading all requests.
  return [...rows, ...imports, ...(quick ? [] : await removeOrphanNames(context, dryRun))]
}

/** Whether it is due, and is this process's, which then notes `now` as its time; a time in the future counts as due. */
const claim = async ({ database }: StoreContext, now: number, everyMs: number): Promise<boolean> => {
  const due = now - everyMs
  // A clock that was set back must not put it off for years.
  const [row] = await database.all<{ at: number }>('SELECT "at" FROM clean_up WHERE id = 1')
  if (row === undefined || (row.at > due && row.at <= now)) return false
  return database.transaction(
    { durability: 'lazy' },
    async (transaction) =>
      (await transaction.run('UPDATE clean_up SET "at" = ? WHERE id = 1 AND "at" = ?', [now, row.at])) === 1,
  )
}

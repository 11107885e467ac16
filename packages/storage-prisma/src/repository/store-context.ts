/** What the parts of the repository share. */
import type { PackReader } from '../packs/pack-reader.ts'
import type { HashKey } from '../packs/pack-draft.ts'
import type { SqlDatabase } from '../sql/database.ts'
import type { LabelCache } from './labels.ts'
import type { IndexMaintenance } from '../search/index-maintenance.ts'

export interface StoreContext {
  readonly database: SqlDatabase
  readonly maintenance: IndexMaintenance
  readonly labels: LabelCache
  readonly packs: PackReader
  /**
   * Blocks that running writes are about to store: how many of these writes, and the first session whose entry holds
   * it.
   */
  readonly pending: Map<HashKey, { readonly writes: number; readonly firstSession: string | undefined }>
}

/** The clause that locks the rows of a SELECT until the end of the transaction; empty in SQLite, which locks no rows. */
export const rowLockClause = (context: StoreContext): string =>
  context.database.dialect === 'postgresql' ? ' FOR UPDATE' : ''

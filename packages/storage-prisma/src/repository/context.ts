/** What the parts of the repository share. */
import type { PackReader } from '../packs/pack-reader.ts'
import type { HashKey } from '../packs/pack-draft.ts'
import type { SqlDatabase } from '../sql/database.ts'
import type { LabelCache } from './labels.ts'
import type { SearchWriter } from './search-writer.ts'

export interface StoreContext {
  readonly database: SqlDatabase
  readonly search: SearchWriter
  readonly labels: LabelCache
  readonly packs: PackReader
  /** Blocks that writes under way are about to store, by how many of them. */
  readonly pending: Map<HashKey, number>
}

/** Locks the rows of a SELECT until the end of the transaction, where rows can be locked. */
export const rowLock = (context: StoreContext): string => (context.database.dialect === 'postgresql' ? ' FOR UPDATE' : '')

/** The search of a store that is open for reading; a module of its own, because most reads search nothing. */
import { StorageError, createSearch } from '@cairn/core'
import type { SearchIndex, SessionStorage } from '@cairn/core'
import { processBudget } from '../health/process-budget.ts'
import { SearchSource } from '../search/search-source.ts'
import type { SqlDatabase } from '../sql/database.ts'

/**
 * The search over a store that is only read. Rejects with `storage-busy` while the index lacks messages: only a process
 * that may write completes it.
 */
export const readingSearch = (database: SqlDatabase, sessions: Pick<SessionStorage, 'read'>): SearchIndex =>
  createSearch(
    new SearchSource(database, sessions, processBudget(), () =>
      Promise.reject(
        new StorageError(
          'storage-busy',
          'The search index is not complete yet; the next import or search completes it.',
        ),
      ),
    ),
  )

/** The ports of a SQLite store that a short read needs, without those that write. */
import type { MemoryStorage, NoteStorage, SearchIndex, SessionStorage, StateStorage } from '@cairn/core'
import { processBudget } from '../health/process-budget.ts'
import { PackReader } from '../packs/pack-reader.ts'
import { PrismaMemoryStorage } from '../repository/memory.ts'
import { PrismaNoteStorage } from '../repository/notes.ts'
import { PrismaSessionStorage } from '../repository/sessions.ts'
import { PrismaStateStorage } from '../repository/state.ts'
import { ReadingDatabase } from './reading-database.ts'

export interface ReadingStore {
  readonly sessions: SessionStorage
  readonly memory: MemoryStorage
  readonly notes: NoteStorage
  readonly state: StateStorage
  /** Rejects with `storage-busy` while the index lacks messages: only a process that may write completes it. */
  readonly search: SearchIndex
  /** Lets go of the file; nothing can be read after it. */
  close(): Promise<void>
}

/**
 * Opens the store at a path to read it once and quickly. Every write rejects. Undefined where the store is only being
 * made; rejects for one that can't be read, as `ReadingDatabase.open` does. `close` ends it; until then writers are not
 * kept waiting.
 */
export const openReadingStore = async (path: string): Promise<ReadingStore | undefined> => {
  const database = await ReadingDatabase.open(path)
  if (database === undefined) return undefined
  const refuse = (): Promise<never> => Promise.reject(database.refusal())
  const sessions = new PrismaSessionStorage(
    { database, packs: new PackReader(database, processBudget()) },
    { append: refuse, delete: refuse },
  )
  let search: Promise<SearchIndex> | undefined
  const searching = (): Promise<SearchIndex> =>
    (search ??= import('./reading-search.ts').then(({ readingSearch }) => readingSearch(database, sessions)))
  return {
    sessions,
    memory: new PrismaMemoryStorage(database),
    notes: new PrismaNoteStorage(database),
    state: new PrismaStateStorage(database, { transaction: refuse }),
    search: {
      search: async (query) => (await searching()).search(query),
      sessions: async (query) => (await searching()).sessions(query),
      correct: async (query) => (await searching()).correct(query),
      touches: async (query) => (await searching()).touches(query),
      files: async (query) => (await searching()).files(query),
    },
    close: () => database.close(),
  }
}

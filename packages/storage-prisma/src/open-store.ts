/** Opens a store by its address and puts the ports together. */
import { resolve } from 'node:path'
import { CairnError, createHealthRecorder, createSearch, storeAddresses, withoutPassword } from '@cairn/core'
import type { MemoryBudget, SessionStorage } from '@cairn/core'
import type { DatabaseStore } from './database-store.ts'
import { createCleanUpStorage } from './cleanup/clean-up-storage.ts'
import { SqlHealthStorage } from './health/health-storage.ts'
import { heapFigures } from './health/heap-figures.ts'
import { processBudget } from './health/process-budget.ts'
import type { PackCacheSizes } from './packs/pack-cache-sizes.ts'
import { PackReader } from './packs/pack-reader.ts'
import { LazyClient } from './prisma/client.ts'
import type { ClientDatabase } from './prisma/client.ts'
import { Appends } from './repository/appends.ts'
import { PrismaCheckpointStorage } from './repository/checkpoints.ts'
import type { StoreContext } from './repository/store-context.ts'
import { deleteSession } from './repository/deletion.ts'
import { PrismaImportStorage } from './repository/imports.ts'
import { LabelCache } from './repository/labels.ts'
import { purge, rebuild, statistics, verify } from './repository/maintenance.ts'
import { PrismaMemoryStorage } from './repository/memory.ts'
import { PrismaNoteStorage } from './repository/notes.ts'
import { createProjectStorage } from './repository/projects.ts'
import { reprice } from './repository/repricing.ts'
import { PrismaSessionStorage } from './repository/sessions.ts'
import { PrismaStateStorage } from './repository/state.ts'
import { PrismaUsageStorage } from './repository/usage.ts'
import { fillIndex } from './search/backfill.ts'
import type { IndexingProgress } from './search/backfill.ts'
import { createErasure } from './erasure/erasure.ts'
import { required } from './sql/required.ts'
import { INDEX_SIZES } from './search/index-sizes.ts'
import type { IndexSizes } from './search/index-sizes.ts'
import { SearchSource } from './search/search-source.ts'
import { IndexMaintenance } from './search/index-maintenance.ts'
import { createSyncSource } from './sync/sync-source.ts'
import { createSyncTarget } from './sync/sync-target.ts'

export type { DatabaseStore } from './database-store.ts'

export interface StoreOptions {
  /** Called while the search index is built from the log: at the first search after an upgrade. */
  readonly onIndexing?: (progress: IndexingProgress) => void
  /** When the search index builds and merges segments; for tests and benchmarks. */
  readonly indexSizes?: IndexSizes
  /** What its caches may hold, shared with other stores. Default: one budget for the process, by the machine's memory. */
  readonly memoryBudget?: MemoryBudget
  /** How much of that is for packs; for tests and benchmarks. */
  readonly packCache?: PackCacheSizes
  /**
   * Opens it to be read alone, as it is: nothing is made or migrated, and the database itself refuses every write. A
   * replica can be opened so; changes are not announced then, so listeners are called every half minute. Default false.
   */
  readonly isReadOnly?: boolean
  /** How long a PostgreSQL server may take to answer when it is first connected to, ms; default 10 s. */
  readonly connectTimeoutMs?: number
}

/**
 * Opens the store at `file:<path>` (created if missing; relative to the working folder) or `postgresql://…`, and
 * applies missing migrations. Several addresses with spaces between them are one store of several databases, which is only
 * read and synced to. Rejects with a `StorageError` when it can't be reached, is damaged, or was made by a
 * newer version (then it is left untouched), and with a `CairnError` `usage` for an invalid address.
 */
export const openStore = async (address: string, options: StoreOptions = {}): Promise<DatabaseStore> => {
  const addresses = typeof address === 'string' ? storeAddresses(address) : []
  if (addresses.length <= 1) return openOne(address, options)
  const { openShards } = await import('./shards/open-shards.ts')
  return openShards(addresses, (one) => openOne(one, options))
}

/** Opens a store of one database. Rejects as {@link openStore} does. */
const openOne = async (address: string, options: StoreOptions): Promise<DatabaseStore> => {
  const { onIndexing, indexSizes = INDEX_SIZES, memoryBudget: budget = processBudget(), packCache } = options
  const database = await openDatabase(address, options)
  const health = healthOf(database, budget)
  const maintenance = new IndexMaintenance(database, indexSizes)
  const context: StoreContext = {
    database,
    maintenance,
    labels: new LabelCache(),
    packs: new PackReader(database, budget, packCache),
    pending: new Map(),
  }
  const client = new LazyClient(database)
  const appends = new Appends(context)
  const sessions = new PrismaSessionStorage(context, {
    append: (session, expectedSeq, writes) => appends.append(session, expectedSeq, writes),
    delete: (sessionId) => deleteSession(context, sessionId),
  })
  const fill = (): Promise<void> => fillIndex(database, sessions, maintenance, onIndexing)
  const source = new SearchSource(database, sessions, budget, fill)
  const notes = new PrismaNoteStorage(database)
  const memory = new PrismaMemoryStorage(database)
  return {
    sessions,
    usage: new PrismaUsageStorage(context),
    projects: createProjectStorage(context),
    imports: new PrismaImportStorage(context),
    search: createSearch(source),
    state: new PrismaStateStorage(database, client),
    notes,
    memory,
    checkpoints: new PrismaCheckpointStorage(database.location, client),
    cleanUp: createCleanUpStorage(context),
    health,
    statistics: () => statistics(context),
    verify: () => verify(context, sessions),
    rebuild: () => rebuild(context, fill),
    reprice: (prices) => reprice(context, prices),
    purge: async () => {
      await maintenance.idle()
      await purge(context)
      source.clear()
    },
    check: () => database.check(),
    identity: () => identityOf(database),
    timelines: async () => new Map([[await identityOf(database), await timelineOf(database)]]),
    sync: syncEnds(context, sessions),
    erasure: createErasure(context, { deleteSession: (sessionId) => sessions.delete(sessionId) }),
    onChange: (listener) => database.onChange(listener),
    close: async () => {
      await Promise.all([appends.idle(), notes.idle(), memory.idle(), maintenance.endImports()])
      await health.close()
      context.packs.close()
      source.close()
      await client.close()
      await database.close()
    },
  }
}

/** The store as what is synced from, and to. Deleting through `target` also deletes what belongs to a session. */
const syncEnds = (context: StoreContext, sessions: SessionStorage): DatabaseStore['sync'] => ({
  source: createSyncSource(context, sessions),
  target: createSyncTarget(context, { sessions, deleteSession: (sessionId) => deleteSession(context, sessionId) }),
})

/** The random id that the store's first migration was noted with. */
const identityOf = async (database: ClientDatabase): Promise<string> => {
  const [first] = await database.all<{ id: string }>(
    'SELECT id FROM "_prisma_migrations" ORDER BY migration_name, id LIMIT 1',
  )
  return required(first, 'the record of migrations').id
}

/** The server's timeline; '' for SQLite. Rejects on a replica. */
const timelineOf = async (database: ClientDatabase): Promise<string> => {
  if (database.dialect === 'sqlite') return ''
  const { TIMELINE_QUERY } = await import('./postgres/lost-connection.ts')
  const [row] = await database.all<{ timeline: string }>(TIMELINE_QUERY)
  return required(row, 'the timeline of the server').timeline
}

/** Measures the database's writes from here on; gives the storage of what was measured. */
const healthOf = (database: ClientDatabase, budget: MemoryBudget): SqlHealthStorage => {
  const recorder = createHealthRecorder(() => budget.figures, heapFigures)
  database.observer = recorder
  return new SqlHealthStorage(database, recorder)
}

/**
 * Opens the database of an address; rejects with `usage` for what is no address. A postgres:// or postgresql://
 * address, or `file:` with a path; missing migrations are applied, unless it is only read.
 */
const openDatabase = async (
  address: unknown,
  { connectTimeoutMs, isReadOnly = false }: StoreOptions,
): Promise<ClientDatabase> => {
  if (typeof address !== 'string')
    throw noAddress(typeof address === 'object' && address !== null ? 'An object' : String(address))
  if (/^postgres(ql)?:\/\//.test(address)) {
    const [{ PostgresDatabase }, { migrations }] = await Promise.all([
      import('./postgres/postgres-database.ts'),
      import('./generated/postgresql/migrations.ts'),
    ])
    return PostgresDatabase.open(address, migrations, {
      isReadOnly,
      ...(connectTimeoutMs === undefined ? {} : { connectTimeoutMs }),
    })
  }
  if (address.startsWith('file:') && address.length > 'file:'.length) {
    const [{ SqliteDatabase }, { migrations }] = await Promise.all([
      import('./sqlite/sqlite-database.ts'),
      import('./generated/sqlite/migrations.ts'),
    ])
    return SqliteDatabase.open(resolve(address.slice('file:'.length)), migrations, isReadOnly)
  }
  throw noAddress(`"${withoutPassword(address)}"`)
}

/** Makes (does not throw) the `usage` error for what is no address. */
const noAddress = (shown: string): CairnError =>
  new CairnError('usage', `${shown} is not the address of a store: use file:<path> or postgresql://user@host/database.`)

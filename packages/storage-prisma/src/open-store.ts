/** Opens a store by its address and puts the ports together. */
import { resolve } from 'node:path'
import { CairnError } from '@cairn/core'
import type { Store } from '@cairn/core'
import { PackReader } from './packs/pack-reader.ts'
import { LazyClient } from './prisma/client.ts'
import type { ClientDatabase } from './prisma/client.ts'
import { Appends } from './repository/appends.ts'
import { PrismaCheckpointStorage } from './repository/checkpoints.ts'
import type { StoreContext } from './repository/context.ts'
import { PrismaImportStorage } from './repository/imports.ts'
import { LabelCache } from './repository/labels.ts'
import { purge, rebuild, statistics, verify } from './repository/maintenance.ts'
import { PrismaMemoryStorage } from './repository/memory.ts'
import { PrismaNoteStorage } from './repository/notes.ts'
import { reprice } from './repository/repricing.ts'
import { PrismaSearchIndex } from './repository/search.ts'
import type { SearchWriter } from './repository/search-writer.ts'
import { PrismaSessionStorage } from './repository/sessions.ts'
import { PrismaStateStorage } from './repository/state.ts'
import { PrismaUsageStorage } from './repository/usage.ts'

/** A store in a database that others, too, can write, bring up to date and damage. */
export interface DatabaseStore extends Store {
  /**
   * Rejects with a `StorageError` when the store is not any more what was opened: removed or replaced, emptied or
   * overwritten, without one of its tables, or brought up to date by a newer version. For whoever keeps a store open for
   * long; cheap enough for every second or two.
   */
  check(): Promise<void>
}

/**
 * Opens the store at `file:<path>` (made if missing; relative to the working folder) or
 * `postgresql://…`, and applies what migrations it lacks. Rejects with a `StorageError` when it can't be
 * reached, is damaged, or was made by a newer version (then it is left untouched).
 */
export const openStore = async (address: string): Promise<DatabaseStore> => {
  const { database, search } = await openDatabase(address)
  const context: StoreContext = { database, search, labels: new LabelCache(), packs: new PackReader(database), pending: new Map() }
  const client = new LazyClient(database)
  const appends = new Appends(context)
  const sessions = new PrismaSessionStorage(context, appends)
  return {
    sessions,
    usage: new PrismaUsageStorage(context),
    imports: new PrismaImportStorage(context),
    search: new PrismaSearchIndex(context, sessions),
    state: new PrismaStateStorage(client),
    notes: new PrismaNoteStorage(client),
    memory: new PrismaMemoryStorage(client),
    checkpoints: new PrismaCheckpointStorage(client),
    statistics: () => statistics(context),
    verify: () => verify(context, sessions),
    rebuild: () => rebuild(context, sessions),
    reprice: (prices) => reprice(context, prices),
    purge: () => purge(context),
    check: () => database.check(),
    onChange: (listener) => database.onChange(listener),
    close: async () => {
      await appends.idle()
      await client.close()
      await database.close()
    },
  }
}

const openDatabase = async (address: string): Promise<{ readonly database: ClientDatabase; readonly search: SearchWriter }> => {
  if (/^postgres(ql)?:\/\//.test(address)) {
    const [{ PostgresDatabase }, { postgresSearch }, { migrations }] = await Promise.all([
      import('./postgres/postgres-database.ts'),
      import('./postgres/postgres-search.ts'),
      import('./generated/postgresql/migrations.ts'),
    ])
    return { database: await PostgresDatabase.open(address, migrations), search: postgresSearch }
  }
  if (address.startsWith('file:') && address.length > 'file:'.length) {
    const [{ SqliteDatabase }, { sqliteSearch }, { migrations }] = await Promise.all([
      import('./sqlite/sqlite-database.ts'),
      import('./sqlite/sqlite-search.ts'),
      import('./generated/sqlite/migrations.ts'),
    ])
    return { database: await SqliteDatabase.open(resolve(address.slice('file:'.length)), migrations), search: sqliteSearch }
  }
  throw new CairnError('usage', `"${address}" is not the address of a store: use file:<path> or postgresql://user@host/database.`)
}

/** Stores of the version before get the sums by provider for what they hold already. */
import { describe, expect, it } from '@jest/globals'
import type { ProviderSum } from '@cairn/core'
import { migrations as postgresMigrations } from '../generated/postgresql/migrations.ts'
import { migrations as sqliteMigrations } from '../generated/sqlite/migrations.ts'
import { openStore } from '../open-store.ts'
import { PostgresDatabase } from '../postgres/postgres-database.ts'
import { SqliteDatabase } from '../sqlite/sqlite-database.ts'
import { appendMessages } from '../testing/filled-store.ts'
import { temporaryStores } from '../testing/temporary-stores.ts'

const NAME = '20261128121345_requests_by_provider'
const DAY = 86_400_000
const T0 = Date.UTC(2026, 0, 5)
const SESSIONS = [4, 90, 31]

const { newAddress } = temporaryStores()

const openDatabase = (address: string) =>
  address.startsWith('file:')
    ? SqliteDatabase.open(address.slice('file:'.length), sqliteMigrations)
    : PostgresDatabase.open(address, postgresMigrations)

/** Makes it a store of the version before. */
const takeBack = async (address: string): Promise<void> => {
  const database = await openDatabase(address)
  await database.transaction({ durability: 'synced' }, async (transaction) => {
    await transaction.run('DROP TABLE usage_provider')
    await transaction.run('DELETE FROM _prisma_migrations WHERE migration_name >= ?', [NAME])
  })
  await database.close()
}

const sorted = (sums: readonly ProviderSum[]): readonly string[] =>
  sums.map((sum) => Object.values(sum).map(String).join(' | ')).toSorted()

/** All sums, those of each folder, and those of a branch that no request has. */
const sumsOf = async (address: string): Promise<readonly (readonly string[])[]> => {
  const store = await openStore(address)
  try {
    expect(await store.verify()).toEqual([])
    const boundaries = [T0 + DAY / 2]
    return [
      sorted(await store.usage.providerSums({ boundaries, workspaces: [] })),
      sorted(await store.usage.providerSums({ boundaries })),
      sorted(await store.usage.providerSums({ boundaries, workspaces: [], filter: { branch: 'unknown' } })),
    ]
  } finally {
    await store.close()
  }
}

describe.each(newAddress)('sums by provider of an older store on %s', (_name, address) => {
  it('are those that it would have if it had been written by this version', async () => {
    const where = await address()
    for (const [number, messages] of SESSIONS.entries()) await appendMessages(where, number, 0, messages)
    const written = await sumsOf(where)
    expect(written.map(({ length }) => length > 0)).toEqual([true, true, true])
    await takeBack(where)
    expect(await sumsOf(where)).toEqual(written)
  }, 120_000)
})

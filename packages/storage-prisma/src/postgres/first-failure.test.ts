import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { migrations } from '../generated/postgresql/migrations.ts'
import type { SqlTransaction } from '../sql/database.ts'
import { startPostgres } from '../testing/temporary-postgres.ts'
import type { TemporaryPostgres } from '../testing/temporary-postgres.ts'
import { PostgresDatabase } from './postgres-database.ts'

let server: TemporaryPostgres
let database: PostgresDatabase

beforeAll(async () => {
  server = await startPostgres()
  database = await PostgresDatabase.open(await server.database(), migrations)
})

afterAll(async () => {
  await database.close()
  await server.stop()
})

/** Two statements on the way at once, of which the first fails, and the second is awaited. */
const failing = async (transaction: SqlTransaction, sql: string): Promise<unknown> => {
  transaction.run(sql).catch(() => undefined)
  return transaction.all('SELECT 1')
}

describe('a transaction whose statements do not wait for each other', () => {
  it('fails with what its first failed statement failed with, not with what those behind it are told', async () => {
    const work = database.transaction({ durability: 'lazy' }, (transaction) =>
      failing(transaction, 'UPDATE session SET no_such_column = 1'),
    )
    await expect(work).rejects.toMatchObject({
      code: 'storage-failed',
      message: expect.stringContaining('"no_such_column"'),
    })
  })

  it('is tried again where the first failure was one that passes', async () => {
    let attempts = 0
    const result = await database.transaction({ durability: 'lazy' }, (transaction) => {
      attempts += 1
      if (attempts === 3) return transaction.all('SELECT 7 AS seven')
      return failing(transaction, "DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '40001'; END $$")
    })
    expect([result, attempts]).toEqual([[{ seven: 7 }], 3])
  })
})

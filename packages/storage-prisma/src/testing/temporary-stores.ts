/** For tests that run on both databases: a folder and a PostgreSQL server that are gone after a file's tests. */
import { afterAll, beforeAll } from '@jest/globals'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from './temporary-postgres.ts'
import type { TemporaryPostgres } from './temporary-postgres.ts'

export interface TemporaryStores {
  readonly folder: string
  /** By the database's name, what gives the address of a store that is not there yet. */
  readonly newAddress: readonly (readonly [database: string, newAddress: () => Promise<string>])[]
}

/**
 * A folder and a function for addresses of new stores of each database, for the tests of a file; to be called where
 * they are declared. Server and folder go after them.
 */
export const temporaryStores = (): TemporaryStores => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-stores-'))
  let server: TemporaryPostgres | undefined
  let count = 0
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    folder,
    newAddress: [
      ['SQLite', async () => `file:${join(folder, `${(count += 1)}.db`)}`],
      [
        'PostgreSQL',
        async () => {
          if (server === undefined) throw new Error('there is no server')
          return server.database()
        },
      ],
    ],
  }
}

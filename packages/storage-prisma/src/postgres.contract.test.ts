import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { runStoreContract } from '@cairn/core/testing'
import { openStore } from './open-store.ts'
import { startPostgres } from './testing/temporary-postgres.ts'
import type { TemporaryPostgres } from './testing/temporary-postgres.ts'

let server: TemporaryPostgres | undefined

beforeAll(async () => {
  server = await startPostgres()
})

afterAll(async () => {
  await server?.stop()
})

describe('PostgreSQL', () => {
  runStoreContract({ describe, it, expect }, async () => {
    if (server === undefined) throw new Error('there is no server')
    return openStore(await server.database())
  })
})

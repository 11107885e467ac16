import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importProcess } from './testing/import-together.ts'
import { startPostgres } from './testing/temporary-postgres.ts'
import type { TemporaryPostgres } from './testing/temporary-postgres.ts'

/** The moment to miss is short: a single round seldom meets it. */
const ROUNDS = { SQLite: 5, PostgreSQL: 2 }
const PROCESSES = 4

const folder = mkdtempSync(join(tmpdir(), 'cairn-opening-'))
const nothing = join(folder, 'nothing')
let server: TemporaryPostgres | undefined

beforeAll(async () => {
  mkdirSync(nothing)
  server = await startPostgres()
})

afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** All of them find no store and make it; each then looks into it. */
const openAtOnce = async (address: string): Promise<void> => {
  await Promise.all(Array.from({ length: PROCESSES }, () => importProcess(address, nothing)))
}

describe('processes that create the same store at the same time', () => {
  it('all succeed on SQLite', async () => {
    for (let round = 0; round < ROUNDS.SQLite; round += 1)
      await expect(openAtOnce(`file:${join(folder, `${round}.db`)}`)).resolves.toBeUndefined()
  })

  it('all succeed on PostgreSQL', async () => {
    for (let round = 0; round < ROUNDS.PostgreSQL; round += 1)
      await expect(openAtOnce((await server?.database()) ?? '')).resolves.toBeUndefined()
  })
})

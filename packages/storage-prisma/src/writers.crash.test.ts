import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { appendTogether, storedMatches } from './testing/append-together.ts'
import { startPostgres } from './testing/temporary-postgres.ts'
import type { TemporaryPostgres } from './testing/temporary-postgres.ts'

const folder = mkdtempSync(join(tmpdir(), 'cairn-writers-'))
let server: TemporaryPostgres | undefined
let count = 0

beforeAll(async () => {
  server = await startPostgres()
}, 120_000)

afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
}, 60_000)

const stores: Readonly<Record<string, () => Promise<string>>> = {
  SQLite: async () => `file:${join(folder, `${(count += 1)}.db`)}`,
  PostgreSQL: async () => {
    if (server === undefined) throw new Error('there is no server')
    return server.database()
  },
}

describe.each(Object.keys(stores))('eight processes that append to one store on %s', (name) => {
  const newStore = async (): Promise<string> => (await stores[name]?.()) ?? ''
  const newFolder = (): string => mkdtempSync(join(folder, 'notes-'))

  it('lose nothing, and all totals are exact', async () => {
    const address = await newStore()
    const acknowledged = await appendTogether({ address, folder: newFolder(), writers: 8, seconds: 2, kill: 0 })
    expect(acknowledged.appends).toBeGreaterThan(8)
    expect(await storedMatches(address, acknowledged)).toBe(acknowledged.appends)
  }, 30_000)

  it('lose nothing that was acknowledged when six of them are killed', async () => {
    const address = await newStore()
    const acknowledged = await appendTogether({ address, folder: newFolder(), writers: 8, seconds: 2, kill: 6 })
    expect(acknowledged.appends).toBeGreaterThan(8)
    expect(await storedMatches(address, acknowledged)).toBeGreaterThanOrEqual(acknowledged.appends)
  }, 30_000)
})

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allRemembered, rememberTogether } from './testing/remember-together.ts'
import { startPostgres } from './testing/temporary-postgres.ts'
import type { TemporaryPostgres } from './testing/temporary-postgres.ts'

const folder = mkdtempSync(join(tmpdir(), 'cairn-remember-'))
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

describe.each(Object.keys(stores))('CLIO fault 9: processes that add to one memory on %s', (name) => {
  it('lose nothing, also of those that are killed', async () => {
    const address = (await stores[name]?.()) ?? ''
    const notes = mkdtempSync(join(folder, 'notes-'))
    const quiet = await rememberTogether({ address, folder: notes, writers: 4, entries: 40, lanes: 1 })
    expect(await allRemembered(address, quiet.noted, 0)).toBe(160)
    const killed = await rememberTogether({ address, folder: notes, writers: 4, entries: 100_000, lanes: 3, killAfterMs: (writer) => 200 + 100 * writer, name: 'k' })
    expect(killed.killed).toBe(4)
    expect(await allRemembered(address, [...quiet.noted, ...killed.noted], 12)).toBeGreaterThan(160)
  }, 120_000)
})

/** Stores that are opened for reading alone: they are read as others are, and the database itself refuses each write. */
import { describe, expect, it } from '@jest/globals'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { openStore } from './open-store.ts'
import { PostgresDatabase } from './postgres/postgres-database.ts'
import { migrations as postgresMigrations } from './generated/postgresql/migrations.ts'
import { id, plant } from './testing/planted-store.ts'
import { temporaryStores } from './testing/temporary-stores.ts'

const stores = temporaryStores()

describe.each(stores.newAddress)('reading alone, on %s', (_name, newAddress) => {
  it('answers as any store does, sees what others write, and writes nothing', async () => {
    const address = await newAddress()
    const writer = await openStore(address)
    await plant(writer, { session: id(1), messages: 6 })
    const reader = await openStore(address, { isReadOnly: true })
    try {
      expect(await reader.sessions.get(`claude-code:${id(1)}`)).toEqual(
        await writer.sessions.get(`claude-code:${id(1)}`),
      )
      expect(await reader.usage.report({ by: 'model' })).toEqual(await writer.usage.report({ by: 'model' }))
      expect((await reader.search.search({ text: 'planted' })).length).toBeGreaterThan(0)
      await plant(writer, { session: id(2), messages: 2, call: 50 })
      expect((await reader.sessions.list({})).total).toBe(2)
      await reader.check()

      const before = await writer.statistics()
      const writes: readonly (() => Promise<unknown>)[] = [
        () => plant(reader, { session: id(3), messages: 2, call: 90 }),
        () => reader.sessions.delete(`claude-code:${id(1)}`),
        () => reader.notes.set({ workspace: '/work/planted', key: 'key', text: 'text', at: 1 }),
        () => reader.state.set({ tier: 'global' }, new Map([['key', 1]])),
        () => reader.projects.choose(['/work/planted'], 'mine'),
        () => reader.rebuild(),
        () => reader.purge(),
      ]
      for (const write of writes) await expect(write()).rejects.toThrow(/read-only|read but not changed/)
      expect(await writer.statistics()).toEqual(before)
    } finally {
      await reader.close()
      await writer.close()
    }
  })
})

describe('a store that can’t be opened for reading alone', () => {
  it('is not made: SQLite', async () => {
    const path = join(stores.folder, 'none.db')
    await expect(openStore(`file:${path}`, { isReadOnly: true })).rejects.toThrow(/can't be opened for reading/)
    expect(existsSync(path)).toBe(false)
  })

  it('is not made: PostgreSQL', async () => {
    const address = (await stores.newAddress[1]?.[1]()) ?? ''
    await expect(openStore(address, { isReadOnly: true })).rejects.toThrow(/is empty or of an older version/)
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    await client.end()
    expect(rows).toEqual([])
  })

  it('is not opened where what was asked for did not arrive, as through a pooler', async () => {
    const address = (await stores.newAddress[1]?.[1]()) ?? ''
    await (await openStore(address)).close()
    const overridden = `${address}?options=${encodeURIComponent('-c application_name=x')}`
    await expect(PostgresDatabase.open(overridden, postgresMigrations, { isReadOnly: true })).rejects.toThrow(
      /does not let that be set/,
    )
  })
})

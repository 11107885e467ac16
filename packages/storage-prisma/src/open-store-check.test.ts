/** A store that is changed, from outside, while it is open: whoever keeps it open is told, whatever is still in memory. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { CairnError } from '@cairn/core'
import { openStore } from './open-store.ts'
import type { DatabaseStore } from './open-store.ts'
import { startPostgres } from './testing/temporary-postgres.ts'
import type { TemporaryPostgres } from './testing/temporary-postgres.ts'

const folder = mkdtempSync(join(tmpdir(), 'cairn-check-'))
let count = 0

const append = (store: DatabaseStore, id: string): Promise<unknown> =>
  store.sessions.append({ id: `cairn:${id}`, agent: 'cairn', externalId: id }, 0, [
    {
      entry: {
        kind: 'message',
        id: 'a',
        at: 1,
        role: 'user',
        content: [{ type: 'text', text: 'long text '.repeat(2_000) }],
      },
    },
  ])

/** `none`, or the code and the sentence. */
const faultOf = async (work: Promise<unknown>): Promise<readonly string[]> => {
  try {
    await work
    return ['none']
  } catch (error) {
    return CairnError.is(error) ? [error.code, error.message] : ['not ours', String(error)]
  }
}

const LATER =
  "INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count) VALUES ('x', 'x', CURRENT_TIMESTAMP, '29990101000000_later', 1)"

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('an open SQLite store', () => {
  /** A store whose content lies in the file itself, opened and read once. */
  const opened = async (): Promise<{ readonly path: string; readonly store: DatabaseStore }> => {
    const path = join(folder, `${(count += 1)}.db`)
    const writer = await openStore(`file:${path}`)
    await append(writer, 's')
    await writer.close()
    const store = await openStore(`file:${path}`)
    expect((await store.sessions.list({})).total).toBe(1)
    expect(await faultOf(store.check())).toEqual(['none'])
    return { path, store }
  }

  const other = <T>(path: string, work: (database: Sqlite.Database) => T): T => {
    const database = new Sqlite(path)
    try {
      return work(database)
    } finally {
      database.close()
    }
  }

  it('that others write to is sound, also after a checkpoint of their journal', async () => {
    const { path, store } = await opened()
    const writer = await openStore(`file:${path}`)
    await append(writer, 't')
    expect(await faultOf(store.check())).toEqual(['none'])
    other(path, (database) => database.pragma('wal_checkpoint(TRUNCATE)'))
    expect(await faultOf(store.check())).toEqual(['none'])
    expect((await store.sessions.list({})).total).toBe(2)
    await writer.close()
    await store.close()
  })

  it('leaves no empty journal behind that was new and only read', async () => {
    const own = mkdtempSync(join(folder, 'new-'))
    for (const [index, read] of [
      (store: DatabaseStore) => store.verify(),
      (store: DatabaseStore) => store.sessions.list({}),
    ].entries()) {
      const store = await openStore(`file:${join(own, `${index}.db`)}`)
      await read(store)
      await store.close()
    }
    expect(readdirSync(own).sort()).toEqual(['0.db', '1.db'])
  })

  it('that was migrated by a newer version is refused with the same sentence as on opening', async () => {
    const { path, store } = await opened()
    other(path, (database) => database.exec(`ALTER TABLE session ADD COLUMN later INT; ${LATER}`))
    const fault = await faultOf(store.check())
    expect(fault[0]).toBe('storage-newer')
    await store.close()
    expect(await faultOf(openStore(`file:${path}`))).toEqual(fault)
  })

  it('that was emptied is damaged, and its file is not treated as a new store', async () => {
    const { path, store } = await opened()
    truncateSync(path, 0)
    expect((await faultOf(store.check()))[1]).toContain('is damaged (the file is empty)')
    await store.close()
  })

  it('whose file was emptied is refused as long as its journal holds something', async () => {
    const { path, store } = await opened()
    await append(store, 't')
    // As a crash leaves them: nobody has it open.
    const copy = join(folder, 'emptied.db')
    writeFileSync(copy, '')
    copyFileSync(`${path}-wal`, `${copy}-wal`)
    const { size } = statSync(`${copy}-wal`)
    expect((await faultOf(openStore(`file:${copy}`)))[0]).toBe('storage-corrupt')
    expect(statSync(`${copy}-wal`).size).toBe(size)
    await store.close()
  })

  it.each(['random bytes', 'half of it'])(
    'that was overwritten by %s is damaged, and sound once its bytes are restored',
    async (what) => {
      const { path, store } = await opened()
      const copy = `${path}.copy`
      copyFileSync(path, copy)
      if (what === 'half of it') truncateSync(path, Math.floor(statSync(path).size / 2 / 8192) * 8192)
      else writeFileSync(path, Buffer.alloc(statSync(path).size, 'no database '))
      expect((await faultOf(store.check()))[0]).toBe('storage-corrupt')
      expect((await faultOf(store.check()))[0]).toBe('storage-corrupt')
      copyFileSync(copy, path)
      expect(await faultOf(store.check())).toEqual(['none'])
      expect((await store.sessions.list({})).total).toBe(1)
      await store.close()
    },
  )

  it('notifies listeners of changes when it is damaged, without an unhandled exception', async () => {
    const { path, store } = await opened()
    const told = new Promise<void>((resolve) => {
      store.onChange(resolve)
    })
    truncateSync(path, 0)
    // Another program's look at the file removes what it takes for the journal of an older one.
    other(path, (database) => database.prepare('SELECT count(*) FROM sqlite_master').get())
    await told
    expect((await faultOf(store.check()))[0]).toBe('storage-corrupt')
    await store.close()
  })

  it('without one of its tables is damaged, also when it was opened without it', async () => {
    const { path, store } = await opened()
    other(path, (database) => database.exec('DROP TABLE usage_fact'))
    const fault = await faultOf(store.check())
    expect(fault).toEqual(['storage-corrupt', expect.stringContaining('it lacks the table usage_fact')])
    await store.close()
    const again = await openStore(`file:${path}`)
    expect(await faultOf(again.check())).toEqual(fault)
    await again.close()
  })

  it('whose file was replaced by another says so', async () => {
    const { path, store } = await opened()
    copyFileSync(path, `${path}.new`)
    rmSync(path)
    copyFileSync(`${path}.new`, path)
    expect((await faultOf(store.check()))[0]).toBe('storage-unavailable')
    await store.close()
  })
})

describe('an open PostgreSQL store', () => {
  let server: TemporaryPostgres | undefined

  beforeAll(async () => {
    server = await startPostgres()
  })

  afterAll(async () => {
    await server?.stop()
  })

  it.each([
    ['migrated by a newer version', LATER, 'storage-newer'],
    ['without one of its tables', 'DROP TABLE usage_fact', 'storage-corrupt'],
  ])('that is %s is refused', async (_what, sql, code) => {
    const address = (await server?.database()) ?? ''
    const store = await openStore(address)
    expect(await faultOf(store.check())).toEqual(['none'])
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    await client.query(sql)
    await client.end()
    expect((await faultOf(store.check()))[0]).toBe(code)
    await store.close()
  })
})

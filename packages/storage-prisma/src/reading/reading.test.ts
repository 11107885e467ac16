import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordedReply } from '@cairn/core/testing'
import { openStore } from '../open-store.ts'
import { openReadingStore, type ReadingStore } from './open-reading-store.ts'
import { ReadingDatabase } from './reading-database.ts'
import { usageFigures } from './usage-figures.ts'

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 10, 22, 12)
/** Berlin's, as a calendar tells them. */
const DAY = Date.UTC(2026, 10, 21, 23)
const MONTH = Date.UTC(2026, 9, 31, 23)

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-reading-'))
  path = join(folder, 'store.db')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** The store that is there. */
const openForReading = async (): Promise<ReadingStore> => {
  const reading = await openReadingStore(path)
  if (reading === undefined) throw new Error('The store is only being made.')
  return reading
}
/** Requests around the beginnings of a day and a month, in two projects. */
const fill = async (): Promise<void> => {
  const store = await openStore(`file:${path}`)
  const session = (id: string, workspace: string) => ({ id: `a:${id}`, agent: 'a', externalId: id, workspace })
  await store.sessions.append(session('one', '/p'), 0, [
    recordedReply('1', MONTH - 1, 1n),
    recordedReply('2', MONTH, 10n),
    recordedReply('3', DAY - 1, 100n),
    recordedReply('4', DAY, 1_000n),
  ])
  await store.sessions.append(session('two', '/q'), 0, [
    recordedReply('5', NOW - HOUR, 9_007_199_254_740_993n, 'x'.repeat(9_000)),
  ])
  await store.memory.change('/p', NOW, () => ({ writes: [], result: undefined }))
  await store.notes.set({ workspace: '/p', key: 'plan', text: 'first', at: NOW })
  await store.state.set({ tier: 'global' }, new Map([['profile:tone', { text: 'short', updatedAt: 1 }]]))
  await store.close()
}

describe('figures of a status line', () => {
  it('equal the sums of a report for the same period', async () => {
    await fill()
    const database = await ReadingDatabase.open(path)
    if (database === undefined) throw new Error('The store is only being made.')
    const query = { day: DAY, month: MONTH, workspace: '/p', sessionId: 'a:one' }
    expect(await usageFigures(database, query)).toEqual({
      todayNano: 9_007_199_254_741_993n,
      monthNano: 9_007_199_254_742_103n,
      projectNano: 1_111n,
      projectTodayNano: 1_000n,
      sessionNano: 1_111n,
    })
    expect(
      await usageFigures(database, { day: DAY, month: MONTH, workspace: '/none', sessionId: 'a:none' }),
    ).toMatchObject({
      projectNano: undefined,
      sessionNano: undefined,
    })
    await database.close()
    const store = await openStore(`file:${path}`)
    expect((await store.usage.report({ by: 'day', since: DAY })).total.costNano).toBe(9_007_199_254_741_993n)
    await store.close()
  })
})

describe('a store opened for reading', () => {
  it('returns what the store returns', async () => {
    await fill()
    const [whole, reading] = [await openStore(`file:${path}`), await openForReading()]
    expect(await reading.sessions.list({})).toEqual(await whole.sessions.list({}))
    expect(await reading.sessions.read('a:two')).toEqual(await whole.sessions.read('a:two'))
    expect(await reading.notes.list('/p')).toEqual(await whole.notes.list('/p'))
    expect(await reading.state.all({ tier: 'global' })).toEqual(await whole.state.all({ tier: 'global' }))
    expect(await reading.search.search({ text: 'reply 3' })).toEqual(await whole.search.search({ text: 'reply 3' }))
    await reading.close()
    await whole.close()
  })

  it('refuses changes', async () => {
    await fill()
    const reading = await openForReading()
    const writes = [
      () => reading.sessions.append({ id: 'a:x', agent: 'a', externalId: 'x' }, 0, [recordedReply('9', NOW, 1n)]),
      () => reading.sessions.delete('a:one'),
      () => reading.notes.set({ workspace: '/p', key: 'k', text: 't', at: NOW }),
      () => reading.state.set({ tier: 'global' }, new Map([['k', 1]])),
    ]
    for (const write of writes) await expect(write()).rejects.toThrow(/open for reading only/)
    await reading.close()
  })

  it("is not created by opening it, and can't be a store of another kind", async () => {
    await expect(openReadingStore(path)).rejects.toMatchObject({ code: 'storage-unavailable' })
    expect(existsSync(path)).toBe(false)
    writeFileSync(path, 'not a database, but long enough to be read as one'.repeat(100))
    await expect(openReadingStore(path)).rejects.toThrow()
    rmSync(path)
    const foreign = new DatabaseSync(path)
    foreign.exec('CREATE TABLE recipes (name TEXT)')
    foreign.close()
    await expect(openReadingStore(path)).rejects.toMatchObject({
      code: 'storage-unavailable',
      message: `The database ${path} is no store of Cairn's.`,
    })
  })

  it('is not there yet while another process makes it', async () => {
    const maker = new DatabaseSync(path)
    maker.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; CREATE TABLE _prisma_migrations (id TEXT)')
    expect(await openReadingStore(path)).toBeUndefined()
    maker.exec('ROLLBACK')
    maker.close()
  })

  it('of a newer or older version is left untouched', async () => {
    await fill()
    const change = (sql: string): void => {
      const other = new DatabaseSync(path)
      other.exec(sql)
      other.close()
    }
    change(
      "INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count) VALUES ('z', 'z', 1, '29991231000000_later', 1, 1)",
    )
    await expect(openReadingStore(path)).rejects.toMatchObject({ code: 'storage-newer' })
    change("DELETE FROM _prisma_migrations WHERE migration_name = '29991231000000_later'")
    await (await openForReading()).close()
    change('DELETE FROM _prisma_migrations WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)')
    await expect(openReadingStore(path)).rejects.toThrow(/older version/)
  })

  it('reports an incomplete search index', async () => {
    await fill()
    const other = new DatabaseSync(path)
    other.exec('INSERT INTO search_pending (session_id, from_seq, until_seq) VALUES (1, 0, 1)')
    other.close()
    const reading = await openForReading()
    await expect(reading.search.search({ text: 'answer' })).rejects.toMatchObject({ code: 'storage-busy' })
    await reading.close()
  })
})

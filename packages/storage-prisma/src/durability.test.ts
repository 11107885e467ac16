/** What was acknowledged is on the disk: every transaction that is waited for ends with a sync, on every connection. */
import { afterAll, afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { EntryWrite } from '@cairn/core'
import { memoryEntry, writeMemory } from '@cairn/core/testing'
import { openStore } from './open-store.ts'
import type { DatabaseStore } from './open-store.ts'
import { queuedSqliteAdapter } from './prisma/sqlite-adapter.ts'
import { WriteQueue } from './sqlite/write-queue.ts'

const folder = mkdtempSync(join(tmpdir(), 'cairn-durability-'))
const FULL = 2
const session = { id: 'cairn:s', agent: 'cairn', externalId: 's' }
const message = (id: string): EntryWrite => ({
  entry: { kind: 'message', id, at: 1, role: 'user', content: [{ type: 'text', text: `text of ${id}` }] },
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('an acknowledged write', () => {
  /** How each commit was synced, as SQLite itself says at that moment. */
  const commits: { readonly level: unknown; readonly journal: unknown }[] = []
  let store: DatabaseStore
  let count = 0

  beforeEach(async () => {
    const original = Sqlite.prototype.exec
    jest.spyOn(Sqlite.prototype, 'exec').mockImplementation(function (this: Sqlite.Database, sql: string) {
      if (sql === 'COMMIT')
        commits.push({
          level: this.pragma('synchronous', { simple: true }),
          journal: this.pragma('journal_mode', { simple: true }),
        })
      return original.call(this, sql)
    })
    store = await openStore(`file:${join(folder, `${(count += 1)}.db`)}`)
    await store.sessions.append(session, 0, [message('first')])
    commits.length = 0
  })

  afterEach(async () => {
    jest.restoreAllMocks()
    await store.close()
  })

  it.each<readonly [string, () => Promise<unknown>]>([
    ['an append', () => store.sessions.append(session, 1, [message('second')])],
    ['an append behind the end', () => store.sessions.append(session, 'end', [message('second')])],
    ['a note', () => store.notes.set({ workspace: 'w', key: 'k', text: 'kept', at: 1 })],
    ['an entry of the memory', () => writeMemory(store, 1, { op: 'put', entry: memoryEntry('m') })],
    ['a deletion', () => store.sessions.delete('cairn:s')],
    ['an emptied store', () => store.purge()],
  ])('is synced: %s', async (_what, write) => {
    await write()
    expect(commits.length).toBeGreaterThan(0)
    expect(commits).toEqual(commits.map(() => ({ level: FULL, journal: 'wal' })))
  })

  it("is synced on Prisma's own connection, too, which commits by itself", async () => {
    const path = join(folder, 'prisma.db')
    const other = new Sqlite(path)
    const adapter = await queuedSqliteAdapter(path, new WriteQueue(other)).connect()
    const { rows } = await adapter.queryRaw({ sql: 'PRAGMA synchronous', args: [], argTypes: [] })
    expect(rows).toEqual([[FULL]])
    await adapter.dispose()
    other.close()
  })
})

/** What can go wrong with a file: each gives one sentence, and nothing that was acknowledged is lost. */
import { afterAll, describe, expect, it } from '@jest/globals'
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { CairnError } from '@cairn/core'
import type { EntryWrite, Store } from '@cairn/core'
import { memoryEntry, writeMemory } from '@cairn/core/testing'
import { openStore } from './open-store.ts'
import { loadIntoMemory } from './sqlite/read-only.ts'

const folder = mkdtempSync(join(tmpdir(), 'cairn-faults-'))
let count = 0
const newPath = (): string => join(folder, `${(count += 1)}.db`)

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

const session = { id: 'cairn:s', agent: 'cairn', externalId: 's' }
const message = (id: string, text: string): EntryWrite => ({
  entry: { kind: 'message', id, at: 1, role: 'user', content: [{ type: 'text', text }] },
})

const withStore = async <T>(path: string, work: (store: Store) => Promise<T>): Promise<T> => {
  const store = await openStore(`file:${path}`)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

const errorCode = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'none'
  } catch (error) {
    return CairnError.is(error) ? error.code : `not ours: ${String(error)}`
  }
}

describe('a SQLite store', () => {
  it('from a newer version is refused and left untouched', async () => {
    const path = newPath()
    await withStore(path, (store) => store.sessions.append(session, 0, [message('a', 'hello')]))
    const database = new Sqlite(path)
    database
      .prepare(
        "INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count) VALUES ('x', 'x', 1, '29990101000000_later', 1)",
      )
      .run()
    database.pragma('journal_mode = DELETE')
    database.close()
    const before = readFileSync(path)
    expect(await errorCode(openStore(`file:${path}`))).toBe('storage-newer')
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it('that is not a database is reported as damaged and left untouched', async () => {
    const path = newPath()
    writeFileSync(path, 'this is a letter to my aunt, not a database\n'.repeat(100))
    await expect(openStore(`file:${path}`)).rejects.toMatchObject({
      code: 'storage-corrupt',
      message: expect.stringMatching(
        /^The file \S+ is no store, or one that is damaged at its beginning .+ was left as/,
      ),
    })
    expect(readFileSync(path, 'utf8')).toContain('aunt')
  })

  it('whose folder is below a file says so in words', async () => {
    const path = newPath()
    writeFileSync(path, 'x')
    await expect(openStore(`file:${join(path, 'below', 'cairn.db')}`)).rejects.toMatchObject({
      code: 'storage-unavailable',
      message: expect.stringMatching(/can't be made: it is not a folder; name a file in a folder of your own/),
    })
  })

  it('of another program is refused and left untouched', async () => {
    const path = newPath()
    const database = new Sqlite(path)
    database.exec('CREATE TABLE notes (text TEXT)')
    database.close()
    const before = readFileSync(path)
    expect(await errorCode(openStore(`file:${path}`))).toBe('storage-unavailable')
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it('that is a folder, or in a folder where no file can be created, says why and what to do', async () => {
    const sentence = async (path: string): Promise<string> =>
      openStore(`file:${path}`).then(
        () => '',
        (error: unknown) => (CairnError.is(error) ? `${error.code}: ${error.message}` : String(error)),
      )
    expect(await sentence(folder)).toBe(
      `storage-unavailable: The store ${folder} can't be opened: it is a folder; name a file in it, such as file:${join(folder, 'cairn.db')}.`,
    )
    if (process.platform === 'linux')
      expect(await sentence('/proc/x.db')).toMatch(
        /^storage-unavailable: .*(?:no database be made in|may not write in the folder) \/proc.*name a file in a folder of your own/,
      )
  })

  const unprivileged = process.getuid?.() === 0 || process.platform === 'win32' ? it.skip : it
  unprivileged('in a folder without permission to write says so', async () => {
    const closed = mkdtempSync(join(folder, 'closed-'))
    chmodSync(closed, 0o500)
    await expect(openStore(`file:${join(closed, 'x.db')}`)).rejects.toThrow(
      `this user may not write in the folder ${closed}`,
    )
  })

  it('refuses an overlong query in one sentence', async () => {
    await withStore(newPath(), async (store) => {
      const long = 'a_%'.repeat(40_000)
      for (const asked of [() => store.sessions.resolve(long), () => store.sessions.list({ text: long })])
        await expect(asked()).rejects.toMatchObject({
          code: 'usage',
          message: expect.stringMatching(/^A text of 120000 characters is too long to look for/),
        })
      expect(await store.sessions.resolve('_%'.repeat(4000))).toEqual([])
    })
  })

  it('that is removed while in use says so at the next write', async () => {
    const path = newPath()
    const store = await openStore(`file:${path}`)
    await store.sessions.append(session, 0, [message('a', 'x')])
    rmSync(path)
    expect(await errorCode(store.sessions.append(session, 1, [message('b', 'y')]))).toBe('storage-failed')
    await store.close()
  })

  it('with a damaged pack names the session, and the rest can be read', async () => {
    const path = newPath()
    await withStore(path, async (store) => {
      await store.sessions.append(session, 0, [message('a', 'long text '.repeat(1000))])
      await store.sessions.append({ ...session, id: 'cairn:t', externalId: 't' }, 0, [
        message('a', 'other text '.repeat(1000)),
      ])
    })
    const database = new Sqlite(path)
    database.prepare('UPDATE pack SET data = zeroblob(length(data)) WHERE id = 1').run()
    database.close()
    await withStore(path, async (store) => {
      expect(await errorCode(store.sessions.read('cairn:s'))).toBe('storage-corrupt')
      expect((await store.sessions.read('cairn:t')).length).toBe(1)
      expect((await store.verify()).map((fault) => fault.detail.includes('cairn:s'))).toEqual([true])
    })
  })

  it('has a file that only its user can read', async () => {
    const path = newPath()
    await withStore(path, () => Promise.resolve())
    expect(statSync(path).mode & 0o077).toBe(0)
  })

  it('can be created by many at once', async () => {
    const path = newPath()
    const stores = await Promise.all(Array.from({ length: 8 }, () => openStore(`file:${path}`)))
    const results = await Promise.all(
      stores.map((store, index) =>
        store.sessions.append({ ...session, id: `cairn:${index}`, externalId: `${index}` }, 0, [message('a', 'x')]),
      ),
    )
    expect(results.every((result) => result.ok)).toBe(true)
    expect((await stores[0]?.sessions.list({}))?.total).toBe(8)
    await Promise.all(stores.map((store) => store.close()))
  })

  it('shows what one connection wrote to the others, and notifies them', async () => {
    const path = newPath()
    await withStore(path, (reader) =>
      withStore(path, async (writer) => {
        const told = new Promise<void>((resolve) => {
          reader.onChange(resolve)
        })
        await writer.sessions.append(session, 0, [message('a', 'seen elsewhere')])
        await told
        expect((await reader.search.search({ text: 'elsewhere' })).length).toBe(1)
      }),
    )
  })

  it('keeps an acknowledged append whatever happens to a concurrent one', async () => {
    await withStore(newPath(), async (store) => {
      const good = Array.from({ length: 20 }, (_, index) =>
        store.sessions.append({ ...session, id: `cairn:${index}`, externalId: `${index}` }, 0, [
          message('a', `text ${index}`),
        ]),
      )
      // The second write of this one has the id of the first: it fails inside the group's transaction.
      const bad = store.sessions.append(session, 0, [message('twice', 'x'), message('twice', 'y')])
      expect(await errorCode(bad)).toBe('invalid-input')
      expect((await Promise.all(good)).every((result) => result.ok)).toBe(true)
      expect((await store.sessions.list({})).total).toBe(20)
    })
  })

  it('keeps an append, a note and a memory entry made while other writes fail', async () => {
    await withStore(newPath(), async (store) => {
      const facts = { id: 'c', workspace: 'w', sessionId: null, at: 1, commit: 'x', files: 1, bytes: 1 }
      const record = { ...facts, kind: null, label: null, leftOut: null }
      await store.checkpoints.add(record)
      const failing = [
        errorCode(writeMemory(store, 1, { op: 'put', entry: memoryEntry('m', { applications: Number.NaN }) })),
        // By Prisma, which has a connection of its own.
        errorCode(store.checkpoints.add(record)),
      ]
      const append = store.sessions.append(session, 0, [message('a', 'kept')])
      const note = store.notes.set({ workspace: 'w', key: 'k', text: 'kept', at: 1 })
      const entry = writeMemory(store, 1, { op: 'put', entry: memoryEntry('n') })
      for (const code of await Promise.all(failing)) expect(code).not.toBe('none')
      await Promise.all([note, entry])
      expect((await append).ok).toBe(true)
      expect((await store.sessions.read('cairn:s')).length).toBe(1)
      expect((await store.notes.get('w', 'k'))?.text).toBe('kept')
      expect((await store.memory.list('/work/shop')).map(({ id }) => id)).toEqual(['n'])
    })
  })

  it('leaves nothing of a deleted session in its files', async () => {
    const path = newPath()
    await withStore(path, async (store) => {
      await store.sessions.append(session, 0, [
        message('a', 'short-zebra-text'),
        message('b', 'short-zebra-text '.repeat(3)),
      ])
      await store.sessions.delete('cairn:s')
    })
    expect(readFileSync(path).includes('zebra')).toBe(false)
  })

  it('recomputes the dates of sessions in a rebuild: renaming used to change them', async () => {
    const path = newPath()
    await withStore(path, (store) =>
      store.sessions.append(session, 0, [message('a', 'x'), { entry: { kind: 'title', at: 9e12, title: 'late' } }]),
    )
    const raw = new Sqlite(path)
    // As versions without checksums have left it.
    raw.exec('UPDATE session SET updated_at = 9000000000000, checksum = NULL')
    raw.close()
    await withStore(path, async (store) => {
      expect((await store.sessions.get('cairn:s'))?.updatedAt).toBe(9e12)
      await store.rebuild()
      expect((await store.sessions.get('cairn:s'))?.updatedAt).toBeLessThan(9e12)
    })
  })

  it('that is read-only can be read, and refuses writes', async () => {
    if (process.getuid?.() === 0) return
    const path = newPath()
    await withStore(path, (store) => store.sessions.append(session, 0, [message('a', 'x')]))
    const copy = newPath()
    copyFileSync(path, copy)
    chmodSync(copy, 0o400)
    expect(await errorCode(openStore(`file:${copy}`))).toBe('none')
  })

  it('in a read-only folder can be read, and refuses writes', async () => {
    // Who may do everything can write everywhere.
    if (process.getuid?.() === 0) return
    const path = join(mkdtempSync(join(folder, 'sealed-')), 's.db')
    await withStore(path, (store) => store.sessions.append(session, 0, [message('a', 'a zebra')]))
    chmodSync(path, 0o400)
    chmodSync(dirname(path), 0o500)
    try {
      await withStore(path, async (store) => {
        expect((await store.sessions.read('cairn:s')).length).toBe(1)
        expect((await store.search.search({ text: 'zebra' })).length).toBe(1)
        expect(await store.state.get({ tier: 'global' }, 'x')).toBe(undefined)
        expect(await errorCode(store.sessions.append(session, 1, [message('b', 'x')]))).toBe('storage-unavailable')
        expect(await errorCode(store.state.set({ tier: 'global' }, new Map([['x', 1]])))).toBe('storage-unavailable')
      })
    } finally {
      chmodSync(dirname(path), 0o700)
    }
  })

  it('is copied for reading only when no journal is pending', async () => {
    const path = newPath()
    await withStore(path, async (store) => {
      await store.sessions.append(session, 0, [message('a', 'x')])
      expect(loadIntoMemory(path)).toBe(undefined)
    })
    const copy = loadIntoMemory(path)
    expect(copy?.prepare('SELECT count(*) AS count FROM entry').get()).toEqual({ count: 1 })
    expect(() => copy?.exec('DELETE FROM entry')).toThrow(/readonly/)
    copy?.close()
    expect(loadIntoMemory(`${path}.missing`)).toBe(undefined)
  })
})

describe('an address', () => {
  it('that names no store is wrong usage', async () => {
    expect(await errorCode(openStore('mysql://x'))).toBe('usage')
    expect(await errorCode(openStore('file:'))).toBe('usage')
  })

  it("of a folder that can't be created is named", async () => {
    const file = newPath()
    writeFileSync(file, '')
    expect(await errorCode(openStore(`file:${join(file, 'below', 'x.db')}`))).toBe('storage-unavailable')
  })

  it('of an unreachable server is named without its password', async () => {
    const error: unknown = await openStore('postgresql://me:secret@127.0.0.1:9/none').then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(CairnError.is(error) && error.code).toBe('storage-unavailable')
    expect(String(error)).not.toContain('secret')
  })
})

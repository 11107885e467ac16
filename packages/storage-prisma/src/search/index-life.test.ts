import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { analyseQuery } from '@cairn/core'
import type { EntryWrite, SessionFacts, Store } from '@cairn/core'
import { createInMemoryStore } from '@cairn/core/testing'
import { openStore } from '../open-store.ts'
import { startPostgres } from '../testing/temporary-postgres.ts'
import type { TemporaryPostgres } from '../testing/temporary-postgres.ts'
import type { IndexingProgress } from './backfill.ts'

const folder = mkdtempSync(join(tmpdir(), 'cairn-index-'))
const SMALL = { tailMessages: 4, tailBytes: 1_000_000, merge: 2, largestBytes: 1_000_000 }
let server: TemporaryPostgres | undefined
let files = 0
const opened: Store[] = []

beforeAll(async () => {
  server = await startPostgres()
})
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server?.stop()
})

const newFile = (): string => join(folder, `${(files += 1)}.db`)
const open = async (address: string, options: Parameters<typeof openStore>[1] = { indexSizes: SMALL }) => {
  const store = await openStore(address, options)
  opened.push(store)
  return store
}
const session = (id: string, workspace?: string): SessionFacts => ({
  id: `cairn:${id}`,
  agent: 'cairn',
  externalId: id,
  ...(workspace === undefined ? {} : { workspace }),
})
const saying = (id: string, text: string, at = 1_000): EntryWrite => ({
  entry: { kind: 'message', at, id, role: 'user', content: [{ type: 'text', text }] },
  externalId: id,
})
const say = async (store: Store, facts: SessionFacts, ...writes: readonly EntryWrite[]): Promise<void> => {
  const known = await store.sessions.get(facts.id)
  const result = await store.sessions.append(facts, known?.entries ?? 0, writes)
  if (!result.ok) throw new Error('a conflict that nobody made')
}
const found = async (store: Store, text: string, limit = 100) =>
  (await store.search.search({ text, limit })).map(({ messageId }) => messageId)

const WORDS =
  'walrus otter badger heron lighthouse harbour storm anchor sail compass keel parseSession token window cache'.split(
    ' ',
  )
/** Sessions of a few messages over a few words, the same for every store; many are equal to one another. */
const talk = async (store: Store): Promise<void> => {
  let state = 7
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
  for (let index = 0; index < 90; index += 1) {
    const id = `s${next(9)}`
    const text = Array.from({ length: 1 + next(5) }, () => WORDS[next(WORDS.length)]).join(' ')
    await say(store, session(id, `/w${id.length}`), saying(`m${index}`, text, 1_000 + next(4)))
  }
}

describe('the search index', () => {
  it('gives the same results on every store, to the last digit', async () => {
    const stores = [
      createInMemoryStore(),
      await open(`file:${newFile()}`),
      await open(`file:${newFile()}`, {}),
      await open((await server?.database()) ?? ''),
    ]
    for (const store of stores) await talk(store)
    for (const text of [
      'walrus',
      'otter storm',
      'when did the heron sail?',
      'parse session token',
      'light house',
      WORDS.join(' '),
    ]) {
      const [expected, ...others] = await Promise.all(
        stores.map(async (store) =>
          (await store.search.search({ text, limit: 100 })).map(({ sessionId, seq, score, explanation }) => ({
            sessionId,
            seq,
            score,
            explanation,
          })),
        ),
      )
      expect(expected?.length).toBeGreaterThan(0)
      for (const other of others) expect(other).toEqual(expected)
      const [sessions, ...more] = await Promise.all(stores.map((store) => store.search.sessions({ text, branch: 'x' })))
      expect(sessions?.length).toBeGreaterThan(0)
      for (const other of more) expect(other).toEqual(sessions)
    }
  })

  it.each(['SQLite', 'PostgreSQL'])('shows at once what another process has written and merged (%s)', async (kind) => {
    const address = kind === 'SQLite' ? `file:${newFile()}` : ((await server?.database()) ?? '')
    const [writer, reader] = [await open(address), await open(address)]
    for (let index = 0; index < 40; index += 1) {
      await say(writer, session(`s${index % 3}`, '/w'), saying(`m${index}`, `walrus${index} sings`))
      expect(await found(reader, `walrus${index}`)).toEqual([`m${index}`])
      expect((await found(reader, 'sings')).length).toBe(index + 1)
    }
    await writer.close()
    expect((await found(reader, 'sings')).length).toBe(40)
    expect(await reader.verify()).toEqual([])
  })

  it('keeps few segments of many messages', async () => {
    const file = newFile()
    const store = await open(`file:${file}`)
    for (let index = 0; index < 200; index += 1)
      await say(store, session('s', '/w'), saying(`m${index}`, `walrus ${index}`))
    await store.close()
    const database = new Sqlite(file, { readonly: true })
    const { segments, messages } = database
      .prepare<[], { segments: number; messages: number }>(
        'SELECT count(*) AS segments, sum(messages) AS messages FROM search_segment',
      )
      .get() ?? { segments: 0, messages: 0 }
    const { tail } = database.prepare<[], { tail: number }>('SELECT count(*) AS tail FROM search_tail').get() ?? {
      tail: 0,
    }
    const { lost } = database
      .prepare<[], { lost: number }>(
        'SELECT count(*) AS lost FROM search_page WHERE id / 1024 NOT IN (SELECT id FROM search_segment)',
      )
      .get() ?? { lost: -1 }
    database.close()
    expect(messages + tail).toBe(200)
    expect(tail).toBeLessThan(4)
    expect(segments).toBeLessThan(8)
    expect(lost).toBe(0)
  })

  it('loses nothing when two processes build segments at once', async () => {
    const address = (await server?.database()) ?? ''
    const stores = [await open(address), await open(address), await open(address)]
    await Promise.all(
      stores.map(async (store, writer) => {
        for (let index = 0; index < 40; index += 1)
          await say(store, session(`s${writer}`, '/w'), saying(`m${writer}x${index}`, `walrus ${index}`))
      }),
    )
    for (const store of stores) expect((await found(store, 'walrus', 1_000)).length).toBe(120)
    for (const store of stores.splice(1)) await store.close()
    expect(await stores[0]?.verify()).toEqual([])
  })

  it('holds no term of a deleted session', async () => {
    const file = newFile()
    const store = await open(`file:${file}`)
    for (let index = 0; index < 30; index += 1) {
      await say(store, session('kept', '/w'), saying(`k${index}`, `walrus ${index}`))
      await say(store, session('gone', '/w'), saying(`g${index}`, `zebrafish ${index}`))
    }
    await store.sessions.delete('cairn:gone')
    expect((await found(store, 'walrus')).length).toBe(30)
    await store.close()
    const hash = Buffer.from(Uint32Array.of(analyseQuery('zebrafish')[0]?.hash ?? 0).buffer)
    const known = Buffer.from(Uint32Array.of(analyseQuery('walrus')[0]?.hash ?? 0).buffer)
    const database = new Sqlite(file, { readonly: true })
    const blobs = database
      .prepare<[], { data: Buffer }>('SELECT head AS data FROM search_segment UNION ALL SELECT data FROM search_tail')
      .all()
      .map(({ data }) => data)
    database.close()
    expect(blobs.some((data) => data.includes(known))).toBe(true)
    expect(blobs.some((data) => data.includes(hash))).toBe(false)
  })

  it('is built from the log where it is missing, with progress reports, before the first result', async () => {
    const file = newFile()
    const first = await open(`file:${file}`)
    for (let index = 0; index < 20; index += 1)
      await say(first, session(`s${index % 2}`, '/w'), saying(`m${index}`, `walrus ${index}`))
    await first.close()
    // As the migration leaves a store that is older than the index.
    const database = new Sqlite(file)
    for (const table of ['search_tail', 'search_segment', 'search_page']) database.exec(`DELETE FROM ${table}`)
    database.exec('INSERT INTO search_pending (session_id, from_seq, until_seq) SELECT id, 0, next_seq FROM session')
    database.close()
    const told: IndexingProgress[] = []
    const store = await open(`file:${file}`, { indexSizes: SMALL, onIndexing: (progress) => told.push(progress) })
    expect(await store.verify()).toEqual([])
    // What is written before anyone has searched is found, too.
    await say(store, session('s0', '/w'), saying('new', 'walrus otter'))
    expect((await found(store, 'walrus')).length).toBe(21)
    expect(told.at(0)).toEqual({ done: 0, total: 20 })
    expect(told.at(-1)).toEqual({ done: 20, total: 20 })
    expect(await store.verify()).toEqual([])
  })

  it('ends its progress reports when damage prevents building it', async () => {
    const file = newFile()
    const first = await open(`file:${file}`)
    for (let index = 0; index < 3; index += 1) await say(first, session('s'), saying(`m${index}`, `walrus ${index}`))
    await first.close()
    const database = new Sqlite(file)
    database.exec('INSERT INTO search_pending (session_id, from_seq, until_seq) SELECT id, 0, next_seq FROM session')
    // The entries' table is gone: every read of the log fails.
    database.exec('ALTER TABLE entry RENAME TO other')
    database.close()
    const told: IndexingProgress[] = []
    const store = await open(`file:${file}`, { onIndexing: (progress) => told.push(progress) })
    await expect(store.search.search({ text: 'walrus' })).rejects.toMatchObject({ code: 'storage-corrupt' })
    expect(told).toEqual([
      { done: 0, total: 3 },
      { done: 3, total: 3 },
    ])
  })

  it('is reported as incomplete when it lacks messages, and repaired by a rebuild', async () => {
    const url = (await server?.database()) ?? ''
    const store = await open(url)
    for (let index = 0; index < 10; index += 1) await say(store, session('s'), saying(`m${index}`, `walrus ${index}`))
    await store.close()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('DELETE FROM search_segment')
    await client.end()
    const again = await open(url)
    expect(await again.verify()).toMatchObject([{ check: 'search', count: expect.any(Number) }])
    await again.rebuild()
    expect(await again.verify()).toEqual([])
    expect((await found(again, 'walrus')).length).toBe(10)
  })

  it('reports a damaged part in one sentence, and is repaired by a rebuild', async () => {
    const file = newFile()
    const store = await open(`file:${file}`)
    for (let index = 0; index < 10; index += 1) await say(store, session('s'), saying(`m${index}`, `walrus ${index}`))
    await store.close()
    const database = new Sqlite(file)
    expect(database.prepare("UPDATE search_segment SET head = x'00'").run().changes).toBeGreaterThan(0)
    database.close()
    const again = await open(`file:${file}`)
    await expect(again.search.search({ text: 'walrus' })).rejects.toMatchObject({
      code: 'storage-corrupt',
      message: expect.stringContaining('cairn doctor --rebuild'),
    })
    await expect(again.sessions.delete('cairn:s')).rejects.toMatchObject({ code: 'storage-corrupt' })
    expect(await again.verify()).toMatchObject([{ check: 'search', detail: expect.stringContaining('damaged') }])
    await again.rebuild()
    expect(await again.verify()).toEqual([])
    expect((await found(again, 'walrus')).length).toBe(10)
  })
})

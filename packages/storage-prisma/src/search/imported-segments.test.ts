/** What is imported in large pieces goes into segments at once: found as soon as it is written, and put together in the end. */
import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { EntryWrite, SessionFacts, Store } from '@cairn/core'
import { openStore } from '../open-store.ts'
import type { IndexSizes } from './index-sizes.ts'

const folder = mkdtempSync(join(tmpdir(), 'cairn-imported-'))
const SIZES: IndexSizes = { tailMessages: 40, tailBytes: 1_000_000, merge: 2, largestBytes: 1_000_000 }
const opened: Store[] = []
let files = 0

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const open = async (file: string): Promise<Store> => {
  const store = await openStore(`file:${file}`, { indexSizes: SIZES })
  opened.push(store)
  return store
}
const newFile = (): string => join(folder, `${(files += 1)}.db`)
const session: SessionFacts = { id: 'claude-code:s', agent: 'claude-code', externalId: 's', workspace: '/w' }
const saying = (index: number): EntryWrite => ({
  entry: {
    kind: 'message',
    id: `m${index}`,
    at: 1_000 + index,
    role: 'user',
    content: [{ type: 'text', text: `walrus${index} sings` }],
  },
  externalId: `m${index}`,
})
const titled = (title: string): EntryWrite => ({ entry: { kind: 'title', at: 1, title } })
const importing = async (store: Store, version: number, writes: readonly EntryWrite[]) =>
  store.imports
    .prepare({
      path: '/t.jsonl',
      agent: 'claude-code',
      baseVersion: version,
      restarted: false,
      sessions: [{ session, writes }],
      source: [],
      skips: [],
      cursor: {
        identity: 'i',
        size: 0,
        modifiedAt: 0,
        offset: version,
        line: version,
        fingerprint: '',
        parserState: null,
      },
    })
    .commit()
const found = async (store: Store, text: string) =>
  (await store.search.search({ text, limit: 1_000 })).map(({ messageId }) => messageId)
const indexOf = (file: string) => {
  const database = new Sqlite(file, { readonly: true })
  const segments = database
    .prepare<[], { messages: number }>('SELECT messages FROM search_segment ORDER BY id')
    .all()
    .map(({ messages }) => messages)
  const tail = database.prepare<[], { count: number }>('SELECT count(*) AS count FROM search_tail').get()?.count
  const lost = database
    .prepare<[], { count: number }>(
      'SELECT count(*) AS count FROM search_page WHERE id / 1024 NOT IN (SELECT id FROM search_segment)',
    )
    .get()?.count
  database.close()
  return { segments, tail, lost }
}
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => saying(from + index))

describe('an import of large pieces', () => {
  it('is found batch by batch, by other processes too, and leaves few segments', async () => {
    const file = newFile()
    const [store, other] = [await open(file), await open(file)]
    for (let piece = 0; piece < 6; piece += 1) {
      expect(
        await importing(store, piece, [titled(`part ${piece}`), ...range(piece * 20, piece * 20 + 20)]),
      ).toMatchObject({ newMessages: 20 })
      expect(indexOf(file)).toEqual({ segments: Array.from({ length: piece + 1 }, () => 20), tail: 0, lost: 0 })
      for (const reader of [store, other]) {
        expect(await found(reader, `walrus${piece * 20 + 7}`)).toEqual([`m${piece * 20 + 7}`])
        expect((await found(reader, 'sings')).length).toBe(piece * 20 + 20)
      }
    }
    expect(await store.verify()).toEqual([])
    await store.close()
    expect(indexOf(file)).toEqual({ segments: [120], tail: 0, lost: 0 })
    expect((await found(other, 'sings')).length).toBe(120)
    const [hit] = await other.search.search({ text: 'walrus45' })
    expect(hit).toMatchObject({ messageId: 'm45', sessionId: session.id })
    expect(await other.verify()).toEqual([])
  })

  it('with known messages adds only new ones', async () => {
    const file = newFile()
    const store = await open(file)
    await importing(store, 0, range(0, 30))
    expect(await importing(store, 1, range(10, 40))).toMatchObject({ newMessages: 10 })
    expect(indexOf(file)).toEqual({ segments: [30], tail: 10, lost: 0 })
    expect((await found(store, 'sings')).length).toBe(40)
    expect(await found(store, 'walrus35')).toEqual(['m35'])
    expect(await store.verify()).toEqual([])
  })

  it('of a deleted session leaves nothing', async () => {
    const file = newFile()
    const store = await open(file)
    await importing(store, 0, range(0, 30))
    await store.sessions.delete(session.id)
    expect(await found(store, 'sings')).toEqual([])
    expect(await importing(store, 1, range(30, 60))).toMatchObject({ newMessages: 0 })
    expect(indexOf(file)).toEqual({ segments: [], tail: 0, lost: 0 })
    expect(await store.verify()).toEqual([])
  })

  it('in small batches goes through the tail', async () => {
    const file = newFile()
    const store = await open(file)
    for (let piece = 0; piece < 5; piece += 1) await importing(store, piece, range(piece * 9, piece * 9 + 9))
    expect(indexOf(file)).toEqual({ segments: [45], tail: 0, lost: 0 })
    expect((await found(store, 'sings')).length).toBe(45)
  })
})

/** Bytes that a disk has changed: they are told in a sentence, and never taken for what was written. */
import { afterAll, describe, expect, it } from '@jest/globals'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { CairnError } from '@cairn/core'
import type { EntryWrite, ImportBatch, RequestFact } from '@cairn/core'
import { memoryEntry, writeMemory } from '@cairn/core/testing'
import { openStore } from './open-store.ts'
import type { DatabaseStore } from './open-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'cairn-damage-'))
let count = 0
const TIMEOUT_MS = 60_000
const session = { id: 'cairn:s', agent: 'cairn', externalId: 's', workspace: '/work/shop', branch: 'main' }
const request = (callId: string): RequestFact => ({
  callId,
  at: 1_700_000_000_000,
  model: 'claude-test',
  inputTokens: 1_000,
  cacheReadTokens: 70_000,
  cacheWrite5mTokens: 300,
  cacheWrite1hTokens: 0,
  outputTokens: 500,
  costNano: 123_456_789n,
  costState: 'recorded',
})
const message = (id: string, text: string): EntryWrite => ({
  entry: { kind: 'message', id, at: 1_700_000_000_000, role: 'user', content: [{ type: 'text', text }] },
  request: request(id),
})
const LONG = 'a walrus in the aquarium '.repeat(60)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A closed store with a short entry in its own row, and long ones in packs that share a block. */
const made = async (): Promise<string> => {
  const path = join(folder, `${(count += 1)}.db`)
  const store = await openStore(`file:${path}`)
  await store.sessions.append(session, 0, [message('short', 'a short zebra')])
  await store.sessions.append(session, 1, [message('long', LONG)])
  await store.sessions.append(session, 2, [message('again', LONG)])
  await store.close()
  return path
}

const withStore = async <T>(path: string, work: (store: DatabaseStore) => Promise<T>): Promise<T> => {
  const store = await openStore(`file:${path}`)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

const change = (path: string, sql: string): void => {
  const database = new Sqlite(path)
  // Changes one of two copies, as a disk does.
  database.unsafeMode(true)
  database.pragma('writable_schema = ON')
  database.exec(sql)
  database.close()
}

/** `none`, or the code and the sentence. */
const faultOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'none'
  } catch (error) {
    return CairnError.is(error) ? `${error.code}: ${error.message}` : `not ours: ${String(error)}`
  }
}

/** The bytes of the file with one bit of the first occurrence of a text turned over. */
const flip = (path: string, text: string): void => {
  const bytes = readFileSync(path)
  const offset = bytes.indexOf(text)
  expect(offset).toBeGreaterThan(0)
  bytes[offset] = (bytes[offset] ?? 0) ^ 1
  writeFileSync(path, bytes)
}

const read = (store: DatabaseStore): Promise<unknown> => store.sessions.read('cairn:s')
const search = (store: DatabaseStore): Promise<unknown> => store.search.search({ text: 'walrus' })
const list = (store: DatabaseStore): Promise<unknown> => store.sessions.list({})
const usage = (store: DatabaseStore): Promise<unknown> => store.usage.report({ by: 'model' })
const days = (store: DatabaseStore): Promise<unknown> => store.usage.report({ by: 'day' })
const requests = (store: DatabaseStore): Promise<unknown> => store.usage.requests('cairn:s')

const allFiles = (store: DatabaseStore): Promise<unknown> => store.imports.files()
const oneFile = (store: DatabaseStore): Promise<unknown> => store.imports.file('/t.jsonl')
const setting = (store: DatabaseStore): Promise<unknown> => store.state.get({ tier: 'global' }, 'timezone')
const memory = (store: DatabaseStore): Promise<unknown> => store.memory.list('/work/shop')

const imported: ImportBatch = {
  path: '/t.jsonl',
  agent: 'pi',
  baseVersion: 0,
  restarted: false,
  sessions: [],
  source: [],
  skips: [],
  cursor: { identity: 'i', size: 9, modifiedAt: 1, offset: 9, line: 1, fingerprint: 'f', parserState: { open: ['a'] } },
}

const LAST_BYTE = (column: string): string => `CAST(substr(${column}, 1, length(${column}) - 1) || x'7f' AS BLOB)`

describe('a store with corrupted content', () => {
  it.each<readonly [string, string, (store: DatabaseStore) => Promise<unknown>]>([
    ['a row of the search index', `UPDATE search_tail SET data = ${LAST_BYTE('data')}`, search],
    ['an entry in its own row', `UPDATE entry SET body = ${LAST_BYTE('body')} WHERE body IS NOT NULL`, read],
    ['the time of an entry', 'UPDATE entry SET at = at + 256 WHERE seq = 1', read],
    ['a list of references', `UPDATE pack SET refs = ${LAST_BYTE('refs')}`, read],
    ['the offset of a block', 'UPDATE block SET "offset" = "offset" + 1, length = length - 1', read],
    ['an entry that is gone', 'DELETE FROM entry WHERE seq = 2', read],
    ['an entry that is gone in the middle', 'DELETE FROM entry WHERE seq = 1', read],
    ['the cost of a session', 'UPDATE session SET cost_nano = cost_nano + 65536', list],
    ['the requests of a session', 'UPDATE session SET requests = requests + 4', list],
    ['the length of a session', 'UPDATE session SET next_seq = next_seq + 1', list],
    ['the sums by model', 'UPDATE usage_margin SET output_tokens = output_tokens + 1024 WHERE dimension = 2', usage],
    ['the sums by time', 'UPDATE usage_total SET cost_nano = cost_nano - 1', days],
    ['a request', 'UPDATE usage_fact SET cache_read = cache_read + 65536', requests],
  ])(
    'is reported: %s',
    async (_what, sql, ask) => {
      const path = await made()
      expect(await withStore(path, (store) => faultOf(ask(store)))).toBe('none')
      change(path, sql)
      const fault = await withStore(path, (store) => faultOf(ask(store)))
      expect(fault).toMatch(/^storage-corrupt: .+(cairn doctor|restore a copy)/)
    },
    TIMEOUT_MS,
  )

  it.each<readonly [string, string, (store: DatabaseStore) => Promise<unknown>]>([
    ['how far a file was read', `UPDATE imported_file SET parser_state = CAST('{"a' AS BLOB)`, allFiles],
    ['the same, asked for alone', `UPDATE imported_file SET parser_state = CAST('{"a' AS BLOB)`, oneFile],
    ['a setting', `UPDATE state SET value = '[1,'`, setting],
    ['the examples of a memory entry', `UPDATE memory_version SET examples = '["a'`, memory],
  ])(
    'is reported where JSON became invalid: %s',
    async (_what, sql, ask) => {
      const path = await made()
      await withStore(path, async (store) => {
        await store.imports.prepare(imported).commit()
        await store.state.set({ tier: 'global' }, new Map([['timezone', 'UTC']]))
        await writeMemory(store, 1, {
          op: 'put',
          entry: memoryEntry('m', { workspace: '/work/shop', examples: ['a.ts:1'] }),
        })
        expect(await faultOf(ask(store))).toBe('none')
      })
      change(path, sql)
      expect(await withStore(path, (store) => faultOf(ask(store)))).toMatch(/^storage-corrupt: .+[Rr]estore a copy/)
    },
    TIMEOUT_MS,
  )

  it(
    'is reported by verify: a pack that holds only lines of a transcript',
    async () => {
      const path = await made()
      const line = JSON.stringify({ type: 'progress', text: 'a heron at the lake '.repeat(40) })
      await withStore(path, async (store) => {
        await store.imports
          .prepare({
            ...imported,
            sessions: [{ session, writes: [] }],
            source: [{ sessionId: session.id, firstLine: 1, lines: [line] }],
          })
          .commit()
        expect(await store.verify()).toEqual([])
      })
      change(path, `UPDATE pack SET data = ${LAST_BYTE('data')} WHERE id = (SELECT max(id) FROM pack)`)
      await withStore(path, async (store) => {
        expect(await faultOf(read(store))).toBe('none')
        const [fault, ...others] = await store.verify()
        expect(others).toEqual([])
        expect(fault).toMatchObject({ check: 'content', count: 1 })
        expect(fault?.detail).toMatch(/^source lines: .+damaged or missing \(pack \d+\)/)
      })
    },
    TIMEOUT_MS,
  )

  it.each(['claude-test', '/work/shop', 'cairn:s'])(
    'is reported: one flipped bit in the name %s',
    async (name) => {
      const path = await made()
      flip(path, name)
      const faults = await withStore(path, async (store) => [await faultOf(usage(store)), await faultOf(list(store))])
      expect(faults.some((fault) => fault.startsWith('storage-corrupt: '))).toBe(true)
    },
    TIMEOUT_MS,
  )

  it(
    'has its checksums recomputed by a rebuild',
    async () => {
      const path = await made()
      const before = await withStore(path, usage)
      change(path, 'UPDATE usage_margin SET output_tokens = output_tokens + 1024 WHERE dimension = 2')
      await withStore(path, async (store) => {
        expect(await faultOf(usage(store))).toMatch(/cairn doctor --rebuild/)
        await store.rebuild()
        expect(await usage(store)).toEqual(before)
      })
    },
    TIMEOUT_MS,
  )

  it(
    'is checked to its end by the doctor, whatever page is damaged',
    async () => {
      const path = await made()
      const { pageSize, pages } = layoutOf(path)
      const figures = await withStore(path, figuresOf)
      const outcomes = new Set<string>()
      for (let page = 1; page < pages; page += 1) {
        const copy = join(folder, `page-${page}.db`)
        copyFileSync(path, copy)
        const bytes = readFileSync(copy)
        bytes.fill(0xa5, page * pageSize, (page + 1) * pageSize)
        writeFileSync(copy, bytes)
        outcomes.add(await doctorOn(copy, figures))
        rmSync(copy)
      }
      // A page that nothing is in is no loss.
      outcomes.delete('intact')
      expect([...outcomes].sort()).toEqual(['faults', 'told'])
    },
    TIMEOUT_MS,
  )
})

const layoutOf = (path: string): { readonly pageSize: number; readonly pages: number } => {
  const database = new Sqlite(path, { readonly: true })
  const number = (name: string): number => Number(database.pragma(name, { simple: true }))
  const layout = { pageSize: number('page_size'), pages: number('page_count') }
  database.close()
  return layout
}

const figuresOf = async (store: DatabaseStore): Promise<readonly unknown[]> =>
  Promise.all([read(store), list(store), usage(store), days(store), requests(store), search(store)])

/** What comes of a look at a store: faults in a list, a refusal in a sentence, or all that was written. */
const doctorOn = async (path: string, figures: readonly unknown[]): Promise<string> => {
  try {
    return await withStore(path, async (store) => {
      if ((await store.verify()).length > 0) return 'faults'
      expect(await figuresOf(store)).toEqual(figures)
      return 'intact'
    })
  } catch (error) {
    return CairnError.is(error) && error.code === 'storage-corrupt' ? 'told' : String(error)
  }
}

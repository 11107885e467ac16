/** What deletions, killed processes and damage can leave in the tables, and what a clean-up may not touch. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { EntryWrite, OrphanCount, SessionFacts } from '@cairn/core'
import { migrations as postgresMigrations } from '../generated/postgresql/migrations.ts'
import { migrations } from '../generated/sqlite/migrations.ts'
import { openStore } from '../open-store.ts'
import type { DatabaseStore } from '../open-store.ts'
import { PostgresDatabase } from '../postgres/postgres-database.ts'
import type { SqlDatabase, SqlValue } from '../sql/database.ts'
import { SqliteDatabase } from '../sqlite/sqlite-database.ts'
import { temporaryStores } from '../testing/temporary-stores.ts'

const TIMEOUT_MS = 120_000
const SHARED = `shared walrus ${'0123456789abcdef'.repeat(100)}`
const { newAddress } = temporaryStores()

const factsOf = (id: string, more: Partial<SessionFacts> = {}): SessionFacts => ({
  id: `cairn:${id}`,
  agent: 'cairn',
  externalId: id,
  ...more,
})

const write = (id: string, text: string): EntryWrite => ({
  entry: { kind: 'message', id, at: 1_700_000_000_000, role: 'user', content: [{ type: 'text', text }] },
  request: {
    callId: `${id}-${text.slice(0, 9)}`,
    at: 1_700_000_000_000,
    model: 'claude-test',
    provider: 'anthropic',
    mode: 'plan',
    inputTokens: 10,
    cacheReadTokens: 200,
    cacheWrite5mTokens: 30,
    cacheWrite1hTokens: 4,
    outputTokens: 100,
    costNano: 5n,
    costState: 'computed',
  },
})

const append = async (store: DatabaseStore, session: SessionFacts, ...writes: EntryWrite[]): Promise<void> => {
  expect(await store.sessions.append(session, 0, writes)).toMatchObject({ ok: true })
}

const byKind = (counts: readonly OrphanCount[]): Readonly<Record<string, readonly [found: number, removed: number]>> =>
  Object.fromEntries(counts.flatMap(({ kind, found, removed }) => (found === 0 ? [] : [[kind, [found, removed]]])))

const ALL = { dryRun: false, quick: false } as const

describe.each(newAddress)('leftovers of a store on %s', (name, newStore) => {
  let address: string
  let store: DatabaseStore
  let database: SqlDatabase

  beforeEach(async () => {
    address = await newStore()
    store = await openStore(address)
    database =
      name === 'SQLite'
        ? await SqliteDatabase.open(address.slice('file:'.length), migrations)
        : await PostgresDatabase.open(address, postgresMigrations)
  }, TIMEOUT_MS)

  afterEach(async () => {
    await Promise.all([store.close(), database.close()])
  })

  const execute = (sql: string, parameters: readonly SqlValue[] = []): Promise<number> =>
    database.transaction({ durability: 'lazy' }, (transaction) => transaction.run(sql, parameters))
  const countOf = async (table: string): Promise<number> =>
    (await database.all<{ count: number }>(`SELECT count(*) AS count FROM ${table}`))[0]?.count ?? -1

  it('are the names that a deleted session had, and nothing else', async () => {
    await append(store, factsOf('kept', { workspace: '/work/shop', branch: 'main' }), write('1', SHARED))
    await append(store, factsOf('gone', { workspace: '/work/private', branch: 'secret-plan' }), write('2', SHARED))
    await store.sessions.delete('cairn:gone')
    expect(byKind(await store.cleanUp.removeOrphans({ dryRun: true, quick: false }))).toEqual({
      workspace: [1, 0],
      name: [1, 0],
    })
    expect(byKind(await store.cleanUp.removeOrphans(ALL))).toEqual({ workspace: [1, 1], name: [1, 1] })
    expect(await database.all('SELECT "path" FROM workspace')).toEqual([{ path: '/work/shop' }])
    // agent, branch, model, provider, mode
    expect(await countOf('label')).toBe(5)
    expect(byKind(await store.cleanUp.removeOrphans(ALL))).toEqual({})
    expect(await store.verify()).toEqual([])
  })

  it('leave no other process with the id of a name that is gone', async () => {
    const facts = factsOf('s', { workspace: '/work/shop', branch: 'main' })
    const other = await openStore(address)
    await append(other, facts, write('1', 'x'))
    await store.sessions.delete('cairn:s')
    await store.cleanUp.removeOrphans(ALL)
    expect([await countOf('label'), await countOf('workspace')]).toEqual([0, 0])
    // This process has kept the ids.
    await append(other, facts, write('2', 'y'))
    await other.close()
    const { sessions } = await store.sessions.list({ limit: 9 })
    expect(sessions).toMatchObject([{ agent: 'cairn', workspace: '/work/shop', branch: 'main' }])
    expect((await store.usage.report({ by: 'model' })).rows.map(({ key }) => key)).toEqual(['claude-test'])
    expect(await store.verify()).toEqual([])
  })

  it('leave no other process with ids of before a purge', async () => {
    const facts = factsOf('s', { workspace: '/work/shop', branch: 'main' })
    const other = await openStore(address)
    await append(other, facts, write('1', 'x'))
    await store.purge()
    await append(other, facts, write('2', 'y'))
    await other.close()
    expect((await store.sessions.list({ limit: 9 })).sessions).toMatchObject([{ agent: 'cairn', branch: 'main' }])
  })

  it('that no program of this version makes are removed as well', async () => {
    await append(store, factsOf('a'), write('1', SHARED))
    await append(store, factsOf('b'), write('2', SHARED), write('3', 'otter'))
    const before = await store.sessions.read('cairn:b')
    await execute('INSERT INTO pack (id, session_id, raw_size, refs, data) VALUES (900, 77, 3, ?, ?)', [
      new Uint8Array(),
      new Uint8Array(33),
    ])
    await execute('INSERT INTO block (id, hash, pack_id, "offset", length, said) VALUES (900, ?, 900, 0, 3, 1)', [
      new Uint8Array(32),
    ])
    await execute('INSERT INTO block_use (block_id, session_id) VALUES (77, 1), (1, 77)')
    await execute('INSERT INTO search_tail (entry_id, session_id, seq, workspace_id, data) VALUES (900, 77, 0, 0, ?)', [
      new Uint8Array(5),
    ])
    await execute('INSERT INTO search_pending (session_id, from_seq, until_seq) VALUES (77, 0, 4)')
    await execute('INSERT INTO search_page (id, data) VALUES (921600, ?)', [new Uint8Array(7)])
    const counts = await store.cleanUp.removeOrphans(ALL)
    expect(byKind(counts)).toEqual({ 'index-row': [3, 3], 'block-use': [2, 2], pack: [2, 2] })
    expect(counts.find(({ kind }) => kind === 'pack')?.bytes).toBe(33)
    expect(counts.find(({ kind }) => kind === 'index-row')?.bytes).toBe(12)
    expect(await store.verify()).toEqual([])
    expect(await store.sessions.read('cairn:b')).toEqual(before)
    expect((await store.search.search({ text: 'otter' })).length).toBe(1)
  })

  it('are not the content of a missing session that another one uses, nor that of entries that lost their session', async () => {
    await append(store, factsOf('a'), write('1', SHARED))
    await append(store, factsOf('b'), write('2', SHARED))
    await execute(`DELETE FROM session WHERE "key" = 'cairn:a'`)
    const [entries, packs, blocks] = [await countOf('entry'), await countOf('pack'), await countOf('block')]
    await store.cleanUp.removeOrphans(ALL)
    expect([await countOf('entry'), await countOf('pack'), await countOf('block')]).toEqual([entries, packs, blocks])
    expect(JSON.stringify(await store.sessions.read('cairn:b'))).toContain(SHARED)
  })

  it(
    'are removed once when several clean up while others write',
    async () => {
      for (let index = 0; index < 30; index += 1) await store.sessions.append(factsOf(`empty-${index}`), 0, [])
      const other = await openStore(address)
      const writing = Array.from({ length: 20 }, (_, index) =>
        other.sessions.append(factsOf(`w-${index}`, { workspace: `/work/${index}`, branch: `b-${index}` }), 0, [
          write('1', `otter ${index}`),
        ]),
      )
      const cleaned = await Promise.all([1, 2, 3].map(() => store.cleanUp.removeOrphans(ALL)))
      await Promise.all(writing)
      const removed = cleaned
        .flat()
        .filter(({ kind }) => kind === 'empty-session')
        .reduce((sum, count) => sum + count.removed, 0)
      expect(removed).toBe(30)
      const { sessions } = await store.sessions.list({ limit: 99 })
      expect(sessions.map(({ id, workspace, branch }) => `${id} ${workspace} ${branch}`).sort()).toEqual(
        Array.from({ length: 20 }, (_, index) => `cairn:w-${index} /work/${index} b-${index}`).sort(),
      )
      await other.close()
      expect(await store.verify()).toEqual([])
    },
    TIMEOUT_MS,
  )

  it(
    'are removed by the next one when a clean-up was killed',
    async () => {
      await append(store, factsOf('kept', { workspace: '/work/kept' }), write('1', SHARED))
      for (const killAfterMs of [0, 3, 11]) {
        await Promise.all(
          Array.from({ length: 40 }, (_, index) =>
            store.sessions.append(factsOf(`e-${index}`, { workspace: `/work/${killAfterMs}/${index}` }), 0, []),
          ),
        )
        expect(await cleanUpProcess(address, killAfterMs)).toBe('SIGKILL')
        expect(await store.verify()).toEqual([])
        expect(await cleanUpProcess(address)).toBe(null)
        expect((await store.sessions.list({ limit: 99 })).sessions.map(({ id }) => id)).toEqual(['cairn:kept'])
        expect(await countOf('workspace')).toBe(1)
      }
      expect(JSON.stringify(await store.sessions.read('cairn:kept'))).toContain(SHARED)
    },
    TIMEOUT_MS,
  )
})

/** Resolves with the signal that ended it; rejects with what it printed when it failed. Killed so many ms after it began. */
const cleanUpProcess = (address: string, killAfterMs?: number): Promise<string | null> => {
  const script = fileURLToPath(new URL('../testing/clean-up-process.ts', import.meta.url))
  const child = spawn(
    process.execPath,
    ['--conditions=@cairn/source', script, address, ...(killAfterMs === undefined ? [] : ['forever'])],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  child.stdout.once('data', () => {
    if (killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (code === 0 || signal !== null) resolve(signal)
      else reject(new Error(stderr))
    })
  })
}

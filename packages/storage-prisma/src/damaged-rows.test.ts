/** Values that stand in the store once: each column of each such row, changed behind the store's back, is told. */
import { beforeAll, describe, expect, it } from '@jest/globals'
import Sqlite from 'better-sqlite3'
import { CairnError } from '@cairn/core'
import type { EntryWrite, MemoryEntry } from '@cairn/core'
import { migrations as postgresMigrations } from './generated/postgresql/migrations.ts'
import { migrations } from './generated/sqlite/migrations.ts'
import { openStore } from './open-store.ts'
import type { DatabaseStore } from './open-store.ts'
import { PostgresDatabase } from './postgres/postgres-database.ts'
import { checkedColumns } from './sql/row-checksum.ts'
import type { SqlDatabase } from './sql/database.ts'
import { tables } from './sql/schema.ts'
import type { Table } from './sql/schema.ts'
import { SqliteDatabase } from './sqlite/sqlite-database.ts'
import { temporaryStores } from './testing/temporary-stores.ts'

const TIMEOUT_MS = 120_000
const SHOP = '/work/shop'
const START = 1_700_000_000_000
const session = {
  id: 'cairn:s',
  agent: 'cairn',
  externalId: 's',
  workspace: SHOP,
  branch: 'main',
  title: 'The walrus',
  forkedFrom: 'cairn:before',
}
const write = (id: string, at: number, text: string): EntryWrite => ({
  entry: { kind: 'message', id, at, role: 'user', content: [{ type: 'text', text }] },
  request: {
    callId: id,
    at,
    model: 'claude-test',
    provider: 'anthropic',
    mode: 'plan',
    subagent: 'explore',
    inputTokens: 1_000,
    cacheReadTokens: 70_000,
    cacheWrite5mTokens: 300,
    cacheWrite1hTokens: 7,
    outputTokens: 500,
    costNano: 123_456_789n,
    costState: 'recorded',
  },
  redactions: 2,
})
const entry = (id: string, text: string): MemoryEntry => ({
  id,
  workspace: SHOP,
  kind: 'discovery',
  text,
  confidence: 0.7,
  examples: ['src/index.ts:12'],
  sessionId: 'cairn:s',
  messageId: 'm1',
  commit: 'abc123',
  source: 'user',
  firstSeenAt: START,
  lastConfirmedAt: START + 5,
  applications: 1,
  confirmations: 2,
  contradictions: 3,
})

const fill = async (store: DatabaseStore): Promise<void> => {
  await store.sessions.append(session, 0, [write('m1', START, 'a zebra'), write('m2', START + 90_000, 'a walrus')])
  for (const [id, text] of [
    ['01A', 'The tests need Redis'],
    ['01B', 'Prices are in nano-dollars'],
  ] as const)
    await store.memory.change(SHOP, START, () => ({ writes: [{ op: 'put', entry: entry(id, text) }], result: id }))
  await store.notes.set({ workspace: SHOP, key: 'plan', text: 'first', sessionId: 'cairn:s', at: START })
  await store.notes.set({ workspace: SHOP, key: 'todo', text: 'second', at: START })
  await store.state.set({ tier: 'global' }, new Map([['profile:editor', { text: 'vim' }]]))
  await store.checkpoints.add({
    id: 'c1',
    workspace: SHOP,
    sessionId: 'cairn:s',
    at: START,
    commit: 'abc',
    files: 3,
    bytes: 4_000,
    kind: 'agent',
    label: 'before the upgrade',
    leftOut: { count: 1, named: [{ path: '.env', isFolder: false, reason: 'secret' }] },
  })
  for (const [id, code] of [
    ['f1', 'overloaded'],
    ['f2', 'rate-limit'],
  ] as const)
    await store.usage.addFailure('cairn:s', {
      id,
      at: START + 40,
      model: 'claude-test',
      provider: 'anthropic',
      mode: 'plan',
      code,
      attempt: 1,
      totalMs: 250,
    })
  const batch = {
    path: '/transcripts/one.jsonl',
    agent: 'claude-code',
    baseVersion: 0,
    restarted: false,
    cursor: {
      identity: 'inode-1',
      size: 10,
      modifiedAt: START,
      offset: 10,
      line: 1,
      fingerprint: 'f',
      parserState: { seen: 1 },
    },
    sessions: [],
    source: [],
    skips: [{ file: '/transcripts/one.jsonl', line: 7, reason: 'no JSON', count: 1 }],
  }
  await store.imports.prepare(batch).commit()
}

/** What reads the rows of each table, and the columns by which it finds them: a row that has others there is not found. */
const readers: readonly {
  readonly table: Table
  readonly read: (store: DatabaseStore) => Promise<unknown>
  readonly foundBy?: readonly string[]
}[] = [
  { table: tables.session, read: (store) => store.sessions.list({}) },
  { table: tables.usage, read: (store) => store.usage.requests('cairn:s'), foundBy: ['session_id'] },
  { table: tables.requestFailure, read: (store) => store.usage.failures() },
  { table: tables.importedFile, read: (store) => store.imports.files() },
  { table: tables.importSkip, read: (store) => store.imports.skips() },
  { table: tables.memoryVersion, read: (store) => store.memory.list(SHOP), foundBy: ['workspace', 'valid_to'] },
  { table: tables.noteVersion, read: (store) => store.notes.list(SHOP), foundBy: ['workspace', 'valid_to'] },
  { table: tables.state, read: (store) => store.state.all({ tier: 'global' }), foundBy: ['scope'] },
  { table: tables.checkpoint, read: (store) => store.checkpoints.list(SHOP), foundBy: ['workspace'] },
]

/** SQL that gives every value of the column another one, also nulls. */
const another = (table: Table, column: string): string => {
  const type = table.columns[column]
  const name = `"${column}"`
  if (type === 'text') return `COALESCE(${name}, '') || 'x'`
  if (type === 'bytes') return 'substr(' + name + ', 2)'
  return type === 'real' ? `${name} / 2` : `COALESCE(${name}, 0) + 4`
}

const faultOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'none'
  } catch (error) {
    return CairnError.is(error) ? `${error.code}: ${error.message}` : `not ours: ${String(error)}`
  }
}

const withStore = async <T>(address: string, work: (store: DatabaseStore) => Promise<T>): Promise<T> => {
  const store = await openStore(address)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

const run = async (address: string, ...statements: readonly string[]): Promise<void> => {
  const database: SqlDatabase = address.startsWith('file:')
    ? await SqliteDatabase.open(address.slice('file:'.length), migrations)
    : await PostgresDatabase.open(address, postgresMigrations)
  try {
    for (const sql of statements)
      await database.transaction({ durability: 'lazy' }, (transaction) => transaction.run(sql))
  } finally {
    await database.close()
  }
}

const stores = temporaryStores()

describe.each(stores.newAddress)('rows with a checksum on %s', (name, newAddress) => {
  let address = ''
  beforeAll(async () => {
    address = await newAddress()
    await withStore(address, fill)
  }, TIMEOUT_MS)

  it.each(readers.map((one) => [one.table.name, one] as const))(
    'detect a change of any column: %s',
    async (_, { table, read, foundBy = [] }) => {
      const columns = checkedColumns(table).filter((column) => column !== 'checksum')
      const silent: string[] = []
      for (const column of columns) {
        await run(
          address,
          `CREATE TABLE kept AS SELECT * FROM ${table.name}`,
          `UPDATE ${table.name} SET "${column}" = ${another(table, column)}`,
        )
        const [told, faults] = await withStore(address, async (store) => [
          await faultOf(read(store)),
          await store.verify(),
        ])
        if (!/^storage-corrupt: .+(restore a copy|Restore a copy).*\.$/.test(told)) silent.push(column)
        expect(faults.filter(({ check }) => check === 'rows')).not.toEqual([])
        await run(
          address,
          `DELETE FROM ${table.name}`,
          `INSERT INTO ${table.name} SELECT * FROM kept`,
          'DROP TABLE kept',
        )
      }
      expect(silent.sort()).toEqual([...foundBy].sort())
      expect(await withStore(address, (store) => store.verify())).toEqual([])
      expect(await withStore(address, (store) => faultOf(read(store)))).toBe('none')
    },
    TIMEOUT_MS,
  )

  it(
    'of the log are told by a check of the store, whichever column was changed',
    async () => {
      const columns = checkedColumns(tables.entry).filter((column) => column !== 'checksum')
      expect(columns).toHaveLength(10)
      for (const column of columns) {
        await run(
          address,
          'CREATE TABLE kept AS SELECT * FROM entry',
          `UPDATE entry SET "${column}" = ${another(tables.entry, column)} WHERE seq = 1`,
        )
        const faults = await withStore(address, (store) => store.verify())
        expect(faults.filter(({ check }) => check === 'rows')).toEqual([
          { check: 'rows', detail: 'a log entry is not what was written', count: 1 },
        ])
        await run(address, 'DELETE FROM entry', 'INSERT INTO entry SELECT * FROM kept', 'DROP TABLE kept')
      }
      expect(await withStore(address, (store) => store.verify())).toEqual([])
    },
    TIMEOUT_MS,
  )

  it(
    'name what is damaged, and let a rebuild set aside what is in no transcript',
    async () => {
      const own = await newAddress()
      await withStore(own, fill)
      await run(
        own,
        `UPDATE memory_version SET text = 'The tests need redis' WHERE entry_id = '01A'`,
        `UPDATE note_version SET text = 'fires' WHERE "key" = 'plan'`,
        `UPDATE state SET value = '{"text":"wim"}'`,
        `UPDATE checkpoint SET files = 4`,
        `UPDATE request_failure SET code = 'walrus' WHERE code = 'overloaded'`,
      )
      await withStore(own, async (store) => {
        expect(await faultOf(store.usage.failures())).toMatch(/a failed request is not what was written/)
        expect(await faultOf(store.memory.list(SHOP))).toMatch(
          /^storage-corrupt: The store .+ is damaged \(the memory entry 01A is not what was written\); .+cairn doctor --rebuild set it aside/,
        )
        // One that is sound is read and written beside it.
        expect((await store.memory.get('01B'))?.text).toBe('Prices are in nano-dollars')
        await store.memory.change(
          SHOP,
          START + 10,
          () => ({ writes: [{ op: 'put', entry: entry('01C', 'Run the linter') }], result: '' }),
          { saying: ['Run the linter'] },
        )
        expect((await store.verify()).map(({ detail }) => detail.slice(0, 30))).toEqual([
          'a failed request is not what w',
          'the memory entry 01A is not wh',
          'the note plan is not what was ',
          'the setting profile:editor is ',
          'the checkpoint c1 is not what ',
        ])
        await store.rebuild()
        expect((await store.memory.list(SHOP)).map(({ id }) => id)).toEqual(['01C', '01B'])
        expect((await store.notes.list(SHOP)).map(({ key }) => key)).toEqual(['todo'])
        expect([...(await store.state.all({ tier: 'global' })).keys()]).toEqual([])
        expect(await store.checkpoints.list(SHOP)).toEqual([])
        expect(await store.checkpoints.page({ sessionId: 'cairn:s' })).toEqual({ checkpoints: [], total: 0 })
        expect(await store.checkpoints.workspaces()).toEqual([])
        expect((await store.usage.failures()).map(({ code }) => code)).toEqual(['rate-limit'])
        const faults = await store.verify()
        expect(faults.map(({ detail }) => detail.endsWith('; it is set aside'))).toEqual([true, true, true, true, true])
        await store.rebuild()
        expect(await store.verify()).toEqual(faults)
        // The same again can be rewritten.
        await store.notes.set({ workspace: SHOP, key: 'plan', text: 'first', at: START + 20 })
        await store.state.set({ tier: 'global' }, new Map([['profile:editor', { text: 'vim' }]]))
        expect((await store.notes.get(SHOP, 'plan'))?.text).toBe('first')
        expect(await store.state.get({ tier: 'global' }, 'profile:editor')).toEqual({ text: 'vim' })
      })
    },
    TIMEOUT_MS,
  )

  it(
    'stay damaged when they are updated',
    async () => {
      const own = await newAddress()
      await withStore(own, fill)
      await run(
        own,
        `UPDATE session SET title = 'The walnut'`,
        `UPDATE usage_fact SET mode_id = 0`,
        `UPDATE memory_version SET text = 'x' WHERE entry_id = '01A'`,
      )
      await withStore(own, async (store) => {
        await store.sessions.append(session, 'end', [
          { ...write('m3', START + 1_000_000, 'more'), request: { ...requestOf('m1'), outputTokens: 900 } },
        ])
        expect(await faultOf(store.sessions.list({}))).toMatch(/the session cairn:s is not what was written/)
        expect(await faultOf(store.usage.requests('cairn:s'))).toMatch(/a request is not what was written/)
        expect(await faultOf(store.rebuild())).toMatch(/a request is not what was written/)
      })
    },
    TIMEOUT_MS,
  )

  it(
    'of older versions have no checksum, can be read, and get one when they are written',
    async () => {
      const own = await newAddress()
      await withStore(own, fill)
      await run(own, `UPDATE session SET checksum = NULL, title = 'As it was'`)
      await withStore(own, async (store) => {
        expect((await store.sessions.list({})).sessions[0]?.title).toBe('As it was')
        await store.sessions.append(session, 'end', [write('m3', START + 1_000_000, 'more')])
        expect((await store.sessions.list({})).sessions).toHaveLength(1)
      })
      await run(own, `UPDATE session SET favourite = 1`)
      expect(await withStore(own, (store) => faultOf(store.sessions.list({})))).toMatch(/^storage-corrupt: /)
    },
    TIMEOUT_MS,
  )

  if (name === 'SQLite')
    it.each<readonly [string, string, (store: DatabaseStore) => Promise<unknown>]>([
      ['memory_version', `UPDATE memory_version SET workspace = '/work/shoq'`, (store) => store.memory.list(SHOP)],
      ['note_version', 'UPDATE note_version SET valid_to = 7', (store) => store.notes.list(SHOP)],
      ['session', 'DELETE FROM session', (store) => store.sessions.list({})],
      ['session', 'DELETE FROM session', (store) => store.search.search({ text: 'walrus' })],
    ])(
      'that contradict their index are reported: %s',
      async (table, sql, ask) => {
        const own = await newAddress()
        await withStore(own, fill)
        const raw = new Sqlite(own.slice('file:'.length))
        raw.unsafeMode(true)
        raw.pragma('writable_schema = ON')
        const indexes = `sqlite_master WHERE type = 'index' AND tbl_name = '${table}' AND sql IS NOT NULL`
        raw.exec(`CREATE TABLE kept AS SELECT * FROM ${indexes}; DELETE FROM ${indexes}`)
        raw.close()
        // Without its indexes, the table alone is changed, as by a disk.
        const other = new Sqlite(own.slice('file:'.length))
        other.unsafeMode(true)
        other.pragma('writable_schema = ON')
        other.exec(sql)
        other.exec('INSERT INTO sqlite_master SELECT * FROM kept; DROP TABLE kept')
        other.close()
        expect(await withStore(own, (store) => faultOf(ask(store)))).toMatch(/^storage-corrupt: /)
      },
      TIMEOUT_MS,
    )
})

const requestOf = (callId: string): NonNullable<EntryWrite['request']> => {
  const { request } = write(callId, START, '')
  if (request === undefined) throw new Error('a write without a request')
  return request
}

/** Databases in the forms that Cursor's versions have been seen to write; none of a person's was to be had. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { createWorkbench, type Workbench } from '../testing/import-workbench.ts'

let bench: Workbench
let databases: DatabaseSync[] = []
let sessions = 0
beforeEach(() => {
  bench = createWorkbench()
})
afterEach(() => {
  for (const database of databases) database.close()
  databases = []
  bench.end()
})

const AT = Date.parse('2026-05-01T09:00:00Z')
const USER = 'Cursor/User'
const PATH = `${USER}/globalStorage/state.vscdb`
const C1 = '11111111-0000-4000-8000-000000000001'
const C2 = '22222222-0000-4000-8000-000000000002'

/** A database with Cursor's tables. */
const openDatabase = (path = PATH): DatabaseSync => {
  const file = join(bench.folder, path)
  mkdirSync(dirname(file), { recursive: true })
  const database = new DatabaseSync(file)
  databases.push(database)
  database.exec('PRAGMA synchronous = OFF')
  for (const table of ['ItemTable', 'cursorDiskKV'])
    database.exec(`CREATE TABLE ${table} (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`)
  return database
}
const put = (database: DatabaseSync, key: string, value: unknown, table = 'cursorDiskKV'): void => {
  database
    .prepare(`INSERT INTO ${table} (key, value) VALUES (?, ?)`)
    .run(key, typeof value === 'string' ? value : JSON.stringify(value))
}

const asked = (second: number, text: string, more: object = {}) => ({
  _v: 3,
  type: 1,
  bubbleId: `u${second}`,
  text,
  createdAt: new Date(AT + second * 1000).toISOString(),
  tokenCount: { inputTokens: 0, outputTokens: 0 },
  ...more,
})
const replied = (second: number, text: string, more: object = {}) =>
  asked(second, text, { type: 2, bubbleId: `a${second}`, ...more })
type Bubble = ReturnType<typeof asked>

/** Writes a session with its messages, as version 3 has them. */
const putSession = (database: DatabaseSync, id: string, bubbles: readonly Bubble[], more: object = {}): void => {
  for (const bubble of bubbles) put(database, `bubbleId:${id}:${bubble.bubbleId}`, bubble)
  put(database, `composerData:${id}`, {
    _v: 3,
    composerId: id,
    name: 'Sums',
    status: 'completed',
    createdAt: AT,
    lastUpdatedAt: AT,
    unifiedMode: 'agent',
    modelConfig: { modelName: 'claude-4.5-sonnet' },
    fullConversationHeadersOnly: bubbles.map(({ bubbleId, type }) => ({ bubbleId, type })),
    ...more,
  })
}
const texts = (id = C1) => bench.texts(`cursor:${id}`)
const entries = (id = C1) => bench.store.sessions.read(`cursor:${id}`)

describe('Cursor', () => {
  it('gives the texts of its messages, with reasoning, calls and results, and no requests', async () => {
    const database = openDatabase()
    put(database, 'cursorAuth/accessToken', 'a login that is never read')
    putSession(
      database,
      C1,
      [
        asked(0, 'Fix the sums'),
        replied(1, 'I look.', {
          thinking: { text: 'The sum is off.' },
          toolFormerData: {
            toolCallId: 'tool_1',
            name: 'read_file',
            rawArgs: '{"target_file":"sum.ts"}',
            result: '{"contents":"one"}',
            status: 'completed',
          },
        }),
        replied(2, '', {
          toolFormerData: { name: 'run_terminal_cmd', params: { command: 'false' }, result: 'exit 1', status: 'error' },
        }),
        replied(3, 'It is right now.'),
      ],
      {
        workspaceIdentifier: { uri: { fsPath: '/code/app' } },
        trackedGitRepos: [{ branches: [{ branchName: 'fix' }] }],
      },
    )
    expect(await bench.import()).toMatchObject({ sessions: 1, messages: 6, requests: 0, skipped: [] })
    expect(await entries()).toMatchObject([
      { role: 'user', at: AT, mode: 'act', content: [{ type: 'text', text: 'Fix the sums' }] },
      {
        role: 'assistant',
        model: 'claude-4.5-sonnet',
        content: [
          { type: 'thinking', text: 'The sum is off.' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_call', id: 'tool_1', name: 'read_file', input: '{"target_file":"sum.ts"}' },
        ],
      },
      { role: 'tool', content: [{ type: 'tool_result', callId: 'tool_1', content: [{ text: '{"contents":"one"}' }] }] },
      { role: 'assistant', content: [{ type: 'tool_call', id: 'call-a2', input: '{"command":"false"}' }] },
      { role: 'tool', content: [{ callId: 'call-a2', isError: true }] },
      { role: 'assistant', content: [{ type: 'text', text: 'It is right now.' }] },
    ])
    expect(await bench.store.sessions.get(`cursor:${C1}`)).toMatchObject({
      title: 'Sums',
      workspace: '/code/app',
      branch: 'fix',
      requests: 0,
    })
    expect((await bench.source(`cursor:${C1}`)).join()).not.toContain('a login')
  })

  it('takes in only what is new, and a reply when it is finished', async () => {
    const database = openDatabase()
    putSession(database, C1, [asked(0, 'one'), replied(1, 'two')])
    putSession(database, C2, [asked(5, 'other')], { name: null })
    expect(await bench.import()).toMatchObject({ sessions: 2, messages: 3 })
    expect(await bench.import()).toMatchObject({ files: 0, messages: 0 })

    const running = [asked(0, 'one'), replied(1, 'two'), asked(2, 'three'), replied(3, 'fo')]
    putSession(database, C1, running, { status: 'generating', lastUpdatedAt: 1_000 })
    expect(await bench.import()).toMatchObject({
      messages: 1,
      skipped: [{ reason: 'the last message is not finished; it is tried again at the next import' }],
    })
    expect(await bench.import()).toMatchObject({ messages: 0 })
    putSession(database, C1, [...running.slice(0, 3), replied(3, 'four')])
    expect(await bench.import()).toMatchObject({ messages: 1, skipped: [] })
    expect(await texts()).toEqual(['one', 'two', 'three', 'four'])
    expect(await bench.source(`cursor:${C1}`)).toHaveLength(4)
    expect((await bench.store.sessions.get(`cursor:${C2}`))?.title).toBe('other')
  })

  it('takes in a reply that nobody goes on with after a day', async () => {
    const database = openDatabase()
    putSession(database, C1, [asked(0, 'one'), replied(1, 'tw')], { status: 'generating', lastUpdatedAt: AT })
    const at = (now: number) => ({ clock: { now: () => now } })
    expect(await bench.import(at(AT + 1000))).toMatchObject({ messages: 1 })
    expect(await bench.import(at(AT + 90_000_000))).toMatchObject({ messages: 1, skipped: [] })
    expect(await texts()).toEqual(['one', 'tw'])
    expect(await bench.import(at(AT + 91_000_000))).toMatchObject({ files: 0, messages: 0 })
  })

  it('goes on after a checkpoint was restored', async () => {
    const database = openDatabase()
    putSession(database, C1, [asked(0, 'one'), replied(1, 'two'), asked(2, 'three')])
    await bench.import()
    putSession(database, C1, [asked(0, 'one'), replied(1, 'two'), asked(4, 'other'), replied(5, 'way')])
    expect(await bench.import()).toMatchObject({ messages: 2 })
    expect(await texts()).toEqual(['one', 'two', 'three', 'other', 'way'])
  })

  it('takes a new name, but none over one that was given here', async () => {
    const database = openDatabase()
    const facts = { id: `cursor:${C1}`, agent: 'cursor', externalId: C1 }
    putSession(database, C1, [asked(0, 'one')])
    await bench.import()
    putSession(database, C1, [asked(0, 'one')], { name: 'Better' })
    await bench.import()
    expect(await bench.store.sessions.get(facts.id)).toMatchObject({ title: 'Better' })
    await bench.store.sessions.append({ ...facts, title: 'Mine' }, 'end', [])
    putSession(database, C1, [asked(0, 'one'), replied(1, 'two')], { name: 'Better' })
    await bench.import()
    expect(await bench.store.sessions.get(facts.id)).toMatchObject({ title: 'Mine', messages: 2 })
  })

  it('reads sessions of early versions, whose messages stand in their own row', async () => {
    const database = openDatabase()
    put(database, `composerData:${C1}`, {
      composerId: C1,
      conversation: [
        { type: 1, bubbleId: 'b1', text: 'one' },
        { type: 2, text: 'two' },
      ],
    })
    expect(await bench.import()).toMatchObject({ messages: 2 })
    expect(await texts()).toEqual(['one', 'two'])
    expect((await entries()).map(({ at }) => at)).toEqual([null, null])
  })

  it('counts a subagent to the session that started it', async () => {
    const database = openDatabase()
    putSession(database, C1, [asked(0, 'one')])
    putSession(database, C2, [asked(1, 'look'), replied(2, 'found')], {
      name: 'Explore',
      subagentInfo: { parentComposerId: C1 },
    })
    expect(await bench.import()).toMatchObject({ sessions: 1, messages: 3 })
    expect((await entries()).map((entry) => (entry.kind === 'message' ? entry.subagent : ''))).toEqual([
      undefined,
      C2,
      C2,
    ])
    expect(await bench.store.sessions.get(`cursor:${C1}`)).toMatchObject({ title: 'Sums' })
  })

  it('finds the folder that a session worked in by the databases of folders', async () => {
    putSession(openDatabase(), C1, [asked(0, 'one')])
    for (const [name, folder, id] of [
      ['0', pathToFileURL('/code/my app').href, C1],
      ['1', 'vscode-remote://ssh/elsewhere', C2],
    ] as const) {
      const database = openDatabase(`${USER}/workspaceStorage/${name}/state.vscdb`)
      put(database, 'composer.composerData', { allComposers: [{ composerId: id }, {}] }, 'ItemTable')
      bench.write(`${USER}/workspaceStorage/${name}/workspace.json`, JSON.stringify({ folder }))
    }
    bench.write(`${USER}/workspaceStorage/2/workspace.json`, '{"folder": "file:///code/%zz"}')
    bench.write(`${USER}/workspaceStorage/3/state.vscdb`, 'no database')
    bench.write(`${USER}/workspaceStorage/3/workspace.json`, '{"folder": "file:///code/other"}')
    expect(await bench.import({ from: [join(bench.folder, 'Cursor')] })).toMatchObject({ sessions: 1, skipped: [] })
    expect(await bench.store.sessions.get(`cursor:${C1}`)).toMatchObject({ workspace: '/code/my app' })
  })

  it('names what is damaged and takes the rest', async () => {
    const database = openDatabase()
    putSession(database, C1, [asked(0, 'one'), replied(1, 'two'), asked(2, 'three'), replied(3, 'x', { type: 7 })])
    put(database, `bubbleId:${C1}:a1`, '{"type":2,"text":')
    database.exec(`DELETE FROM cursorDiskKV WHERE key = 'bubbleId:${C1}:u2'`)
    put(database, `composerData:${C2}`, '{"composerId":')
    put(database, 'composerData:null', 'null')
    put(database, 'composerData:odd', { fullConversationHeadersOnly: 'x', conversation: { a: 1 }, name: { b: 2 } })
    const report = await bench.import()
    expect(report).toMatchObject({ sessions: 1, messages: 1 })
    expect(report.skipped.map(({ reason }) => reason).sort()).toEqual([
      'a message that is not valid JSON',
      'a message whose role is not known',
      `the session ${C2}, which is not valid JSON`,
    ])
    expect(await texts()).toEqual(['one'])
  })

  it('of whatever values is taken in once, or named', async () => {
    const anything = fc.jsonValue({ maxDepth: 2 })
    const bubble = fc.record(
      {
        type: fc.oneof(fc.constantFrom(1, 2), anything),
        bubbleId: fc.oneof(fc.constantFrom('a', 'b'), anything),
        text: fc.oneof(fc.string(), anything),
        createdAt: anything,
        thinking: fc.oneof(anything, fc.record({ text: anything })),
        toolFormerData: fc.oneof(anything, fc.record({ name: anything, rawArgs: anything, result: anything })),
      },
      { requiredKeys: [] },
    )
    const composer = fc.record(
      {
        name: anything,
        status: fc.oneof(fc.constantFrom('completed', 'aborted'), anything),
        fullConversationHeadersOnly: fc.oneof(
          anything,
          fc.array(fc.constantFrom({ bubbleId: 'a' }, { bubbleId: 'b' })),
        ),
        conversation: fc.oneof(anything, fc.array(bubble, { maxLength: 3 })),
        workspaceIdentifier: fc.oneof(anything, fc.record({ uri: anything, configPath: anything })),
        subagentInfo: anything,
        modelConfig: anything,
        lastUpdatedAt: anything,
      },
      { requiredKeys: [] },
    )
    const database = openDatabase()
    await fc.assert(
      fc.asyncProperty(fc.oneof(composer, anything), fc.oneof(bubble, anything), bubble, async (session, a, b) => {
        const id = `s${++sessions}`
        put(database, `bubbleId:${id}:a`, JSON.stringify(a))
        put(database, `bubbleId:${id}:b`, JSON.stringify(b))
        put(database, `composerData:${id}`, JSON.stringify(session))
        for (const { reason } of (await bench.import()).skipped) expect(reason).not.toContain('could not be read')
        expect(await bench.import()).toMatchObject({ messages: 0 })
      }),
      { numRuns: 60 },
    )
  })

  it('of many messages and sessions is read in parts', async () => {
    const database = openDatabase()
    database.exec('BEGIN')
    for (let index = 0; index < 130; index++) putSession(database, `s${index}`, [asked(index, `first of ${index}`)])
    const bubbles = Array.from({ length: 450 }, (_, second) => asked(second, `${second} ${'x'.repeat(second % 90)}`))
    putSession(database, C1, bubbles)
    database.exec('COMMIT')
    expect(await bench.import()).toMatchObject({ sessions: 131, messages: 580 })
    expect((await texts()).map((text) => Number(text.split(' ')[0]))).toEqual(bubbles.map((_, index) => index))
    database.exec('BEGIN')
    putSession(database, C1, [...bubbles, asked(451, 'last')])
    database.exec('COMMIT')
    expect(await bench.import()).toMatchObject({ messages: 1 })
  })

  it('cuts texts that are too long, and takes no more of a tool than a megabyte', async () => {
    const database = openDatabase()
    putSession(database, C1, [
      asked(0, 'a'.repeat(5 << 20)),
      replied(1, '', { toolFormerData: { name: 't', rawArgs: 'b'.repeat(2 << 20), result: 'c' } }),
    ])
    await bench.import()
    expect((await texts())[0]?.length).toBe(4 << 20)
    expect(JSON.stringify((await entries())[1]).length < 1.1 * (1 << 20)).toBe(true)
  })

  it('is found in its usual place, and by its agent in a copy', async () => {
    putSession(openDatabase('home/.config/Cursor/User/globalStorage/state.vscdb'), C1, [asked(0, 'one')])
    expect(await bench.import({ home: join(bench.folder, 'home') })).toMatchObject({ sessions: 1, skipped: [] })
    putSession(openDatabase('copy.vscdb'), C2, [asked(0, 'two')])
    const from = [join(bench.folder, 'copy.vscdb')]
    expect(await bench.import({ from, agent: 'cursor' })).toMatchObject({ sessions: 1 })
  })

  it('is refused where it is another database, or none', async () => {
    const path = join(bench.folder, 'other.vscdb')
    const other = new DatabaseSync(path)
    other.exec('CREATE TABLE t (x)')
    other.close()
    const reasons = async () =>
      (await bench.import({ from: [path], agent: 'cursor' })).skipped.map(({ reason }) => reason)
    expect(await reasons()).toEqual(['not a database of Cursor'])
    rmSync(path)
    bench.write('other.vscdb', 'x'.repeat(100))
    expect(await reasons()).toEqual(['not a SQLite database'])
  })

  it('is not copied where it is very large and its program left its log behind', async () => {
    putSession(openDatabase(), C1, [asked(0, 'one')])
    const path = join(bench.folder, PATH)
    const facts = { kind: 'file', modifiedAt: 1, identity: 'x' } as const
    const sizes = new Map([
      [path, 3 * 2 ** 30],
      [`${path}-wal`, 10],
    ])
    const stat = async (file: string) => {
      const size = sizes.get(file)
      return size === undefined ? undefined : { ...facts, path: file, size }
    }
    const refused = await bench.import({ from: [path], fileSystem: { stat } })
    expect(refused).toMatchObject({ messages: 0, skipped: [{ file: path }] })
    expect(refused.skipped[0]?.reason).toContain('start and quit Cursor, then import again')
    sizes.set(path, 20_000)
    expect(await bench.import({ from: [path], fileSystem: { stat } })).toMatchObject({ messages: 1, skipped: [] })
  })

  it('leaves out a session that is incognito', async () => {
    const database = openDatabase()
    putSession(database, C1, [asked(0, 'a secret')])
    putSession(database, C2, [asked(1, 'none')])
    bench.write('home/.local/share/cairn/incognito.jsonl', `{"agent":"cursor","session":"${C1}"}\n`)
    const report = await bench.import({ from: [join(bench.folder, 'Cursor')] })
    expect(report).toMatchObject({ sessions: 1, messages: 1, skipped: [{ reason: 'incognito' }] })
    expect((await bench.store.sessions.list({})).sessions.map(({ externalId }) => externalId)).toEqual([C2])
  })

  it('leaves out a session of a project whose setting is incognito, also when that is gone', async () => {
    const settings = bench.write('code/app/.cairn/config.json', '{"hooks":{"incognito":true}}')
    const inApp = { workspaceIdentifier: { uri: { fsPath: join(bench.folder, 'code/app') } } }
    const database = openDatabase()
    putSession(database, C1, [asked(0, 'a secret')], inApp)
    putSession(database, C2, [asked(1, 'none')])
    const from = [join(bench.folder, 'Cursor')]
    expect(await bench.import({ from })).toMatchObject({ sessions: 1, messages: 1, skipped: [{ reason: 'incognito' }] })
    rmSync(settings)
    putSession(database, C1, [asked(0, 'a secret'), asked(2, 'another one')], { ...inApp, lastUpdatedAt: AT + 2_000 })
    expect(await bench.import({ from })).toMatchObject({ sessions: 0, messages: 0 })
    expect((await bench.store.sessions.list({})).sessions.map(({ externalId }) => externalId)).toEqual([C2])
  })
})

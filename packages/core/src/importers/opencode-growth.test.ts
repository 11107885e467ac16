/** OpenCode while it works: what is taken in meanwhile, and what waits. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createFileSystem } from '../node/file-system.ts'
import type { FileSystem } from '../ports/file-system.ts'
import { createWorkbench, type Workbench } from '../testing/import-workbench.ts'
import {
  AT,
  answered,
  asked,
  openDatabase,
  textPart,
  session,
  unfinished,
  writeStorage,
  type TestSession,
} from './opencode.fixture.ts'

let bench: Workbench
let open: ReturnType<typeof openDatabase>
beforeEach(() => {
  bench = createWorkbench()
  open = openDatabase(join(bench.folder, 'data/opencode.db'))
})
afterEach(() => {
  open.close()
  bench.end()
})

const WAITS = 'the last message is not finished; it is tried again at the next import'
const texts = (id = 'main') => bench.texts(`opencode:ses_${id}`)

const STORES: readonly (readonly [string, (each: TestSession) => void])[] = [
  ['a database', (each) => open.put(each)],
  ['files', (each) => writeStorage(join(bench.folder, 'storage'), each)],
]

describe.each(STORES)('while it is written: %s', (_name, put) => {
  it('takes each message once it is finished, in order', async () => {
    put(session('main', [asked('1', 0, 'first')]))
    expect((await bench.import()).skipped).toMatchObject([{ reason: WAITS }])
    expect(await texts()).toEqual([])
    put(session('main', [asked('1', 0, 'first'), unfinished('2', 1, [textPart('on the w')])]))
    await bench.import()
    expect(await texts()).toEqual(['first'])
    // Asked while the reply is on the way.
    put(session('main', [unfinished('2', 1, [textPart('on the wa')]), asked('3', 2, 'second'), asked('4', 3, 'third')]))
    await bench.import()
    expect(await texts()).toEqual(['first'])
    put(session('main', [answered('2', 1, [textPart('on the way')])]))
    await bench.import()
    expect(await texts()).toEqual(['first', 'on the way', 'second'])
    put(session('main', [answered('5', 4, [textPart('done')])]))
    expect(await bench.import()).toMatchObject({ messages: 2, requests: 1, skipped: [] })
    expect(await texts()).toEqual(['first', 'on the way', 'second', 'third', 'done'])
    expect(await bench.import()).toMatchObject({ files: 0, messages: 0, skipped: [] })
  })

  it('takes a reply whose program ended once another follows, or a day later', async () => {
    put(session('main', [asked('1', 0, 'first'), unfinished('2', 1, [textPart('cut')]), asked('3', 2, 'again')]))
    put(session('other', [asked('7', 0, 'lonely'), unfinished('8', 1, [textPart('cut off')])]))
    await bench.import()
    expect(await texts()).toEqual(['first'])
    put(session('main', [answered('4', 3, [textPart('answer')])]))
    await bench.import()
    expect(await texts()).toEqual(['first', 'cut', 'again', 'answer'])
    expect(await texts('other')).toEqual(['lonely'])
    const clock = { now: () => Date.now() + AT }
    expect(await bench.import({ clock })).toMatchObject({ messages: 1, skipped: [] })
    expect(await texts('other')).toEqual(['lonely', 'cut off'])
    expect(await bench.import({ clock })).toMatchObject({ files: 0, messages: 0 })
  })

  it('keeps secrets out, and the lines that were taken', async () => {
    put(session('main', [asked('1', 0, 'the key is SECRET'), answered('2', 1, [textPart('ok')])]))
    await bench.import()
    expect(await texts()).toEqual(['the key is [redacted:x]', 'ok'])
    const source = await bench.source('opencode:ses_main')
    expect(source).toHaveLength(2)
    expect(source.join()).not.toContain('SECRET')
    expect(JSON.parse(source[1] ?? '')).toMatchObject({
      session: { id: 'ses_main' },
      id: 'msg_2',
      info: { cost: 0.002 },
    })
  })

  it('keeps nothing of a session that is incognito, nor of its subagents', async () => {
    bench.write('home/.local/share/cairn/incognito.jsonl', '{"agent":"opencode","session":"ses_hidden"}\n')
    put(session('hidden', [asked('1', 0, 'hidden'), answered('2', 1, [textPart('ok')])]))
    put(session('child', [asked('3', 0, 'hidden too'), answered('4', 1, [textPart('ok')])], { parentID: 'ses_hidden' }))
    put(session('deeper', [asked('7', 0, 'hidden'), answered('8', 1, [textPart('ok')])], { parentID: 'ses_child' }))
    put(session('main', [asked('5', 0, 'shown'), answered('6', 1, [textPart('ok')])]))
    const { skipped } = await bench.import()
    expect(skipped.map(({ reason }) => reason)).toContain('incognito')
    expect((await bench.store.sessions.list({})).sessions.map(({ id }) => id)).toEqual(['opencode:ses_main'])
  })

  it('keeps nothing of the sessions of a project whose setting is incognito, also when that is gone', async () => {
    const settings = bench.write('private/.cairn/config.json', '{"hooks":{"incognito":true}}')
    const own = { directory: join(bench.folder, 'private') }
    put(session('hidden', [asked('1', 0, 'hidden'), answered('2', 1, [textPart('ok')])], own))
    // A subagent in another folder, taken in together with the session.
    const subagent = [asked('1a', 0, 'hidden too'), answered('2a', 1, [textPart('ok')])]
    put(session('hidden_too', subagent, { parentID: 'ses_hidden' }))
    put(session('main', [asked('5', 0, 'shown'), answered('6', 1, [textPart('ok')])]))
    const { skipped } = await bench.import()
    expect(skipped.map(({ reason }) => reason)).toContain('incognito')
    rmSync(settings)
    put(session('hidden', [asked('3', 2, 'hidden'), answered('4', 3, [textPart('ok')])], own))
    put(session('main', [asked('7', 2, 'shown'), answered('8', 3, [textPart('ok')])]))
    expect(await bench.import()).toMatchObject({ messages: 2 })
    expect((await bench.store.sessions.list({})).sessions.map(({ id }) => id)).toEqual(['opencode:ses_main'])
  })
})

describe('a database', () => {
  const turn = (number: number) => [
    asked(`u${number}`, number * 10, `question ${number}`),
    answered(`v${number}`, number * 10 + 1, [textPart(`answer ${number}`)]),
  ]

  it('is read with its log, which is left as it is', async () => {
    open.put(session('main', turn(1)))
    const before = await bench.import()
    expect(before).toMatchObject({ messages: 2, skipped: [] })
    open.put(session('main', turn(2)))
    expect(await bench.import({ changed: [join(bench.folder, 'data/opencode.db-wal')] })).toMatchObject({ messages: 2 })
    expect(open.database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()).toEqual({ busy: 0, log: 0, checkpointed: 0 })
    expect(await bench.import()).toMatchObject({ messages: 0 })
  })

  it('is read again where its log had more than was shown to readers', async () => {
    const clock = { now: () => Date.now() }
    open.put(session('main', turn(1)))
    // A commit stands in the log before readers see it: here they see the copy.
    const copy = join(bench.folder, 'copy/opencode.db')
    mkdirSync(dirname(copy))
    for (const end of ['', '-wal']) copyFileSync(`${join(bench.folder, 'data/opencode.db')}${end}`, `${copy}${end}`)
    open.put(session('main', turn(2)))
    const files = createFileSystem()
    const fileSystem: Partial<FileSystem> = { readDatabase: (_path, read) => files.readDatabase(copy, read) }
    const from = [join(bench.folder, 'data')]
    expect(await bench.import({ from, clock, fileSystem })).toMatchObject({ messages: 2, skipped: [] })
    expect(bench.events.map(({ type }) => type)).toContain('import-unsettled')
    expect(await bench.import({ from, clock })).toMatchObject({ messages: 2, skipped: [] })
    const later = { now: () => Date.now() + 60_000 }
    expect(await bench.import({ from, clock: later })).toMatchObject({ messages: 0 })
    bench.events.length = 0
    expect(await bench.import({ from, clock: later })).toMatchObject({ files: 0 })
    expect(bench.events.map(({ type }) => type)).not.toContain('import-unsettled')
  })

  it('gives what follows after its last turns were undone', async () => {
    open.put(session('main', [...turn(1), ...turn(2), ...turn(3)]))
    await bench.import()
    open.database.exec("DELETE FROM message WHERE id IN ('msg_u2', 'msg_v2', 'msg_u3', 'msg_v3')")
    open.put(session('main', [...turn(4), ...turn(5), ...turn(6)]))
    expect(await bench.import()).toMatchObject({ messages: 6, requests: 3 })
    expect(await bench.import()).toMatchObject({ files: 0 })
  })

  it('that was replaced by another one is read again', async () => {
    open.put(session('main', turn(1)))
    await bench.import()
    open.database.exec('DELETE FROM message')
    open.put(session('other', [...turn(7), ...turn(8)]))
    expect(await bench.import()).toMatchObject({ sessions: 1, messages: 4 })
  })

  it('costs only what is new', async () => {
    for (let number = 1; number <= 60; number++) open.put(session(`s${number}`, turn(number)))
    expect(await bench.import()).toMatchObject({ sessions: 60, messages: 120 })
    open.put(session('s7', turn(1000)))
    expect(await bench.import()).toMatchObject({ files: 1, messages: 2 })
    expect(await bench.source('opencode:ses_s7')).toHaveLength(4)
    expect(await bench.source('opencode:ses_s8')).toHaveLength(2)
  })

  it('goes on where an import was interrupted', async () => {
    for (let number = 1; number <= 220; number++) open.put(session(`s${number}`, turn(number)))
    open.put(session('s1', [unfinished('z', 9000)]))
    const { imports } = bench.store
    let commits = 0
    const storage = {
      files: () => imports.files(),
      file: (path: string) => imports.file(path),
      skips: () => imports.skips(),
      messagesWith: imports.messagesWith.bind(imports),
      prepare: (batch: Parameters<typeof imports.prepare>[0]) => {
        if (++commits > 2) throw new Error('the power went')
        return imports.prepare(batch)
      },
    }
    const reasons = (await bench.import({ storage })).skipped.map(({ reason }) => reason)
    expect(reasons).toContain('could not be read: the power went')
    open.put(session('s1', [answered('z', 9000, [textPart('late')])]))
    open.put(session('s2', turn(2000)))
    expect((await bench.import()).skipped).toEqual([])
    expect((await bench.store.usage.report({ by: 'agent' })).total).toMatchObject({ requests: 222 })
    expect(await texts('s1')).toEqual(['question 1', 'answer 1', 'late'])
    expect(await texts('s2')).toEqual(['question 2', 'answer 2', 'question 2000', 'answer 2000'])
    for (const id of ['s1', 's2', 's3', 's110', 's220']) {
      const source = await bench.source(`opencode:ses_${id}`)
      expect(new Set(source).size).toBe(source.length)
    }
    expect(await bench.import()).toMatchObject({ files: 0 })
  })

  it('with sessions in a form that is not read says so once', async () => {
    open.put(session('main', turn(1)))
    open.put(session('newer', []))
    open.database.exec(`CREATE TABLE session_message (id text PRIMARY KEY, session_id text);
      INSERT INTO session_message VALUES ('1', 'ses_main'), ('2', 'ses_newer'), ('3', 'ses_newer')`)
    const reason = "a session in a form of newer versions that can't be read yet"
    expect(await bench.import()).toMatchObject({ messages: 2, skipped: [{ reason, count: 1 }] })
    open.put(session('main', turn(2)))
    expect(await bench.import()).toMatchObject({ messages: 2, skipped: [] })
  })

  it('names the branch of a work tree that OpenCode made', async () => {
    open.database.exec("INSERT INTO workspace VALUES ('w1', 'topic/crane')")
    open.put(session('main', turn(1)), 'w1')
    await bench.import()
    expect(await bench.store.sessions.get('opencode:ses_main')).toMatchObject({ branch: 'topic/crane' })
  })
})

/** OpenCode's storages in a bad state: each fault costs what it touches, and is named. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { createWorkbench, type Workbench } from '../testing/import-workbench.ts'
import { answered, asked, exported, openDatabase, textPart, session, writeStorage } from './opencode.fixture.ts'

let bench: Workbench
beforeEach(() => {
  bench = createWorkbench()
})
afterEach(() => bench.end())

const TURNS = session('main', [
  asked('1', 0, 'first'),
  answered('2', 1, [textPart('one'), textPart('more of it')]),
  asked('3', 2, 'second'),
  answered('4', 3, [textPart('two')]),
])
const texts = () => bench.texts('opencode:ses_main')
/** On a machine that has other things to do, ms. */
const PATIENCE = 60_000

describe('files', () => {
  let storage: string
  const message = (id: string): string => join(storage, `message/ses_main/msg_${id}.json`)
  const part = (id: string): string => join(storage, `part/msg_${id}/prt_${id}000.json`)
  beforeEach(() => {
    storage = join(bench.folder, 'storage')
    writeStorage(storage, TURNS)
  })

  it('a message that was cut off is named, and the others are imported', async () => {
    writeFileSync(message('2'), readFileSync(message('2'), 'utf8').slice(0, 90))
    expect((await bench.import()).skipped).toMatchObject([{ reason: 'msg_2.json, a message that is not valid JSON' }])
    expect(await texts()).toEqual(['first', 'second', 'two'])
    expect(await bench.import()).toMatchObject({ files: 0, skipped: [] })
  })

  it('a part that was cut off costs itself', async () => {
    writeFileSync(part('2'), '{"type":"te')
    expect((await bench.import()).skipped).toMatchObject([{ reason: 'a part of a message that is not valid JSON' }])
    expect(await texts()).toEqual(['first', 'more of it', 'second', 'two'])
  })

  it('what is missing costs itself', async () => {
    rmSync(join(storage, 'part/msg_2'), { recursive: true })
    rmSync(message('1'))
    expect(await bench.import()).toMatchObject({ messages: 3, requests: 2, skipped: [] })
    rmSync(join(storage, 'message'), { recursive: true })
    expect(await bench.import()).toMatchObject({ messages: 0, skipped: [] })
  })

  it('a session without any message gives none', async () => {
    rmSync(join(storage, 'message'), { recursive: true })
    expect(await bench.import()).toMatchObject({ sessions: 0, skipped: [] })
  })

  it('a damaged session file costs what only it tells', async () => {
    const [project = ''] = readdirSync(join(storage, 'session'))
    writeFileSync(join(storage, 'session', project, 'ses_main.json'), '{"id":')
    expect(await bench.import()).toMatchObject({ messages: 4 })
    expect(await bench.store.sessions.get('opencode:ses_main')).toMatchObject({
      title: 'first',
      workspace: '/code/shop',
    })
  })

  if (process.platform !== 'win32')
    it('pipes and links that lead out are not followed', async () => {
      rmSync(part('2'))
      execFileSync('mkfifo', [part('2')])
      rmSync(part('4'))
      symlinkSync(bench.write('elsewhere.txt', '{"type":"text","text":"outside"}'), part('4'))
      rmSync(join(storage, 'part/msg_3'), { recursive: true })
      const outside = join(bench.folder, 'storage-of-another')
      mkdirSync(outside)
      writeFileSync(join(outside, 'prt_x.json'), '{"type":"text","text":"outside"}')
      symlinkSync(outside, join(storage, 'part/msg_3'))
      const { skipped } = await bench.import({ from: [join(storage, 'session')] })
      expect(skipped.map(({ reason }) => reason).toSorted()).toEqual([
        'msg_3, a link that leads out of the storage',
        'prt_2000.json, which is no plain file',
        'prt_4000.json, which is no plain file',
      ])
      expect(await texts()).toEqual(['first', 'more of it'])
    })

  it(
    'parts that are too long together are named',
    async () => {
      writeFileSync(part('2'), JSON.stringify({ type: 'text', text: 'x'.repeat(25 << 20) }))
      const { skipped } = await bench.import()
      expect(skipped).toMatchObject([{ reason: 'parts of a message that are over 24 MiB together', count: 1 }])
      expect(await texts()).toEqual(['first', 'more of it', 'second', 'two'])
    },
    PATIENCE,
  )
})

describe('anything', () => {
  it('in the files of a storage never ends an import', async () => {
    const storage = join(bench.folder, 'storage')
    const names = [
      'session/project/ses_main.json',
      ...['1', '2'].map((id) => `message/ses_main/msg_${id}.json`),
      ...['1', '2'].map((id) => `part/msg_${id}/prt_${id}000.json`),
    ]
    const content = fc.oneof(fc.json({ maxDepth: 3 }), fc.string(), fc.uint8Array({ maxLength: 40 }))
    let sound = 0
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), content), async (changes) => {
        writeStorage(storage, TURNS)
        for (const [name, text] of Object.entries(changes)) writeFileSync(join(storage, name), text)
        const { skipped } = await bench.import()
        for (const { reason } of skipped) expect(reason).not.toMatch(/\n|\bat .*:\d+/)
        sound += (await texts()).length
      }),
      { numRuns: 60 },
    )
    expect(sound).toBeGreaterThan(0)
  })
})

describe('a database', () => {
  let path: string
  let open: ReturnType<typeof openDatabase>
  beforeEach(() => {
    path = join(bench.folder, 'data/opencode.db')
    open = openDatabase(path)
    open.put(TURNS)
  })
  afterEach(() => {
    if (open.database.isOpen) open.close()
  })
  const beside = () => readdirSync(join(bench.folder, 'data')).toSorted()

  it('that is closed is read without a trace', async () => {
    open.close()
    const before = readFileSync(path)
    expect(await bench.import()).toMatchObject({ messages: 4, skipped: [] })
    expect(beside()).toEqual(['opencode.db'])
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it('whose program ended without closing it is read with its log, without a trace', async () => {
    mkdirSync(join(bench.folder, 'copy'))
    for (const end of ['', '-wal']) copyFileSync(`${path}${end}`, join(bench.folder, `copy/opencode.db${end}`))
    open.close()
    expect(await bench.import({ from: [join(bench.folder, 'copy')] })).toMatchObject({ messages: 4, skipped: [] })
    expect(readdirSync(join(bench.folder, 'copy')).toSorted()).toEqual(['opencode.db', 'opencode.db-wal'])
  })

  it('that is being written is read as it was before, and its program goes on', async () => {
    open.database.exec("BEGIN IMMEDIATE; UPDATE message SET data = '{}'")
    expect(await bench.import()).toMatchObject({ messages: 4, skipped: [] })
    open.database.exec('COMMIT')
    expect(await texts()).toEqual(['first', 'one', 'second', 'two'])
  })

  it('that stays locked is named, and read at the next import', async () => {
    open.close()
    const other = new DatabaseSync(path)
    other.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
    expect((await bench.import()).skipped).toEqual([
      { file: path, reason: 'locked by another program; it is read at the next import', count: 1 },
    ])
    other.exec('ROLLBACK')
    other.close()
    expect(await bench.import()).toMatchObject({ messages: 4, skipped: [] })
  })

  it('of another program, or no database at all, is named', async () => {
    open.close()
    rmSync(path)
    const other = new DatabaseSync(path)
    other.exec('CREATE TABLE message (id)')
    other.close()
    const odd = bench.write('opencode-dev.db', 'no database, though it has its name')
    const reasons = (await bench.import()).skipped.map(({ file, reason }) => [file, reason])
    expect(reasons).toEqual([
      [path, 'not a database of OpenCode: it has no table "session"'],
      [odd, 'not a SQLite database'],
    ])
  })

  it('with columns that are missing is named', async () => {
    open.database.exec('ALTER TABLE message DROP COLUMN time_updated')
    const [skip] = (await bench.import()).skipped
    expect(skip?.reason).toMatch(/^the database could not be read: no such column: time_updated/)
  })

  it('with rows that are no JSON, no text or null costs these', async () => {
    open.database.exec(`UPDATE message SET data = '{"role":"assis' WHERE id = 'msg_2';
      UPDATE part SET data = x'00ff' WHERE message_id = 'msg_3'; UPDATE part SET data = NULL WHERE message_id = 'msg_4';
      INSERT INTO message VALUES (NULL, NULL, NULL, 9223372036854775807, NULL)`)
    const { skipped, messages } = await bench.import()
    expect(messages).toBe(3)
    expect(skipped.map(({ reason }) => reason)).toContain('the message msg_2, which is not valid JSON')
    expect(skipped.map(({ reason }) => reason)).toContain('a part of a message that is not valid JSON')
  })

  if (process.platform !== 'win32' && process.getuid?.() !== 0)
    it('that may not be read is named', async () => {
      open.close()
      chmodSync(path, 0)
      expect((await bench.import()).skipped).toMatchObject([{ file: path }])
      chmodSync(path, 0o600)
    })

  it('with bytes changed anywhere never ends an import', async () => {
    open.close()
    const sound = readFileSync(path)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(sound.length - 1), fc.nat(255)), { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: sound.length }),
        async (changes, length) => {
          const bytes = Buffer.from(sound)
          for (const [at, value] of changes) bytes[at] = value
          writeFileSync(path, bytes.subarray(0, length))
          const { skipped } = await bench.import()
          for (const { reason } of skipped) expect(reason).not.toMatch(/\n|\bat .*:\d+/)
          expect(beside().every((name) => /^opencode\.db(?:-wal|-shm)?$/.test(name))).toBe(true)
        },
      ),
      { numRuns: 40 },
    )
  })
})

describe('an export', () => {
  it('that was cut off gives what it holds, and is named', async () => {
    const whole = exported(TURNS)
    const file = bench.write('cut.json', whole.slice(0, whole.lastIndexOf('"two"')))
    expect((await bench.import()).skipped).toEqual([
      { file, reason: 'the document is incomplete; it is tried again at the next import', count: 1 },
    ])
    expect(await texts()).toEqual(['first', 'one', 'second'])
    bench.write('cut.json', whole)
    expect(await bench.import()).toMatchObject({ messages: 1, skipped: [] })
  })

  it('whose messages are none names each', async () => {
    bench.write('odd.json', '{"info": {"id": "ses_1"}, "messages": [1, {}, {"info": 5}, {"info": {"role": 7}}]}')
    const { skipped, messages } = await bench.import()
    expect(messages).toBe(0)
    expect(skipped.length).toBeGreaterThan(0)
  })

  it(
    'that is huge is read element by element',
    async () => {
      const many = Array.from({ length: 2_000 }, (_, index) =>
        answered(`m${index}`, index, [textPart('x'.repeat(1 + (index % 700)))]),
      )
      bench.write('huge.json', exported(session('huge', many)))
      expect(await bench.import()).toMatchObject({ messages: 2_000, requests: 2_000, skipped: [] })
    },
    PATIENCE,
  )
})

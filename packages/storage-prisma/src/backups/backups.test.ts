/** Backups: whole, proven, made beside writers, bounded; and what is refused. */
import { spawnSync } from 'node:child_process'
import { afterAll, describe, expect, it } from '@jest/globals'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { CairnError, backupName } from '@cairn/core'
import { createLeaseFile } from '@cairn/core/node'
import { openStore } from '../open-store.ts'
import { appendMessages, contentOf, fillStore } from '../testing/filled-store.ts'
import { repairStore } from '../repair/repair-store.ts'
import { assertSpace, backupFolder, backupsAt, listBackups } from './backup-folder.ts'
import { backUpStore } from './back-up-store.ts'
import { rowCounts } from './copy-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'cairn-backups-'))
let count = 0
const newPath = (): string => join(folder, `${(count += 1)}.db`)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const made = async (sessions = 4): Promise<string> => {
  const path = newPath()
  await fillStore(`file:${path}`, sessions)
  return path
}

const sentenceOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'none'
  } catch (error) {
    return CairnError.is(error) ? `${error.code}: ${error.message}` : `not ours: ${String(error)}`
  }
}

describe('a backup', () => {
  it('holds all that the store does, in one file of its user, and says how much', async () => {
    const path = await made()
    const report = await backUpStore(path, { kind: 'manual' })
    expect(report).toMatchObject({ kind: 'manual', sessions: 4, entries: 3 + 8 + 13 + 18, faults: [], removed: [] })
    expect(report.requests).toBe(1 + 4 + 6 + 9)
    expect(report.blocks).toBeGreaterThan(0)
    expect(report.packs).toBeGreaterThan(0)
    expect(report.bytes).toBe(statSync(report.path).size)
    expect(statSync(report.path).mode & 0o077).toBe(0)
    expect(readdirSync(backupFolder(path))).toEqual([basename(report.path)])
    expect(await contentOf(`file:${report.path}`)).toEqual(await contentOf(`file:${path}`))
  })

  it('is made while another connection writes, which waits for nothing', async () => {
    const path = await made()
    const writer = await openStore(`file:${path}`)
    const state = { isDone: false }
    let appended = 0
    const writing = (async () => {
      while (!state.isDone) {
        const result = await writer.sessions.append({ id: 'cairn:w', agent: 'cairn', externalId: 'w' }, appended, [
          {
            entry: { kind: 'message', id: `w${appended}`, at: 1, role: 'user', content: [{ type: 'text', text: 'w' }] },
          },
        ])
        expect(result.ok).toBe(true)
        appended += 1
        // An append alone leaves timers no turn.
        await new Promise(setImmediate)
      }
    })()
    try {
      while (appended < 3) await new Promise((resolve) => setTimeout(resolve, 1))
      const before = appended
      const report = await backUpStore(path, { kind: 'automatic' })
      expect(report.faults).toEqual([])
      expect(appended).toBeGreaterThan(before)
      const copy = await openStore(`file:${report.path}`)
      const entries = await copy.sessions.read('cairn:w')
      expect(entries.length).toBeGreaterThanOrEqual(before)
      expect(entries.length).toBeLessThanOrEqual(appended)
      expect(await copy.verify()).toEqual([])
      await copy.close()
    } finally {
      state.isDone = true
      await writing
      await writer.close()
    }
  })

  it('tells its progress in order', async () => {
    const path = await made()
    const phases: string[] = []
    await backUpStore(path, {
      kind: 'manual',
      onProgress: ({ phase, done, total }) => {
        expect(done).toBeLessThanOrEqual(total)
        if (phases.at(-1) !== phase) phases.push(phase)
      },
    })
    expect(phases.filter((phase) => phase !== 'copying')).toEqual(['checking', 'proving'])
  })

  it('goes to a file or folder that is named, and takes the place of nothing there', async () => {
    const path = await made(2)
    const own = join(folder, `own-${count}`)
    mkdirSync(own)
    const inFolder = await backUpStore(path, { kind: 'manual', to: own })
    expect(readdirSync(own)).toEqual([basename(inFolder.path)])
    const file = join(own, 'mine.db')
    expect((await backUpStore(path, { kind: 'manual', to: file })).path).toBe(file)
    const before = readFileSync(file)
    expect(await sentenceOf(backUpStore(path, { kind: 'manual', to: file }))).toMatch(
      /^usage: There is a file \S+mine\.db already; it was left/,
    )
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(listBackups(path)).toEqual([])
    expect(await contentOf(`file:${file}`)).toEqual(await contentOf(`file:${path}`))
  })

  it('lets old ones go, and what a killed process left; other files of the folder stay', async () => {
    const path = await made(1)
    mkdirSync(backupFolder(path))
    const put = (name: string, ageMs: number): string => {
      const file = join(backupFolder(path), name)
      writeFileSync(file, 'x')
      const at = new Date(Date.now() - ageMs)
      utimesSync(file, at, at)
      return name
    }
    const DAY = 86_400_000
    const old = [2, 3, 4, 5].map((number) => put(backupName(1_000_000 + number, 'automatic'), DAY))
    const aside = put(backupName(5, 'replaced'), DAY)
    const stays = [aside, put('letter.txt', DAY), put('letter.tmp.odt', DAY), put('mine.tmp', DAY)]
    // Of a process that runs, and of one that has ended just now.
    stays.push(put(`${basename(path)}.${process.pid}.99.tmp`, 1_000))
    put(`${basename(path)}.${spawnSync(process.execPath, ['-e', '']).pid}.1.tmp`, 0)
    put(`${basename(path)}.4712.1.tmp`, 2 * 60 * 60_000)
    put(`${basename(path)}.4712.13.tmp-journal`, 2 * 60 * 60_000)
    const { path: own, removed } = await backUpStore(path, { kind: 'manual' })
    // The last three are this one and the two newest of the others.
    expect(removed).toEqual(old.slice(0, 2))
    expect(readdirSync(backupFolder(path)).toSorted()).toEqual([...stays, ...old.slice(2), basename(own)].toSorted())
  })

  it('is told at a glance, without reading it; a store on a server has none', async () => {
    const path = await made(2)
    const none = { folder: backupFolder(path), count: 0, bytes: 0, latest: null, isDue: true, damagedSince: 0 }
    expect(backupsAt(`file:${path}`, '/', Date.now())).toEqual(none)
    const first = await backUpStore(path, { kind: 'automatic' })
    const { path: last, at, bytes } = await backUpStore(path, { kind: 'manual' })
    const found = backupsAt(`file:${basename(path)}`, folder, at)
    expect(found).toEqual({
      ...none,
      count: 2,
      bytes: first.bytes + bytes,
      latest: { name: basename(last), path: last, at, kind: 'manual', bytes, verified: 'content' },
      isDue: false,
    })
    expect(backupsAt(`file:${path}`, '/', at + 86_400_000)).toEqual({ ...found, isDue: true })
    expect(backupsAt('postgresql://ann@db.example/cairn', folder, at)).toBe(null)
  })

  it('of a store with a damaged pack says what is damaged, and takes no sound one away', async () => {
    const path = await made()
    const sound = await backUpStore(path, { kind: 'manual' })
    const database = new Sqlite(path)
    database.exec(
      "UPDATE pack SET data = CAST(substr(data, 1, length(data) - 6) || x'a5a5a5a5a5a5' AS BLOB) WHERE id = 2",
    )
    database.close()
    for (let again = 0; again < 4; again += 1) {
      const report = await backUpStore(path, { kind: 'manual' })
      expect(report.kind).toBe('damaged')
      expect(report.faults).toEqual([expect.stringMatching(/^pack 2 can't be read/)])
    }
    expect(listBackups(path).map(({ kind }) => kind)).toEqual(['damaged', 'manual'])
    expect(listBackups(path)[1]?.path).toBe(sound.path)
  })

  it.each<readonly [string, string, RegExp]>([
    [
      'a request',
      'UPDATE usage_fact SET cache_read = cache_read + 65536 WHERE id = 2',
      /request is not what was written/,
    ],
    ['a block', 'UPDATE block SET "offset" = "offset" + 1 WHERE id = 1', /block 1, which several messages may share/],
    ['an entry', 'DELETE FROM entry WHERE id = 5', /log has a gap/],
    [
      'a memory entry',
      "UPDATE memory_version SET text = text || 'x' WHERE id = 1",
      /memory entry memory-0 is not what/,
    ],
  ])('notices %s that is not what was written', async (_what, sql, expected) => {
    const path = await made(2)
    const database = new Sqlite(path)
    database.exec(sql)
    database.close()
    const { faults } = await backUpStore(path, { kind: 'manual' })
    expect(faults.join('; ')).toMatch(expected)
  })

  it("of a file that SQLite can't read is not made, and the others stay", async () => {
    const path = await made()
    const { path: sound } = await backUpStore(path, { kind: 'manual' })
    const bytes = readFileSync(path)
    const database = new Sqlite(path, { readonly: true })
    const root = Number(database.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'entry'").pluck().get())
    database.close()
    bytes.fill(0xa5, (root - 1) * 8192, root * 8192)
    writeFileSync(path, bytes)
    expect(await sentenceOf(backUpStore(path, { kind: 'manual' }))).toMatch(/^storage-corrupt: /)
    expect(readdirSync(backupFolder(path))).toEqual([basename(sound)])
  })

  it('is sound although many rows are set aside, and damaged where one more is not', async () => {
    const path = await made()
    const keys = Array.from({ length: 14 }, (_, index) => `note-${index}`)
    const store = await openStore(`file:${path}`)
    for (const key of keys) await store.notes.set({ workspace: '/code/app', key, text: `text of ${key}`, at: 1 })
    await store.close()
    const change = (condition: string): void => {
      const database = new Sqlite(path)
      database.exec(`UPDATE note_version SET text = 'another' WHERE ${condition}`)
      database.close()
    }
    change(`"key" <> 'note-13'`)
    const damaged = await openStore(`file:${path}`)
    await damaged.rebuild()
    await damaged.close()
    expect(await backUpStore(path, { kind: 'manual' })).toMatchObject({ kind: 'manual', faults: [] })
    change(`"key" = 'note-13'`)
    expect(await backUpStore(path, { kind: 'manual' })).toMatchObject({
      kind: 'damaged',
      faults: [expect.stringMatching(/^the note note-13 is not what was written; cairn doctor --rebuild/)],
    })
  })

  it('is not made where rows can not be counted, and that is said', async () => {
    const path = await made()
    const database = new Sqlite(path)
    const root = Number(database.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'session'").pluck().get())
    database.close()
    const bytes = readFileSync(path)
    for (let page = root; page * 8192 <= bytes.length; page += 1) bytes.fill(0x5a, (page - 1) * 8192, page * 8192)
    writeFileSync(path, bytes)
    expect(await sentenceOf(Promise.resolve().then(() => rowCounts(path)))).toMatch(
      /^storage-corrupt: The store \S+ is damaged/,
    )
  })

  it('is one at a time', async () => {
    const path = await made(1)
    const lease = createLeaseFile(join(backupFolder(path), 'backup.lock'), 'other')
    expect(lease.take().isTaken).toBe(true)
    lease.giveTo(process.ppid)
    expect(await sentenceOf(backUpStore(path, { kind: 'manual' }))).toBe(
      `storage-busy: ${path} is being backed up, restored or repaired by process ${process.ppid}; nothing was begun beside it.`,
    )
    expect(listBackups(path)).toEqual([])
  })

  it('of a store that is not there, or without space, is refused in a sentence', async () => {
    const path = newPath()
    expect(await sentenceOf(backUpStore(path, { kind: 'manual' }))).toMatch(/^not-found: There is no store at /)
    expect(readdirSync(folder).includes(basename(path))).toBe(false)
    expect(() => assertSpace(folder, 1e18, 'A backup')).toThrow(
      /^A backup needs \d+ MB on the disk of \S+, which has \d+ MB left; nothing was changed\. Free some space/,
    )
    expect(() => assertSpace(folder, 1, 'A backup')).not.toThrow()
  })

  it('keeps another store from being begun where its own is missing', async () => {
    const path = await made(2)
    const { path: backup } = await backUpStore(path, { kind: 'manual' })
    for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true })
    const missing = /^storage-unavailable: The store \S+ is missing, though there are backups.+ restore-backup latest\)/
    expect(await sentenceOf(openStore(`file:${path}`))).toMatch(missing)
    expect(await sentenceOf(backUpStore(path, { kind: 'automatic' }))).toMatch(missing)
    expect(await sentenceOf(repairStore(path))).toMatch(missing)
    expect(existsSync(path)).toBe(false)
    expect(readdirSync(backupFolder(path))).toEqual([basename(backup)])
  })

  it('leaves the journal of a store that is missing as it is, backups or not', async () => {
    const path = newPath()
    writeFileSync(`${path}-wal`, 'what was written last')
    expect(await sentenceOf(openStore(`file:${path}`))).toMatch(/^storage-corrupt: .+ missing; what was written last/)
    expect(readFileSync(`${path}-wal`, 'utf8')).toBe('what was written last')
  })

  it('brings a session that came after it back to nothing, and one that grew to what it was', async () => {
    const path = await made(2)
    const before = await contentOf(`file:${path}`)
    const report = await backUpStore(path, { kind: 'manual' })
    await appendMessages(`file:${path}`, 0, 3, 6)
    await appendMessages(`file:${path}`, 7, 0, 2)
    expect(await contentOf(`file:${report.path}`)).toEqual(before)
  })
})

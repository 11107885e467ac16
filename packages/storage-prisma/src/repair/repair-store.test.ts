/** Damaged stores are put right: nothing that can be read is lost, nothing that nobody wrote gets in. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { backupName } from '@cairn/core'
import type { LogEntry, MemoryEntry } from '@cairn/core'
import { backupFolder, listBackups } from '../backups/backup-folder.ts'
import { backUpStore } from '../backups/back-up-store.ts'
import { openStore } from '../open-store.ts'
import { appendMessages, contentOf, fillStore } from '../testing/filled-store.ts'
import { repairStore } from './repair-store.ts'

const TIMEOUT_MS = 120_000
const PAGE = 8_192
const folder = mkdtempSync(join(tmpdir(), 'cairn-repair-'))
const whole = join(folder, 'whole.db')
let backup = ''
let count = 0
/** Entries by session, of the whole store and of the backup. */
let written = new Map<string, readonly LogEntry[]>()
let kept = new Map<string, readonly LogEntry[]>()
let content: unknown
let remembered: readonly MemoryEntry[] = []
/** What is told of a memory entry that is not what was written. */
const SET_ASIDE = /^the memory entry (memory-\d+) is not what was written; it is set aside$/

const logsOf = async (path: string): Promise<Map<string, readonly LogEntry[]>> => {
  const store = await openStore(`file:${path}`)
  try {
    const logs = new Map<string, readonly LogEntry[]>()
    for (const { id } of (await store.sessions.list({ limit: 100 })).sessions)
      logs.set(id, await store.sessions.read(id))
    return logs
  } finally {
    await store.close()
  }
}

beforeAll(async () => {
  await fillStore(`file:${whole}`, 6)
  backup = (await backUpStore(whole, { kind: 'manual' })).path
  await appendMessages(`file:${whole}`, 2, 13, 40)
  await appendMessages(`file:${whole}`, 8, 0, 12)
  written = await logsOf(whole)
  kept = await logsOf(backup)
  content = await contentOf(`file:${whole}`)
  const store = await openStore(`file:${whole}`)
  remembered = await store.memory.list('/work/shop')
  await store.close()
}, TIMEOUT_MS)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A copy of the store, with or without its backup. */
const copied = (withBackup: boolean): string => {
  const path = join(folder, `${(count += 1)}.db`)
  copyFileSync(whole, path)
  if (withBackup) {
    mkdirSync(backupFolder(path))
    copyFileSync(backup, join(backupFolder(path), basename(backup)))
  }
  return path
}

/** The logs of a repaired store hold what was written, or say that it is lost; returns how many entries are lost. */
const expectHonest = async (path: string): Promise<number> => {
  let lost = 0
  for (const [id, log] of await logsOf(path)) {
    const original = written.get(id)
    for (const entry of log) {
      if (entry.kind === 'notice') lost += 1
      else expect(entry).toEqual(original?.[entry.seq])
    }
  }
  const store = await openStore(`file:${path}`)
  const memory = await store.memory.list('/work/shop')
  const faults = await store.verify()
  await store.close()
  // What nothing proves, and no backup has, is kept aside and named: it is the only thing that may be wrong.
  const aside = faults.map(({ check, detail }) => [check, SET_ASIDE.exec(detail)?.[1]] as const)
  const told = aside.map(([, id]) => id)
  expect(aside).toEqual(told.map((id) => ['rows', id]))
  const missing = remembered.filter(({ id }) => !memory.some((entry) => entry.id === id)).map(({ id }) => id)
  expect(memory).toEqual(remembered.filter(({ id }) => !missing.includes(id)))
  expect([...told].sort()).toEqual(missing.sort())
  return lost
}

const expectBackupIn = async (path: string): Promise<void> => {
  const logs = await logsOf(path)
  for (const [id, log] of kept) expect(logs.get(id)?.slice(0, log.length)).toEqual(log)
}

const rootOf = (table: string): number => {
  const database = new Sqlite(whole, { readonly: true })
  const page = Number(database.prepare('SELECT rootpage FROM sqlite_master WHERE name = ?').pluck().get(table))
  database.close()
  return page
}

/** Where the list of tables has its last page: the first page says it. */
const lastListPage = (bytes: Buffer): number => (bytes.readUInt32BE(108) - 1) * PAGE

/** Numbers below a bound, the same for a seed each time. */
const numbersOf = (seed: number): ((bound: number) => number) => {
  let state = seed
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}

const damage = (path: string, change: (bytes: Buffer) => void): void => {
  const bytes = readFileSync(path)
  change(bytes)
  writeFileSync(path, bytes)
}

describe('a repair', () => {
  it(
    'does nothing to a sound store',
    async () => {
      const path = copied(false)
      expect(await repairStore(path)).toBe(undefined)
      expect(await contentOf(`file:${path}`)).toEqual(content)
    },
    TIMEOUT_MS,
  )

  it.each(Array.from({ length: 10 }, (_, index) => index + 1))(
    'of flipped bytes in some pages keeps what is whole, and takes the rest from the backup (seed %i)',
    async (seed) => {
      const next = numbersOf(seed)
      const withBackup = seed % 2 === 0
      const path = copied(withBackup)
      damage(path, (bytes) => {
        for (let flips = 0; flips < 40; flips += 1) {
          // The first page lists the tables.
          const offset = PAGE + next(bytes.length - PAGE)
          bytes[offset] = (bytes[offset] ?? 0) ^ (1 + next(255))
        }
      })
      const report = await repairStore(path)
      const lost = await expectHonest(path)
      if (report === undefined) return
      expect(report.faults.filter(({ detail }) => withBackup || !SET_ASIDE.test(detail))).toEqual([])
      expect(report.replaced !== null && existsSync(report.replaced)).toBe(true)
      expect(report.lostEntries).toBeGreaterThanOrEqual(lost)
      expect(report.salvaged).toBeGreaterThan(0)
      if (withBackup) await expectBackupIn(path)
    },
    TIMEOUT_MS,
  )

  it.each<readonly [string, (path: string) => void]>([
    ['a header that is gone', (path) => damage(path, (bytes) => bytes.fill(0, 0, 100))],
    [
      'a table without its root',
      (path) => damage(path, (bytes) => bytes.fill(0xa5, (rootOf('entry') - 1) * PAGE, rootOf('entry') * PAGE)),
    ],
    [
      'packs without their root',
      (path) => damage(path, (bytes) => bytes.fill(0xff, (rootOf('pack') - 1) * PAGE, rootOf('pack') * PAGE)),
    ],
    ['a file that was cut in the middle', (path) => truncateSync(path, Math.floor(readFileSync(path).length / 2))],
    ['a file of zero bytes', (path) => truncateSync(path, 0)],
    ['a first page that is gone', (path) => damage(path, (bytes) => bytes.fill(0x5a, 0, PAGE))],
  ])(
    'of %s has all that the backup has',
    async (_what, change) => {
      const path = copied(true)
      change(path)
      const report = await repairStore(path)
      expect(report?.faults).toEqual([])
      await expectHonest(path)
      await expectBackupIn(path)
    },
    TIMEOUT_MS,
  )

  it.each<readonly [string, (bytes: Buffer) => unknown]>([
    ['a header that is gone', (bytes) => bytes.fill(0, 0, 100)],
    // What leads to the last page of the list of tables.
    [
      'a list of tables with a page that is none',
      (bytes) => bytes.fill(0xff, lastListPage(bytes), lastListPage(bytes) + 8),
    ],
    ['a list of tables with a page that leads nowhere', (bytes) => bytes.fill(0xff, 103, 105)],
  ])(
    'of %s needs no backup',
    async (_, change) => {
      const path = copied(false)
      damage(path, change)
      expect(await repairStore(path)).toMatchObject({
        lostEntries: 0,
        incompleteSessions: [],
        fromBackup: 0,
        backup: null,
      })
      expect(await contentOf(`file:${path}`)).toEqual(content)
    },
    TIMEOUT_MS,
  )

  it.each([true, false])(
    'takes no entry whose text is another’s: from the backup, or as lost (with a backup: %s)',
    async (withBackup) => {
      const path = copied(withBackup)
      const database = new Sqlite(path)
      // Two entries of one session whose texts lie in one pack, of different lengths.
      const [one, other] = database
        .prepare(
          `SELECT a.id AS one, b.id AS other FROM entry AS a JOIN entry AS b
           ON b.pack_id = a.pack_id AND b.session_id = a.session_id AND b.id > a.id AND b.length <> a.length
           ORDER BY a.id LIMIT 1`,
        )
        .raw()
        .get() as [number, number]
      const locationOf = database.prepare('SELECT "offset", length FROM entry WHERE id = ?').raw()
      const move = database.prepare('UPDATE entry SET "offset" = ?, length = ? WHERE id = ?')
      const [first, second] = [locationOf.get(one), locationOf.get(other)] as [number[], number[]]
      move.run(...second, one)
      move.run(...first, other)
      database.close()
      const report = await repairStore(path)
      expect(report?.lostEntries).toBe(withBackup ? 0 : 2)
      expect(await expectHonest(path)).toBe(withBackup ? 0 : 2)
    },
    TIMEOUT_MS,
  )

  it(
    'is not needed for a log of the last writes that was cut: the store is as it was before them',
    async () => {
      const path = copied(false)
      const source = new Sqlite(path)
      source.pragma('journal_mode = WAL')
      source.pragma('wal_autocheckpoint = 0')
      source.exec("INSERT INTO deleted_session (key, deleted_at) VALUES ('a', 1)")
      source.exec("INSERT INTO deleted_session (key, deleted_at) VALUES ('b', 2)")
      const cut = copied(false)
      copyFileSync(path, cut)
      copyFileSync(`${path}-wal`, `${cut}-wal`)
      source.close()
      truncateSync(`${cut}-wal`, readFileSync(`${cut}-wal`).length - 100)
      expect(await repairStore(cut)).toBe(undefined)
      const database = new Sqlite(cut, { readonly: true })
      expect(database.prepare('SELECT "key" FROM deleted_session').pluck().all()).toEqual(['a'])
      database.close()
      expect((await contentOf(`file:${cut}`)) as object).toEqual(content)
    },
    TIMEOUT_MS,
  )

  it(
    'is not needed for a missing index, and one that lacks rows: a rebuild makes them',
    async () => {
      const path = copied(false)
      const database = new Sqlite(path)
      database.exec('DROP INDEX session_list_idx; DROP INDEX entry_session_id_seq_key')
      database.close()
      const store = await openStore(`file:${path}`)
      await expect(store.sessions.list({})).rejects.toMatchObject({ code: 'storage-corrupt' })
      await store.rebuild()
      expect(await store.verify()).toEqual([])
      await store.close()
      expect(await contentOf(`file:${path}`)).toEqual(content)
    },
    TIMEOUT_MS,
  )

  it(
    'takes what is missing from the newest backup that is sound, not from newer ones that are not',
    async () => {
      const path = copied(true)
      const [sound] = listBackups(path)
      const put = (at: number, change: (bytes: Buffer) => Buffer): void =>
        writeFileSync(join(backupFolder(path), backupName(at, 'manual')), change(readFileSync(backup)))
      put(Date.UTC(2090, 1, 1), (bytes) => bytes.fill(0x5a, 3 * PAGE, 20 * PAGE))
      put(Date.UTC(2091, 1, 1), () => Buffer.alloc(0))
      put(Date.UTC(2092, 1, 1), () => Buffer.from('dear aunt '.repeat(2_000)))
      damage(path, (bytes) => bytes.fill(0x5a))
      const report = await repairStore(path)
      expect(report?.backup?.name).toBe(sound?.name)
      await expectBackupIn(path)
      expect(await expectHonest(path)).toBe(0)
    },
    TIMEOUT_MS,
  )

  it(
    'of a header that names a format of the schema that SQLite does not know loses nothing',
    async () => {
      const path = copied(false)
      damage(path, (bytes) => bytes.writeUInt32BE(0x5a5a5a5a, 44))
      expect(await repairStore(path)).toMatchObject({ lostEntries: 0, faults: [] })
      expect(await contentOf(`file:${path}`)).toEqual(content)
    },
    TIMEOUT_MS,
  )

  it(
    'says how many entries it left out with sessions that nobody has any more',
    async () => {
      const path = copied(false)
      const page = rootOf('session')
      damage(path, (bytes) => bytes.fill(0x5a, (page - 1) * PAGE, page * PAGE))
      const report = await repairStore(path)
      const entries = [...written.values()].reduce((sum, log) => sum + log.length, 0)
      const there = [...(await logsOf(path)).values()].reduce((sum, log) => sum + log.length, 0)
      expect(report?.orphanEntries).toBe(entries - there)
      expect(report?.orphanEntries).toBeGreaterThan(0)
    },
    TIMEOUT_MS,
  )

  it(
    'of a store of which nothing can be read, without a backup, is refused and changes nothing',
    async () => {
      const path = copied(false)
      damage(path, (bytes) => bytes.fill(0x5a))
      const before = readFileSync(path)
      await expect(repairStore(path)).rejects.toMatchObject({
        code: 'storage-corrupt',
        message: expect.stringMatching(
          /^Nothing of the store \S+ can be read, and there is no backup of it; it was left as it is\./,
        ),
      })
      expect(readFileSync(path).equals(before)).toBe(true)
      expect(listBackups(path)).toEqual([])
    },
    TIMEOUT_MS,
  )
})

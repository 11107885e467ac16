/** Migrations are refused where they are not what they were, and a SQLite store is kept as it was before one. */
import { afterAll, describe, expect, it } from '@jest/globals'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { CairnError } from '@cairn/core'
import { backupFolder, listBackups } from '../backups/backup-folder.ts'
import { migrations as postgresMigrations } from '../generated/postgresql/migrations.ts'
import { migrations } from '../generated/sqlite/migrations.ts'
import { openStore } from '../open-store.ts'
import { SqliteDatabase } from '../sqlite/sqlite-database.ts'
import { migrationProblems } from './migration.ts'
import type { Migration } from './migration.ts'

const folder = mkdtempSync(join(tmpdir(), 'cairn-migration-backup-'))
let count = 0
const newPath = (): string => join(folder, `${(count += 1)}.db`)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const migration = (name: string, sql: string): Migration => ({
  name,
  sql,
  checksum: createHash('sha256').update(sql).digest('hex'),
})
const addColumn = (number: number): Migration =>
  migration(`2999010100000${number}_column_${number}`, `ALTER TABLE session ADD COLUMN later_${number} INT;`)

const sentenceOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'none'
  } catch (error) {
    return CairnError.is(error) ? `${error.code}: ${error.message}` : `not ours: ${String(error)}`
  }
}

/** A closed store of this version with some sessions. */
const made = async (sessions = 3): Promise<string> => {
  const path = newPath()
  const store = await openStore(`file:${path}`)
  for (let index = 0; index < sessions; index += 1)
    await store.sessions.append({ id: `cairn:${index}`, agent: 'cairn', externalId: `${index}` }, 0, [
      { entry: { kind: 'message', id: 'm', at: index, role: 'user', content: [{ type: 'text', text: `x${index}` }] } },
    ])
  await store.close()
  return path
}

const migrated = async (path: string, list: readonly Migration[]): Promise<void> =>
  (await SqliteDatabase.open(path, list)).close()

const rows = (path: string, sql: string): unknown => {
  const database = new Sqlite(path, { readonly: true })
  try {
    return database.prepare(sql).pluck().all()
  } finally {
    database.close()
  }
}
const names = (path: string): unknown => rows(path, 'SELECT migration_name FROM _prisma_migrations ORDER BY 1')

describe('lists of migrations', () => {
  it('are in order and unchanged on both databases', () => {
    expect(migrationProblems(migrations)).toEqual([])
    expect(migrationProblems(postgresMigrations)).toEqual([])
  })

  it.each<readonly [string, readonly Migration[], RegExp]>([
    ['of another form', [migration('init', 'SELECT 1')], /no name of a migration/],
    ['in the wrong order', [addColumn(2), addColumn(1)], /"29990101000001_column_1" must be later/],
    ['of one time', [migration('20260101000000_b', 'x'), migration('20260101000000_c', 'y')], /must be later/],
    ['without statements', [migration('20260101000000_b', ' ')], /has no statements/],
    ['with other statements', [{ ...addColumn(1), sql: 'DROP TABLE session' }], /not those of its checksum/],
  ])('are refused with one %s', (_what, list, expected) => {
    expect(migrationProblems(list).join(' ')).toMatch(expected)
  })
})

describe('a store', () => {
  it.each<readonly [string, string, RegExp]>([
    [
      'whose migration was another',
      "UPDATE _prisma_migrations SET checksum = 'x' WHERE migration_name LIKE '%_row_checksums'",
      /^storage-unavailable: .+ made by another build .+ "\d+_row_checksums" .+ left untouched/,
    ],
    [
      'that lacks one of the middle',
      "DELETE FROM _prisma_migrations WHERE migration_name LIKE '%_row_checksums'",
      /^storage-unavailable: .+ but not "\d+_row_checksums", which comes before it; it was left untouched/,
    ],
  ])('%s is refused and left untouched', async (_what, sql, expected) => {
    const path = await made()
    const database = new Sqlite(path)
    database.exec(sql)
    database.pragma('journal_mode = DELETE')
    database.close()
    const before = readFileSync(path)
    expect(await sentenceOf(openStore(`file:${path}`))).toMatch(expected)
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(listBackups(path)).toEqual([])
  })
})

describe('before a migration', () => {
  it('a store is kept as it was, readable by its user only', async () => {
    const path = await made(4)
    expect(listBackups(path)).toEqual([])
    await migrated(path, [...migrations, addColumn(1), addColumn(2)])
    const [backup, ...others] = listBackups(path)
    expect([backup?.kind, others.length]).toEqual(['migration', 0])
    const kept = backup?.path ?? ''
    expect(names(kept)).toEqual(migrations.map(({ name }) => name))
    expect(names(path)).toHaveLength(migrations.length + 2)
    expect(statSync(kept).mode & 0o077).toBe(0)
    expect(statSync(backupFolder(path)).mode & 0o077).toBe(0)
    const store = await openStore(`file:${kept}`)
    expect((await store.sessions.list({})).total).toBe(4)
    expect(await store.verify()).toEqual([])
    await store.close()
  })

  it('only the last three such backups stay, beside everything else in their folder', async () => {
    const path = await made()
    for (let last = 1; last <= 5; last += 1)
      await migrated(path, [...migrations, ...Array.from({ length: last }, (_, index) => addColumn(index + 1))])
    const kept = listBackups(path)
    expect(kept.map((backup) => (names(backup.path) as string[]).length - migrations.length)).toEqual([4, 3, 2])
    expect(readdirSync(backupFolder(path)).toSorted()).toEqual(kept.map(({ name }) => name).toSorted())
  })

  it('a store that is up to date, or new, gets none', async () => {
    const path = await made()
    await migrated(path, migrations)
    expect(listBackups(path)).toEqual([])
  })

  it('of several that open it at once one migrates it, with one backup', async () => {
    const path = await made()
    const list = [...migrations, addColumn(1)]
    await Promise.all(Array.from({ length: 5 }, () => migrated(path, list)))
    expect(listBackups(path)).toHaveLength(1)
    expect(names(path)).toHaveLength(list.length)
  })

  it('nothing is changed where no backup can be written', async () => {
    const path = await made()
    writeFileSync(backupFolder(path), 'a file in its way')
    const before = readFileSync(path)
    expect(await sentenceOf(migrated(path, [...migrations, addColumn(1)]))).toMatch(
      /^storage-failed: The store \S+ must be brought up to date \("29990101000001_column_1"\), but the backup .+ can't be written to \S+-backups; nothing was changed\./,
    )
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(names(path)).toHaveLength(migrations.length)
  })

  it('a store with a damaged page is left as it is', async () => {
    const path = await made(40)
    const bytes = readFileSync(path)
    const root = Number((rows(path, "SELECT rootpage FROM sqlite_master WHERE name = 'entry'") as number[])[0])
    bytes.fill(0xa5, (root - 1) * 8192, root * 8192)
    writeFileSync(path, bytes)
    const before = readFileSync(path)
    expect(await sentenceOf(migrated(path, [...migrations, addColumn(1)]))).toMatch(/^storage-corrupt: /)
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(listBackups(path)).toEqual([])
  })

  it('a migration that fails leaves the store as it was, and the backup', async () => {
    const path = await made()
    const failing = migration('29990101000001_failing', 'ALTER TABLE session ADD COLUMN more INT; SELECT nothing;')
    expect(await sentenceOf(migrated(path, [...migrations, failing]))).toMatch(/^storage-/)
    expect(names(path)).toHaveLength(migrations.length)
    expect(rows(path, "SELECT count(*) FROM pragma_table_info('session') WHERE name = 'more'")).toEqual([0])
    expect(listBackups(path)).toHaveLength(1)
  })
})

/** A backup in the store's place: whole, after a look at what would be lost, and whatever happens in between. */
import { afterAll, describe, expect, it } from '@jest/globals'
import { spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { CairnError } from '@cairn/core'
import { openStore } from '../open-store.ts'
import { appendMessages, contentOf, fillStore } from '../testing/filled-store.ts'
import { backupFolder, listBackups } from './backup-folder.ts'
import { backUpStore } from './back-up-store.ts'
import { findBackup, planRestore, restoreBackup } from './restore-backup.ts'

const folder = mkdtempSync(join(tmpdir(), 'cairn-restore-'))
let count = 0
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const made = async (sessions = 3): Promise<{ readonly path: string; readonly backup: string }> => {
  const path = join(folder, `${(count += 1)}.db`)
  await fillStore(`file:${path}`, sessions)
  const { path: backup } = await backUpStore(path, { kind: 'manual' })
  return { path, backup }
}

const sentenceOf = async (work: () => unknown): Promise<string> => {
  try {
    await work()
    return 'none'
  } catch (error) {
    return CairnError.is(error) ? `${error.code}: ${error.message}` : `not ours: ${String(error)}`
  }
}

describe('a restore', () => {
  it('gives back what was there, and keeps what is there now; that can be given back, too', async () => {
    const { path, backup } = await made()
    const before = await contentOf(`file:${path}`)
    await appendMessages(`file:${path}`, 1, 8, 11)
    await appendMessages(`file:${path}`, 9, 0, 5)
    const since = await contentOf(`file:${path}`)
    const plan = planRestore(path, findBackup(path, 'latest', folder))
    expect(plan).toMatchObject({
      from: backup,
      present: 'readable',
      newer: { sessions: 1, entries: 8, requests: 3, memory: 0, notes: 0, deleted: 0 },
    })
    const replaced = await restoreBackup(path, plan)
    expect(await contentOf(`file:${path}`)).toEqual(before)
    expect(statSync(path).mode & 0o077).toBe(0)
    expect(
      listBackups(path)
        .map(({ kind }) => kind)
        .toSorted(),
    ).toEqual(['manual', 'replaced'])
    expect(readdirSync(folder).filter((name) => name.includes('restoring'))).toEqual([])
    const again = planRestore(path, findBackup(path, basename(replaced ?? ''), folder))
    expect(again.newer).toMatchObject({ sessions: 0, entries: 0, requests: 0 })
    await restoreBackup(path, again)
    expect(await contentOf(`file:${path}`)).toEqual(since)
  })

  it('tells of sessions that were deleted since', async () => {
    const { path, backup } = await made()
    const store = await openStore(`file:${path}`)
    await store.sessions.delete('cairn:1')
    await store.close()
    expect(planRestore(path, backup).newer).toMatchObject({ sessions: 0, deleted: 1 })
  })

  it('is refused while another process has the store open, and changes nothing', async () => {
    const { path, backup } = await made(1)
    const reader = spawn(process.execPath, [
      '-e',
      `const { DatabaseSync } = require('node:sqlite')
       const database = new DatabaseSync(${JSON.stringify(path)})
       database.prepare('SELECT count(*) FROM session').get()
       process.stdout.write('open')
       process.stdin.on('data', () => process.exit())`,
    ])
    await new Promise((resolve) => reader.stdout.once('data', resolve))
    try {
      const before = await contentOf(`file:${path}`)
      expect(await sentenceOf(() => restoreBackup(path, { from: backup }))).toMatch(
        /^storage-busy: Another program has the store \S+ open, such as .+; nothing was changed\. End it/,
      )
      expect(await contentOf(`file:${path}`)).toEqual(before)
      expect(listBackups(path)).toHaveLength(1)
    } finally {
      reader.stdin.write('end')
      await new Promise((resolve) => reader.once('exit', resolve))
    }
    await restoreBackup(path, { from: backup })
    expect(listBackups(path)).toHaveLength(2)
  }, 30_000)

  it('of a damaged, newer or foreign file is refused, and changes nothing', async () => {
    const { path, backup } = await made()
    const other = (name: string, change: (file: string) => void): string => {
      const file = join(folder, `${count}-${name}.db`)
      copyFileSync(backup, file)
      change(file)
      return file
    }
    const sql = (text: string) => (file: string) => {
      const database = new Sqlite(file)
      database.exec(text)
      database.close()
    }
    const refusal = (from: string): Promise<string> =>
      sentenceOf(async () => restoreBackup(path, planRestore(path, from)))
    const before = readFileSync(path)
    expect(await refusal(other('pack', sql('UPDATE pack SET data = zeroblob(length(data)) WHERE id = 1')))).toMatch(
      /^storage-corrupt: The backup \S+ is damaged \(pack 1 can't be read.+nothing was changed\. Take another/,
    )
    const pages = other('page', (file) => {
      const bytes = readFileSync(file)
      bytes.fill(0x5a, 3 * 8192, 9 * 8192)
      writeFileSync(file, bytes)
    })
    expect(await refusal(pages)).toMatch(/^storage-corrupt: /)
    expect(
      await refusal(
        other(
          'newer',
          sql(
            "INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count) VALUES ('x', 'x', 1, '29990101000000_later', 1)",
          ),
        ),
      ),
    ).toMatch(/^storage-newer: .+ Update Cairn/)
    expect(await refusal(other('letter', (file) => writeFileSync(file, 'dear aunt '.repeat(2_000))))).toMatch(
      /^storage-corrupt: .+ is no store.+ nothing was changed\. Take a backup that cairn backup --list names\.$/,
    )
    expect(await refusal(other('empty', (file) => writeFileSync(file, '')))).toMatch(
      /^storage-corrupt: .+ is no store.+ --list names\.$/,
    )
    expect(await refusal(path)).toMatch(/^usage: \S+ is the store itself/)
    expect(await sentenceOf(() => findBackup(path, 'none.db', folder))).toMatch(
      /^not-found: There is no backup 'none\.db'/,
    )
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(listBackups(path)).toHaveLength(1)
  })

  it('takes the place of a store that SQLite can not read, whose journal is kept, too', async () => {
    const { path, backup } = await made()
    const before = await contentOf(`file:${path}`)
    writeFileSync(path, 'overwritten '.repeat(1_000))
    writeFileSync(`${path}-wal`, 'what was written last')
    const plan = planRestore(path, backup)
    expect([plan.present, plan.newer]).toEqual(['unreadable', undefined])
    const replaced = (await restoreBackup(path, plan)) ?? ''
    expect(readFileSync(replaced, 'utf8')).toMatch(/^overwritten /)
    expect(readFileSync(`${replaced}-wal`, 'utf8')).toBe('what was written last')
    expect(await contentOf(`file:${path}`)).toEqual(before)
  })

  it('into a folder is refused, which stays as it is', async () => {
    const { path, backup } = await made(1)
    renameSync(path, `${path}.gone`)
    mkdirSync(path)
    writeFileSync(join(path, 'letter.txt'), 'dear aunt')
    expect(await sentenceOf(() => planRestore(path, backup))).toMatch(/^storage-unavailable: .+ it is a folder/)
    expect(readdirSync(path)).toEqual(['letter.txt'])
  })

  it('of a store that is a link puts the backup where the link leads to, and keeps what was there', async () => {
    const { path, backup } = await made(2)
    const before = await contentOf(`file:${path}`)
    mkdirSync(join(folder, 'elsewhere'), { recursive: true })
    const file = join(folder, 'elsewhere', `${count}.db`)
    renameSync(path, file)
    symlinkSync(join('elsewhere', `${count}.db`), path)
    await appendMessages(`file:${path}`, 7, 0, 5)
    const since = await contentOf(`file:${path}`)
    const replaced = (await restoreBackup(path, planRestore(path, backup))) ?? ''
    expect([lstatSync(path).isSymbolicLink(), lstatSync(replaced).isFile()]).toEqual([true, true])
    expect(await contentOf(`file:${file}`)).toEqual(before)
    await restoreBackup(path, planRestore(path, replaced))
    expect(await contentOf(`file:${path}`)).toEqual(since)
    // One that leads nowhere yet stays, too.
    renameSync(file, `${file}.gone`)
    expect(await restoreBackup(path, planRestore(path, backup))).toBe(undefined)
    expect(await contentOf(`file:${file}`)).toEqual(before)
    expect(lstatSync(path).isSymbolicLink()).toBe(true)
  })

  it('takes the place of none, and of one that is left from a killed restore', async () => {
    const { path, backup } = await made(2)
    const before = await contentOf(`file:${path}`)
    const own = join(folder, `${count}-own.db`)
    copyFileSync(backup, own)
    renameSync(path, `${path}.gone`)
    writeFileSync(`${path}.restoring`, 'half of')
    expect(planRestore(path, own).present).toBe('missing')
    expect(await restoreBackup(path, { from: own })).toBe(undefined)
    expect(await contentOf(`file:${path}`)).toEqual(before)
    expect(existsSync(`${path}.restoring`)).toBe(false)
    expect(backupFolder(path)).toBe(`${path}-backups`)
  })

  it('leaves nobody who opens the store at that moment with the former file', async () => {
    const { path, backup } = await made(1)
    const opening = Array.from({ length: 4 }, async (_, index) => {
      const store = await openStore(`file:${path}`)
      await store.close()
      return index
    })
    const restoring = sentenceOf(() => restoreBackup(path, { from: backup }))
    await Promise.all(opening)
    expect(await restoring).toMatch(/^none$|^storage-busy/)
    await appendMessages(`file:${path}`, 5, 0, 2)
    const store = await openStore(`file:${path}`)
    expect((await store.sessions.read('cairn:5')).length).toBe(2)
    await store.close()
  })
})

/** Backups as a user meets them: made, listed, made by themselves, put back. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'
import { claudeSession } from '../testing/transcripts.ts'

let box: Sandbox
const STORE = ['--store', 'file:s.db']

beforeEach(async () => {
  box = createSandbox()
  box.file('logs/one.jsonl', claudeSession('one', '2026-01-30'))
  await box.cairn('import', '--from', 'logs', ...STORE)
})
afterEach(() => box.remove())

describe('cairn backup', () => {
  it('makes one, lists it, and says what it holds', async () => {
    expect((await box.cairn('backup', '--list', ...STORE)).stdout).toMatch(
      /^Total: no backups of \S+s\.db; cairn backup/,
    )
    const { code, stdout, stderr } = await box.cairn('backup', ...STORE)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^Backed up 1 session, \d+ log entries and \d+ requests? in [\d.]+ s: [\d.]+ kB\n/)
    expect(stdout).toMatch(
      /s\.db-backups\/\d{8}T\d{9}Z-manual\.db\nChecked: .+ are what was written\.\nTotal 1 backup, /,
    )
    const listed = await box.json('backup', '--list', ...STORE)
    expect(listed).toMatchObject({ backups: [{ kind: 'manual' }] })
    const table = (await box.cairn('backup', '--list', ...STORE)).stdout.trimEnd().split('\n')
    expect(table[0]).toMatch(/^made +size +for +file/)
    expect(table[1]).toMatch(/asked for +\d{8}T\d{9}Z-manual\.db/)
    expect(table[2]).toMatch(/^Total .* 1 in \S+s\.db-backups/)
  })

  it('is told by the doctor: when, how large, where, and how it was checked', async () => {
    const text = async (): Promise<string> => (await box.cairn('doctor', ...STORE)).stdout.replaceAll(/\s+/g, ' ')
    expect(await text()).toMatch(/ Backup none to go back to; cairn backup makes one Cleaned up/)
    expect(await box.json('doctor', ...STORE)).toMatchObject({
      backups: { count: 0, bytes: 0, latest: null, isDue: true },
    })
    const { path, bytes, at } = (await box.json('backup', ...STORE)) as {
      readonly path: string
      readonly bytes: number
      readonly at: number
    }
    const { backups, tables } = (await box.json('doctor', ...STORE)) as {
      readonly backups: unknown
      readonly tables: readonly { readonly name: string; readonly bytes: number }[]
    }
    expect(backups).toEqual({
      folder: dirname(path),
      count: 1,
      bytes,
      latest: { name: basename(path), path, at, kind: 'manual', bytes, verified: 'content' },
      isDue: false,
      damagedSince: 0,
    })
    expect(tables.map((each) => each.bytes)).toEqual(tables.map((each) => each.bytes).toSorted((a, b) => b - a))
    expect(await text()).toMatch(
      / Backup [\d-]+ [\d:]+, asked for, [\d.]+ kB, checked when it was made: every page, pack, block and row: \d{8}T\d{9}Z-manual\.db 1 backup in \S+s\.db-backups, [\d.]+ kB together Cleaned up/,
    )
  })

  it('refuses what it can not do in one sentence', async () => {
    const refused = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await box.cairn('backup', ...args)
      expect(stdout).toBe('')
      return [code, stderr]
    }
    expect(await refused('--list', '--to', 'x', ...STORE)).toEqual([2, expect.stringMatching(/give one of them/)])
    expect(await refused('--store', 'postgresql://localhost/x')).toEqual([2, expect.stringMatching(/pg_dump/)])
    expect(await refused('--incognito', ...STORE)).toEqual([2, expect.stringMatching(/neither read nor written/)])
    expect(await refused('--to', 's.db', ...STORE)).toEqual([
      2,
      expect.stringMatching(/There is a file \S+s\.db already/),
    ])
    expect(await refused('--store', 'file:none.db')).toEqual([1, expect.stringMatching(/^There is no store at/)])
    expect(existsSync(join(box.folder, 'none.db'))).toBe(false)
  })
})

describe('cairn restore-backup', () => {
  it('says of a damaged backup that it would not be restored, also when asked what would be lost', async () => {
    const { path } = (await box.json('backup', ...STORE)) as { readonly path: string }
    const bytes = readFileSync(path)
    bytes.fill(0xa5, 2 * 8192, 6 * 8192)
    writeFileSync(path, bytes)
    const { code, stderr } = await box.cairn('restore-backup', 'latest', '--dry-run', ...STORE)
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^The backup \S+-manual\.db is damaged .* Nothing was changed\.\n$/),
    ])
  })

  it('tells what would be lost, asks for a yes, keeps what is there, and leads back', async () => {
    await box.cairn('backup', ...STORE)
    box.file('logs/two.jsonl', claudeSession('two', '2026-01-31'))
    await box.cairn('import', '--from', 'logs', ...STORE)
    const sessions = async (): Promise<number> => {
      const { sessions: listed } = (await box.json('session', 'list', ...STORE)) as { sessions: readonly unknown[] }
      return listed.length
    }
    expect(await sessions()).toBe(2)
    const dry = await box.cairn('restore-backup', 'latest', '--dry-run', ...STORE)
    expect([dry.code, dry.stdout]).toEqual([
      0,
      expect.stringMatching(
        /The store holds what the backup lacks: 1 session, \d+ log entries, \d+ requests?\.\nNothing was changed\.\n$/,
      ),
    ])
    const unasked = await box.cairn('restore-backup', 'latest', ...STORE)
    expect([unasked.code, unasked.stderr]).toEqual([
      3,
      expect.stringMatching(/so nothing was changed; look with --dry-run, or add --yes/),
    ])
    expect(await sessions()).toBe(2)
    const done = (await box.json('restore-backup', 'latest', '--yes', ...STORE)) as { readonly replaced: string }
    expect(done).toMatchObject({ restored: true, newer: { sessions: 1 } })
    expect(await sessions()).toBe(1)
    // Nothing that is there would be lost.
    const back = await box.cairn('restore-backup', done.replaced, ...STORE)
    expect([back.code, back.stderr]).toEqual([0, ''])
    expect(await sessions()).toBe(2)
    const none = await box.cairn('restore-backup', 'none', ...STORE)
    expect([none.code, none.stderr]).toEqual([
      1,
      expect.stringMatching(/^There is no backup 'none'; cairn backup --list/),
    ])
  }, 60_000)
})

describe('cairn doctor --repair', () => {
  it('puts a store right whose beginning was overwritten, and says what was done', async () => {
    await box.cairn('backup', ...STORE)
    const path = join(box.folder, 's.db')
    const bytes = readFileSync(path)
    bytes.fill(0x61, 0, 100)
    writeFileSync(path, bytes)
    const refused = await box.cairn('session', 'list', ...STORE)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/cairn doctor --repair/)])
    const { code, stdout } = await box.cairn('doctor', '--repair', ...STORE)
    expect(code).toBe(0)
    const words = stdout.replaceAll(/\s+/g, ' ')
    expect(words).toMatch(
      /Repaired: \d+ rows could be read\. No log lacks an entry that was known of\. The damaged store is kept as/,
    )
    expect(words).toMatch(/Sound\. Log, content, usage and search index agree\./)
    expect(await box.json('doctor', '--repair', ...STORE)).toMatchObject({ repair: null, faults: [] })
    expect(await box.json('session', 'list', ...STORE)).toMatchObject({ sessions: [{ externalId: 'one' }] })
  }, 60_000)
})

describe('an automatic backup', () => {
  const folder = (): string => join(box.folder, 'data', 'cairn.db-backups')
  const attempted = (): boolean => existsSync(join(folder(), 'last-attempt'))

  it('is begun by an import of the own store a day after the last one, unless it is switched off', async () => {
    await box.cairn('import', '--from', 'logs')
    // The store was made today.
    expect(existsSync(folder())).toBe(false)
    mkdirSync(folder())
    writeFileSync(join(folder(), '20260101T000000000Z-automatic.db'), '')
    await box.cairn('config', 'set', 'backup.auto', 'false')
    await box.cairn('import', '--from', 'logs')
    expect(attempted()).toBe(false)
    await box.cairn('config', 'set', 'backup.auto', 'true')
    await box.cairn('import', '--from', 'logs')
    expect(attempted()).toBe(true)
    const made = (): readonly string[] => readdirSync(folder()).filter((name) => /^2\d{7}T.+-automatic\.db$/.test(name))
    while (made().length < 2 || existsSync(join(folder(), 'backup.lock')))
      await new Promise((resolve) => setTimeout(resolve, 50))
    await box.cairn('import', '--from', 'logs')
    expect(made()).toHaveLength(2)
  }, 60_000)
})

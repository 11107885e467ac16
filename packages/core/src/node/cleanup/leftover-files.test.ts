import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isGoneForGood } from './gone-files.ts'
import { leftoverFiles } from './leftover-files.ts'

const HOUR_MS = 3_600_000
const NOW = Date.now()
/** The id of a process that has ended. */
const ENDED = spawnSync(process.execPath, ['-e', '']).pid

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-leftovers-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const file = (name: string, text = 'x', ageMs = 2 * HOUR_MS): string => {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  const at = new Date(NOW - ageMs)
  utimesSync(path, at, at)
  return path
}

const run = async (
  dryRun = false,
): Promise<Record<string, readonly [found: number, removed: number, bytes: number]>> => {
  const rows = await leftoverFiles(folder).run({ dryRun, quick: true }, NOW)
  return Object.fromEntries(rows.map(({ kind, found, removed, bytes }) => [kind, [found, removed, bytes]]))
}

const NOTHING = { 'temporary-file': [0, 0, 0], lease: [0, 0, 0], log: [0, 0, 0] }

describe('what killed processes leave in the data folder', () => {
  it('is nothing where there is no folder, or only what belongs there', async () => {
    rmSync(folder, { recursive: true })
    expect(await run()).toEqual(NOTHING)
    for (const name of ['cairn.db', 'cairn.db-wal', 'config.json', 'mcp-token', 'notes.4711.tmp.txt', 'x.tmp'])
      file(name)
    expect(await run()).toEqual(NOTHING)
    expect(existsSync(join(folder, 'x.tmp'))).toBe(true)
  })

  it('is removed when it is over an hour old and its process is gone', async () => {
    const old = [
      file(`setup.json.${ENDED}.tmp`, 'abc'),
      file(`import-queue/a.json.${ENDED}.tmp`, 'de'),
      file(`watch/1.lock.${ENDED}`, 'f'),
      file(`secrets.lock.${ENDED}.stale`, ''),
    ]
    const kept = [
      file(`young.json.${ENDED}.tmp`, 'x', HOUR_MS / 2),
      file(`writing.json.${process.pid}.tmp`),
      file(`checkpoints/a/cairn-files.${ENDED}.tmp`),
      file(`deep/er/a.json.${ENDED}.tmp`),
    ]
    expect((await run(true))['temporary-file']).toEqual([4, 0, 6])
    expect(old.every((path) => existsSync(path))).toBe(true)
    expect((await run())['temporary-file']).toEqual([4, 4, 6])
    expect(old.filter((path) => existsSync(path))).toEqual([])
    expect(kept.every((path) => existsSync(path))).toBe(true)
  })

  it('is a lease whose process is gone, not one that is held', async () => {
    const gone = file('watch/1.lock', JSON.stringify({ pid: ENDED, host: hostname() }), 0)
    const held = file('import-queue/import.lock', JSON.stringify({ pid: process.pid, host: hostname() }), 0)
    const elsewhere = file('setup.lock', JSON.stringify({ pid: ENDED, host: 'another machine' }), 0)
    expect((await run()).lease?.slice(0, 2)).toEqual([1, 1])
    expect([gone, held, elsewhere].map((path) => existsSync(path))).toEqual([false, true, true])
  })

  it('is a log over its size, whose newest lines are kept', async () => {
    const line = (number: number): string => `${JSON.stringify({ number, text: 'x'.repeat(90) })}\n`
    const text = Array.from({ length: 12_000 }, (_, number) => line(number)).join('')
    const path = file('hooks.log', text)
    const small = file('hooks.log.1', line(1))
    expect((await run()).log).toEqual([1, 1, text.length - (128 << 10)])
    const kept = readFileSync(path, 'utf8')
    expect(kept.length).toBeLessThanOrEqual(128 << 10)
    expect(text.endsWith(kept)).toBe(true)
    expect(kept.startsWith('{"number":')).toBe(true)
    expect(readFileSync(small, 'utf8')).toBe(line(1))
    expect((await run()).log).toEqual([0, 0, 0])
  })

  it('is not looked for behind links', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'cairn-outside-'))
    const path = join(outside, `a.json.${ENDED}.tmp`)
    writeFileSync(path, 'x')
    utimesSync(path, new Date(0), new Date(0))
    symlinkSync(outside, join(folder, 'linked'))
    symlinkSync(path, join(folder, `b.json.${ENDED}.tmp`))
    expect((await run())['temporary-file']).toEqual([0, 0, 0])
    expect(existsSync(path)).toBe(true)
    rmSync(outside, { recursive: true })
  })
})

describe('an imported file', () => {
  it('is gone for good when its folder is there without it', () => {
    const path = file('projects/a/1.jsonl')
    expect(
      [path, join(folder, 'projects/a/2.jsonl'), join(folder, 'unmounted/1.jsonl'), 'a.jsonl'].map(isGoneForGood),
    ).toEqual([false, true, false, false])
  })
})

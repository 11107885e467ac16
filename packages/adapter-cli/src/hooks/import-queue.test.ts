import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Surroundings } from '@cairn/core/node'
import { hasRequests, queueImport, releaseImportLock, takeImportLock, takeRequests } from './import-queue.ts'

let folder: string
let surroundings: Surroundings
let lock: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-queue-'))
  surroundings = { variables: { CAIRN_HOME: folder }, platform: process.platform, home: folder, folder }
  mkdirSync(join(folder, 'import-queue'))
  lock = join(folder, 'import-queue', 'import.lock')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const ownedBy = (pid: number, host = hostname()): string => JSON.stringify({ pid, host })
const request = (transcript: string) => ({ agent: 'codex', transcript, folder: '/p' })

describe('the queue of imports', () => {
  it('holds a request once, and hands out each once', () => {
    // Somebody imports already: none is started here.
    writeFileSync(lock, ownedBy(process.ppid))
    for (const name of ['/a.jsonl', '/b.jsonl', '/a.jsonl']) queueImport(request(name), surroundings)
    expect(hasRequests(surroundings)).toBe(true)
    expect(
      takeRequests(surroundings)
        .map(({ transcript }) => transcript)
        .sort(),
    ).toEqual(['/a.jsonl', '/b.jsonl'])
    expect(takeRequests(surroundings)).toEqual([])
    expect(hasRequests(surroundings)).toBe(false)
  })

  it('ignores other files', () => {
    for (const [index, text] of ['', '{', '[]', '{"agent":7}'].entries())
      writeFileSync(join(folder, 'import-queue', `${index}.json`), text)
    expect(takeRequests(surroundings)).toEqual([])
    expect(readdirSync(join(folder, 'import-queue'))).toEqual([])
  })
})

it('files of a killed process are removed after a while', () => {
  const left = ['0123.json.77.tmp', 'import.lock.77', 'import.lock.77.stale'].map((name) =>
    join(folder, 'import-queue', name),
  )
  for (const path of left) writeFileSync(path, '{')
  takeRequests(surroundings)
  expect(left.every((path) => existsSync(path))).toBe(true)
  for (const path of left) utimesSync(path, 1, 1)
  takeRequests(surroundings)
  expect(left.some((path) => existsSync(path))).toBe(false)
})

describe('the lock of the import', () => {
  it('is free again once released, by its owner alone', () => {
    expect(takeImportLock(surroundings)).toBe(true)
    releaseImportLock(surroundings)
    expect(existsSync(lock)).toBe(false)
    writeFileSync(lock, ownedBy(process.ppid))
    releaseImportLock(surroundings)
    expect(existsSync(lock)).toBe(true)
  })

  it.each([
    ['a process that has ended', ownedBy(2_147_483_646), 0, true],
    ['a process that runs', ownedBy(process.ppid), 0, false],
    ['one that has just been made', '', 0, false],
    ['one that was never written', '', 3_600, true],
    ['a process of another start, silent for a day', ownedBy(process.ppid), 86_400, true],
    ['a process of another machine', ownedBy(1, 'elsewhere'), 0, false],
  ])('of %s', (_, owner, ageSeconds, isFree) => {
    writeFileSync(lock, owner)
    const at = Date.now() / 1000 - ageSeconds
    utimesSync(lock, at, at)
    expect(takeImportLock(surroundings)).toBe(isFree)
    expect(readdirSync(join(folder, 'import-queue'))).toEqual(['import.lock'])
  })
})

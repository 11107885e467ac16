/** Many snapshots: packs are joined, the disk is bounded, and what stays can be given back. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Snapshot, SnapshotRepository, SnapshotRequest } from '../../ports/snapshot-repository.ts'
import { createSnapshotRepository } from './snapshot-repository.ts'
import { everythingIn, seeded, writeFiles } from './trees.fixture.ts'

const MINUTE = 60_000
const START = Date.UTC(2026, 5, 1)

let base = ''
let root = ''
let snapshots: SnapshotRepository
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-pruning-')))
  root = join(base, 'project')
  mkdirSync(root)
  snapshots = createSnapshotRepository({ dataFolder: join(base, 'data'), home: join(base, 'home') })
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

let last = 0
const request = (kind: SnapshotRequest['kind'] = 'manual'): SnapshotRequest => {
  last += 1
  return { id: `id${last}`, sessionId: null, at: START + last * MINUTE, kind, label: null }
}
const take = async (): Promise<Snapshot> => (await snapshots.capture(root, request())).snapshot
const repository = (): string => {
  const folder = join(base, 'data', 'checkpoints')
  return join(folder, readdirSync(folder)[0] ?? '')
}
const packs = (): number =>
  readdirSync(join(repository(), 'objects', 'pack')).filter((name) => name.endsWith('.pack')).length
const expectWhole = (): void => {
  const { status, stdout, stderr } = spawnSync('git', ['fsck', '--full', '--strict', '--no-dangling'], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], GIT_DIR: repository() },
  })
  expect([status, stdout, stderr]).toEqual([0, '', expect.not.stringMatching(/error|missing/)])
}
const LIMITS = { maximumAgeDays: 30, maximumCount: 500, maximumBytes: 1e9 }
/** What does not compress, so that sizes on disk are known. */
const noise = (seed: number, size: number): Buffer => {
  const random = seeded(seed)
  return Buffer.from(Array.from({ length: size }, () => random(256)))
}

describe('Many snapshots', () => {
  it('are all given back after their packs were joined, and the user’s repository is as it was', async () => {
    writeFiles(root, { 'a/one.txt': 'one\n', 'a/b/two.txt': 'two\n', 'c.txt': 'c\n' })
    const git = (...options: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...options], { cwd: root, encoding: 'utf8' })
    git('init', '-q')
    git('add', '-A')
    git('commit', '-qm', 'one')
    const own = (): unknown => {
      const files = everythingIn(join(root, '.git'))
      return [files, Object.keys(files).map((path) => lstatSync(join(root, '.git', path)).mtimeMs)]
    }
    const before = own()
    const states: [Snapshot, unknown][] = []
    const content = (): unknown =>
      Object.fromEntries(Object.entries(everythingIn(root)).filter(([path]) => !path.startsWith('.git')))
    for (let index = 0; index < 60; index++) {
      appendFileSync(join(root, ['a/one.txt', 'a/b/two.txt', 'c.txt'][index % 3] ?? 'c.txt'), `line ${index}\n`)
      states.push([await take(), content()])
    }
    expect(packs()).toBeLessThan(50)
    for (const index of [0, 29, 59, 1]) {
      const [snapshot, state] = states[index] ?? []
      if (snapshot === undefined) throw new Error('there are sixty')
      await snapshots.restore(root, snapshot, request('before-restore'))
      expect(content()).toEqual(state)
    }
    await snapshots.prune(root, { ...LIMITS, maximumCount: 3 }, START)
    expect([packs(), (await snapshots.list(root)).length]).toEqual([1, 3])
    expectWhole()
    expect(own()).toEqual(before)
    expect(git('fsck', '--strict')).toBe('')
  }, 240_000)

  it('are pruned to a size: as many of the newest stay as fit', async () => {
    for (let index = 0; index < 6; index++) {
      writeFileSync(join(root, 'noise'), noise(index, 100_000))
      await take()
    }
    const limits = { ...LIMITS, maximumBytes: 350_000 }
    const planned = await snapshots.prune(root, limits, START, true)
    expect([planned.removed.length, planned.kept, (await snapshots.list(root)).length]).toEqual([3, 3, 6])
    const done = await snapshots.prune(root, limits, START)
    expect(done.removed.map(({ id }) => id)).toEqual(planned.removed.map(({ id }) => id))
    expect(done.bytesAfter).toBeLessThan(360_000)
    expect(done.bytesBefore).toBeGreaterThan(600_000)
    const [newest, , oldest] = await snapshots.list(root)
    if (newest === undefined || oldest === undefined) throw new Error('three are left')
    await snapshots.restore(root, oldest, request('before-restore'))
    expect(everythingIn(root)['noise']).toBe(`644 ${noise(3, 100_000).toString('latin1')}`)
    expect((await snapshots.prune(root, { ...limits, maximumBytes: 1 }, START)).kept).toBe(1)
    // What is written next must not stand on something that went.
    appendFileSync(join(root, 'noise'), 'more')
    await snapshots.restore(root, await take(), request('before-restore'))
    expectWhole()
  }, 120_000)

  it('go by age, also of a folder that is not there any more, with what killed processes left', async () => {
    writeFiles(root, { 'a.txt': 'a' })
    const old = await take()
    const young = await take()
    const leftovers = ['objects/pack/tmp_pack_aBcDeF', 'fast_import_crash_4711', 'cairn-files.4711.tmp']
    for (const name of leftovers) {
      writeFileSync(join(repository(), name), 'x'.repeat(1_000))
      utimesSync(join(repository(), name), new Date(START), new Date(START))
    }
    writeFileSync(join(repository(), 'objects/pack/tmp_pack_young'), '')
    rmSync(root, { recursive: true })
    expect(await snapshots.roots()).toEqual([root])
    const now = old.at + 30 * 24 * 60 * MINUTE + 1
    const outcome = await snapshots.prune(root, LIMITS, Math.max(now, Date.now()))
    expect(outcome.leftovers).toBe(3)
    expect(outcome.removed.map(({ id }) => id)).toContain(old.id)
    expect(outcome.removed.map(({ id }) => id)).not.toContain(young.id)
  }, 120_000)
})

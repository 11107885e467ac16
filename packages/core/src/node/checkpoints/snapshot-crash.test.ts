/** Snapshots, restores and prunings killed before any one of their changes on disk, and killed with git at any time. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { spawn, spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Snapshot, SnapshotRepository } from '../../ports/snapshot-repository.ts'
import { crashArguments, crashAt } from '../crash-at-change.fixture.ts'
import { createSnapshotRepository } from './snapshot-repository.ts'
import { changeTree, everythingIn, makeTree, seeded, writeFiles } from './trees.fixture.ts'

/** Of each kind of work. */
const ROUNDS = 6

let base = ''
let root = ''
let snapshots: SnapshotRepository
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-crash-')))
  root = join(base, 'project')
  mkdirSync(root)
  snapshots = createSnapshotRepository(setting())
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const setting = () => ({ dataFolder: join(base, 'data'), home: join(base, 'home') })

let last = 0
const request = (kind: 'manual' | 'before-restore' = 'manual') => {
  last += 1
  return { id: `id${last}`, sessionId: null, at: 1_700_000_000_000 + last * 1_000, kind, label: null }
}

const SCRIPT = `
  const { createSnapshotRepository } = await import(process.env.MODULE)
  const { setting, root, work, target, request, limits } = JSON.parse(process.env.WORK)
  const snapshots = createSnapshotRepository(setting)
  if (work === 'create') await snapshots.capture(root, request)
  if (work === 'restore') await snapshots.restore(root, target, request)
  if (work === 'prune') await snapshots.prune(root, limits, request.at)
`

const LIMITS = { maximumAgeDays: 30, maximumCount: 1, maximumBytes: 1e9 }
type Work = 'create' | 'restore' | 'prune'

const environmentOf = (work: Work, target?: Snapshot): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: base,
  MODULE: new URL('snapshot-repository.ts', import.meta.url).href,
  WORK: JSON.stringify({
    setting: setting(),
    root,
    work,
    target,
    limits: LIMITS,
    request: request(work === 'restore' ? 'before-restore' : 'manual'),
  }),
})

/** Whether it was killed, and how many changes it made else. */
const crash = (work: Work, at: number, target?: Snapshot) => crashAt(SCRIPT, environmentOf(work, target), at)

const repository = (): string => {
  const folder = join(base, 'data', 'checkpoints')
  return join(folder, readdirSync(folder)[0] ?? '')
}

/** The repository is whole, and after an hour nothing unfinished is left in it. */
const expectWhole = async (): Promise<void> => {
  // A folder may have that name; it is what was captured, and no damage.
  const fsck = spawnSync(
    'git',
    ['-c', 'fsck.gitattributesBlob=ignore', 'fsck', '--full', '--strict', '--no-dangling'],
    {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], GIT_DIR: repository() },
    },
  )
  expect([fsck.status, fsck.stdout, fsck.stderr]).toEqual([0, '', expect.not.stringMatching(/error|missing/)])
  const anHourAgo = Date.now() / 1_000 - 3_700
  const names = (): readonly string[] => readdirSync(repository(), { recursive: true, encoding: 'utf8' })
  for (const name of names()) if (/tmp|lock/.test(name)) utimesSync(join(repository(), name), anHourAgo, anHourAgo)
  await snapshots.prune(root, { ...LIMITS, maximumCount: 1_000 }, Date.now())
  expect(names().filter((name) => /tmp_|\.tmp$|\.lock$|\.pid$|crash/.test(name))).toEqual([])
}

/** Positions from the first to the last change. */
const positions = (changes: number): readonly number[] =>
  Array.from({ length: ROUNDS }, (_, index) => 1 + Math.floor((index * (changes - 1)) / (ROUNDS - 1)))

const prepare = async (seed: number): Promise<{ readonly target: Snapshot; readonly captured: unknown }> => {
  rmSync(base, { recursive: true, force: true })
  mkdirSync(root, { recursive: true })
  const random = seeded(seed)
  makeTree(root, random)
  writeFiles(root, { 'kept/same.txt': 'same', 'kept/other.txt': 'one', 'gone.txt': 'gone' })
  const captured = everythingIn(root)
  const { snapshot: target } = await snapshots.capture(root, request())
  changeTree(root, random)
  writeFiles(root, { 'kept/other.txt': 'two', 'new/file.txt': 'new' })
  rmSync(join(root, 'gone.txt'), { force: true })
  return { target, captured }
}

describe('Killed before any one change', () => {
  it('a restore is brought to its end by the next command, and can be undone', async () => {
    let interrupted = 0
    await prepare(7)
    const { changes } = await (async () => crash('restore', 0, (await prepare(7)).target))()
    expect(changes).toBeGreaterThan(20)
    for (const at of positions(changes)) {
      const { target, captured } = await prepare(7)
      const before = everythingIn(root)
      // What git's clock makes it look at again differs from run to run by a change or two, so the last may not be reached.
      const crashed = crash('restore', at, target)
      expect(crashed.isKilled || at - crashed.changes <= 2).toBe(true)
      const resumed = await snapshots.resume(root)
      const undo = (await snapshots.list(root)).find(({ kind }) => kind === 'before-restore')
      if (resumed === undefined) {
        // Not begun, or at its end.
        expect([before, captured]).toContainEqual(everythingIn(root))
      } else {
        interrupted += 1
        expect({ at, untouched: resumed.untouched }).toEqual({ at, untouched: [] })
        expect({ at, files: everythingIn(root) }).toEqual({ at, files: captured })
        if (undo === undefined) throw new Error('what was there before is kept')
        await snapshots.restore(root, undo, request('before-restore'))
        expect(everythingIn(root)).toEqual(before)
      }
      await expectWhole()
    }
    expect(interrupted).toBeGreaterThan(ROUNDS / 3)
  }, 480_000)

  it('a restore leaves what somebody wrote between the kill and the next command', async () => {
    const { changes } = crash('restore', 0, (await prepare(3)).target)
    const { target } = await prepare(3)
    expect(crash('restore', Math.floor(changes / 2), target)).toMatchObject({ isKilled: true })
    writeFiles(root, { 'kept/other.txt': 'three' })
    const resumed = await snapshots.resume(root)
    expect(everythingIn(root)['kept/other.txt']).toBe('644 three')
    expect(resumed?.untouched.map(({ path }) => path)).toEqual(['kept/other.txt'])
  }, 120_000)

  it('a restore whose checkpoint is damaged by then is named once, and stands in nobody’s way', async () => {
    const { changes } = crash('restore', 0, (await prepare(3)).target)
    const { target } = await prepare(3)
    expect(crash('restore', Math.floor(changes / 2), target)).toMatchObject({ isKilled: true })
    const journal = join(repository(), 'cairn-restore.json')
    writeFileSync(journal, readFileSync(journal, 'utf8').replace(target.commit, '1'.repeat(40)))
    await expect(snapshots.capture(root, request())).rejects.toMatchObject({ code: 'storage-corrupt' })
    expect((await snapshots.capture(root, request())).snapshot.files).toBeGreaterThan(0)
  }, 120_000)

  it('a restore whose journal is damaged by then is told once, and can be undone', async () => {
    const { changes } = crash('restore', 0, (await prepare(3)).target)
    const { target } = await prepare(3)
    const before = everythingIn(root)
    expect(crash('restore', Math.floor(changes / 2), target)).toMatchObject({ isKilled: true })
    const journal = join(repository(), 'cairn-restore.json')
    writeFileSync(journal, readFileSync(journal, 'utf8').slice(0, 40))
    await expect(snapshots.resume(root)).rejects.toMatchObject({
      code: 'storage-corrupt',
      message: expect.stringMatching(
        /^A restore in this folder was interrupted, .+ run this again to go on without it\.$/,
      ),
    })
    expect(await snapshots.resume(root)).toBeUndefined()
    expect(readFileSync(`${journal}.damaged`, 'utf8')).toHaveLength(40)
    const undo = (await snapshots.list(root)).find(({ kind }) => kind === 'before-restore')
    if (undo === undefined) throw new Error('what was there before is kept')
    await snapshots.restore(root, undo, request('before-restore'))
    expect(everythingIn(root)).toEqual(before)
  }, 120_000)

  it.each(['create', 'prune'] as const)(
    '%s loses no snapshot that is kept',
    async (work) => {
      const { changes } = await (async () => {
        await prepare(5)
        return crash(work, 0)
      })()
      for (const at of positions(changes)) {
        const { target, captured } = await prepare(5)
        if (work === 'prune') await snapshots.capture(root, request())
        const newest = (await snapshots.list(root))[0] ?? target
        const before = everythingIn(root)
        crash(work, at)
        expect((await snapshots.list(root)).map(({ id }) => id)).toContain(newest.id)
        const { snapshot } = await snapshots.capture(root, request())
        await snapshots.restore(root, newest, request('before-restore'))
        expect(everythingIn(root)).toEqual(work === 'prune' ? before : captured)
        await snapshots.restore(root, snapshot, request('before-restore'))
        expect(everythingIn(root)).toEqual(before)
        await expectWhole()
      }
    },
    240_000,
  )
})

describe('Several processes at once', () => {
  it('lose nothing of each other, from the first snapshot on', async () => {
    writeFiles(root, { 'a.txt': 'a', 'd/b.txt': 'b' })
    const requested = Array.from({ length: 5 }, () => environmentOf('create'))
    const ends = await Promise.all(
      requested.map(
        (env) =>
          new Promise<number | null>((resolve) => {
            spawn(process.execPath, crashArguments(SCRIPT), { env, stdio: 'ignore' }).once('close', resolve)
          }),
      ),
    )
    expect(ends).toEqual([0, 0, 0, 0, 0])
    const found = await snapshots.list(root)
    expect(found).toHaveLength(5)
    for (const snapshot of found) expect(await snapshots.differences(root, snapshot, 'now')).toEqual([])
    await expectWhole()
  }, 120_000)
})

describe('Killed together with git at any time', () => {
  it.each(['create', 'restore', 'prune'] as const)(
    '%s leaves a whole repository and whole files',
    async (work) => {
      let took = 0
      for (let round = 0; round <= ROUNDS; round++) {
        const { target, captured } = await prepare(11)
        if (work === 'prune') await snapshots.capture(root, request())
        const newest = (await snapshots.list(root))[0] ?? target
        const before = everythingIn(root)
        const startedAt = performance.now()
        const child = spawn(process.execPath, crashArguments(SCRIPT), {
          env: environmentOf(work, target),
          stdio: 'ignore',
          detached: true,
        })
        const ended = new Promise((resolve) => child.once('close', resolve))
        // The first round runs to its end and says how long that takes; the others are killed on the way.
        if (round > 0) {
          const timer = setTimeout(() => killGroup(child.pid), (took * round) / ROUNDS)
          await ended
          clearTimeout(timer)
        } else await ended
        if (round === 0) took = performance.now() - startedAt
        await snapshots.resume(root)
        const { snapshot } = await snapshots.capture(root, request())
        await snapshots.restore(root, newest, request('before-restore'))
        expect(everythingIn(root)).toEqual(work === 'prune' ? before : captured)
        await snapshots.restore(root, snapshot, request('before-restore'))
        expect([before, captured]).toContainEqual(everythingIn(root))
        await expectWhole()
      }
    },
    240_000,
  )

  /** The group of a detached child, and no other: the program `kill` of some systems takes such an id for all processes. */
  const killGroup = (pid: number | undefined): void => {
    if (pid === undefined || pid <= 1) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // It has ended already.
    }
  }
})

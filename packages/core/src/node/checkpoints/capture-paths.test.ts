/** Snapshots and restores of some paths: as right as those of the whole folder, wherever a change is among the paths. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgreedOptions, Snapshot, SnapshotRepository, SnapshotRequest } from '../../ports/snapshot-repository.ts'
import { createSnapshotRepository } from './snapshot-repository.ts'
import { changeTree, everythingIn, makeTree, seeded, writeFiles } from './trees.fixture.ts'

const TREES = 30

let base = ''
let root = ''
let snapshots: SnapshotRepository
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-paths-')))
  root = join(base, 'project')
  mkdirSync(root)
  snapshots = createSnapshotRepository({ dataFolder: join(base, 'data'), home: join(base, 'home') })
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

let last = 0
const request = (kind: SnapshotRequest['kind'] = 'manual'): SnapshotRequest => {
  last += 1
  return { id: `id${last}`, sessionId: null, at: 1_700_000_000_000 + last * 1_000, kind, label: null }
}
const take = async (paths?: readonly string[]): Promise<Snapshot> =>
  (await snapshots.capture(root, request(), paths === undefined ? {} : { paths })).snapshot
const restore = (target: Snapshot, options: AgreedOptions = {}) =>
  snapshots.restore(root, target, request('before-restore'), options)
const namesSince = async (from: Snapshot, to: Snapshot | 'now' = 'now') =>
  (await snapshots.differences(root, from, to)).map(({ path, change }) => `${change} ${path}`)

/** What differs between two states of a folder, as a caller would name it: a name that is no UTF-8 by its folder. */
const changedPaths = (before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>) =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((path) => before[path] !== after[path])
    .map((path) => {
      const names = path.split('/').map((name) => Buffer.from(name, 'latin1'))
      const bad = names.findIndex((name) => !Buffer.from(name.toString('utf8')).equals(name))
      return names.slice(0, bad === -1 ? names.length : bad).join('/')
    })

describe('A snapshot of some paths', () => {
  it(`holds the same as one of the whole folder where all changes are among them, for ${TREES} random trees`, async () => {
    let partial = 0
    for (let seed = 1; seed <= TREES; seed++) {
      const random = seeded(seed * 31)
      makeTree(root, random)
      const first = everythingIn(root)
      await take()
      changeTree(root, random)
      const second = everythingIn(root)
      const { snapshot, changed } = await snapshots.capture(root, request(), { paths: changedPaths(first, second) })
      if (snapshot.paths !== null) partial += 1
      const whole = await snapshots.capture(root, request())
      expect({ seed, changes: await namesSince(snapshot, whole.snapshot) }).toEqual({ seed, changes: [] })
      const { files, bytes } = whole.snapshot
      expect({ seed, files: snapshot.files, bytes: snapshot.bytes }).toEqual({ seed, files, bytes })
      expect({ seed, leftOut: await snapshots.leftOut(root, snapshot) }).toEqual({ seed, leftOut: whole.leftOut })
      expect({ seed, changed: whole.changed }).toEqual({ seed, changed: 0 })
      expect(changed).toBeGreaterThanOrEqual(0)
      changeTree(root, random)
      await restore(snapshot, {})
      expect({ seed, ...everythingIn(root) }).toEqual({ seed, ...second })
      rmSync(root, { recursive: true })
      mkdirSync(root)
      rmSync(join(base, 'data'), { recursive: true })
    }
    expect(partial).toBeGreaterThan(TREES / 3)
  }, 480_000)

  it('keeps of all other files what was seen last, and the next one of the whole folder catches up', async () => {
    writeFiles(root, { 'a.txt': 'one', 'b/c.txt': 'one', 'd.txt': 'one' })
    await take()
    writeFiles(root, { 'a.txt': 'second', 'b/c.txt': 'second', 'new/e.txt': 'new', 'secret/.env': 'KEY=1' })
    const { snapshot, changed } = await snapshots.capture(root, request(), {
      paths: ['a.txt', join(root, 'new'), 'gone.txt', 'secret/.env'],
    })
    expect(snapshot).toMatchObject({ files: 4, bytes: 15, paths: ['a.txt', 'gone.txt', 'new', 'secret/.env'] })
    expect(changed).toBe(2)
    expect(await snapshots.list(root)).toContainEqual(snapshot)
    expect(await snapshots.leftOut(root, snapshot)).toEqual([
      { path: 'secret/.env', isFolder: false, reason: 'secret' },
    ])
    rmSync(join(root, 'new'), { recursive: true })
    const second = await take(['new/e.txt'])
    expect(await namesSince(snapshot, second)).toEqual(['removed new/e.txt'])
    expect(await namesSince(second)).toEqual(['modified b/c.txt'])
    expect(await namesSince(await take())).toEqual([])
  }, 60_000)

  it('heeds what is ignored, tracked all the same, or behind a link', async () => {
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, stdio: 'pipe' })
    git('init', '--quiet')
    writeFiles(root, { '.gitignore': 'out/\n', 'out/tracked.js': 'one', 'real/a.txt': 'one', 'out/other.js': 'one' })
    git('add', '--force', 'out/tracked.js')
    symlinkSync('real', join(root, 'link'))
    await take()
    writeFiles(root, { 'out/tracked.js': 'second', 'real/a.txt': 'second', 'out/other.js': 'second' })
    const snapshot = await take(['out/tracked.js', 'out/other.js', 'link/a.txt'])
    expect(snapshot.paths).toEqual(['out/other.js', 'out/tracked.js', 'real/a.txt'])
    expect(await namesSince(snapshot)).toEqual([])
    writeFiles(root, { '.gitignore': 'real/\n' })
    expect((await take(['.gitignore'])).paths).toBeNull()
    expect((await snapshots.list(root))[0]?.files).toBe(4)
  }, 60_000)

  it('is one of the whole folder where nothing was seen before, or what was seen is gone', async () => {
    writeFiles(root, { 'a.txt': 'one', 'b.txt': 'one' })
    expect((await take(['a.txt'])).paths).toBeNull()
    writeFiles(root, { 'a.txt': 'second' })
    expect((await take(['a.txt'])).paths).toEqual(['a.txt'])
    // A folder in a file's place, of which only one file is named.
    rmSync(join(root, 'b.txt'))
    writeFiles(root, { 'b.txt/x': 'x', 'b.txt/y': 'y' })
    const whole = await take(['b.txt/x'])
    expect([whole.paths, whole.files]).toEqual([null, 3])
    await snapshots.remove(root, await snapshots.list(root))
    writeFiles(root, { 'a.txt': 'third one' })
    expect(await take(['b.txt/y'])).toMatchObject({ paths: null, files: 3, bytes: 11 })
    await expect(take(['../outside'])).rejects.toMatchObject({ code: 'invalid-input' })
    await expect(take([join(base, 'outside')])).rejects.toMatchObject({ code: 'invalid-input' })
  }, 60_000)

  it('holds permissions and folders that are left empty', async () => {
    writeFiles(root, { 'a/b/c.txt': 'one', 'a/d.txt': 'one', 'run.sh': 'one' })
    await take()
    rmSync(join(root, 'a/b/c.txt'))
    chmodSync(join(root, 'run.sh'), 0o751)
    chmodSync(join(root, 'a'), 0o750)
    mkdirSync(join(root, 'e/f'), { recursive: true })
    const snapshot = await take(['a/b/c.txt', 'run.sh', 'e/f'])
    const then = everythingIn(root)
    expect(snapshot.paths).not.toBeNull()
    rmSync(join(root, 'a'), { recursive: true })
    rmSync(join(root, 'e'), { recursive: true })
    chmodSync(join(root, 'run.sh'), 0o644)
    await restore(snapshot)
    expect(everythingIn(root)).toEqual(then)
  }, 60_000)
})

describe('A restore of some paths', () => {
  it('changes these alone, and so does its undo', async () => {
    writeFiles(root, { 'a.txt': 'one', 'b.txt': 'one', 'c/d.txt': 'one' })
    const first = await take()
    writeFiles(root, { 'a.txt': 'second', 'b.txt': 'second', 'c/d.txt': 'second', 'c/new.txt': 'new', 'e.txt': 'new' })
    const preview = await snapshots.preview(root, first, { paths: ['a.txt', 'c'] })
    expect(preview.differences.map(({ path }) => path)).toEqual(['a.txt', 'c/d.txt', 'c/new.txt'])
    const { undo, ...outcome } = await restore(first, { paths: ['a.txt', 'c'], token: preview.token })
    expect(outcome).toEqual({ restored: 2, removed: 1, paths: ['a.txt', 'c/d.txt', 'c/new.txt'], untouched: [] })
    expect(everythingIn(root)).toMatchObject({ 'a.txt': '644 one', 'b.txt': '644 second', 'c/d.txt': '644 one' })
    expect(Object.keys(everythingIn(root))).toEqual(['a.txt', 'b.txt', 'c', 'c/d.txt', 'e.txt'])
    writeFiles(root, { 'b.txt': 'third, by somebody else' })
    if (undo === null) throw new Error('something was restored')
    expect(undo.paths).toEqual(['a.txt', 'c'])
    await restore(undo)
    expect(everythingIn(root)).toMatchObject({ 'a.txt': '644 second', 'c/d.txt': '644 second', 'c/new.txt': '644 new' })
    expect(everythingIn(root)).toMatchObject({ 'b.txt': '644 third, by somebody else', 'e.txt': '644 new' })
  }, 60_000)

  it('is seen by the next snapshot of other paths', async () => {
    writeFiles(root, { 'a.txt': 'one', 'b.txt': 'one' })
    const first = await take()
    writeFiles(root, { 'a.txt': 'second' })
    await take(['a.txt'])
    await restore(first, { paths: ['a.txt'] })
    writeFiles(root, { 'b.txt': 'second' })
    const next = await take(['b.txt'])
    expect(next.paths).not.toBeNull()
    expect(await namesSince(next)).toEqual([])
    expect(await namesSince(first, next)).toEqual(['modified b.txt'])
  }, 60_000)

  it('of what was previewed at once captures only what it changes, and is undone in full', async () => {
    writeFiles(root, { 'a.txt': 'one', 'b.txt': 'one', 'gone.txt': 'one' })
    const first = await take()
    writeFiles(root, { 'a.txt': 'second', 'new/c.txt': 'new' })
    rmSync(join(root, 'gone.txt'))
    const then = everythingIn(root)
    const { token } = await snapshots.preview(root, first)
    const { undo } = await restore(first, { token, onlyPreviewed: true })
    expect(undo?.paths).toEqual(['a.txt', 'gone.txt', 'new/c.txt'])
    expect(await namesSince(first)).toEqual([])
    if (undo === null) throw new Error('something was restored')
    await restore(undo)
    expect(everythingIn(root)).toEqual(then)
    const again = await snapshots.preview(root, first)
    writeFiles(root, { 'a.txt': 'third' })
    await expect(restore(first, { token: again.token, onlyPreviewed: true })).rejects.toMatchObject({
      code: 'file-conflict',
    })
    expect(everythingIn(root)['a.txt']).toBe('644 third')
  }, 60_000)
})

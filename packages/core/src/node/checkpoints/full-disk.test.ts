/** A disk that gets full while a checkpoint is made or restored: one sentence, no half of anything, and nothing is lost. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SnapshotProgress, SnapshotRepository } from '../../ports/snapshot-repository.ts'
import { codeOf } from '../system-reason.ts'
import { createSnapshotRepository } from './snapshot-repository.ts'
import { everythingIn } from './trees.fixture.ts'

const DISK_MB = 90
const FILES = 200
const FILE_BYTES = 30_000

let base = ''
let small = ''
let isMounted = false
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-full-disk-')))
  small = join(base, 'small')
  mkdirSync(small)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', small], { stdio: 'ignore' })
    isMounted = true
  } catch {
    isMounted = false
    console.warn('skipped: this user may not mount a small disk')
  }
})
afterEach(() => {
  if (isMounted) execFileSync('umount', [small])
  rmSync(base, { recursive: true, force: true })
})

let last = 0
const request = (kind: 'manual' | 'before-restore' = 'manual') => {
  last += 1
  return { id: `id${last}`, sessionId: null, at: 1_700_000_000_000 + last * 1_000, kind, label: null }
}

/** Files of no pattern, of different sizes: they take their length on the disk. */
const writeAll = (root: string): void => {
  mkdirSync(root, { recursive: true })
  for (let index = 0; index < FILES; index++)
    writeFileSync(join(root, `file-${index}`), randomBytes(FILE_BYTES + index * 7))
}

const other = (): string => join(small, 'other')
/** Writes all that is free, until the disk takes nothing more. */
const fill = (): void => {
  const { bavail, bsize } = statfsSync(small)
  try {
    writeFileSync(other(), Buffer.alloc(bavail * bsize))
  } catch (error) {
    // Git writes, too: then the disk is full all the same.
    if (codeOf(error) !== 'ENOSPC') throw error
  }
}
/** Fills the disk once a phase is under way. */
const fillAt = (phase: SnapshotProgress['phase']) => (progress: SnapshotProgress) => {
  if (progress.phase === phase && !existsSync(other())) fill()
}
const filesBelow = (folder: string): readonly string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' })

describe('A disk that gets full', () => {
  it('while a checkpoint is made: there is none, nothing of it stays, and the next one is whole', async () => {
    if (!isMounted) return
    const root = join(base, 'project')
    const snapshots: SnapshotRepository = createSnapshotRepository({ dataFolder: join(small, 'data'), home: base })
    writeAll(root)
    const before = everythingIn(root)
    const refused: unknown = await snapshots
      .capture(root, request(), { onProgress: fillAt('reading') })
      .catch((error: unknown) => error)
    expect(refused).toMatchObject({
      code: 'storage-failed',
      message: expect.stringMatching(
        /^Checkpoints could not be .*Your own files and repository are as they were; cairn doctor checks what is kept\.$/,
      ),
    })
    expect(existsSync(other())).toBe(true)
    expect(await snapshots.list(root)).toEqual([])
    expect(filesBelow(join(small, 'data')).filter((name) => /tmp_|crash/.test(name))).toEqual([])
    expect(everythingIn(root)).toEqual(before)
    await expect(snapshots.capture(root, request())).rejects.toMatchObject({
      code: 'storage-failed',
      message: expect.stringContaining('nothing was changed'),
    })
    rmSync(other())
    const { snapshot } = await snapshots.capture(root, request())
    expect(snapshot.files).toBe(FILES)
    rmSync(root, { recursive: true })
    mkdirSync(root)
    await snapshots.restore(root, snapshot, request('before-restore'))
    expect(everythingIn(root)).toEqual(before)
  }, 120_000)

  it('while one is restored: each file is as before or as wanted, those that are not restored are named', async () => {
    if (!isMounted) return
    const root = join(small, 'project')
    const snapshots = createSnapshotRepository({ dataFolder: join(base, 'data'), home: base })
    writeAll(root)
    const wanted = everythingIn(root)
    const { snapshot } = await snapshots.capture(root, request())
    writeAll(root)
    const before = everythingIn(root)
    const { undo, restored, untouched } = await snapshots.restore(root, snapshot, request('before-restore'), {
      onProgress: fillAt('restoring'),
    })
    rmSync(other())
    expect(restored).toBeGreaterThan(0)
    expect(untouched.length).toBeGreaterThan(0)
    expect(restored + untouched.length).toBe(FILES)
    const after = everythingIn(root)
    const named = new Set(untouched.map(({ path }) => path))
    for (const path of Object.keys(wanted))
      expect({ path, isAsShould: after[path] === (named.has(path) ? before : wanted)[path] }).toEqual({
        path,
        isAsShould: true,
      })
    expect(Object.keys(after)).toEqual(Object.keys(wanted))
    expect(untouched[0]?.why).toMatch(/space|full/)
    await snapshots.restore(root, snapshot, request('before-restore'))
    expect(everythingIn(root)).toEqual(wanted)
    if (undo === null) throw new Error('something was restored')
    await snapshots.restore(root, undo, request('before-restore'))
    expect(everythingIn(root)).toEqual(before)
  }, 120_000)
})

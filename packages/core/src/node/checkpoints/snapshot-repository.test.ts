/** Snapshots of random trees, given back byte by byte; and what a restore must not touch. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Snapshot, SnapshotRepository, SnapshotRequest } from '../../ports/snapshot-repository.ts'
import { createSnapshotRepository } from './snapshot-repository.ts'
import { changeTree, everythingIn, makeTree, seeded } from './trees.fixture.ts'

const TREES = 100

let base = ''
let root = ''
let snapshots: SnapshotRepository
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-snapshots-')))
  root = join(base, 'project')
  mkdirSync(root)
  snapshots = createSnapshotRepository({ dataFolder: join(base, 'data'), home: join(base, 'home') })
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

let last = 0
const request = (more: Partial<SnapshotRequest> = {}): SnapshotRequest => {
  last += 1
  return {
    id: `id${String(last).padStart(6, '0')}`,
    sessionId: null,
    at: 1_700_000_000_000 + last * 1_000,
    kind: 'manual',
    label: null,
    ...more,
  }
}
const take = async (): Promise<Snapshot> => (await snapshots.capture(root, request())).snapshot
const restore = (target: Snapshot) => snapshots.restore(root, target, request({ kind: 'before-restore' }))

describe('Snapshots of random trees', () => {
  it(`gives ${TREES} of them back byte by byte, one after another and undone`, async () => {
    for (let seed = 1; seed <= TREES; seed++) {
      const random = seeded(seed)
      makeTree(root, random)
      const first = everythingIn(root)
      const snapshot = await take()
      changeTree(root, random)
      const second = everythingIn(root)
      const outcome = await restore(snapshot)
      expect({ seed, ...everythingIn(root) }).toEqual({ seed, ...first })
      expect({ seed, untouched: outcome.untouched }).toEqual({ seed, untouched: [] })
      if (outcome.undo !== null) await restore(outcome.undo)
      expect({ seed, ...everythingIn(root) }).toEqual({ seed, ...second })
      rmSync(root, { recursive: true })
      mkdirSync(root)
    }
  }, 480_000)
})

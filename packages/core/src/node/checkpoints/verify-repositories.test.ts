/** Damaged repositories of checkpoints: found, told, set aside whole, and what is whole of them kept. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RepositoryCheck, Snapshot, SnapshotRepository, VerifyOptions } from '../../ports/snapshot-repository.ts'
import { createSnapshotRepository } from './snapshot-repository.ts'
import { everythingIn, seeded, writeFiles } from './trees.fixture.ts'

const START = Date.UTC(2026, 5, 1)
const SNAPSHOTS = 4

let base = ''
let root = ''
let snapshots: SnapshotRepository
let taken: readonly Snapshot[]
/** What was in the folder at each snapshot. */
let contents: readonly Readonly<Record<string, string>>[]
beforeEach(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-verify-')))
  root = join(base, 'project')
  mkdirSync(root)
  snapshots = createSnapshotRepository({ dataFolder: join(base, 'data'), home: join(base, 'home') })
  const made: [Snapshot, Readonly<Record<string, string>>][] = []
  for (let index = 0; index < SNAPSHOTS; index += 1) {
    // Of different sizes, so that each has objects of its own in its pack.
    writeFiles(root, {
      'deep/er/kept.txt': 'kept\n'.repeat(300),
      [`own ${index}.bin`]: noise(index, 900 + 700 * index),
    })
    made.push([await take(index), everythingIn(root)])
  }
  taken = made.map(([snapshot]) => snapshot)
  contents = made.map(([, all]) => all)
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const noise = (seed: number, size: number): Buffer => {
  const random = seeded(seed)
  return Buffer.from(Array.from({ length: size }, () => random(256)))
}
const request = (index: number) => ({
  id: `id${index}`,
  sessionId: index % 2 === 0 ? null : 'cairn:s',
  at: START + index * 60_000,
  kind: 'manual' as const,
  label: null,
})
const take = async (index: number): Promise<Snapshot> => (await snapshots.capture(root, request(index))).snapshot

const folders = (): readonly string[] => readdirSync(join(base, 'data', 'checkpoints')).sort()
const repository = (): string => join(base, 'data', 'checkpoints', folders()[0] ?? '')
const inRepository = (...names: readonly string[]): string => join(repository(), ...names)
const git = (...options: readonly string[]): string =>
  execFileSync('git', options, { encoding: 'utf8', env: { PATH: process.env['PATH'], GIT_DIR: repository() } })
/** The pack that came with a snapshot: the one that has its commit. */
const packOf = ({ commit }: Snapshot, suffix = 'pack'): string => {
  const folder = inRepository('objects', 'pack')
  const [index] = readdirSync(folder)
    .filter((name) => name.endsWith('.idx'))
    .filter((name) =>
      execFileSync('git', ['show-index'], { input: readFileSync(join(folder, name)), encoding: 'utf8' }).includes(
        commit,
      ),
    )
  return join(folder, (index ?? '').replace(/idx$/, suffix))
}
const rewrite = (path: string, change: (bytes: Buffer) => Buffer): void => {
  chmodSync(path, 0o644)
  writeFileSync(path, change(readFileSync(path)))
}
const flipMiddle = (bytes: Buffer): Buffer => {
  const flipped = Buffer.from(bytes)
  const middle = bytes.length >> 1
  flipped[middle] = (flipped[middle] ?? 0) ^ 0x10
  return flipped
}
const flipEnd = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, -1), Buffer.from([(bytes.at(-1) ?? 0) ^ 1])])

const snapshotAt = (index: number): Snapshot => {
  const snapshot = taken[index]
  if (snapshot === undefined) throw new Error(`there is no snapshot ${index}`)
  return snapshot
}

const verified = async (options?: VerifyOptions): Promise<RepositoryCheck> => {
  const [check, ...others] = await snapshots.verify(options)
  expect(others).toEqual([])
  if (check === undefined) throw new Error('nothing was checked')
  return check
}

/** Gives a snapshot back into the emptied folder, and compares with what was there. */
const expectGivenBack = async (index: number): Promise<void> => {
  for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true })
  await snapshots.restore(root, snapshotAt(index), { ...request(50 + index), kind: 'before-restore' })
  expect(everythingIn(root)).toEqual(contents[index])
}

it('finds nothing wrong with what it wrote, whatever files hold, and repairs nothing', async () => {
  writeFiles(root, {
    '.gitattributes': `* filter=${'x'.repeat(4_000)}\n`,
    '.gitmodules': '[submodule "../x"]\n\tpath = -x\n\turl = -u./evil\n',
  })
  await take(7)
  const before = everythingIn(join(base, 'data'))
  for (const repair of [false, true])
    expect(await verified({ repair })).toMatchObject({
      root,
      folder: repository(),
      fault: null,
      unchecked: null,
      repair: null,
    })
  expect((await verified()).commits).toHaveLength(SNAPSHOTS + 1)
  expect(everythingIn(join(base, 'data'))).toEqual(before)
})

/** How each is damaged, and which snapshots are whole all the same. */
const DAMAGES: readonly (readonly [string, () => void, readonly number[]])[] = [
  ['one flipped bit in a pack', () => rewrite(packOf(snapshotAt(2)), flipMiddle), [0, 1]],
  ['a pack that is missing', () => rmSync(packOf(snapshotAt(3))), [0, 1, 2]],
  ['a pack that is cut', () => rewrite(packOf(snapshotAt(1)), (bytes) => bytes.subarray(0, 60)), [0]],
  [
    'a flipped bit at the end of an index of a pack',
    () => rewrite(packOf(snapshotAt(1), 'idx'), flipEnd),
    [0, 1, 2, 3],
  ],
  [
    'half a ref',
    () => rewrite(inRepository('refs', 'cairn', 'none', 'id2'), (bytes) => bytes.subarray(0, 20)),
    [0, 1, 3],
  ],
  ['an empty ref', () => rewrite(inRepository('refs', 'cairn', 'none', 'id0'), () => Buffer.alloc(0)), [1, 2, 3]],
  [
    'a missing object that all share',
    () => {
      // As loose objects, so that one can go alone.
      const packs = readdirSync(inRepository('objects', 'pack')).map((name) => inRepository('objects', 'pack', name))
      const bytes = packs.filter((name) => name.endsWith('.pack')).map((name) => readFileSync(name))
      for (const path of packs) rmSync(path)
      for (const input of bytes)
        execFileSync('git', ['unpack-objects', '-q'], {
          input,
          env: { PATH: process.env['PATH'], GIT_DIR: repository() },
        })
      const blob = git('rev-parse', `${snapshotAt(0).commit}:files/deep/er/kept.txt`).trim()
      rmSync(inRepository('objects', blob.slice(0, 2), blob.slice(2)))
    },
    [],
  ],
]

describe.each(DAMAGES)('with %s', (_, damage, whole) => {
  beforeEach(damage)

  it('says so, and changes nothing', async () => {
    const before = everythingIn(join(base, 'data'))
    const { fault, repair } = await verified()
    expect(fault).toMatch(/\S/)
    expect(fault).not.toContain('\n')
    expect(repair).toBe(null)
    expect(everythingIn(join(base, 'data'))).toEqual(before)
  })

  it('is set aside whole, and what is whole of it can be given back', async () => {
    const before = everythingIn(repository())
    const { repair, commits } = await verified({ repair: true })
    const setAside = repair?.setAside ?? 'nowhere'
    expect(everythingIn(setAside)).toEqual(before)
    expect(repair).toMatchObject({ kept: whole.length, lost: SNAPSHOTS - whole.length })
    expect(commits.toSorted()).toEqual(whole.map((index) => snapshotAt(index).commit).toSorted())
    expect((await snapshots.list(root)).map(({ id }) => id)).toEqual(whole.map((index) => `id${index}`).toReversed())
    expect(await verified()).toMatchObject({ fault: null, repair: null })
    for (const index of whole) await expectGivenBack(index)
    // It goes on, and nothing refers to what was set aside.
    rmSync(setAside, { recursive: true })
    writeFiles(root, { 'later.txt': 'later' })
    await take(9)
    expect(git('fsck', '--full', '--strict', '--no-dangling')).toBe('')
  })
})

it('rewrites its own files where only these are damaged, and keeps what was there', async () => {
  for (const [name, change] of [
    ['config', () => Buffer.from('[core')],
    ['HEAD', () => Buffer.alloc(41)],
    ['cairn.json', flipMiddle],
  ] as const) {
    const before = readFileSync(inRepository(name))
    rewrite(inRepository(name), change)
    const damaged = readFileSync(inRepository(name))
    const fault = (await verified({ roots: [root, join(base, 'other')] })).fault
    expect([name, fault]).toEqual([name, expect.stringMatching(/\S/)])
    expect(await verified({ repair: true, roots: [root] })).toMatchObject({
      root,
      repair: { setAside: null, kept: SNAPSHOTS, lost: 0 },
    })
    expect(await verified()).toMatchObject({ root, fault: null })
    expect(readFileSync(inRepository(name))).toEqual(before)
    expect(readFileSync(inRepository(`${name}.damaged`))).toEqual(damaged)
  }
  expect(folders()).toHaveLength(1)
  expect(await snapshots.list(root)).toHaveLength(SNAPSHOTS)
})

it('leaves a repository alone of which nobody knows whose it is', async () => {
  rmSync(inRepository('cairn.json'))
  const before = everythingIn(join(base, 'data'))
  const check = await verified({ repair: true, roots: [join(base, 'other')] })
  expect(check).toMatchObject({ root: null, repair: null })
  expect(check.fault).toContain('of which folder')
  expect(everythingIn(join(base, 'data'))).toEqual(before)
})

it('takes what was set aside along when everything of a root is removed', async () => {
  rmSync(packOf(snapshotAt(3)))
  await snapshots.verify({ repair: true })
  writeFiles(root, { 'later.txt': 'later' })
  await take(9)
  expect(folders()).toHaveLength(2)
  const size = (folder: string): number =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => statSync(join(folder, name)))
      .reduce((sum, facts) => sum + (facts.isFile() ? facts.size : 0), 0)
  const bytes = size(join(base, 'data', 'checkpoints'))
  const erased = await snapshots.erase(root)
  expect(erased.snapshots).toBe(SNAPSHOTS)
  // The lock is among the files meanwhile.
  expect(erased.bytes).toBeGreaterThanOrEqual(bytes)
  expect(folders()).toEqual([])
  expect(existsSync(root)).toBe(true)
})

/** Repairs of a damaged repository that are killed before any one of their changes on disk, or in which git fails. */
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Snapshot, SnapshotRepository } from '../../ports/snapshot-repository.ts'
import { crashAt } from '../crash-at-change.fixture.ts'
import { createSnapshotRepository } from './snapshot-repository.ts'
import { everythingIn, writeFiles } from './trees.fixture.ts'

const SCRIPT = `
  const { createSnapshotRepository } = await import(process.env.MODULE)
  const snapshots = createSnapshotRepository(JSON.parse(process.env.SETTING))
  await snapshots.verify({ repair: true })
`
const KEPT = ['id0', 'id1']

let base = ''
let root = ''
let snapshots: SnapshotRepository
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-repair-')))
  root = join(base, 'project')
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const setting = () => ({ dataFolder: join(base, 'data'), home: join(base, 'home') })
const checkpoints = (...names: readonly string[]): string => join(base, 'data', 'checkpoints', ...names)
const folders = (): readonly string[] => readdirSync(checkpoints()).sort()

const request = (index: number) => ({
  id: `id${index}`,
  sessionId: null,
  at: Date.UTC(2026, 5, 1) + index * 60_000,
  kind: 'manual' as const,
  label: null,
})

/** Two whole snapshots and a third, of which a file is gone; what was in the folder at each, and in the repository. */
const damaged = async () => {
  rmSync(base, { recursive: true, force: true })
  mkdirSync(root, { recursive: true })
  snapshots = createSnapshotRepository(setting())
  const taken: [Snapshot, unknown][] = []
  const packs = (): readonly string[] =>
    readdirSync(checkpoints(folders()[0] ?? '', 'objects', 'pack')).filter((name) => name.endsWith('.pack'))
  let before: readonly string[] = []
  for (const [index, text] of ['one\n', 'of another size\n'.repeat(40), 'last\n'.repeat(9)].entries()) {
    before = index === 0 ? [] : packs()
    writeFiles(root, { 'kept.txt': text, [`own ${index}.txt`]: `${index}` })
    taken.push([(await snapshots.capture(root, request(index))).snapshot, everythingIn(root)])
  }
  const [newest = ''] = packs().filter((name) => !before.includes(name))
  rmSync(checkpoints(folders()[0] ?? '', 'objects', 'pack', newest))
  return { taken, repository: everythingIn(checkpoints(folders()[0] ?? '')) }
}

/** A second repair gives back what is whole, and all of the damaged repository is still there. */
const expectRepaired = async ({ taken, repository }: Awaited<ReturnType<typeof damaged>>, at: unknown) => {
  await snapshots.verify({ repair: true })
  const isEmpty = (name: string): boolean => readdirSync(checkpoints(name)).length === 0
  // One that was killed at its very end leaves the empty folder in which the new repository was.
  const [own = '', aside = '', ...others] = folders().filter((name) => !name.endsWith('.repaired') || !isEmpty(name))
  // Beside these there may be the lock of the one that was killed.
  expect({ at, others, aside: everythingIn(checkpoints(aside)) }).toMatchObject({ at, others: [], aside: repository })
  expect(own).not.toContain('.')
  expect({ at, ids: (await snapshots.list(root)).map(({ id }) => id).sort() }).toEqual({ at, ids: KEPT })
  for (const [index, [snapshot, files]] of taken.slice(0, KEPT.length).entries()) {
    await snapshots.restore(root, snapshot, { ...request(50 + index), kind: 'before-restore' })
    expect({ at, files: everythingIn(root) }).toEqual({ at, files })
  }
  expect(await snapshots.verify()).toMatchObject([{ root, fault: null }])
}

it('is brought to its end by the next one, whenever it was killed', async () => {
  const environment = {
    PATH: process.env['PATH'],
    HOME: base,
    MODULE: new URL('snapshot-repository.ts', import.meta.url).href,
    SETTING: JSON.stringify(setting()),
  }
  await damaged()
  const { changes } = crashAt(SCRIPT, environment, 0)
  for (let at = 1; at <= changes; at += 1) {
    // Most of what can go wrong does so where one takes the other's place, which comes last.
    if (changes - at > 14 && at % 4 !== 0) continue
    const before = await damaged()
    crashAt(SCRIPT, environment, at)
    await expectRepaired(before, at)
  }
}, 480_000)

/** A git that fails at one of its commands. */
const failingGit = (command: string): string => {
  const folder = join(base, 'programs')
  mkdirSync(folder)
  const script = `#!/bin/sh
for word in "$@"; do [ "$word" = ${command} ] && { echo 'fatal: no space left on device' >&2; exit 128; }; done
PATH="\${PATH#*${delimiter}}" exec git "$@"
`
  writeFileSync(join(folder, 'git'), script)
  chmodSync(join(folder, 'git'), 0o755)
  return folder
}

const onUnix = process.platform === 'win32' ? it.skip : it

onUnix.each(['init', 'pack-objects', 'update-ref'])(
  'leaves the repository where it is when git %s fails',
  async (command) => {
    const before = await damaged()
    const path = process.env['PATH'] ?? ''
    process.env['PATH'] = `${failingGit(command)}${delimiter}${path}`
    try {
      await expect(snapshots.verify({ repair: true })).rejects.toMatchObject({ code: 'storage-failed' })
    } finally {
      process.env['PATH'] = path
    }
    expect(folders()).toHaveLength(1)
    expect(everythingIn(checkpoints(folders()[0] ?? ''))).toEqual(before.repository)
    await expectRepaired(before, command)
  },
)

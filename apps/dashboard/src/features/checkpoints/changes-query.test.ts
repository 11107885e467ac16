import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { CheckpointRecord, Snapshot, SnapshotRepository } from '@cairn/core'
import { createSnapshotRepository } from '@cairn/core/node/checkpoints'
import { checkpointChanges, checkpointPatch } from './changes-query.ts'
import type { Comparison } from './changes-query.ts'
import { CHANGED_FILES } from './page-sizes.ts'

const T0 = 1_700_000_000_000

let base: string
let root: string
let snapshots: SnapshotRepository
let made: number
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-changes-')))
  root = join(base, "it's <b>")
  mkdirSync(root)
  snapshots = createSnapshotRepository({ dataFolder: join(base, 'data'), home: join(base, 'home') })
  made = 0
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const write = (files: Readonly<Record<string, string | Buffer>>): void => {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}
const take = async (label: string | null = null, paths?: readonly string[]): Promise<CheckpointRecord> => {
  made += 1
  const request = {
    id: `01KB00000000000000AB${made}`,
    sessionId: null,
    at: T0 + made * 1_000,
    kind: 'manual',
    label,
  } as const
  const { snapshot } = await snapshots.capture(root, request, paths === undefined ? {} : { paths })
  return recordOf(snapshot)
}
const recordOf = ({ paths: _, ...snapshot }: Snapshot): CheckpointRecord => ({
  ...snapshot,
  workspace: root,
  leftOut: null,
})
const compared = async (record: CheckpointRecord, other?: CheckpointRecord): Promise<Comparison> => {
  const answer = await checkpointChanges(record, other?.id, snapshots)
  if (!answer.isHere || answer.comparison === null) throw new Error('they can be compared')
  return answer.comparison
}

/** Every file below the data folder. */
const kept = (): readonly string[] => readdirSync(join(base, 'data'), { recursive: true, encoding: 'utf8' }).toSorted()

describe('the changes of a checkpoint', () => {
  it('are those since the one before, or between it and any other, from the earlier to the later', async () => {
    write({ 'a.txt': 'one\n', 'b.txt': 'b\n', 'run.sh': 'x\n' })
    const first = await take('before')
    write({ 'a.txt': 'two\n', 'new/c.txt': 'c\n' })
    chmodSync(join(root, 'run.sh'), 0o755)
    const second = await take('after')
    rmSync(join(root, 'b.txt'))
    const third = await take()

    const changes = await compared(second)
    expect(changes).toMatchObject({
      from: { id: first.id, purpose: 'before', isPartial: false },
      to: { id: second.id, purpose: 'after' },
      counts: [
        ['added', 1],
        ['modified', 1],
        ['mode', 1],
      ],
      files: [
        { path: 'a.txt', change: 'modified', modes: null, leftOut: null },
        { path: 'new/c.txt', change: 'added', modes: null, leftOut: null },
        { path: 'run.sh', change: 'mode', modes: ['644', '755'], leftOut: null },
      ],
      filesLeft: 0,
      leftOut: [0, 0],
      command: `cairn checkpoint diff 00000ab1 00000ab2 --workspace '${base}/it'\\''s <b>'`,
    })
    const whole = await compared(first, third)
    expect(whole.from.id).toBe(first.id)
    expect(whole).toEqual(await compared(third, first))
    expect(whole.counts).toEqual([
      ['added', 1],
      ['modified', 1],
      ['removed', 1],
      ['mode', 1],
    ])
    const oldest = await checkpointChanges(first, undefined, snapshots)
    expect(oldest).toMatchObject({ isHere: true, comparison: null, others: [{ id: third.id }, { id: second.id }] })
    expect(await checkpointChanges(first, 'nothing', snapshots)).toMatchObject({ comparison: null })
    expect(await checkpointChanges(first, first.id, snapshots)).toMatchObject({ comparison: null })
  }, 60_000)

  it('tell what was left out, what was not looked at, and of how many files the rest are', async () => {
    write({
      '.gitignore': 'dist/\n',
      'dist/deep/out.js': '1',
      'big.bin': Buffer.alloc(11 * 1024 * 1024, 7),
      'a.txt': 'a',
    })
    await take()
    write({ '.gitignore': '', 'big.bin': 'small' })
    rmSync(join(root, 'a.txt'))
    const second = await take()
    write({ 'big.bin': Buffer.alloc(11 * 1024 * 1024, 7) })
    const third = await take()
    const named = ({ files }: Comparison) => files.map(({ path, change, leftOut }) => [path, change, leftOut])
    expect(named(await compared(second))).toEqual([
      ['.gitignore', 'modified', null],
      ['a.txt', 'removed', null],
      ['big.bin', 'added', 'over 10 MB'],
      ['dist/deep/out.js', 'added', 'ignored by git’s rules'],
    ])
    expect((await compared(second)).leftOut).toEqual([2, 0])
    expect(named(await compared(third))).toEqual([['big.bin', 'removed', 'over 10 MB']])

    for (let index = 0; index < CHANGED_FILES + 7; index += 1) write({ [`many/${1_000 + index}.txt`]: String(index) })
    const many = await compared(await take('many', ['many']))
    expect([many.files.length, many.filesLeft, many.counts]).toEqual([CHANGED_FILES, 7, [['added', CHANGED_FILES + 7]]])
    expect([many.from.isPartial, many.to.isPartial]).toEqual([false, true])
  }, 60_000)

  it('are the lines of one file, or what there is to say in place of them', async () => {
    const long = Array.from({ length: 700 }, (_, index) => `line ${index}\n`).join('')
    write({
      'a.txt': 'one\ntwo\nthree\n',
      'logo.png': Buffer.from([1, 0, 2]),
      'crlf.txt': 'a\nb\n',
      'run.sh': 'x',
      'c.txt': 'c',
    })
    await take()
    write({
      'a.txt': 'one\n2\nthree\nfour\n',
      'logo.png': Buffer.from([1, 0, 3]),
      'crlf.txt': 'a\r\nb\r\n',
      empty: '',
      long,
    })
    chmodSync(join(root, 'run.sh'), 0o600)
    const second = await take()
    const patch = (path: string) => checkpointPatch(second, { path }, snapshots)
    expect(await patch('a.txt')).toEqual({
      isHere: true,
      added: 2,
      removed: 1,
      note: null,
      linesLeft: 0,
      lines: [
        { kind: 'hunk', text: '@@ -1,3 +1,4 @@' },
        { kind: 'context', text: 'one' },
        { kind: 'removed', text: 'two' },
        { kind: 'added', text: '2' },
        { kind: 'context', text: 'three' },
        { kind: 'added', text: 'four' },
      ],
    })
    expect(await patch('long')).toMatchObject({ added: 700, removed: 0, linesLeft: 401 })
    for (const [path, note] of [
      ['logo.png', /^No text, or too long/],
      ['crlf.txt', /only line ends differ/],
      ['run.sh', /^Only the permissions/],
      ['empty', /^The file is empty/],
    ] as const)
      expect(await patch(path)).toMatchObject({ isHere: true, added: 0, note: expect.stringMatching(note), lines: [] })
    for (const none of ['c.txt', 'nowhere', '../data', '/etc/passwd', "it's\n*"])
      expect(await patch(none)).toEqual({ isHere: false, why: expect.stringMatching(/does not differ/) })
  }, 60_000)

  it('are a sentence where the files can not be read here', async () => {
    write({ 'a.txt': 'one' })
    const first = await take()
    write({ 'a.txt': 'two' })
    const second = await take()
    const whyOf = async (record: CheckpointRecord, reading: SnapshotRepository | undefined = snapshots) => {
      const both = [
        await checkpointChanges(record, undefined, reading),
        await checkpointPatch(record, { path: 'a.txt' }, reading),
      ]
      return both.map((answer) => (answer.isHere ? 'here' : answer.why))
    }
    expect(await whyOf(second)).toEqual(['here', 'here'])
    for (const why of [
      await checkpointChanges(second, undefined, undefined),
      await checkpointPatch(second, { path: 'a.txt' }, undefined),
    ])
      expect(why).toEqual({ isHere: false, why: expect.stringMatching(/^This dashboard can only be read/) })
    const elsewhere = /files of this checkpoint are not on this machine/
    for (const why of await whyOf({ ...second, id: 'made-elsewhere' })) expect(why).toMatch(elsewhere)
    const other = createSnapshotRepository({ dataFolder: join(base, 'empty'), home: join(base, 'home') })
    for (const why of await whyOf(second, other)) expect(why).toMatch(elsewhere)
    expect(existsSync(join(base, 'empty'))).toBe(false)
    // Its commit is gone from the disk.
    const [repository = ''] = readdirSync(join(base, 'data', 'checkpoints'))
    const packs = join(base, 'data', 'checkpoints', repository, 'objects', 'pack')
    for (const name of readdirSync(packs)) rmSync(join(packs, name))
    for (const why of await whyOf(second)) expect(why).toMatch(/could not be read|damaged|not on this machine/)
    rmSync(root, { recursive: true })
    for (const why of await whyOf(first))
      expect(why).toBe(`Nothing can be compared: there is no folder ${root} on this machine.`)
  }, 60_000)

  it('are only read: nothing is written, and a restore that was interrupted stays as it is', async () => {
    write({ 'a.txt': 'one' })
    const first = await take()
    write({ 'a.txt': 'two' })
    const second = await take()
    const [repository = ''] = readdirSync(join(base, 'data', 'checkpoints'))
    const journal = { targetId: first.id, target: first.commit, undoId: second.id, undo: second.commit, paths: null }
    writeFileSync(join(base, 'data', 'checkpoints', repository, 'cairn-restore.json'), JSON.stringify(journal))
    const before = kept()
    expect((await compared(second)).counts).toEqual([['modified', 1]])
    expect(await checkpointPatch(second, { path: 'a.txt' }, snapshots)).toMatchObject({ added: 1, removed: 1 })
    expect(kept()).toEqual(before)
    expect(await snapshots.resume(root)).toMatchObject({ targetId: first.id, restored: 1 })
  }, 60_000)
})

/** The engine's checkpoints over real files: records, sessions, ids, and who changed what since. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Checkpoint } from '../../checkpoints/checkpoints.ts'
import { createEngine } from '../../engine.ts'
import type { Engine } from '../../engine.ts'
import type { FileDifference } from '../../ports/snapshot-repository.ts'
import {
  createInMemoryFileSystem,
  createInMemoryStore,
  createSequentialIds,
  createTestClock,
} from '../../testing/index.ts'
import { createHasher } from '../index.ts'
import { createSnapshotRepository } from './snapshot-repository.ts'
import { everythingIn, writeFiles } from './trees.fixture.ts'

const START = Date.UTC(2026, 5, 1)

let base = ''
let root = ''
let clock: ReturnType<typeof createTestClock>
let engine: Engine
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-engine-')))
  root = join(base, 'project')
  mkdirSync(root)
  clock = createTestClock(START)
  engine = engineWith(true)
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const engineWith = (hasSnapshots: boolean): Engine =>
  createEngine({
    store: createInMemoryStore(),
    fileSystem: createInMemoryFileSystem({}),
    hasher: createHasher(),
    clock,
    ids: createSequentialIds(),
    ...(hasSnapshots
      ? {
          snapshots: async () => createSnapshotRepository({ dataFolder: join(base, 'data'), home: join(base, 'home') }),
        }
      : {}),
  })

const facts = () => ({ id: 'cairn:one', agent: 'cairn', externalId: 'one', workspace: root })
const edit = (path: string, at: number, named = join(root, path)) => ({
  entry: {
    kind: 'message' as const,
    id: `m${at}`,
    at,
    role: 'assistant' as const,
    content: [
      {
        type: 'tool_call' as const,
        id: `c${at}`,
        name: 'Edit',
        input: { file_path: named, old_string: 'one', new_string: 'two' },
      },
    ],
  },
})

describe('The engine’s checkpoints', () => {
  it('are recorded, noted in their session and found by any part of their id', async () => {
    writeFiles(root, { 'a.txt': 'one', '.env': 'SECRET=1', '.gitignore': 'build/\n', 'build/out.js': '1' })
    await engine.sessions.append(facts(), 0, [edit('a.txt', START - 1_000)])
    const { checkpoint, leftOut } = await engine.checkpoints.create({
      root,
      sessionId: 'cairn:one',
      kind: 'agent',
      label: ' with key sk-ant-api03-' + 'A1b2'.repeat(24),
    })
    expect(checkpoint).toMatchObject({ root, sessionId: 'cairn:one', at: START, kind: 'agent', files: 2 })
    expect(checkpoint.label).toMatch(/^with key \[redacted/)
    expect(await engine.store.checkpoints.list(root)).toEqual([
      expect.objectContaining({
        id: checkpoint.id,
        sessionId: 'cairn:one',
        files: 2,
        bytes: 10,
        kind: 'agent',
        label: checkpoint.label,
        // What holds a secret is named before what git ignores.
        leftOut: {
          count: 2,
          named: [
            { path: '.env', isFolder: false, reason: 'secret' },
            { path: 'build', isFolder: true, reason: 'ignored' },
          ],
        },
      }),
    ])
    expect(leftOut).toHaveLength(2)
    expect((await engine.sessions.log('cairn:one')).at(-1)).toMatchObject({
      kind: 'checkpoint',
      checkpointId: checkpoint.id,
    })
    clock.set(START + 5_000)
    const second = (await engine.checkpoints.create({ root })).checkpoint
    expect((await engine.checkpoints.list(root)).map(({ id }) => id)).toEqual([second.id, checkpoint.id])
    expect(await engine.checkpoints.find(root, 'latest')).toEqual(second)
    expect(await engine.checkpoints.find(root, checkpoint.id.slice(-3).toLowerCase())).toEqual(checkpoint)
    await expect(engine.checkpoints.find(root, checkpoint.id.slice(0, 1))).rejects.toMatchObject({ code: 'ambiguous' })
    await expect(engine.checkpoints.find(root, 'nothing')).rejects.toMatchObject({ code: 'not-found' })
    expect((await engine.checkpoints.prune(root, { limits: { maximumCount: 1 } })).removed).toHaveLength(1)
    expect((await engine.store.checkpoints.list(root)).map(({ id }) => id)).toEqual([second.id])
  }, 60_000)

  it('say which agent edited a file that it names from its own folder, and mix up no two of one name', async () => {
    writeFiles(root, { 'a.txt': 'one', 'src/a.txt': 'one', 'src/b.txt': 'one' })
    const { checkpoint } = await engine.checkpoints.create({ root })
    writeFiles(root, { 'a.txt': 'two', 'src/a.txt': 'two', 'src/b.txt': 'two' })
    await engine.sessions.append(facts(), 0, [
      edit('src/a.txt', START + 1_000, 'src/a.txt'),
      edit('b.txt', START + 2_000, 'b.txt'),
    ])
    const { files } = await engine.checkpoints.preview(root, checkpoint.id)
    expect(files.map(({ path, author }) => [path, author?.at ?? null])).toEqual([
      ['a.txt', null],
      ['src/a.txt', START + 1_000],
      ['src/b.txt', null],
    ])
  })

  it('say who made the change that they were made for: its call is older than they are', async () => {
    writeFiles(root, { 'a.txt': 'one', 'b.txt': 'one', 'c.txt': 'one' })
    await engine.sessions.append(facts(), 0, [edit('b.txt', START - 9_000), edit('a.txt', START - 1_000)])
    const { checkpoint } = await engine.checkpoints.create({ root, sessionId: 'cairn:one', kind: 'agent' })
    const result = (callId: string, at: number) => ({
      entry: {
        kind: 'message' as const,
        id: `r${callId}`,
        at,
        role: 'tool' as const,
        content: [{ type: 'tool_result' as const, callId, content: [{ type: 'text' as const, text: 'Done.' }] }],
      },
    })
    writeFiles(root, { 'a.txt': 'two', 'b.txt': 'two', 'c.txt': 'two' })
    await engine.sessions.append(facts(), 'end', [
      result(`c${START - 1_000}`, START + 500),
      edit('c.txt', START + 1_000),
      result(`c${START + 1_000}`, START + 2_000),
    ])
    const { files } = await engine.checkpoints.preview(root, checkpoint.id)
    expect(files.map(({ path, author }) => [path, author?.at ?? null])).toEqual([
      ['a.txt', START - 1_000],
      // Changed by hand after the checkpoint; the agent's edit was before it.
      ['b.txt', null],
      ['c.txt', START + 1_000],
    ])
    clock.set(START + 3_000)
    const later = (await engine.checkpoints.create({ root, sessionId: 'cairn:one' })).checkpoint
    writeFiles(root, { 'c.txt': 'three' })
    const [changed] = (await engine.checkpoints.preview(root, later.id)).files
    expect(changed).toMatchObject({ path: 'c.txt', author: null })
  })

  it('say which agent edited what a restore would lose, and undo it', async () => {
    writeFiles(root, { 'a.txt': 'one', 'b.txt': 'one' })
    const { checkpoint } = await engine.checkpoints.create({ root })
    writeFiles(root, { 'a.txt': 'two', 'b.txt': 'two', 'c.txt': 'new' })
    await engine.sessions.append(facts(), 0, [edit('b.txt', START - 9_000), edit('a.txt', START + 1_000)])
    clock.set(START + 60_000)
    const preview = await engine.checkpoints.preview(root, checkpoint.id)
    expect(preview.files.map(({ path, change, author }) => [path, change, author])).toEqual([
      ['a.txt', 'modified', { sessionId: 'cairn:one', agent: 'cairn', at: START + 1_000 }],
      ['b.txt', 'modified', null],
      ['c.txt', 'removed', null],
    ])
    await expect(engine.checkpoints.lastUndo(root)).rejects.toMatchObject({ code: 'not-found' })
    const restored = await engine.checkpoints.restore(root, checkpoint.id, { token: preview.token })
    expect(restored).toMatchObject({ restored: 2, removed: 1, untouched: [] })
    expect(everythingIn(root)).toEqual({ 'a.txt': '644 one', 'b.txt': '644 one' })
    const undo = await engine.checkpoints.lastUndo(root)
    expect(undo).toEqual(restored.undo)
    await engine.checkpoints.restore(root, undo.id)
    expect(everythingIn(root)).toEqual({ 'a.txt': '644 two', 'b.txt': '644 two', 'c.txt': '644 new' })
    expect((await engine.checkpoints.restore(root, undo.id)).undo).toBeNull()
  }, 60_000)

  it('give back what a file held then, and count what each of them changed', async () => {
    const picture = Buffer.from([0x89, 0x50, 0x00, 0xff, 0x0a])
    writeFiles(root, { 'a.txt': 'one', 'sub/new\nline *': 'odd', 'same.txt': 'same', 'logo.png': picture })
    symlinkSync('a.txt', join(root, 'link'))
    const first = (await engine.checkpoints.create({ root })).checkpoint
    writeFiles(root, { 'a.txt': 'two', 'b.txt': 'new', 'c.txt': 'new' })
    rmSync(join(root, 'link'))
    clock.set(START + 5_000)
    const second = (await engine.checkpoints.create({ root })).checkpoint
    clock.set(START + 9_000)
    const third = (await engine.checkpoints.create({ root })).checkpoint
    const textAt = async (id: string, path: string): Promise<string | undefined> => {
      const content = await engine.checkpoints.content(root, id, path)
      return content === undefined ? undefined : Buffer.from(content).toString('latin1')
    }
    expect(await textAt(first.id, 'a.txt')).toBe('one')
    expect(await textAt(second.id, 'a.txt')).toBe('two')
    expect(await textAt(first.id, 'sub/new\nline *')).toBe('odd')
    expect(await textAt(first.id, 'logo.png')).toBe(picture.toString('latin1'))
    expect(await textAt(first.id, 'link')).toBe('a.txt')
    for (const none of ['b.txt', 'sub', '*', 'a.txt/b']) expect(await textAt(first.id, none)).toBeUndefined()
    for (const out of ['../a.txt', '/etc/passwd', '', 'a//b'])
      await expect(engine.checkpoints.content(root, first.id, out)).rejects.toMatchObject({ code: 'invalid-input' })
    expect([...(await engine.checkpoints.changeCounts(root, 10))]).toEqual([
      [third.id, 0],
      [second.id, 4],
      [first.id, 5],
    ])
    expect([...(await engine.checkpoints.changeCounts(root, 2))]).toEqual([
      [third.id, 0],
      [second.id, 4],
    ])
    await expect(engine.checkpoints.changeCounts(root, 0)).rejects.toMatchObject({ code: 'invalid-input' })
  }, 60_000)

  it('are compared with each other by reading alone, with the text of those files that are named', async () => {
    writeFiles(root, { 'a.txt': 'one\n', 'b.txt': 'same\n', 'c.txt': 'gone\n' })
    const first = (await engine.checkpoints.create({ root })).checkpoint
    writeFiles(root, { 'a.txt': 'two\n', 'd.txt': 'new\n' })
    rmSync(join(root, 'c.txt'))
    const second = (await engine.checkpoints.create({ root })).checkpoint
    const [name = ''] = readdirSync(join(base, 'data', 'checkpoints'))
    const repository = join(base, 'data', 'checkpoints', name)
    // Interrupted: the next call that writes would bring it to its end, and give a.txt back.
    const commitOf = async ({ id }: Pick<Checkpoint, 'id'>) => (await engine.store.checkpoints.get(id))?.commit
    const [target, undo] = [await commitOf(first), await commitOf(second)]
    const journal = { targetId: first.id, target, undoId: second.id, undo, paths: null }
    writeFileSync(join(repository, 'cairn-restore.json'), JSON.stringify(journal))
    const kept = readdirSync(repository, { recursive: true }).toSorted()
    const namesOf = (files: readonly FileDifference[]) => files.map(({ path, change }) => `${change} ${path}`)
    const changes = ['modified a.txt', 'removed c.txt', 'added d.txt']
    const plain = await engine.checkpoints.diff(root, first.id, second.id)
    expect(namesOf(plain)).toEqual(changes)
    expect(plain.every(({ patch }) => patch === undefined)).toBe(true)
    const some = await engine.checkpoints.diff(root, first.id, second.id, { withPatch: ['a.txt', '../b.txt'] })
    expect(namesOf(some)).toEqual(changes)
    expect(some.map(({ patch }) => patch)).toEqual([['@@ -1,1 +1,1 @@', '-one', '+two'], undefined, undefined])
    const all = await engine.checkpoints.diff(root, second.id, first.id, { withPatch: true })
    expect(all.map(({ patch }) => patch?.length)).toEqual([3, 2, 2])
    expect(readdirSync(repository, { recursive: true }).toSorted()).toEqual(kept)
    expect(everythingIn(root)).toEqual({ 'a.txt': '644 two\n', 'b.txt': '644 same\n', 'd.txt': '644 new\n' })
    expect(await engine.checkpoints.resume(root)).toMatchObject({ targetId: first.id })
  }, 60_000)

  it('reject what can not be done, and change nothing', async () => {
    await expect(engine.checkpoints.create({ root, sessionId: 'cairn:none' })).rejects.toMatchObject({
      code: 'not-found',
    })
    await expect(engine.checkpoints.create({ root: join(base, 'nowhere') })).rejects.toMatchObject({
      code: 'not-found',
    })
    await expect(engine.checkpoints.create({ root: '' })).rejects.toMatchObject({ code: 'invalid-input' })
    expect(await engine.checkpoints.list(root)).toEqual([])
    expect(await engine.checkpoints.roots()).toEqual([])
    await expect(engineWith(false).checkpoints.create({ root })).rejects.toMatchObject({ code: 'unsupported' })
  }, 60_000)

  it('are missed where the store has them on record, and nothing on the disk', async () => {
    const gone = join(base, 'gone')
    mkdirSync(gone)
    for (const each of [root, gone]) {
      writeFiles(each, { 'a.txt': each })
      await engine.checkpoints.create({ root: each })
      writeFiles(each, { 'b.txt': `${each} again` })
      await engine.checkpoints.create({ root: each })
    }
    const folders = await engine.checkpoints.roots()
    expect(folders).toHaveLength(2)
    expect(await engine.checkpoints.verify()).toMatchObject({
      folders: folders.map(() => ({ checkpoints: 2, fault: null, unchecked: null, repair: null })),
      missing: [],
    })
    const checkpoints = join(base, 'data', 'checkpoints')
    const [name = ''] = readdirSync(checkpoints).filter((each) => each.startsWith('gone-'))
    rmSync(join(checkpoints, name), { recursive: true })
    rmSync(gone, { recursive: true })
    const [project = ''] = readdirSync(checkpoints)
    const refs = join(checkpoints, project, 'refs', 'cairn', 'none')
    rmSync(join(refs, readdirSync(refs)[0] ?? ''))
    const { missing, folders: left } = await engine.checkpoints.verify()
    expect(missing.toSorted((one, other) => one.checkpoints - other.checkpoints)).toEqual([
      { root, checkpoints: 1 },
      { root: gone, checkpoints: 2 },
    ])
    expect(left).toMatchObject([{ root, checkpoints: 1, fault: null }])
  })

  it('leave one warning for the agent of their session, and none where its conversation goes back, too', async () => {
    await engine.sessions.append(facts(), 0, [edit('a.txt', START - 1_000)])
    writeFiles(root, { 'a.txt': 'one', 'same.txt': 'same', 'mode.sh': 'x' })
    const { checkpoint } = await engine.checkpoints.create({ root, sessionId: 'cairn:one' })
    const change = (text: string) => {
      writeFiles(root, { 'a.txt': text, 'new.txt': text })
      chmodSync(join(root, 'mode.sh'), 0o755)
    }
    change('two')
    const { paths } = await engine.checkpoints.restore(root, checkpoint.id)
    expect(paths).toEqual(['a.txt', 'new.txt'])
    const warning = { reason: 'a checkpoint of the files was restored', paths }
    expect(await engine.files.warnings('cairn:one')).toEqual([expect.objectContaining(warning)])
    change('three')
    await engine.checkpoints.restore(root, checkpoint.id, { withConversation: true })
    // Nothing differs, so nothing is told.
    await engine.checkpoints.restore(root, checkpoint.id)
    expect(await engine.files.warnings('cairn:one')).toHaveLength(1)
  })

  it('belong to the session of an agent whose transcript is taken in later', async () => {
    writeFiles(root, { 'a.txt': 'one' })
    await expect(engine.checkpoints.create({ root, sessionId: 'cairn:one' })).rejects.toMatchObject({
      code: 'not-found',
    })
    const { checkpoint } = await engine.checkpoints.create({ root, agentSessionId: 'cairn:one' })
    expect(checkpoint).toMatchObject({ kind: 'agent', sessionId: 'cairn:one' })
    writeFiles(root, { 'a.txt': 'two' })
    // Nobody is there yet to be warned.
    expect(await engine.checkpoints.restore(root, checkpoint.id)).toMatchObject({ restored: 1, paths: ['a.txt'] })
    await engine.sessions.append(facts(), 0, [edit('a.txt', START - 1_000)])
    expect(await engine.files.warnings('cairn:one')).toEqual([])
    writeFiles(root, { 'a.txt': 'three' })
    await engine.checkpoints.restore(root, checkpoint.id)
    expect(await engine.files.warnings('cairn:one')).toMatchObject([{ paths: ['a.txt'] }])
    expect(await engine.sessions.log('cairn:one')).toHaveLength(1)
  })

  it('leave the warning also where the restore was interrupted', async () => {
    await engine.sessions.append(facts(), 0, [edit('a.txt', START - 1_000)])
    const made = []
    for (const text of ['one', 'another']) {
      writeFiles(root, { 'a.txt': text, 'b.txt': 'same' })
      made.push((await engine.checkpoints.create({ root, sessionId: 'cairn:one' })).checkpoint.id)
    }
    const [targetId = '', undoId = ''] = made
    const commitOf = async (id: string) => (await engine.store.checkpoints.get(id))?.commit
    const checkpoints = join(base, 'data', 'checkpoints')
    const journal = { targetId, target: await commitOf(targetId), undoId, undo: await commitOf(undoId), paths: null }
    writeFileSync(join(checkpoints, readdirSync(checkpoints)[0] ?? '', 'cairn-restore.json'), JSON.stringify(journal))
    expect(await engine.checkpoints.resume(root)).toMatchObject({ targetId, restored: 1, paths: ['a.txt'] })
    expect(await engine.files.warnings('cairn:one')).toMatchObject([{ paths: ['a.txt'] }])
    expect(await engine.checkpoints.resume(root)).toBeUndefined()
    expect(await engine.files.warnings('cairn:one')).toHaveLength(1)
  })
})

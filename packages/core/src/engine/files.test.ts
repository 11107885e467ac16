import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEngine } from '../engine.ts'
import type { Engine } from '../engine.ts'
import { createHasher, createIds, createFileSystem } from '../node/index.ts'
import { createInMemoryStore, createTestClock } from '../testing/index.ts'
import type { NewLogEntry } from '../session-log.ts'
import { edit, read, toolCall } from '../tracking/log.fixture.ts'

const T0 = 1_700_000_000_000
let folder: string
let engine: Engine
let store: ReturnType<typeof createInMemoryStore>
const engineOver = (): Engine => {
  const clock = createTestClock()
  return createEngine({ store, fileSystem: createFileSystem(), hasher: createHasher(), clock, ids: createIds(clock) })
}
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-files-')))
  store = createInMemoryStore()
  engine = engineOver()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const put = (name: string, text: string, at: number): void => {
  writeFileSync(join(folder, name), text)
  utimesSync(join(folder, name), at / 1000, at / 1000)
}
const session = async (id: string, ...entries: readonly (readonly NewLogEntry[])[]): Promise<void> => {
  const facts = { id, agent: id.split(':')[0] ?? id, externalId: id, workspace: folder }
  await engine.sessions.append(
    facts,
    0,
    entries.flat().map((entry) => ({ entry })),
  )
}
const write = (at: number, path: string, content: string) =>
  toolCall(at, 'Write', { file_path: join(folder, path), content })
const stateOf = async (path: string, id = 'codex:1') => {
  const { files } = await engine.files.inContext(id)
  const file = files.find((each) => each.path === path)
  return file === undefined ? undefined : [file.state, file.disk?.state, file.disk?.verdict]
}

describe('files in context, compared with the disk', () => {
  it('are active while they hold what the agent wrote, whatever their time', async () => {
    await session(
      'codex:1',
      write(T0, 'a', 'one\ntwo\n'),
      toolCall(T0 + 9_000, 'Edit', { file_path: 'a', old_string: 'two', new_string: '$&2' }),
    )
    put('a', 'one\n$&2\n', T0 + 900_000)
    expect(await stateOf('a')).toEqual(['active', 'same', null])
  })

  it('are stale when they hold something else, with who it was where that can be told', async () => {
    await session('codex:1', write(T0, 'a', 'f(x)\n'))
    put('a', 'g(x)\n', T0 + 60_000)
    expect(await stateOf('a')).toEqual(['stale', 'changed', 'person'])
    put('a', 'f(x);\n', T0 + 500)
    expect(await stateOf('a')).toEqual(['stale', 'changed', 'formatter'])
    put('a', 'h(x)\n', T0 + 500)
    expect(await stateOf('a')).toEqual(['stale', 'changed', 'unsure'])
    rmSync(join(folder, 'a'))
    expect(await stateOf('a')).toEqual(['stale', 'gone', 'unsure'])
    expect((await engine.files.inContext('codex:1', { disk: false })).files[0]).toMatchObject({
      state: 'active',
      disk: null,
    })
  })

  it('are gone where a folder, or a link to nothing or to itself, is in their place', async () => {
    await session(
      'codex:1',
      write(T0, 'a', 'one\n'),
      write(T0 + 1_000, 'b', 'two\n'),
      write(T0 + 2_000, 'c', 'three\n'),
    )
    mkdirSync(join(folder, 'a'))
    symlinkSync('nowhere', join(folder, 'b'))
    symlinkSync('c', join(folder, 'c'))
    for (const path of ['a', 'b', 'c']) expect(await stateOf(path)).toEqual(['stale', 'gone', 'unsure'])
  })

  it('name the agent of another session that edited the file since', async () => {
    await session('codex:1', write(T0, 'a', 'one\n'))
    await session('claude-code:2', write(T0 + 5_000, 'a', 'two\n'))
    put('a', 'two\n', T0 + 5_000)
    const { files } = await engine.files.inContext('codex:1')
    expect(files[0]).toMatchObject({
      state: 'stale',
      disk: { verdict: 'agent', other: { agent: 'claude-code', sessionId: 'claude-code:2' } },
    })
    expect(await stateOf('a', 'claude-code:2')).toEqual(['active', 'same', null])
  })

  it('go by the time of the file where the log does not tell what it held', async () => {
    await session('codex:1', read(T0, 'a'), read(T0, 'b'), write(T0, 'c', 'x'), read(T0 + 10_000, 'c'))
    put('a', '1', T0 - 5_000)
    put('b', '1', T0 + 60_000)
    put('c', 'another', T0 + 5_000)
    expect(await stateOf('a')).toEqual(['active', 'same', null])
    expect(await stateOf('b')).toEqual(['stale', 'changed', 'unsure'])
    expect(await stateOf('c')).toEqual(['active', 'same', null])
  })

  it('have the text that the agent knew last, where the log tells it', async () => {
    await session(
      'codex:1',
      write(T0, 'a', 'one\ntwo\n'),
      toolCall(T0 + 9_000, 'Edit', { file_path: 'a', old_string: 'two', new_string: 'three' }),
      read(T0, 'b'),
      write(T0, 'c', ''),
    )
    const known = await engine.files.lastKnown('codex:1', 'a')
    expect(known?.text).toBe('one\nthree\n')
    expect(known?.at).toBeGreaterThanOrEqual(T0 + 9_000)
    expect((await engine.files.lastKnown('codex:1', 'c'))?.text).toBe('')
    for (const path of ['b', 'nothing']) expect(await engine.files.lastKnown('codex:1', path)).toBeUndefined()
    await expect(engine.files.lastKnown('codex:2', 'a')).rejects.toMatchObject({ code: 'not-found' })
  })

  it('are limited and chosen by their state on the disk', async () => {
    await session('codex:1', write(T0, 'a', 'x'), write(T0 + 1, 'b', 'y'), write(T0 + 2, 'c', 'z'))
    put('a', 'x', T0)
    put('b', 'changed', T0 + 90_000)
    put('c', 'z', T0)
    const paths = async (query: object) =>
      (await engine.files.inContext('codex:1', query)).files.map(({ path }) => path)
    expect(await paths({})).toEqual(['c', 'b', 'a'])
    expect(await paths({ states: ['active'], limit: 2 })).toEqual(['c', 'a'])
    expect(await paths({ states: ['stale'] })).toEqual(['b'])
  })
})

describe('files edited since', () => {
  it('are those edited after a message or time, also when a rewind took the edit back', async () => {
    await session('codex:1', edit(T0, 'a'), edit(T0 + 200, 'b'), [{ kind: 'rewind', at: T0 + 300, toSeq: 1 }])
    expect(await engine.files.editedSince('codex:1', { time: T0 })).toEqual(['b'])
    expect(await engine.files.editedSince('codex:1', { time: T0 - 1 })).toEqual(['b', 'a'])
    const [first] = await engine.sessions.log('codex:1')
    expect(first?.kind === 'message' && (await engine.files.editedSince('codex:1', { message: first.id }))).toEqual([
      'b',
    ])
    await expect(engine.files.editedSince('codex:1', { message: 'call' })).rejects.toMatchObject({ code: 'ambiguous' })
    await expect(engine.files.editedSince('codex:1', { message: 'nope' })).rejects.toMatchObject({ code: 'not-found' })
  })
})

describe('warnings about files', () => {
  it('stay until one of several acknowledges them, also for another engine over the store', async () => {
    await session('codex:1', edit(T0, 'a'))
    const warning = await engine.files.warn('codex:1', { reason: 'a checkpoint was restored', paths: ['a', 'b'] })
    expect(await engine.files.warn('codex:1', { reason: 'nothing', paths: [] })).toBeUndefined()
    const other = engineOver()
    expect(await other.files.warnings('codex:1')).toEqual([warning])
    const id = warning?.id ?? ''
    const outcomes = await Promise.all([engine, other, engine].map(({ files }) => files.acknowledge('codex:1', id)))
    expect(outcomes.filter(Boolean)).toHaveLength(1)
    expect(await other.files.warnings('codex:1')).toEqual([])
  })

  it('go with their session, and are refused for none', async () => {
    await session('codex:1', edit(T0, 'a'))
    await engine.files.warn('codex:1', { reason: 'r', paths: ['a'] })
    await store.sessions.delete('codex:1')
    expect((await store.state.all({ tier: 'session', sessionId: 'codex:1' })).size).toBe(0)
    await expect(engine.files.warn('codex:1', { reason: 'r', paths: ['a'] })).rejects.toMatchObject({
      code: 'not-found',
    })
    await expect(engine.files.inContext('codex:1')).rejects.toMatchObject({ code: 'not-found' })
  })
})

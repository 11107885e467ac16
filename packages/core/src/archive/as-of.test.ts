import { describe, expect, it } from '@jest/globals'
import { createEngine } from '../engine.ts'
import { createHasher } from '../node/index.ts'
import type { MemoryEntry } from '../ports/memory-storage.ts'
import type { Store } from '../ports/store.ts'
import type { NewLogEntry } from '../session-log.ts'
import {
  createInMemoryFileSystem,
  createInMemoryStore,
  createSequentialIds,
  createTestClock,
} from '../testing/index.ts'
import { sessionAsOf } from './as-of.ts'

const ID = 'cairn:s'
const WORKSPACE = '/work/app'

const message = (id: string, at: number | null, text: string): NewLogEntry => ({
  kind: 'message',
  at,
  id,
  role: 'user',
  content: [{ type: 'text', text }],
})
const edit = (id: string, at: number, path: string): readonly NewLogEntry[] => [
  {
    kind: 'message',
    at,
    id: `call-${id}`,
    role: 'assistant',
    content: [{ type: 'tool_call', id, name: 'Edit', input: { file_path: path } }],
  },
  {
    kind: 'message',
    at,
    id: `result-${id}`,
    role: 'tool',
    content: [{ type: 'tool_result', callId: id, content: [{ type: 'text', text: 'ok' }] }],
  },
]
const learnt = (id: string, text: string, at: number): MemoryEntry => ({
  id,
  workspace: WORKSPACE,
  kind: 'discovery',
  text,
  confidence: 0.8,
  examples: [],
  sessionId: ID,
  messageId: null,
  commit: null,
  source: 'agent',
  firstSeenAt: at,
  lastConfirmedAt: at,
  applications: 0,
  confirmations: 0,
  contradictions: 0,
})

const storeWith = async (...entries: readonly NewLogEntry[]): Promise<Store> => {
  const store = createInMemoryStore()
  await store.sessions.append(
    { id: ID, agent: 'cairn', externalId: 's', workspace: WORKSPACE },
    0,
    entries.map((entry) => ({ entry })),
  )
  return store
}
const textsAt = async (store: Store, at: number): Promise<readonly string[]> =>
  (await sessionAsOf(store, ID, at)).history.map(({ content: [block] }) => (block?.type === 'text' ? block.text : ''))

describe('a session as of a time', () => {
  it('is everything as it was: view, display, files, todo list, memory, notes', async () => {
    const store = await storeWith(
      message('a', 100, 'one'),
      { kind: 'todo', at: 150, items: [{ text: 'first', status: 'in_progress' }] },
      ...edit('1', 200, '/work/app/src/a.ts'),
      { kind: 'compaction', at: 300, trigger: 'auto' },
      message('b', 310, 'two'),
      { kind: 'todo', at: 320, items: [{ text: 'first', status: 'completed' }] },
      ...edit('2', 400, 'src/b.ts'),
      { kind: 'rewind', at: 500, toSeq: 5 },
    )
    const write = (at: number, entry: MemoryEntry): Promise<unknown> =>
      store.memory.change(WORKSPACE, at, () => ({ writes: [{ op: 'put', entry }], result: undefined }))
    await write(120, learnt('e1', 'the port is 1', 120))
    await write(350, learnt('e1', 'the port is 2', 350))
    await store.memory.change(WORKSPACE, 450, () => ({
      writes: [{ op: 'end', id: 'e1', reason: 'forgotten' }],
      result: undefined,
    }))
    await store.notes.set({ workspace: WORKSPACE, key: 'plan', text: 'old', at: 130 })
    await store.notes.set({ workspace: WORKSPACE, key: 'plan', text: 'new', at: 360 })

    const facts = async (at: number): Promise<unknown> => {
      const { entries, history, display, files, todo, memory, notes } = await sessionAsOf(store, ID, at)
      return [
        entries.length,
        history.length,
        display.items.length,
        files.files.map(({ path }) => path),
        todo.map(({ status }) => status),
        memory.map(({ text }) => text),
        notes.map(({ text }) => text),
      ]
    }
    expect(await facts(99)).toEqual([0, 0, 0, [], [], [], []])
    expect(await facts(100)).toEqual([1, 1, 1, [], [], [], []])
    expect(await facts(250)).toEqual([4, 3, 4, ['src/a.ts'], ['in_progress'], ['the port is 1'], ['old']])
    expect(await facts(310)).toEqual([6, 1, 6, ['src/a.ts'], ['in_progress'], ['the port is 1'], ['old']])
    expect(await facts(400)).toEqual([9, 3, 9, ['src/a.ts', 'src/b.ts'], ['completed'], ['the port is 2'], ['new']])
    expect(await facts(500)).toEqual([10, 1, 10, ['src/a.ts', 'src/b.ts'], ['in_progress'], [], ['new']])
  })

  it('agrees with the engine', async () => {
    const store = await storeWith(message('a', 100, 'one'), ...edit('1', 200, 'src/a.ts'), message('b', 300, 'two'))
    const engine = createEngine({
      store,
      fileSystem: createInMemoryFileSystem({}),
      hasher: createHasher(),
      clock: createTestClock(1000),
      ids: createSequentialIds(),
    })
    for (const at of [50, 100, 200, 299, 300, 900]) {
      const then = await sessionAsOf(store, ID, at)
      expect(await engine.sessions.log(ID, at)).toEqual(then.entries)
      expect(await engine.context.modelHistory(ID, at)).toEqual(then.history)
      expect((await engine.sessions.displayStream(ID, at)).items).toEqual(then.display.items)
      expect((await engine.context.nextRequest(ID, { at })).messages.map(({ id }) => id)).toEqual(
        then.history.map(({ id }) => id),
      )
    }
  })

  it('places an entry without a time with the one before it, keeps entries of one millisecond together, and sorts late ones by their time', async () => {
    const store = await storeWith(
      message('a', null, 'before'),
      message('b', 100, 'one'),
      message('c', null, 'one more'),
      message('d', 300, 'three'),
      message('e', 200, 'late'),
      message('f', 300, 'three again'),
    )
    expect(await textsAt(store, 50)).toEqual(['before'])
    expect(await textsAt(store, 100)).toEqual(['before', 'one', 'one more'])
    expect(await textsAt(store, 200)).toEqual(['before', 'one', 'one more', 'late'])
    expect(await textsAt(store, 300)).toEqual(['before', 'one', 'one more', 'three', 'late', 'three again'])
  })

  it('tells apart the two hours that share a clock time when summer time ends', async () => {
    // 2:30 in Berlin, before and after the clock was put back on 2026-10-25.
    const [summer, winter] = [Date.parse('2026-10-25T02:30:00+02:00'), Date.parse('2026-10-25T02:30:00+01:00')]
    const store = await storeWith(message('a', summer, 'summer'), message('b', winter, 'winter'))
    expect(await textsAt(store, winter - 1)).toEqual(['summer'])
    expect(await textsAt(store, winter)).toEqual(['summer', 'winter'])
  })

  it('refuses an unknown session and an invalid time', async () => {
    const store = await storeWith(message('a', 1, 'x'))
    await expect(sessionAsOf(store, 'nobody', 1)).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('nobody'),
    })
    await expect(sessionAsOf(store, ID, Number.NaN)).rejects.toMatchObject({ code: 'invalid-input' })
    expect((await sessionAsOf(store, ID, Infinity)).entries).toHaveLength(1)
  })

  it('a session without a workspace has no memory and no notes', async () => {
    const store = createInMemoryStore()
    await store.sessions.append({ id: ID, agent: 'cairn', externalId: 's' }, 0, [{ entry: message('a', 1, 'x') }])
    expect(await sessionAsOf(store, ID, 5)).toMatchObject({ memory: [], notes: [] })
  })
})

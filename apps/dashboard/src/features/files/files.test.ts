import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEngine } from '@cairn/core'
import type { JsonValue, NewLogEntry, SessionSummary, Store } from '@cairn/core'
import { createFileSystem, createHasher, createIds, createSystemClock } from '@cairn/core/node'
import { createInMemoryStore } from '@cairn/core/testing'
import { random } from '../../../e2e/synthetic-usage.ts'
import { exportTable } from '../export/tables.ts'
import { sessionFileRows, sessionFiles } from './files-query.ts'
import type { FilesQuery } from './files-query.ts'
import { FEW_FILES, FILE_SORTS, FILE_STATES, MOST_FILES } from './sorts.ts'

const T0 = 1_700_000_000_000
const ID = 'codex:1'

let folder: string
let store: Store
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-dashboard-files-')))
  store = createInMemoryStore()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

let calls = 0
const call = (at: number, name: string, input: JsonValue, isError = false): readonly NewLogEntry[] => {
  calls += 1
  const id = `call-${calls}`
  return [
    { kind: 'message', at, id: `${id}-a`, role: 'assistant', content: [{ type: 'tool_call', id, name, input }] },
    {
      kind: 'message',
      at: at + 1,
      id: `${id}-r`,
      role: 'tool',
      content: [{ type: 'tool_result', callId: id, content: [{ type: 'text', text: 'x'.repeat(40) }], isError }],
    },
  ]
}
const read = (at: number, path: string, isError = false) => call(at, 'Read', { file_path: path }, isError)
const write = (at: number, path: string, content: string) => call(at, 'Write', { file_path: path, content })

const sessionOf = async (
  entries: readonly (NewLogEntry | readonly NewLogEntry[])[],
  workspace: string | null = folder,
): Promise<SessionSummary> => {
  const facts = { id: ID, agent: 'codex', externalId: '1', ...(workspace === null ? {} : { workspace }) }
  const log = entries.flat() as readonly NewLogEntry[]
  await store.sessions.append(
    facts,
    0,
    log.map((entry) => ({ entry })),
  )
  const session = await store.sessions.get(ID)
  if (session === undefined) throw new Error('it was appended')
  return session
}
const put = (name: string, text: string, at: number): void => {
  mkdirSync(join(folder, name, '..'), { recursive: true })
  writeFileSync(join(folder, name), text)
  utimesSync(join(folder, name), at / 1_000, at / 1_000)
}
const query = (changes: Partial<FilesQuery> = {}): FilesQuery => ({
  sort: 'usedAt',
  order: 'descending',
  state: 'all',
  page: 1,
  isAll: false,
  ...changes,
})
const namesOf = ({ rows }: { readonly rows: readonly { readonly path: string }[] }) => rows.map(({ path }) => path)

describe('the files of a session', () => {
  it('are one row each, with state, sources, latest times and counts', async () => {
    const session = await sessionOf([
      read(T0, 'src/a.ts'),
      write(T0 + 1_000, 'src/a.ts', 'one\n'),
      { kind: 'file', at: T0 + 2_000, path: 'src/b.ts', operation: 'mention' },
      read(T0 + 3_000, 'src/b.ts'),
      read(T0 + 4_000, 'src/b.ts'),
      { kind: 'file', at: T0 + 9_000, path: 'src/b.ts', operation: 'external-edit', by: 'person' },
      read(T0 + 5_000, 'gone.ts', true),
    ])
    put('src/a.ts', 'one\n', T0 + 1_000)
    put('src/b.ts', 'other\n', T0 + 3_000)
    const { rows, compared } = await sessionFileRows(store, session)
    expect(rows).toEqual([
      {
        path: 'src/b.ts',
        state: 'stale',
        wasHeld: true,
        sources: [
          { name: 'mentioned', at: T0 + 2_000, seq: 4 },
          { name: 'read', at: T0 + 4_000, seq: 7 },
          { name: 'edited by a person', at: T0 + 9_000 },
        ],
        change: { name: 'edited by a person', at: T0 + 9_000 },
        usedAt: T0 + 9_000,
        reads: 2,
        rereads: 1,
        edits: 0,
        failures: 0,
        readTokens: 30,
        rereadTokens: 15,
      },
      expect.objectContaining({
        path: 'src/a.ts',
        state: 'active',
        sources: [
          { name: 'read', at: T0, seq: 0 },
          { name: 'edited by the agent', at: T0 + 1_000, seq: 2 },
        ],
        change: null,
        reads: 1,
        edits: 1,
      }),
      expect.objectContaining({ path: 'gone.ts', state: null, sources: [], failures: 1, usedAt: T0 + 5_000 }),
    ])
    expect(compared).toEqual({ files: 2, of: 2 })
  })

  it('have the states that the engine tells, on the disk and without the project’s folder', async () => {
    const session = await sessionOf([
      write(T0, 'kept.ts', 'kept\n'),
      write(T0, 'changed.ts', 'f(x)\n'),
      write(T0, 'removed.ts', 'x\n'),
    ])
    put('kept.ts', 'kept\n', T0)
    put('changed.ts', 'g(x)\n', T0 + 60_000)
    const clock = createSystemClock()
    const engine = createEngine({
      store,
      fileSystem: createFileSystem(),
      hasher: createHasher(),
      clock,
      ids: createIds(clock),
    })
    const statesOf = (files: readonly { readonly path: string; readonly state: string | null }[]) =>
      files.map(({ path, state }) => [path, state])
    const { rows } = await sessionFileRows(store, session)
    expect(statesOf(rows)).toEqual(statesOf((await engine.files.inContext(ID)).files))
    expect(rows.find(({ path }) => path === 'changed.ts')?.change).toEqual({
      name: 'edited by a person',
      at: T0 + 60_000,
    })
    expect(rows.find(({ path }) => path === 'removed.ts')?.change).toEqual({
      name: 'deleted or moved on the disk, not known by whom',
      at: null,
    })
    // What is on the disk is looked at each time, though the log is read once.
    put('changed.ts', 'f(x)\n', T0 + 90_000)
    expect((await sessionFileRows(store, session)).rows.find(({ path }) => path === 'changed.ts')?.state).toBe('active')
    rmSync(folder, { recursive: true })
    const away = await sessionFileRows(store, session)
    expect(away.rows.every(({ state }) => state === 'active')).toBe(true)
    expect(away.compared).toEqual({ files: 0, of: 3 })
  })

  it('know what imports saw of a file that the agent only read, as the engine does', async () => {
    const session = await sessionOf([read(T0, 'read.ts')])
    put('read.ts', 'f(x)\n', T0)
    const clock = createSystemClock()
    const engine = createEngine({
      store,
      fileSystem: createFileSystem(),
      hasher: createHasher(),
      clock,
      ids: createIds(clock),
    })
    expect(await engine.files.observe(ID)).toBe(true)
    put('read.ts', 'g(x)\n', T0 + 60_000)
    const [file] = (await engine.files.inContext(ID)).files
    expect([file?.state, file?.disk?.verdict]).toEqual(['stale', 'person'])
    expect((await sessionFileRows(store, session)).rows).toMatchObject([
      { path: 'read.ts', state: 'stale', change: { name: 'edited by a person', at: T0 + 60_000 } },
    ])
  })

  it('are shown in parts that are the whole list, whatever its size, order and state', async () => {
    const next = random(5)
    for (const count of [0, 1, 7, FEW_FILES, FEW_FILES + 1, 130]) {
      store = createInMemoryStore()
      const entries = Array.from({ length: count }, (_, index) => {
        const [path, at] = [`src/${Math.floor(next() * 1e9)}-${index}.ts`, T0 + Math.floor(next() * 1e6)]
        const reads = Array.from({ length: 1 + Math.floor(next() * 4) }, () => read(at, path)).flat()
        const changed: NewLogEntry = { kind: 'file', at: at + 9, path, operation: 'external-edit' }
        const kind = next()
        if (kind < 0.1) return read(at, path, true)
        return kind < 0.4 ? [...reads, changed] : reads
      })
      const session = await sessionOf([...entries, { kind: 'notice', at: T0, level: 'info', text: 'done' }], null)
      for (const sort of FILE_SORTS)
        for (const order of ['ascending', 'descending'] as const)
          for (const state of FILE_STATES) {
            const whole = await sessionFiles(store, session, query({ sort, order, state, isAll: true }))
            expect([count, state, whole.rows.length, whole.total.files]).toEqual([
              count,
              state,
              whole.states[state],
              whole.states[state],
            ])
            const parts: string[] = []
            for (let page = 1; page <= Math.max(1, Math.ceil(whole.total.files / FEW_FILES)); page += 1) {
              const part = await sessionFiles(store, session, query({ sort, order, state, page }))
              expect([part.page, part.total]).toEqual([page, whole.total])
              parts.push(...namesOf(part))
            }
            expect(parts).toEqual(namesOf(whole))
            expect(whole.total.reads).toBe(whole.rows.reduce((sum, { reads }) => sum + reads, 0))
          }
      const beyond = await sessionFiles(store, session, query({ page: 99 }))
      expect(beyond.page).toBe(Math.max(1, Math.ceil(count / FEW_FILES)))
      const exported = await exportTable(
        'files',
        new URLSearchParams(`session=${ID}&sort=path&order=ascending`),
        store,
        T0,
      )
      const paths: unknown[] = []
      for await (const rows of exported?.rows ?? []) paths.push(...rows.map(({ path }) => path))
      expect(paths).toEqual(
        namesOf(await sessionFiles(store, session, query({ sort: 'path', order: 'ascending', isAll: true }))),
      )
    }
  })

  it('come in pages even when all of them are asked for, where there are thousands', async () => {
    const count = MOST_FILES + 3
    const session = await sessionOf(
      Array.from({ length: count }, (_, index): NewLogEntry => ({
        kind: 'file',
        at: T0 + index,
        path: `f${index}`,
        operation: 'mention',
      })),
      null,
    )
    const [first, second] = [
      await sessionFiles(store, session, query({ isAll: true })),
      await sessionFiles(store, session, query({ isAll: true, page: 2 })),
    ]
    expect([first.rows.length, second.rows.length, second.total.files]).toEqual([MOST_FILES, 3, count])
    expect(namesOf(second)).toEqual(['f2', 'f1', 'f0'])
  })

  it('stand beside the models in order and the warnings that nobody acknowledged', async () => {
    const models = Array.from({ length: 15 }, (_, index) => `model-${index % 4}`)
    const session = await sessionOf(models.map((model, index) => ({ kind: 'model', at: T0 + index, model }) as const))
    const clock = createSystemClock()
    const engine = createEngine({
      store,
      fileSystem: createFileSystem(),
      hasher: createHasher(),
      clock,
      ids: createIds(clock),
    })
    await engine.files.warn(ID, { reason: 'a checkpoint was restored', paths: ['b', 'a'] })
    const answer = await sessionFiles(store, session, query())
    expect(answer.models.map(({ model }) => model)).toEqual(models.slice(3))
    expect(answer.olderModels).toBe(3)
    expect(answer.warnings).toMatchObject([{ reason: 'a checkpoint was restored', paths: ['b', 'a'] }])
    expect(answer.states.all).toBe(0)
  })
})

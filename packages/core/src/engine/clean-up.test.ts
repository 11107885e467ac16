import { describe, expect, it } from '@jest/globals'
import { StorageError } from '../errors.ts'
import { createEngine } from '../engine.ts'
import type { EngineDeps } from '../engine.ts'
import type { CleanUpSource } from '../cleanup/clean-up.ts'
import { createHasher } from '../node/hasher.ts'
import {
  createInMemoryFileSystem,
  createInMemoryStore,
  createSequentialIds,
  createTestClock,
} from '../testing/index.ts'

const START = 1_700_000_000_000
const DAY_MS = 86_400_000

const clock = createTestClock(START)
const engineWith = (sources: readonly CleanUpSource[], more: Partial<EngineDeps> = {}) =>
  createEngine({
    store: createInMemoryStore(),
    fileSystem: createInMemoryFileSystem(),
    hasher: createHasher(),
    clock,
    ids: createSequentialIds(),
    beside: async () => ({ sources }),
    ...more,
  })

const source = (name: string, found: number, more: Partial<CleanUpSource> = {}): CleanUpSource => ({
  name,
  isQuick: true,
  run: async ({ dryRun }) => [
    { kind: `${name}-kind`, found, removed: dryRun ? 0 : found, bytes: 7 * found, reason: 'why' },
  ],
  ...more,
})

const failing = source('broken', 1, { run: () => Promise.reject(new Error('The disk says no.')) })

describe('a clean-up', () => {
  it('asks every source, and reports those that found something and those that failed', async () => {
    const engine = engineWith([source('files', 3), failing, source('empty', 0), source('slow', 2, { isQuick: false })])
    await engine.store.sessions.append({ id: 'cairn:a', agent: 'cairn', externalId: 'a' }, 0, [])
    const report = await engine.cleanUp.run()
    expect(report.rows.map(({ source: name, kind, found, removed }) => [name, kind, found, removed])).toEqual([
      ['store', 'empty-session', 1, 1],
      ['files', 'files-kind', 3, 3],
      ['slow', 'slow-kind', 2, 2],
    ])
    expect(report.problems).toEqual([{ source: 'broken', message: 'The disk says no.' }])
    expect(await engine.cleanUp.last()).toEqual(report)
  })

  it('is not remembered when it was a dry run', async () => {
    const engine = engineWith([source('files', 3)])
    expect((await engine.cleanUp.run({ dryRun: true })).rows).toMatchObject([{ found: 3, removed: 0 }])
    expect(await engine.cleanUp.last()).toBe(undefined)
  })

  it('runs once a day at start, with the quick sources', async () => {
    const store = createInMemoryStore()
    const [first, second] = [1, 2].map(() =>
      engineWith([source('files', 3), source('slow', 2, { isQuick: false })], { store }),
    )
    const reports = await Promise.all([first?.cleanUp.atStart(), second?.cleanUp.atStart()])
    expect(reports.filter((report) => report !== undefined).map(({ rows }) => rows.map((row) => row.source))).toEqual([
      ['files'],
    ])
    clock.set(START + DAY_MS - 1)
    expect(await first?.cleanUp.atStart()).toBe(undefined)
    clock.set(START + DAY_MS)
    expect((await second?.cleanUp.atStart())?.rows.length).toBe(1)
  })

  it('begins no further source at start when its time is over, and names what it left out', async () => {
    const slow = source('slow', 1, {
      run: async () => {
        clock.set(clock.now() + 50)
        return []
      },
    })
    const report = await engineWith([slow, source('files', 3)]).cleanUp.atStart()
    expect(report?.rows).toEqual([])
    expect(report?.problems).toEqual([
      { source: 'files', message: 'There was no time left for it; cairn cleanup does it.' },
    ])
  })

  it('does not keep a program from starting when the store can not be written', async () => {
    const store = createInMemoryStore()
    const refuse = () => Promise.reject(new StorageError('storage-unavailable', 'read-only'))
    const engine = engineWith([source('files', 3)], {
      store: { ...store, cleanUp: { ...store.cleanUp, claim: refuse } },
    })
    expect(await engine.cleanUp.atStart()).toBe(undefined)
  })

  it('takes a recorded report of another form for none', async () => {
    const engine = engineWith([])
    for (const report of ['{', '[]', 'null', '"x"']) {
      await engine.store.cleanUp.record({ at: 1, report })
      expect(await engine.cleanUp.last()).toBe(undefined)
    }
    await engine.store.cleanUp.record({ at: 1, report: '{"at":5,"rows":[{"kind":7},3],"problems":9}' })
    expect(await engine.cleanUp.last()).toMatchObject({ at: 5, rows: [{ kind: '', found: 0 }], problems: [] })
  })
})

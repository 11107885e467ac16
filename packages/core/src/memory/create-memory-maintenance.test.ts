import { describe, expect, it } from '@jest/globals'
import { memoryEntry, writeMemory } from '../testing/index.ts'
import type { Memory } from './memory.ts'
import { DAY_MS, SATURDAY, SHOP, openMemory, rejection } from './memory.fixture.ts'

const fact = (text: string) => ({ workspace: SHOP, kind: 'discovery', text }) as const

describe('maintenance', () => {
  it('consolidates duplicates into the oldest entry, with the facts of all', async () => {
    const { memory, store } = openMemory()
    const same = { text: 'The same thing.', kind: 'solution' } as const
    await writeMemory(
      store,
      SATURDAY - DAY_MS,
      {
        op: 'put',
        entry: memoryEntry('new', {
          ...same,
          firstSeenAt: 300,
          lastConfirmedAt: 350,
          confidence: 0.9,
          examples: ['b', 'a.ts:1'],
          applications: 2,
          confirmations: 1,
        }),
      },
      {
        op: 'put',
        entry: memoryEntry('old', {
          ...same,
          text: 'the same thing',
          firstSeenAt: 100,
          lastConfirmedAt: 150,
          confidence: 0.4,
          examples: ['a.ts:1@01234567'],
          applications: 3,
          contradictions: 1,
        }),
      },
      { op: 'put', entry: memoryEntry('other', { ...same, kind: 'failure' }) },
    )
    expect(await memory.consolidate(SHOP)).toEqual({ merged: [{ id: 'new', into: 'old' }], entries: 2 })
    expect(await memory.get('old')).toMatchObject({ text: 'the same thing', examples: ['a.ts:1', 'b'] })
    expect(await store.memory.get('old')).toMatchObject({
      firstSeenAt: 100,
      lastConfirmedAt: 350,
      confidence: 0.9,
      examples: ['a.ts:1@01234567', 'b'],
      applications: 5,
      confirmations: 1,
      contradictions: 1,
    })
    expect((await memory.history('new')).at(-1)).toMatchObject({ ended: 'merged', replacedBy: 'old' })
  })

  it('consolidating again at any later time changes nothing', async () => {
    const { memory, clock, store } = openMemory()
    await writeMemory(
      store,
      1,
      { op: 'put', entry: memoryEntry('a', { text: 'x' }) },
      { op: 'put', entry: memoryEntry('b', { text: 'X!' }) },
    )
    await memory.consolidate(SHOP)
    const after = [await memory.list(SHOP), await memory.history('a'), await memory.history('b')]
    for (const days of [0, 30, 365]) {
      clock.advance(days * DAY_MS)
      expect(await memory.consolidate(SHOP)).toEqual({ merged: [], entries: 1 })
      expect([await memory.list(SHOP), await memory.history('a'), await memory.history('b')]).toEqual(after)
    }
  })

  it('prunes old, low-confidence and surplus entries, as its dry run lists', async () => {
    const { memory, clock, store } = openMemory()
    const at = (days: number) => SATURDAY - days * DAY_MS
    const put = (id: string, more: Parameters<typeof memoryEntry>[1]) =>
      ({ op: 'put', entry: memoryEntry(id, { confidence: 0.8, lastConfirmedAt: at(1), ...more }) }) as const
    await writeMemory(
      store,
      1,
      put('old', { lastConfirmedAt: at(91) }),
      put('on-the-day', { lastConfirmedAt: at(90) }),
      put('weak', { confidence: 0.29 }),
      put('weak-solution', { kind: 'solution', confidence: 0.1 }),
      put('old-solution', { kind: 'solution', lastConfirmedAt: at(91) }),
      put('at-the-limit', { confidence: 0.3 }),
    )
    const whys = (report: Awaited<ReturnType<typeof memory.prune>>) =>
      Object.fromEntries(report.pruned.map(({ entry, why }) => [entry.id, why]))
    expect((await memory.stats(SHOP)).prunable).toBe(3)
    const dry = await memory.prune(SHOP, { dryRun: true })
    expect([whys(dry), dry.kept, dry.dryRun]).toEqual([
      { old: 'age', weak: 'confidence', 'old-solution': 'age' },
      3,
      true,
    ])
    expect((await memory.list(SHOP)).length).toBe(6)
    expect(await memory.prune(SHOP)).toEqual({ ...dry, dryRun: false })
    expect((await memory.history('weak')).at(-1)?.ended).toBe('pruned')
    expect((await memory.prune(SHOP)).pruned).toEqual([])
    const capped = await memory.prune(SHOP, { maxPerKind: 1, dryRun: true })
    expect(whys(capped)).toEqual({ 'on-the-day': 'cap' })
    clock.advance(1)
    expect((await memory.prune(SHOP, { maxAgeDays: 0, minConfidence: 0 })).kept).toBe(0)
    for (const wrong of [{ maxAgeDays: -1 }, { minConfidence: 2 }, { maxPerKind: 1.5 }, { maxAgeDays: Number.NaN }])
      expect(await rejection(memory.prune(SHOP, wrong))).toMatch(/^invalid-input: /)
  })

  it('reports statistics', async () => {
    const { memory, clock } = openMemory()
    expect(await memory.stats(SHOP)).toEqual({
      workspace: SHOP,
      entries: 0,
      byKind: { discovery: 0, solution: 0, pattern: 0, workflow: 0, failure: 0, context_rule: 0 },
      averageConfidence: null,
      oldestAt: null,
      newestAt: null,
      prunable: 0,
      characters: 0,
    })
    await memory.add({ ...fact('abc'), confidence: 0.5 })
    clock.advance(5)
    await memory.add({ ...fact('de'), kind: 'context_rule', confidence: 1 })
    expect(await memory.stats(SHOP)).toMatchObject({
      entries: 2,
      byKind: { discovery: 1, context_rule: 1 },
      averageConfidence: 0.75,
      oldestAt: SATURDAY,
      newestAt: SATURDAY + 5,
      prunable: 0,
      characters: 5,
    })
  })
})

describe('sections and files', () => {
  it('a section is the same for all requests of a session, whatever is learnt meanwhile', async () => {
    const { memory, clock } = openMemory()
    await memory.add(fact('known before'))
    const began = clock.now()
    const first = await memory.section(SHOP, { at: began })
    clock.advance(DAY_MS)
    await memory.add(fact('learnt since'))
    expect(await memory.section(SHOP, { at: began })).toEqual(first)
    expect((await memory.section(SHOP)).entries.length).toBe(2)
  })

  it('entries go through a file into another store', async () => {
    const { memory } = openMemory()
    await memory.add({ ...fact('shared'), examples: ['a.ts:1'] })
    const other = openMemory(undefined, 'other').memory
    expect(await other.importText(SHOP, await memory.exportText(SHOP))).toMatchObject({ added: 1, skipped: [] })
    expect((await other.list(SHOP)).map(({ text }) => text)).toEqual(['shared'])
  })

  it('changed cited lines are noticed', async () => {
    const { memory, fileSystem } = openMemory()
    fileSystem.write(`${SHOP}/src/a.ts`, 'const port = 8080\n')
    const { entry } = await memory.add({ ...fact('The port is 8080'), examples: ['src/a.ts:1'] })
    expect([entry.examples, (await memory.get(entry.id)).examples]).toEqual([['src/a.ts:1'], ['src/a.ts:1']])
    fileSystem.write(`${SHOP}/src/a.ts`, 'const port = 9090\n')
    const report = await memory.check(SHOP, SHOP)
    expect(report.checked.map(({ verdict }) => verdict)).toEqual(['changed'])
    expect((await memory.get(entry.id)).confidence).toBeLessThan(entry.confidence)
  })
})

describe('a stale citation', () => {
  const cited = async () => {
    const fixture = openMemory()
    const { memory, fileSystem, clock } = fixture
    fileSystem.write(`${SHOP}/src/db.ts`, 'one line of it\nport = 6380\n')
    const { entry } = await memory.add({
      workspace: SHOP,
      kind: 'discovery',
      text: 'Redis is on 6380',
      examples: ['src/db.ts:2'],
    })
    fileSystem.write(`${SHOP}/src/db.ts`, 'one line of it\nport = 6390\n')
    const check = async (): Promise<readonly [string | undefined, string | undefined, number]> => {
      clock.advance(DAY_MS)
      const { checked } = await memory.check(SHOP, SHOP)
      return [checked[0]?.verdict, checked[0]?.detail, (await memory.get(entry.id)).confidence]
    }
    expect(await check()).toEqual(['changed', 'the lines say something else now', 0.64])
    return { ...fixture, id: entry.id, check }
  }

  it('stays stale since that day, without another reduction of confidence', async () => {
    const { check, memory, id } = await cited()
    for (let again = 0; again < 2; again++)
      expect(await check()).toEqual(['changed', 'the lines say something else since 2026-02-01', 0.64])
    expect((await memory.get(id)).examples).toEqual(['src/db.ts:2'])
  })

  it.each([
    ['confirmed', async (memory: Memory, id: string) => memory.confirm(id)],
    ['updated', async (memory: Memory, id: string) => memory.update(id, { text: 'Redis is on 6390' })],
    [
      'said again',
      async (memory: Memory) => memory.add({ workspace: SHOP, kind: 'discovery', text: 'Redis is on 6380' }),
    ],
  ])('is recorded again once the entry is %s', async (_how, see) => {
    const { check, memory, id, fileSystem } = await cited()
    await see(memory, id)
    const { confidence } = await memory.get(id)
    expect(await check()).toEqual(['current', 'the lines are as they were', confidence])
    fileSystem.write(`${SHOP}/src/db.ts`, 'one line of it\nport = 6400\n')
    expect((await check())[0]).toBe('changed')
    expect((await memory.get(id)).confidence).toBeCloseTo(confidence * 0.8, 2)
  })
})

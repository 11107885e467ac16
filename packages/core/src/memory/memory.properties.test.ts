/** Whatever is done to a memory, in whatever order: every version stays, and the past stays as it was. */
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { MEMORY_KINDS, type MemoryEntry, type MemoryVersion } from '../ports/memory-storage.ts'
import { memoryEntry, writeMemory } from '../testing/index.ts'
import { DAY_MS, SHOP, openMemory, type MemoryFixture } from './memory.fixture.ts'

const TEXTS = ['YAML not JSON', 'JSON not YAML', 'yaml, not json!', 'Use tabs', 'It broke yesterday', 'Größe 😀']

const text = fc.constantFrom(...TEXTS)
const kind = fc.constantFrom(...MEMORY_KINDS.slice(0, 2))
const confidence = fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10)
/** Which of the entries made so far. */
const target = fc.nat(20)

const operation = fc.oneof(
  fc.record({
    op: fc.constant('add' as const),
    text,
    kind,
    confidence: fc.option(confidence, { nil: undefined }),
    example: fc.constantFrom('a.ts:1', 'b.ts:2'),
  }),
  // As an import may leave them: duplicates among them.
  fc.record({ op: fc.constant('put' as const), text, kind, confidence, days: fc.nat(200) }),
  fc.record({ op: fc.constantFrom('confirm', 'applied', 'contradict', 'forget'), target }),
  fc.record({ op: fc.constantFrom('replace', 'update'), target, text }),
  fc.record({ op: fc.constantFrom('consolidate', 'prune') }),
  fc.record({ op: fc.constant('wait' as const), ms: fc.constantFrom(0, 1, DAY_MS, 45 * DAY_MS) }),
)
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

const made = new WeakMap<MemoryFixture, string[]>()

const perform = async (fixture: MemoryFixture, step: Operation): Promise<void> => {
  const { memory, store, clock } = fixture
  const ids = made.get(fixture) ?? []
  made.set(fixture, ids)
  const id = 'target' in step ? (ids[step.target % Math.max(1, ids.length)] ?? 'none') : ''
  const knowing = async (entry: Promise<MemoryEntry>): Promise<void> => {
    const { id: known } = await entry
    if (!ids.includes(known)) ids.push(known)
  }
  switch (step.op) {
    case 'add':
      return knowing(
        memory
          .add({
            workspace: SHOP,
            kind: step.kind,
            text: step.text,
            examples: [step.example],
            ...(step.confidence === undefined ? {} : { confidence: step.confidence }),
          })
          .then(({ entry }) => entry),
      )
    case 'put': {
      const entry = memoryEntry(`put-${ids.length}`, {
        text: step.text,
        kind: step.kind,
        confidence: step.confidence,
        firstSeenAt: 0,
        lastConfirmedAt: clock.now() - step.days * DAY_MS,
      })
      await writeMemory(store, clock.now(), { op: 'put', entry })
      return knowing(Promise.resolve(entry))
    }
    case 'confirm':
    case 'applied':
      return knowing(memory.confirm(id, { applied: step.op === 'applied' }))
    case 'contradict':
      return knowing(memory.contradict(id))
    case 'forget':
      return knowing(memory.forget(id))
    case 'replace':
      return knowing(memory.contradict(id, step.text))
    case 'update':
      return knowing(memory.update(id, { text: step.text }))
    case 'consolidate':
      await memory.consolidate(SHOP)
      return
    case 'prune':
      await memory.prune(SHOP, { maxPerKind: 3 })
      return
    case 'wait':
      clock.advance(step.ms)
  }
}

/** Refusals (an entry that has ended, that says the same) change nothing, which is looked at, too. */
const performAll = async (
  fixture: MemoryFixture,
  steps: readonly Operation[],
  after: () => Promise<void>,
): Promise<void> => {
  for (const step of steps) {
    await perform(fixture, step).catch((error: unknown) =>
      expect(error).toMatchObject({ code: expect.stringMatching(/not-found|invalid-input/) }),
    )
    await after()
  }
}

const assertGapless = (versions: readonly MemoryVersion[]): void => {
  versions.forEach((version, index) => {
    const next = versions[index + 1]
    expect(version.entry.confidence).toBeGreaterThanOrEqual(0)
    expect(version.entry.confidence).toBeLessThanOrEqual(1)
    if (version.validTo !== null) expect(version.validTo).toBeGreaterThanOrEqual(version.validFrom)
    expect(version.ended === null).toBe(version.validTo === null)
    if (next === undefined) expect(version.ended).not.toBe('updated')
    else {
      expect(version.validTo).not.toBe(null)
      if (version.ended === 'updated') expect(next.validFrom).toBe(version.validTo)
      else expect(next.validFrom).toBeGreaterThanOrEqual(version.validTo ?? 0)
    }
  })
}

describe('any sequence of operations', () => {
  const steps = fc.array(operation, { maxLength: 40 })

  it('leaves a history without gaps, in which any time shows what was listed then', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const fixture = openMemory()
        const { memory, clock } = fixture
        const listed = new Map<number, readonly MemoryEntry[]>()
        await performAll(fixture, sequence, async () => {
          listed.set(clock.now(), await memory.list(SHOP))
        })
        for (const [at, then] of listed) expect(await memory.list(SHOP, { asOf: at })).toEqual(then)
        for (const id of made.get(fixture) ?? []) {
          const versions = await memory.history(id)
          assertGapless(versions)
          for (const [at, then] of listed) {
            const entry = then.find((found) => found.id === id)
            expect(await memory.get(id, at).catch(() => undefined)).toEqual(entry)
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  it('consolidates once: again, at any later time, nothing changes', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(1_000), async (sequence, days) => {
        const fixture = openMemory()
        const { memory, clock } = fixture
        await performAll(fixture, sequence, async () => undefined)
        await memory.consolidate(SHOP)
        const after = await memory.list(SHOP)
        clock.advance(days * DAY_MS)
        expect(await memory.consolidate(SHOP)).toEqual({ merged: [], entries: after.length })
        expect(await memory.list(SHOP)).toEqual(after)
      }),
      { numRuns: 60 },
    )
  })

  it('prunes exactly what its dry run lists', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const fixture = openMemory()
        await performAll(fixture, sequence, async () => undefined)
        const dry = await fixture.memory.prune(SHOP, { dryRun: true, maxPerKind: 2 })
        expect(await fixture.memory.prune(SHOP, { maxPerKind: 2 })).toEqual({ ...dry, dryRun: false })
        expect((await fixture.memory.list(SHOP)).length).toBe(dry.kept)
      }),
      { numRuns: 40 },
    )
  })
})

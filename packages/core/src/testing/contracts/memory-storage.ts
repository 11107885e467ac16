/** The contract that every MemoryStorage keeps. */
import { CairnError } from '../../errors.ts'
import type { MemoryEntry, MemoryReading, MemoryWrite } from '../../ports/memory-storage.ts'
import type { Store } from '../../ports/store.ts'
import { rejectionOf, testsOn, type OpenStore, type TestApi } from './test-api.ts'

const SHOP = '/work/shop'

/** An entry with something in every field that a test does not set. */
export const memoryEntry = (id: string, more: Partial<MemoryEntry> = {}): MemoryEntry => ({
  id,
  workspace: SHOP,
  kind: 'discovery',
  text: `text of ${id}`,
  confidence: 0.5,
  examples: [],
  sessionId: null,
  messageId: null,
  commit: null,
  source: 'user',
  firstSeenAt: 100,
  lastConfirmedAt: 100,
  applications: 0,
  confirmations: 0,
  contradictions: 0,
  ...more,
})

/** Writes without looking at what there is, to the workspace of the first entry that is put, else to `SHOP`. `at`: ms. */
export const writeMemory = (
  store: Pick<Store, 'memory'>,
  at: number,
  ...writes: readonly MemoryWrite[]
): Promise<void> => {
  const workspace = writes.find((write) => write.op === 'put')?.entry.workspace ?? SHOP
  return store.memory.change(workspace, at, () => ({ writes, result: undefined }))
}

const put = (entry: MemoryEntry): MemoryWrite => ({ op: 'put', entry })
/** Whether a promise rejects with `invalid-input`. */
const isRefused = async (promise: Promise<unknown>): Promise<boolean> => {
  const rejection = await rejectionOf(promise)
  return CairnError.is(rejection) && rejection.code === 'invalid-input'
}

/** Defines the tests of this contract with the functions in `api`; `open` gives an empty store to each. */
export const runMemoryStorageContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, open)
  const textOf = async (store: Store, id: string, asOf?: number) => (await store.memory.get(id, asOf))?.text
  const idsOf = async (store: Store, ...query: Parameters<Store['memory']['list']>) =>
    (await store.memory.list(...query)).map(({ id }) => id)

  describe('MemoryStorage', () => {
    it('returns every field', async (store) => {
      const full = memoryEntry('m', {
        workspace: '/work/\u0000\ud800 😀',
        kind: 'failure',
        text: 'a\u0000b\ud800 😀',
        confidence: 0.123456789,
        examples: ['src/a.ts:12', '', '\u0000\udfff', 'x'.repeat(5000)],
        sessionId: 'cairn:s\u0000',
        messageId: 'm1',
        commit: '1a2b3c4',
        source: 'import:clio',
        lastConfirmedAt: 1_750_000_000_123,
        applications: 7,
        confirmations: 3,
        contradictions: 2,
      })
      await writeMemory(store, 100, put(full))
      expect(await store.memory.get('m')).toEqual(full)
      expect(await store.memory.list(full.workspace)).toEqual([full])
      expect(await store.memory.history('m')).toEqual([
        { entry: full, validFrom: 100, validTo: null, ended: null, replacedBy: null },
      ])
      expect(await store.memory.workspaces()).toEqual([{ workspace: full.workspace, entries: 1 }])
    })

    it('returns nothing for an unknown id', async (store) => {
      expect(await store.memory.get('none')).toBe(undefined)
      expect(await store.memory.get('no\u0000ne', 5)).toBe(undefined)
      expect(await store.memory.list(SHOP)).toEqual([])
      expect(await store.memory.history('none')).toEqual([])
      expect(await store.memory.resolve('', 5)).toEqual([])
      expect(await store.memory.workspaces()).toEqual([])
    })

    it('keeps every version, as of any time', async (store) => {
      for (const [index, text] of ['one', 'two', 'three'].entries())
        await writeMemory(store, 100 * (index + 1), put(memoryEntry('m', { text })))
      const texts = []
      for (const asOf of [-1, 99, 99.9, 100, 100.5, 199, 200, 299, 300, 10_000, undefined])
        texts.push(await textOf(store, 'm', asOf))
      expect(texts).toEqual([
        undefined,
        undefined,
        undefined,
        'one',
        'one',
        'one',
        'two',
        'two',
        'three',
        'three',
        'three',
      ])
      expect((await store.memory.list(SHOP, { asOf: 250 })).map(({ text }) => text)).toEqual(['two'])
      expect((await store.memory.list(SHOP)).map(({ text }) => text)).toEqual(['three'])
      expect(await store.memory.list(SHOP, { asOf: 50 })).toEqual([])
      const spans = (await store.memory.history('m')).map(({ entry, validFrom, validTo, ended }) => [
        entry.text,
        validFrom,
        validTo,
        ended,
      ])
      expect(spans).toEqual([
        ['one', 100, 200, 'updated'],
        ['two', 200, 300, 'updated'],
        ['three', 300, null, null],
      ])
    })

    it('finds a version among thousands', async (store) => {
      for (let first = 0; first < 2_000; first += 500) {
        await writeMemory(
          store,
          first,
          ...Array.from({ length: 500 }, (_, index) => put(memoryEntry('m', { text: `v${first + index}` }))),
        )
      }
      // Those of one time follow each other: the last of them counts.
      expect([
        await textOf(store, 'm', 0),
        await textOf(store, 'm', 499),
        await textOf(store, 'm', 500),
        await textOf(store, 'm'),
      ]).toEqual(['v499', 'v499', 'v999', 'v1999'])
      expect((await store.memory.history('m')).map(({ entry }) => entry.text)).toEqual(
        Array.from({ length: 2_000 }, (_, index) => `v${index}`),
      )
    })

    it('continues after the last version when the clock is behind', async (store) => {
      await writeMemory(store, 500, put(memoryEntry('m', { text: 'one' })))
      await writeMemory(store, 100, put(memoryEntry('m', { text: 'two' })))
      await writeMemory(store, 200, { op: 'end', id: 'm', reason: 'forgotten' })
      await writeMemory(store, 300, put(memoryEntry('m', { text: 'three' })))
      expect((await store.memory.history('m')).map(({ validFrom, validTo }) => [validFrom, validTo])).toEqual([
        [500, 500],
        [500, 500],
        [500, null],
      ])
      expect([await textOf(store, 'm', 499), await textOf(store, 'm', 500), await textOf(store, 'm')]).toEqual([
        undefined,
        'three',
        'three',
      ])
    })

    it('ends entries with a reason and their successor, and can add them again', async (store) => {
      await writeMemory(store, 100, put(memoryEntry('m', { text: 'one' })), put(memoryEntry('n')))
      await writeMemory(store, 200, { op: 'end', id: 'm', reason: 'merged', replacedBy: 'n' })
      // Neither once more, nor what never was, nor from another workspace.
      await writeMemory(
        store,
        250,
        { op: 'end', id: 'm', reason: 'pruned' },
        { op: 'end', id: 'none', reason: 'pruned' },
      )
      await store.memory.change('/work/other', 250, () => ({
        writes: [{ op: 'end', id: 'n', reason: 'pruned' }],
        result: 0,
      }))
      expect([await textOf(store, 'm'), await textOf(store, 'm', 199), await textOf(store, 'm', 200)]).toEqual([
        undefined,
        'one',
        undefined,
      ])
      expect(await idsOf(store, SHOP)).toEqual(['n'])
      expect((await idsOf(store, SHOP, { asOf: 150 })).length).toBe(2)
      expect(
        (await store.memory.history('m')).map(({ validTo, ended, replacedBy }) => [validTo, ended, replacedBy]),
      ).toEqual([[200, 'merged', 'n']])
      await writeMemory(store, 300, put(memoryEntry('m', { text: 'again' })))
      expect([await textOf(store, 'm'), await textOf(store, 'm', 250)]).toEqual(['again', undefined])
      expect(await store.memory.workspaces()).toEqual([{ workspace: SHOP, entries: 2 }])
    })

    it('lists the last versions of entries that have ended, the last ended first', async (store) => {
      await writeMemory(store, 100, ...['a', 'b', 'c', 'd', 'e'].map((id) => put(memoryEntry(id))))
      await writeMemory(store, 100, put(memoryEntry('z', { workspace: '/work/other' })))
      await writeMemory(store, 200, put(memoryEntry('b', { text: 'b changed' })), put(memoryEntry('e', { text: 'e2' })))
      await writeMemory(store, 300, { op: 'end', id: 'b', reason: 'superseded', replacedBy: 'a' })
      await writeMemory(
        store,
        400,
        { op: 'end', id: 'd', reason: 'forgotten' },
        { op: 'end', id: 'c', reason: 'pruned' },
      )
      // Added again it has not ended, until it ends again within the same millisecond.
      await writeMemory(store, 500, put(memoryEntry('c', { text: 'c again' })))
      const ended = async (workspace = SHOP) =>
        (await store.memory.ended(workspace)).map(({ entry, validTo, ended: why, replacedBy }) => [
          entry.text,
          validTo,
          why,
          replacedBy,
        ])
      expect(await ended()).toEqual([
        ['text of d', 400, 'forgotten', null],
        ['b changed', 300, 'superseded', 'a'],
      ])
      await writeMemory(store, 500, { op: 'end', id: 'c', reason: 'contradicted' })
      expect((await ended())[0]).toEqual(['c again', 500, 'contradicted', null])
      expect([await ended('/work/other'), await ended('/work/none')]).toEqual([[], []])
    })

    it('lists a workspace and a kind, last confirmed first, then last created', async (store) => {
      await writeMemory(
        store,
        100,
        put(memoryEntry('a')),
        put(memoryEntry('b', { lastConfirmedAt: 300, kind: 'pattern' })),
        put(memoryEntry('c', { lastConfirmedAt: 200 })),
        put(memoryEntry('B')),
      )
      await writeMemory(store, 100, put(memoryEntry('d', { workspace: '/work/other', lastConfirmedAt: 900 })))
      await writeMemory(store, 400, put(memoryEntry('a', { lastConfirmedAt: 250 })))
      expect(await idsOf(store, SHOP)).toEqual(['b', 'a', 'c', 'B'])
      expect(await idsOf(store, SHOP, { asOf: 350 })).toEqual(['b', 'c', 'a', 'B'])
      expect(await idsOf(store, SHOP, { kind: 'discovery' })).toEqual(['a', 'c', 'B'])
      expect(await idsOf(store, SHOP, { kind: 'pattern', asOf: 99 })).toEqual([])
      expect(await idsOf(store, '/work/other')).toEqual(['d'])
      expect(await idsOf(store, '/work')).toEqual([])
      expect((await store.memory.workspaces()).map(({ workspace }) => workspace)).toEqual(['/work/other', SHOP])
    })

    it('resolves the start of an id in any workspace, ended entries too', async (store) => {
      await writeMemory(store, 1, ...['m-1', 'm-2', 'M-3', 'm%4', 'm_5', 'n'].map((id) => put(memoryEntry(id))))
      await writeMemory(store, 1, put(memoryEntry('m-9', { workspace: '/work/other' })))
      await writeMemory(store, 2, { op: 'end', id: 'm-2', reason: 'forgotten' })
      expect(await store.memory.resolve('m-', 9)).toEqual([
        { id: 'm-1', workspace: SHOP, current: true },
        { id: 'm-2', workspace: SHOP, current: false },
        { id: 'm-9', workspace: '/work/other', current: true },
      ])
      const ids = async (prefix: string, limit = 9) => (await store.memory.resolve(prefix, limit)).map(({ id }) => id)
      expect([
        await ids('m-', 2),
        await ids('m%'),
        await ids('m_'),
        await ids('M'),
        await ids('m-1x'),
        await ids('\u0000'),
        await ids('😀'),
      ]).toEqual([['m-1', 'm-2'], ['m%4'], ['m_5'], ['M-3'], [], [], []])
    })

    it('resolves the end of an id where no id starts with it', async (store) => {
      await writeMemory(
        store,
        1,
        ...['01KAHAAAAAAAQ7RST', '01KAHBBBBBBBQ7RST', '01KAHCCCCCCC%7_T', 'Q7R'].map((id) => put(memoryEntry(id))),
      )
      await writeMemory(store, 2, { op: 'end', id: '01KAHBBBBBBBQ7RST', reason: 'forgotten' })
      const ids = async (part: string, limit = 9) => (await store.memory.resolve(part, limit)).map(({ id }) => id)
      expect(await store.memory.resolve('AAQ7RST', 9)).toEqual([
        { id: '01KAHAAAAAAAQ7RST', workspace: SHOP, current: true },
      ])
      expect([
        await ids('Q7RST'),
        await ids('Q7RST', 1),
        await ids('%7_T'),
        await ids('q7rst'),
        await ids('Q7R'),
        await ids('RST'),
        await ids('01KAHA'),
        await ids('x01KAHAAAAAAAQ7RST'),
      ]).toEqual([
        ['01KAHAAAAAAAQ7RST', '01KAHBBBBBBBQ7RST'],
        ['01KAHAAAAAAAQ7RST'],
        ['01KAHCCCCCCC%7_T'],
        [],
        ['Q7R'],
        [],
        ['01KAHAAAAAAAQ7RST'],
        [],
      ])
    })

    it('passes a change the current entries, last confirmed first, and returns its result', async (store) => {
      await writeMemory(store, 1, put(memoryEntry('a')), put(memoryEntry('b', { lastConfirmedAt: 200 })))
      await writeMemory(store, 1, put(memoryEntry('z', { workspace: '/work/other' })))
      const seen = await store.memory.change(SHOP, 2, (current) => ({
        writes: [],
        result: current.map(({ id }) => id),
      }))
      expect(seen).toEqual(['b', 'a'])
      expect(await store.memory.change('/work/none', 2, (current) => ({ writes: [], result: current }))).toEqual([])
      expect((await store.memory.history('a')).length).toBe(1)
    })

    it('passes a change only the entries that it asks for', async (store) => {
      await writeMemory(
        store,
        1,
        put(memoryEntry('yaml', { text: 'Config is YAML, not JSON.' })),
        put(memoryEntry('json', { text: 'config is JSON not YAML' })),
        put(memoryEntry('rule', { kind: 'pattern', text: 'config is  yaml not json' })),
      )
      await writeMemory(
        store,
        1,
        put(memoryEntry('other', { workspace: '/work/other', text: 'config is yaml not json' })),
      )
      const read = (reading: MemoryReading) =>
        store.memory.change(SHOP, 2, (current) => ({ writes: [], result: current.map(({ id }) => id) }), reading)
      expect(await read({ saying: ['CONFIG is yaml not json!'] })).toEqual(['yaml', 'rule'])
      expect(await read({ ids: ['json', 'other', 'none', 'n\u0000', 'json'] })).toEqual(['json'])
      expect(await read({ saying: ['config is yaml not json', 'nothing'], ids: ['json', 'yaml'] })).toEqual([
        'yaml',
        'rule',
        'json',
      ])
      expect(await read({})).toEqual([])
      // What an entry said before is not what it says.
      await writeMemory(store, 3, put(memoryEntry('yaml', { text: 'Config is TOML' })), {
        op: 'end',
        id: 'rule',
        reason: 'forgotten',
      })
      expect([
        await read({ saying: ['config is yaml not json'] }),
        await read({ saying: ['config is toml'] }),
        await read({ ids: ['rule'] }),
      ]).toEqual([[], ['yaml'], []])
    })

    it('writes nothing of a refused change, and all of the others', async (store) => {
      await writeMemory(store, 1, put(memoryEntry('theirs', { workspace: '/work/other' })))
      const refused = [
        [put(memoryEntry('a')), put(memoryEntry('b', { workspace: '/work/other' }))],
        [put(memoryEntry('a')), put(memoryEntry(''))],
        [put(memoryEntry('a')), put(memoryEntry('a b'))],
        [put(memoryEntry('a')), put(memoryEntry('x'.repeat(101)))],
        [put(memoryEntry('a')), put(memoryEntry('theirs'))],
      ]
      const thrown = new Error('decided otherwise')
      const outcomes = await Promise.all([
        store.memory.change(SHOP, 1, () => ({ writes: [put(memoryEntry('before'))], result: true })),
        ...refused.map((writes) => isRefused(store.memory.change(SHOP, 1, () => ({ writes, result: false })))),
        rejectionOf(
          store.memory.change(SHOP, 1, () => {
            throw thrown
          }),
        ).then((error) => error === thrown),
        store.memory.change(SHOP, 1, () => ({ writes: [put(memoryEntry('after'))], result: true })),
      ])
      expect(outcomes).toEqual(outcomes.map(() => true))
      expect([...(await idsOf(store, SHOP))].sort()).toEqual(['after', 'before'])
      expect((await store.memory.get('theirs'))?.workspace).toBe('/work/other')
    })

    it('lets each of many concurrent changes see what was written before it', async (store) => {
      const increment = () =>
        store.memory.change(SHOP, 100, ([counter]) => {
          const applications = (counter?.applications ?? 0) + 1
          return { writes: [put(memoryEntry('counter', { applications }))], result: applications }
        })
      const results = await Promise.all(Array.from({ length: 100 }, increment))
      expect([...results].sort((left, right) => left - right)).toEqual(
        Array.from({ length: 100 }, (_, index) => index + 1),
      )
      expect((await store.memory.history('counter')).map(({ entry }) => entry.applications)).toEqual(
        Array.from({ length: 100 }, (_, index) => index + 1),
      )
    })

    it('has another revision after each change of a workspace, and only then', async (store) => {
      const revisions = [await store.memory.revision(SHOP)]
      const write = async (at: number, ...writes: readonly MemoryWrite[]) => {
        await writeMemory(store, at, ...writes)
        revisions.push(await store.memory.revision(SHOP))
      }
      await write(1, put(memoryEntry('a')))
      await write(2, put(memoryEntry('b')))
      await write(3, put(memoryEntry('a', { confidence: 0.6 })))
      await write(3, { op: 'end', id: 'b', reason: 'forgotten' })
      await write(4, put(memoryEntry('b')))
      expect(new Set(revisions).size).toBe(revisions.length)
      await writeMemory(store, 5, put(memoryEntry('c', { workspace: '/work/other' })))
      await writeMemory(store, 6, { op: 'end', id: 'unknown', reason: 'forgotten' })
      await store.notes.set({ workspace: SHOP, key: 'k', text: 'x', at: 7 })
      expect(await store.memory.revision(SHOP)).toBe(revisions.at(-1))
    })

    it('accepts many concurrent writers in several workspaces', async (store) => {
      await Promise.all(
        Array.from({ length: 90 }, (_, index) =>
          writeMemory(store, 100, put(memoryEntry(`m${index}`, { workspace: `/work/${index % 3}` }))),
        ),
      )
      expect(await store.memory.workspaces()).toEqual(
        ['/work/0', '/work/1', '/work/2'].map((workspace) => ({ workspace, entries: 30 })),
      )
    })

    it('is not affected by mutations of its arguments and results', async (store) => {
      const examples = ['a']
      await writeMemory(store, 1, put(memoryEntry('m', { examples })))
      examples.push('b')
      const listed = await store.memory.list(SHOP)
      Object.assign(listed[0] ?? {}, { text: 'changed' })
      expect(await store.memory.get('m')).toEqual(memoryEntry('m', { examples: ['a'] }))
    })
  })
}

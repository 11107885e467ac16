/** Contract of SessionStorage, first part: what is appended is what is read, and two writers never mix. */
import { CairnError } from '../../errors.ts'
import type { NewLogEntry } from '../../session-log.ts'
import { append, facts, importedMessage, message, T0 } from './fixtures.ts'
import { rejectionOf, testsOn, type OpenStore, type TestApi } from './test-api.ts'

/** One of each kind of entry. */
const ONE_OF_EACH: readonly NewLogEntry[] = [
  message('m1', 'hello', { author: 'Ann', mode: 'plan' }),
  message('m2', 'hi', {
    role: 'assistant',
    responseId: 'r1',
    model: 'claude-test',
    subagent: 'a1',
    origin: 'summary',
    at: null,
  }),
  {
    kind: 'edit',
    at: T0,
    messageId: 'm1',
    block: 0,
    reason: 'stale',
    text: 'see below',
    metadata: { paths: ['a', null, 1.5] },
  },
  { kind: 'pin', at: T0, messageId: 'm1', block: 2, state: 'pinned' },
  { kind: 'pin', at: T0, messageId: 'm1', state: 'automatic' },
  { kind: 'truncation', at: T0, fromSeq: 0, toSeq: 1, reason: 'window' },
  { kind: 'compaction', at: T0, trigger: 'auto', tokensBefore: 150_000, partial: true },
  { kind: 'file', at: T0, path: 'src/a b.ts', operation: 'external-edit', hash: 'ff', by: 'person' },
  { kind: 'model', at: T0, model: 'gpt-test', provider: 'openai', mode: 'act' },
  { kind: 'checkpoint', at: T0, checkpointId: 'c1' },
  { kind: 'todo', at: T0, items: [{ text: 'one', status: 'in_progress' }] },
  { kind: 'title', at: T0, title: 'A title' },
  { kind: 'favourite', at: T0, favourite: true },
  { kind: 'notice', at: T0, level: 'error', text: 'overloaded' },
  { kind: 'rewind', at: T0, toSeq: 3 },
]

/** Defines the tests of this contract with the functions in `api`; `open` gives an empty store to each. */
export const runAppendContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, open)

  describe('append and read', () => {
    it('returns every kind of entry with its position', async (store) => {
      const writes = ONE_OF_EACH.map((entry) => ({ entry }))
      expect(await store.sessions.append(facts('s'), 0, writes)).toEqual({
        ok: true,
        value: { nextSeq: writes.length },
      })
      expect(await store.sessions.read('cairn:s')).toEqual(ONE_OF_EACH.map((entry, seq) => ({ ...entry, seq })))
    })

    it('reads ranges, and nothing beyond the end', async (store) => {
      await append(
        store,
        facts('s'),
        ...Array.from({ length: 7 }, (_, index) => ({ entry: message(`m${index}`, `${index}`) })),
      )
      const seqs = async (range?: { fromSeq?: number; limit?: number }) =>
        (await store.sessions.read('cairn:s', range)).map((entry) => entry.seq)
      expect(await seqs()).toEqual([0, 1, 2, 3, 4, 5, 6])
      expect(await seqs({ fromSeq: 5 })).toEqual([5, 6])
      expect(await seqs({ limit: 2 })).toEqual([0, 1])
      expect(await seqs({ fromSeq: 2, limit: 3 })).toEqual([2, 3, 4])
      expect(await seqs({ fromSeq: 7 })).toEqual([])
    })

    it('reads only the requested kinds, also with a position and a limit', async (store) => {
      const writes = [...ONE_OF_EACH, ...ONE_OF_EACH].map((entry, index) => ({
        entry: entry.kind === 'message' ? { ...entry, id: `m${index}` } : entry,
      }))
      const kinds = [...new Set(ONE_OF_EACH.map(({ kind }) => kind))]
      await append(store, facts('s'), ...writes)
      const whole = await store.sessions.read('cairn:s')
      for (const kind of kinds)
        expect(await store.sessions.read('cairn:s', { kinds: [kind] })).toEqual(
          whole.filter((entry) => entry.kind === kind),
        )
      const some = whole.filter(({ kind }) => kind === 'pin' || kind === 'compaction')
      expect(await store.sessions.read('cairn:s', { kinds: ['pin', 'compaction'] })).toEqual(some)
      expect(
        await store.sessions.read('cairn:s', {
          kinds: ['compaction', 'pin'],
          fromSeq: (some[0]?.seq ?? 0) + 1,
          limit: 3,
        }),
      ).toEqual(some.slice(1, 4))
      expect(await store.sessions.read('cairn:s', { kinds: [] })).toEqual([])
    })

    it('has no entries for an unknown session', async (store) => {
      expect(await store.sessions.read('cairn:none')).toEqual([])
      expect(await store.sessions.get('cairn:none')).toBe(undefined)
    })

    it('keeps sessions apart', async (store) => {
      await append(store, facts('one'), { entry: message('m', 'first') })
      await append(store, facts('two'), { entry: message('m', 'second') })
      expect(await store.sessions.read('cairn:one')).toMatchObject([{ id: 'm', content: [{ text: 'first' }] }])
      expect(await store.sessions.read('cairn:two')).toMatchObject([{ id: 'm', content: [{ text: 'second' }] }])
    })

    it('accepts entries with the ids of their source', async (store) => {
      await append(store, facts('s'), importedMessage('m1', 'a'), importedMessage('m2', 'b'))
      expect(await store.sessions.read('cairn:s')).toMatchObject([{ id: 'm1' }, { id: 'm2' }])
    })

    it('tells which ids of sources its entries have', async (store) => {
      const ids = ['m1', 'odd \u0000 id', "it's"]
      const notice = { entry: { kind: 'notice', at: T0, level: 'info', text: 'x' }, externalId: 'n1' } as const
      await append(store, facts('s'), ...ids.map((id) => importedMessage(id, `of ${id}`)), notice)
      const asked = ["it's", 'none', 'n1', 'odd \u0000 id', "it's"]
      expect([...(await store.sessions.idsAmong('cairn:s', asked))]).toEqual(["it's", 'n1', 'odd \u0000 id'])
      expect([
        (await store.sessions.idsAmong('cairn:s', [])).size,
        (await store.sessions.idsAmong('cairn:t', ids)).size,
      ]).toEqual([0, 0])
    })

    it('is not affected by later mutations of its arguments', async (store) => {
      const content = [{ type: 'text' as const, text: 'before' }]
      await append(store, facts('s'), { entry: message('m', content) })
      content[0] = { type: 'text', text: 'after' }
      expect(await store.sessions.read('cairn:s')).toMatchObject([{ content: [{ text: 'before' }] }])
    })
  })

  describe('two writers on one session', () => {
    it('rejects the slower one, and writes nothing of it', async (store) => {
      await append(store, facts('s'), { entry: message('m1', 'a') }, { entry: message('m2', 'b') })
      const late = await store.sessions.append(facts('s', { title: 'late', branch: 'late' }), 1, [
        { entry: message('m3', 'latecomer') },
      ])
      expect(late).toEqual({ ok: false, error: { code: 'sequence-conflict', expectedSeq: 1, actualSeq: 2 } })
      const early = await store.sessions.append(facts('s'), 3, [{ entry: message('m3', 'latecomer') }])
      expect(early).toEqual({ ok: false, error: { code: 'sequence-conflict', expectedSeq: 3, actualSeq: 2 } })
      expect((await store.sessions.read('cairn:s')).length).toBe(2)
      expect(await store.sessions.get('cairn:s')).toMatchObject({ title: null, branch: null })
      expect(await store.search.search({ text: 'latecomer' })).toEqual([])
    })

    it('refuses an entry whose id the session has, and writes nothing of the append', async (store) => {
      await store.sessions.append(facts('s'), 0, [{ entry: message('m', 'a') }])
      const rejection = await rejectionOf(
        store.sessions.append(facts('s'), 1, [{ entry: message('n', 'b') }, { entry: message('m', 'c') }]),
      )
      expect(CairnError.is(rejection) && rejection.code).toBe('invalid-input')
      expect((await store.sessions.read('cairn:s')).length).toBe(1)
      expect(await store.sessions.append(facts('s'), 1, [{ entry: message('n', 'b') }])).toEqual({
        ok: true,
        value: { nextSeq: 2 },
      })
    })

    it('refuses a position in an unknown session', async (store) => {
      const result = await store.sessions.append(facts('s'), 2, [{ entry: message('m', 'a') }])
      expect(result).toEqual({
        ok: false,
        error: { code: 'sequence-conflict', expectedSeq: 2, actualSeq: 0 },
      })
      expect(await store.sessions.get('cairn:s')).toBe(undefined)
    })

    it('lets exactly one of many concurrent writers have a position', async (store) => {
      for (const round of [0, 1, 2]) {
        const results = await Promise.all(
          Array.from({ length: 8 }, (_, writer) =>
            store.sessions.append(facts('s'), round, [{ entry: message(`m${round}-${writer}`, `from ${writer}`) }]),
          ),
        )
        expect(results.filter((result) => result.ok).length).toBe(1)
      }
      expect((await store.sessions.read('cairn:s')).map((entry) => entry.seq)).toEqual([0, 1, 2])
    })

    it('lets all of many concurrent writers append at the end', async (store) => {
      await append(store, facts('s'), { entry: message('m', 'a') })
      const writers = Array.from({ length: 16 }, (_, writer) => `b${writer}`)
      const results = await Promise.all(
        writers.map((messageId) =>
          store.sessions.append(facts('s'), 'end', [{ entry: { kind: 'pin', at: T0, messageId, state: 'dropped' } }]),
        ),
      )
      expect(results.every((result) => result.ok)).toBe(true)
      const pins = (await store.sessions.read('cairn:s')).slice(1)
      expect(pins.map(({ seq }) => seq)).toEqual(writers.map((_, index) => index + 1))
      expect(pins.map((pin) => (pin.kind === 'pin' ? pin.messageId : '')).sort()).toEqual(writers.toSorted())
    })

    it('refuses an append at the end of an unknown session', async (store) => {
      const result = await store.sessions.append(facts('s'), 'end', [{ entry: message('m', 'a') }])
      expect(result).toEqual({ ok: false, error: { code: 'sequence-conflict', expectedSeq: 'end', actualSeq: 0 } })
      expect(await store.sessions.get('cairn:s')).toBe(undefined)
    })

    it('lets writers on different sessions all succeed', async (store) => {
      const names = Array.from({ length: 12 }, (_, index) => `s${index}`)
      const results = await Promise.all(
        names.map((name) => store.sessions.append(facts(name), 0, [{ entry: message('m', name) }])),
      )
      expect(results.every((result) => result.ok)).toBe(true)
      expect((await store.sessions.list({ limit: 100 })).total).toBe(12)
    })
  })
}

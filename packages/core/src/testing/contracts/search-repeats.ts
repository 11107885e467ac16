/** The contract of SearchIndex: what was said several times is one hit, which names the others. */
import type { Store } from '../../ports/store.ts'
import { append, facts, importedMessage, T0 } from './fixtures.ts'
import { testsOn, type OpenStore, type TestApi } from './test-api.ts'

const REPEATED = `The walrus waits for a clock that nobody ever sets, so the test is flaky. ${'It went on about other things for long. '.repeat(4)}`

/** Sessions b and c are forks of a, which says more; d says it by another role. */
const fill = async (store: Store): Promise<void> => {
  const fork = (id: string, at: number) =>
    append(
      store,
      facts(id),
      importedMessage(`${id}1`, 'Why is the login test flaky?', { at }),
      importedMessage(`${id}2`, REPEATED, { at: at + 1, role: 'assistant' }),
    )
  await fork('a', T0)
  await fork('b', T0 + 100)
  await fork('c', T0 + 200)
  await append(store, facts('d'), importedMessage('d1', REPEATED, { at: T0 + 300 }))
  await append(
    store,
    facts('e'),
    importedMessage('e1', 'yes', { at: T0 + 400 }),
    importedMessage('e2', 'yes', { at: T0 + 500 }),
  )
}

/** Defines the tests of this contract with the functions in `api`; `open` gives an empty store to each. */
export const runSearchRepeatsContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, open)

  describe('SearchIndex, what was said several times', () => {
    it('is one hit that names the others, whatever the limit', async (store) => {
      await fill(store)
      for (const limit of [1, 2, 10]) {
        const hits = await store.search.search({ text: 'walrus clock', role: 'assistant', limit })
        expect(hits.length).toBe(1)
        const [hit] = hits
        const all = [hit?.messageId, ...(hit?.alsoIn ?? []).map(({ messageId }) => messageId)]
        expect(all.toSorted()).toEqual(['a2', 'b2', 'c2'])
        expect(hit?.alsoIn?.every(({ sessionId, seq }) => seq === 1 && sessionId !== hit.sessionId)).toBe(true)
      }
    })

    it('keeps what another role said, and short texts, as hits of their own', async (store) => {
      await fill(store)
      const hits = await store.search.search({ text: 'walrus clock' })
      expect(hits.map(({ role }) => role).toSorted()).toEqual(['assistant', 'user'])
      const short = await store.search.search({ text: 'yes' })
      expect(short.map(({ messageId, alsoIn }) => [messageId, alsoIn])).toEqual([
        ['e2', undefined],
        ['e1', undefined],
      ])
    })

    it('gives as many different hits as were asked for', async (store) => {
      await fill(store)
      await append(
        store,
        facts('f'),
        importedMessage('f1', 'A walrus without any clock at all, on a stone in the sea.'),
      )
      expect((await store.search.search({ text: 'walrus clock', limit: 3 })).length).toBe(3)
    })
  })
}

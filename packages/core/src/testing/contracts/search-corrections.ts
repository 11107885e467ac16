/** The contract of SearchIndex.correct: words that nothing holds become near ones that something does; all else stays. */
import type { SearchQuery } from '../../ports/search-index.ts'
import type { Store } from '../../ports/store.ts'
import { append, facts, importedMessage, T0 } from './fixtures.ts'
import { testsOn, type OpenStore, type TestApi } from './test-api.ts'

const SHOP = '/home/ann/shop'

/** Two sessions of two projects with words to mistype. */
const fill = async (store: Store): Promise<void> => {
  await append(
    store,
    facts('a', { workspace: SHOP }),
    importedMessage('a1', 'findSessionIndex returns the session of a checkpoint', { at: T0, author: 'Melanie' }),
    importedMessage('a2', 'The sessions are sorted by workspace, then by their names.', { at: T0 + 10 }),
    importedMessage('a3', 'It is necessary to read src/tax-rates.yaml before the walruses wake.', { at: T0 + 20 }),
  )
  await append(store, facts('b', { workspace: '/srv/blog' }), importedMessage('b1', 'a zeppelin', { at: T0 + 30 }))
}

/** Defines the tests of this contract with the functions in `api`; `open` gives an empty store to each. */
export const runSearchCorrectionsContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, open)
  const corrected = async (store: Store, text: string, scope: Omit<SearchQuery, 'text'> = {}) =>
    (await store.search.correct({ text, ...scope })).text

  describe('SearchIndex, typing errors', () => {
    it('corrects one error, in a word and within an identifier, and says which', async (store) => {
      await fill(store)
      expect(await store.search.correct({ text: 'where is findSesionIndex?' })).toEqual({
        text: 'where is findSessionIndex?',
        corrections: [{ word: 'findSesionIndex', instead: 'findSessionIndex' }],
      })
      expect(await corrected(store, 'Chekpoint of the wrokspace')).toBe('Checkpoint of the workspace')
      expect(await corrected(store, 'FIND_SESION_INDEX')).toBe('FIND_SESSION_INDEX')
      expect(await corrected(store, 'findsessionindxe')).toBe('findsessionindex')
    })

    it('corrects two errors in a longer word, also of another form', async (store) => {
      await fill(store)
      expect(await corrected(store, 'neccesary')).toBe('necessary')
      expect(await corrected(store, 'chekpiont')).toBe('checkpoint')
      expect(await corrected(store, 'zepelins')).toBe('zeppelin')
      expect(await corrected(store, 'seion')).toBe('seion')
    })

    it('leaves alone what is known in any form, as a name or as a file, and what is near to nothing', async (store) => {
      await fill(store)
      for (const text of [
        'the sorting of checkpoints',
        'the checkpoints of melanie',
        'session-index tax-rates.yaml taxRates',
        'xylophone',
        'about which would there',
        '2026 4be1c0d',
        '',
      ])
        expect(await store.search.correct({ text })).toEqual({ text, corrections: [] })
    })

    it('proposes only what the scope holds', async (store) => {
      await fill(store)
      expect(await corrected(store, 'zepelin')).toBe('zeppelin')
      expect(await corrected(store, 'zepelin', { workspace: SHOP })).toBe('zepelin')
      expect(await corrected(store, 'chekpoint', { workspace: SHOP })).toBe('checkpoint')
      expect(await corrected(store, 'wrokspace', { until: T0 + 5 })).toBe('wrokspace')
      expect(await corrected(store, 'zepelin', { sessionId: 'cairn:a' })).toBe('zepelin')
    })

    it('proposes no word of a deleted session', async (store) => {
      await fill(store)
      await store.sessions.delete('cairn:b')
      expect(await corrected(store, 'zepelin')).toBe('zepelin')
    })

    it('prefers the more frequent of two words that are equally near', async (store) => {
      await append(
        store,
        facts('s'),
        importedMessage('m1', 'form'),
        ...[2, 3, 4].map((n) => importedMessage(`m${n}`, 'farm')),
      )
      expect(await corrected(store, 'ferm')).toBe('farm')
    })
  })
}

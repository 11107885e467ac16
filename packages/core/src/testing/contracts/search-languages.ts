/** The contract of SearchIndex.search for German, French, Spanish and Portuguese: a word finds its other forms. */
import type { Store } from '../../ports/store.ts'
import { append, facts, importedMessage, T0 } from './fixtures.ts'
import { testsOn, type OpenStore, type TestApi } from './test-api.ts'

const TALK: Readonly<Record<string, string>> = {
  de: 'Die Verbindung zur Datenbank ist nach einer Minute weg, und der Server wird nicht neu gestartet.',
  fr: 'La sauvegarde ne se fait pas quand le disque est plein, et les journaux ne disent rien.',
  es: 'La conexión se cierra cuando el archivo no existe, pero el error no se muestra.',
  pt: 'A conexão não fica aberta quando o arquivo está vazio, e o erro não aparece.',
  en: 'The connection is lost when the disk of the server is full, and nothing is in the log.',
}

/** A session with a message in each language. */
const fill = (store: Store): Promise<unknown> =>
  append(
    store,
    facts('a'),
    ...Object.entries(TALK).map(([id, text], index) => importedMessage(id, text, { at: T0 + index })),
  )

/** Defines the tests of this contract with the functions in `api`; `open` gives an empty store to each. */
export const runSearchLanguagesContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, open)
  const found = async (store: Store, text: string): Promise<readonly string[]> =>
    (await store.search.search({ text })).map(({ messageId }) => messageId)

  describe('SearchIndex, languages other than English', () => {
    it('finds another form of a word, also where the query is too short to tell its language', async (store) => {
      await fill(store)
      expect(await found(store, 'Verbindungen Datenbanken')).toEqual(['de'])
      expect(await found(store, 'sauvegarder journal')).toEqual(['fr'])
      expect(await found(store, 'conexiones archivos')).toEqual(['es'])
      expect(await found(store, 'conexões arquivos')).toEqual(['pt'])
      expect((await found(store, 'Warum sind die Verbindungen weg?'))[0]).toBe('de')
      expect((await found(store, 'Pourquoi les sauvegardes ne se font pas ?'))[0]).toBe('fr')
    })

    it('finds words that the languages share in all of them, and takes no known form for a typing error', async (store) => {
      await fill(store)
      expect([...(await found(store, 'server'))].sort()).toEqual(['de', 'en'])
      expect(await store.search.correct({ text: 'Verbindungen' })).toEqual({ text: 'Verbindungen', corrections: [] })
    })

    it('counts a message once that holds a word in several forms, and forgets it with its session', async (store) => {
      await fill(store)
      const text =
        'Die Verbindungen sind weg: erst die eine Verbindung, dann die andere Verbindung, und das ist nicht gut.'
      await append(store, facts('b'), importedMessage('both', text, { at: T0 + 50 }))
      expect(await found(store, 'Verbindung')).toEqual(['both', 'de'])
      await store.sessions.delete('cairn:b')
      expect(await found(store, 'Verbindungen')).toEqual(['de'])
    })
  })
}

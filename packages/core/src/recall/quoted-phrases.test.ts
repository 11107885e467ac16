import { describe, expect, it } from '@jest/globals'
import { createInMemoryStore } from '../in-memory/index.ts'
import { phrasesNotFound, quotedPhrases } from './quoted-phrases.ts'

const phrases = (query: string): readonly string[] => quotedPhrases(query).map(({ text }) => text)

describe('quotedPhrases', () => {
  it.each([
    ['notes on "connection reset"', ['connection reset']],
    ['“private key”, "folder"', ['private key', 'folder']],
    ['„bei der Verbindung“ gesehen', ['bei der Verbindung']],
    ['"is it flaky?"', ['is it flaky?']],
    ['When did she read "Emma"?', []],
    [`"walrus" ${'and so on, '.repeat(40)}`, []],
    ['a 5" disk and a 3" disk', []],
    ['"never closed', []],
    ['""', []],
    ['"…"', []],
    ['{"name":"cairn","version":"0.1.0"}', []],
    ['"a" "b" "c" "d" "e"', []],
    ['', []],
  ])('%s', (query, expected) => {
    expect(phrases(query)).toEqual(expected)
  })

  it('are none where the quotation marks belong to an error message, but an error may be quoted', () => {
    expect(phrases('Error: cannot find module "walrus" imported from "zoo.ts"')).toEqual([])
    expect(phrases('npm error code ENOENT while reading "package.json"')).toEqual([])
    expect(phrases('"cannot find module"')).toEqual(['cannot find module'])
    expect(phrases('the log of "cannot find module"')).toEqual(['cannot find module'])
  })
})

describe('a query with quoted words', () => {
  const texts = [
    'the reset of the connection was quick',
    'it said: Connection\n  reset by peer, once more',
    'a connection is reset by nobody: reset, connection, connection, reset',
    'otters swim far',
  ]
  const open = async () => {
    const store = createInMemoryStore()
    const writes = texts.map((text, index) => ({
      entry: {
        kind: 'message' as const,
        id: `m${index}`,
        at: index,
        role: 'user' as const,
        content: [{ type: 'text' as const, text }],
      },
    }))
    await store.sessions.append({ id: 'cairn:s', agent: 'cairn', externalId: 's' }, 0, writes)
    return store
  }
  const found = async (text: string) => (await open()).search.search({ text })

  it('finds only messages that hold them just so, in any case and with any white space', async () => {
    const hits = await found('"connection reset"')
    expect(hits.map(({ messageId }) => messageId)).toEqual(['m1'])
    expect(phrasesNotFound('"connection reset"', hits)).toEqual([])
    expect(phrasesNotFound('"l’école"', [{ text: "Dans l'école" }])).toEqual([])
    expect((await found('otters "connection reset"')).map(({ messageId }) => messageId)).toEqual(['m1'])
  })

  it('finds what comes near where nothing holds them, and tells it', async () => {
    const hits = await found('"reset connection quickly"')
    expect(hits.length).toBe(3)
    expect(phrasesNotFound('"reset connection quickly"', hits)).toEqual(['reset connection quickly'])
    expect((await found('Error: could not "reset" the "connection quickly"')).length).toBe(3)
  })

  it('needs all of them in one message', async () => {
    expect((await found('"by peer" "once more"')).map(({ messageId }) => messageId)).toEqual(['m1'])
    const hits = await found('"connection reset" "otters swim"')
    expect(hits.length).toBe(4)
    expect(phrasesNotFound('"connection reset" "otters swim"', hits)).toEqual(['connection reset', 'otters swim'])
  })

  it('does not correct what is quoted', async () => {
    const store = await open()
    expect((await store.search.correct({ text: 'conection' })).text).toBe('connection')
    expect((await store.search.correct({ text: '"conection"' })).text).toBe('"conection"')
  })
})

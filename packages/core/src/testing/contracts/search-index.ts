/** The contract that every SearchIndex keeps. Rankers differ; what is found, and by which filters, does not. */
import type { SearchQuery } from '../../ports/search-index.ts'
import type { Store } from '../../ports/store.ts'
import { append, facts, importBatch, importedMessage, message, text, T0 } from './fixtures.ts'
import { testsOn, type OpenStore, type TestApi } from './test-api.ts'

const ids = async (store: Store, query: SearchQuery) =>
  (await store.search.search(query)).map((hit) => hit.messageId)

/** Three sessions whose messages all say "otter". */
const fill = async (store: Store): Promise<void> => {
  await append(
    store,
    facts('a', { workspace: '/home/ann/shop', branch: 'main' }),
    importedMessage('a1', 'otter', { at: T0 }),
    importedMessage('a2', 'otter', { at: T0 + 1000, role: 'assistant' }),
    importedMessage('a3', 'otter', { at: T0 + 2000, role: 'tool' }),
  )
  await append(
    store,
    facts('b', { workspace: '/srv/blog', branch: 'next' }),
    importedMessage('b1', 'otter', { at: T0 + 3000 }),
    importedMessage('b2', 'otter', { at: null }),
  )
  await append(
    store,
    facts('c', { agent: 'other', workspace: '/srv/shop' }),
    importedMessage('c1', 'otter', { at: T0 + 4000, role: 'system' }),
  )
}

export const runSearchIndexContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, open)

  describe('SearchIndex', () => {
    it('finds a message as soon as its append has resolved, with all that is known of it', async (store) => {
      await append(store, facts('s'), { entry: message('m0', 'nothing here') })
      for (const round of [1, 2, 3]) {
        await append(
          store,
          facts('s'),
          importedMessage(`m${round}`, `walrus${round} sings`, { at: T0 + round, role: 'assistant' }),
        )
        const [hit, ...more] = await store.search.search({ text: `walrus${round}` })
        expect(more).toEqual([])
        expect(hit).toMatchObject({
          sessionId: 'cairn:s',
          seq: round,
          messageId: `m${round}`,
          externalId: `m${round}`,
          at: T0 + round,
          role: 'assistant',
          text: `walrus${round} sings`,
        })
        expect(hit?.score ?? 0).toBeGreaterThan(0)
      }
    })

    it('finds what was imported', async (store) => {
      await importBatch(store, '/a', {
        sessions: [{ session: facts('s'), writes: [importedMessage('m1', 'a walrus')] }],
      })
      expect(await ids(store, { text: 'walrus' })).toEqual(['m1'])
    })

    it('wants all words, and takes any only when no message has all', async (store) => {
      await append(
        store,
        facts('s'),
        importedMessage('both', 'the red lighthouse stands'),
        importedMessage('one', 'a lighthouse'),
        importedMessage('other', 'red paint'),
      )
      expect(await ids(store, { text: 'red lighthouse' })).toEqual(['both'])
      expect((await ids(store, { text: 'lighthouse zeppelin' })).sort()).toEqual(['both', 'one'])
      expect(await ids(store, { text: 'zeppelin' })).toEqual([])
    })

    it('does not mind case', async (store) => {
      await append(store, facts('s'), importedMessage('m1', 'The WALRUS and Größe'))
      expect(await ids(store, { text: 'walrus' })).toEqual(['m1'])
      expect(await ids(store, { text: 'THE Walrus' })).toEqual(['m1'])
      expect(await ids(store, { text: 'größe' })).toEqual(['m1'])
    })

    it('takes any characters as text, never as operators', async (store) => {
      await append(
        store,
        facts('s'),
        importedMessage('m1', 'walrus not otter'),
        importedMessage('m2', 'badger'),
      )
      for (const odd of [
        '"walrus',
        'walrus"',
        '(walrus',
        'walrus*',
        'walrus:',
        "walrus'",
        '-walrus',
        '^walrus',
        'walrus \\',
        'walrus;',
        '{walrus}',
        'walrus & |',
        '<->walrus',
        'walrus \u0000',
        'walrus \ud800',
        '%walrus%',
      ]) {
        expect([odd, await ids(store, { text: odd })]).toEqual([odd, ['m1']])
      }
      expect(await ids(store, { text: 'walrus NOT otter' })).toEqual(['m1'])
      for (const empty of ['', ' ', '"', '*', '()', '-', '\u0000', ':'])
        expect([empty, await ids(store, { text: empty })]).toEqual([empty, []])
    })

    it('looks into every kind of block that holds text', async (store) => {
      await append(
        store,
        facts('s'),
        importedMessage('text', [text('first'), text('alpha')]),
        importedMessage('thinking', [{ type: 'thinking', text: 'bravo' }]),
        importedMessage('call', [
          { type: 'tool_call', id: 'c', name: 'charlie', input: { deep: [{ path: 'delta' }] } },
        ]),
        importedMessage('result', [{ type: 'tool_result', callId: 'c', content: [text('echo')] }]),
        importedMessage('file', [{ type: 'file', path: 'foxtrot', text: 'golf' }]),
        importedMessage('odd', `a\u0000 hotel \ud800`),
        importedMessage('long', `${'lorem ipsum dolor '.repeat(40_000)} india`),
      )
      const wanted = {
        alpha: 'text',
        bravo: 'thinking',
        charlie: 'call',
        delta: 'call',
        echo: 'result',
        foxtrot: 'file',
        golf: 'file',
        hotel: 'odd',
        india: 'long',
      }
      for (const [word, id] of Object.entries(wanted))
        expect([word, await ids(store, { text: word })]).toEqual([word, [id]])
    })

    it('finds what was trimmed, compacted, replaced or taken back', async (store) => {
      await append(
        store,
        facts('s'),
        importedMessage('m1', 'walrus'),
        { entry: { kind: 'edit', at: T0, messageId: 'm1', block: 0, reason: 'stale', text: 'gone' } },
        { entry: { kind: 'truncation', at: T0, fromSeq: 0, toSeq: 0, reason: 'window' } },
        { entry: { kind: 'compaction', at: T0, trigger: 'auto' } },
        { entry: { kind: 'rewind', at: T0, toSeq: 0 } },
      )
      expect(await ids(store, { text: 'walrus' })).toEqual(['m1'])
    })

    it('filters', async (store) => {
      await fill(store)
      const found = async (query: Omit<SearchQuery, 'text'>) =>
        (await ids(store, { text: 'otter', ...query })).sort().join(' ')
      expect(await found({})).toBe('a1 a2 a3 b1 b2 c1')
      expect(await found({ sessionId: 'cairn:b' })).toBe('b1 b2')
      expect(await found({ agent: 'other' })).toBe('c1')
      expect(await found({ workspace: '/home/ann/shop' })).toBe('a1 a2 a3')
      expect(await found({ workspace: 'shop' })).toBe('a1 a2 a3 c1')
      expect(await found({ workspace: 'home' })).toBe('')
      expect(await found({ branch: 'next' })).toBe('b1 b2')
      expect(await found({ role: 'assistant' })).toBe('a2')
      expect(await found({ since: T0 + 1000 })).toBe('a2 a3 b1 c1')
      expect(await found({ until: T0 + 1000 })).toBe('a1')
      expect(await found({ since: T0 + 1, until: T0 + 3000, workspace: 'shop' })).toBe('a2 a3')
      expect(await found({ sessionId: 'cairn:none' })).toBe('')
    })

    it('gives the best first and no more than asked for', async (store) => {
      await append(
        store,
        facts('s'),
        ...Array.from({ length: 30 }, (_, index) =>
          importedMessage(
            `m${index}`,
            index === 17 ? 'otter otter and walrus' : 'one otter among many other animals',
            { at: T0 + index },
          ),
        ),
      )
      const hits = await store.search.search({ text: 'otter', limit: 7 })
      expect(hits.length).toBe(7)
      const scores = hits.map((hit) => hit.score)
      expect(scores).toEqual([...scores].sort((left, right) => right - left))
      expect((await ids(store, { text: 'walrus otter' }))[0]).toBe('m17')
    })

    it('prefers the newest of equal messages', async (store) => {
      await append(
        store,
        facts('s'),
        importedMessage('new', 'equal words', { at: T0 + 9 }),
        importedMessage('old', 'equal words', { at: T0 }),
        importedMessage('mid', 'equal words', { at: T0 + 5 }),
      )
      expect(await ids(store, { text: 'equal words' })).toEqual(['new', 'mid', 'old'])
    })
  })
}

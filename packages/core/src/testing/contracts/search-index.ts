/** The contract that every SearchIndex keeps: what is found, by which filters, and that every store gives the same order. */
import type { ContentBlock } from '../../messages.ts'
import type { RankerName, SearchQuery, SessionSearchQuery, TouchQuery } from '../../ports/search-index.ts'
import type { Store } from '../../ports/store.ts'
import { runSearchFilesContract } from './search-files.ts'
import { runSearchLanguagesContract } from './search-languages.ts'
import { runSearchRepeatsContract } from './search-repeats.ts'
import { runSearchCorrectionsContract } from './search-corrections.ts'
import { append, errorCode, facts, importBatch, importedMessage, message, text, T0 } from './fixtures.ts'
import { testsOn, type OpenStore, type TestApi } from './test-api.ts'

const ids = async (store: Store, query: SearchQuery) => (await store.search.search(query)).map((hit) => hit.messageId)

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

/** Defines the tests of this contract with the functions in `api`; `open` gives an empty store to each. */
export const runSearchIndexContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, open)

  describe('SearchIndex', () => {
    it('finds a message as soon as its append has resolved, with all its metadata', async (store) => {
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

    it('finds a name only where it is held as a whole, else by all its words', async (store) => {
      await append(
        store,
        facts('a'),
        importedMessage('a1', 'see src/tax-rates.ts'),
        importedMessage('a2', 'the tax, and rates'),
      )
      const named = (name: string) => ids(store, { text: name, isName: true })
      expect(await named('tax-rates.ts')).toEqual(['a1'])
      expect((await named('rates tax')).sort()).toEqual(['a1', 'a2'])
      expect(await named('see rates')).toEqual(['a1'])
      expect(await named('no-such-rates.ts')).toEqual([])
    })

    it('finds only messages that hold all words, and quoted words just so, where that is asked for', async (store) => {
      await append(
        store,
        facts('a'),
        importedMessage('a1', 'the lighthouses stand red in the storm'),
        importedMessage('a2', 'a red lighthouse'),
        importedMessage('a3', `a lighthouse, ${'far from here there is nothing else to see. '.repeat(600)} and red`),
        importedMessage('a4', 'only a lighthouse in src/red-storm.ts'),
      )
      for (let index = 0; index < 40; index += 1)
        await append(store, facts(`b${index}`), importedMessage(`b${index}`, 'red red red, and red again'))
      const all = async (text: string) => (await ids(store, { text, allWords: true, limit: 100 })).toSorted()
      expect(await all('Lighthouse red')).toEqual(['a1', 'a2', 'a3', 'a4'])
      expect(await all('storm lighthouse')).toEqual(['a1', 'a4'])
      expect(await all('lighthouse zeppelin')).toEqual([])
      expect(await all('red-storm.ts lighthouse')).toEqual(['a4'])
      expect(await all('red-storm.ts stand')).toEqual([])
      expect(await all('"red lighthouse"')).toEqual(['a2'])
      expect(await all('"lighthouse stands"')).toEqual([])
      expect(await all('"a lighthouse" red')).toEqual(['a3', 'a4'])
      expect((await all('red')).length).toBe(44)
      expect(await ids(store, { text: 'red lighthouse', allWords: true, role: 'tool' })).toEqual([])
      expect(await ids(store, { text: 'red', allWords: true, sessionId: facts('b7').id })).toEqual(['b7'])
    })

    it('finds imported messages', async (store) => {
      await importBatch(store, '/a', {
        sessions: [{ session: facts('s'), writes: [importedMessage('m1', 'a walrus')] }],
      })
      expect(await ids(store, { text: 'walrus' })).toEqual(['m1'])
    })

    it('requires both of two words, and falls back to either when no message has both', async (store) => {
      await append(store, facts('a'), importedMessage('both', 'the red lighthouse stands'))
      await append(store, facts('b'), importedMessage('one', 'a lighthouse'))
      await append(store, facts('c'), importedMessage('other', 'red paint'))
      expect(await ids(store, { text: 'red lighthouse' })).toEqual(['both'])
      expect((await ids(store, { text: 'lighthouse zeppelin' })).sort()).toEqual(['both', 'one'])
      expect(await ids(store, { text: 'zeppelin' })).toEqual([])
    })

    it('ranks messages with most of many words first', async (store) => {
      await append(store, facts('a'), importedMessage('three', 'the red lighthouse stands in the storm'))
      await append(store, facts('b'), importedMessage('one', 'a lighthouse on the coast of the sea'))
      await append(store, facts('c'), importedMessage('two', 'red paint dries before the storm'))
      expect(await ids(store, { text: 'red lighthouse storm' })).toEqual(['three', 'two', 'one'])
    })

    it('ignores case', async (store) => {
      await append(store, facts('s'), importedMessage('m1', 'The WALRUS and Größe'))
      expect(await ids(store, { text: 'walrus' })).toEqual(['m1'])
      expect(await ids(store, { text: 'THE Walrus' })).toEqual(['m1'])
      expect(await ids(store, { text: 'größe' })).toEqual(['m1'])
    })

    it('treats any characters as text, never as operators', async (store) => {
      await append(store, facts('s'), importedMessage('m1', 'walrus not otter'), importedMessage('m2', 'badger'))
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

    it('searches every kind of block that holds text', async (store) => {
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

    it('finds what was trimmed, compacted, replaced or rewound', async (store) => {
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

    it("returns the author, and filters by the author's first name in any case", async (store) => {
      await append(
        store,
        facts('s'),
        importedMessage('m1', 'otter', { author: 'Ann Smith' }),
        importedMessage('m2', 'otter', { author: 'Zoë' }),
        importedMessage('m3', 'otter'),
      )
      const hits = await store.search.search({ text: 'otter' })
      expect(hits.map(({ messageId, author }) => [messageId, author]).sort()).toEqual([
        ['m1', 'Ann Smith'],
        ['m2', 'Zoë'],
        ['m3', undefined],
      ])
      expect(await ids(store, { text: 'otter', author: 'ANN' })).toEqual(['m1'])
      expect(await ids(store, { text: 'otter', author: 'zoe' })).toEqual(['m2'])
      expect(await ids(store, { text: 'otter', author: 'Ben' })).toEqual([])
    })

    it('returns the best first, up to the limit', async (store) => {
      await append(
        store,
        facts('s'),
        ...Array.from({ length: 30 }, (_, index) =>
          importedMessage(`m${index}`, index === 17 ? 'otter otter and walrus' : 'one otter among many other animals', {
            at: T0 + index,
          }),
        ),
      )
      const hits = await store.search.search({ text: 'otter', limit: 7 })
      expect(hits.length).toBe(7)
      const scores = hits.map((hit) => hit.score)
      expect(scores).toEqual([...scores].sort((left, right) => right - left))
      expect((await ids(store, { text: 'walrus otter' }))[0]).toBe('m17')
    })

    it('orders ties newest first, those without a time last, then by session and position', async (store) => {
      const sayings = [
        ['b', 'old', T0],
        ['c', 'unknown', null],
        ['d', 'new', T0 + 9],
        ['f', 'later', T0 + 5],
        ['e', 'sooner', T0 + 5],
      ] as const
      for (const [session, id, at] of sayings)
        await append(store, facts(session), importedMessage(id, 'equal words', { at }))
      expect(await ids(store, { text: 'equal words' })).toEqual(['new', 'sooner', 'later', 'old', 'unknown'])
      expect(await ids(store, { text: 'equal words', limit: 2 })).toEqual(['new', 'sooner'])
    })

    it('explains why a message was found', async (store) => {
      await append(store, facts('s'), importedMessage('m1', 'the walrus sings'))
      const [hit] = await store.search.search({ text: 'walrus zeppelin' })
      expect(hit?.explanation.ranker).toBe('cairn')
      expect(hit?.explanation.terms.filter(({ found }) => found).length).toBe(1)
      const sum = hit?.explanation.parts.reduce((total, { value }) => total + value, 0) ?? 0
      expect(Math.abs(sum - (hit?.score ?? 0)) < 1e-9).toBe(true)
    })

    it('returns the first occurrence of a repeated text in a session', async (store) => {
      const long = `walrus ${'lorem ipsum dolor '.repeat(60)}`
      await append(store, facts('a'), importedMessage('a1', long))
      await append(store, facts('a'), importedMessage('a2', [text(long), text('otter')]))
      await append(store, facts('b'), importedMessage('b1', long))
      const [hit, ...others] = await store.search.search({ text: 'walrus' })
      expect([hit?.messageId, ...(hit?.alsoIn ?? []).map(({ messageId }) => messageId)].sort()).toEqual(['a1', 'b1'])
      expect(others).toEqual([])
      expect(await ids(store, { text: 'otter' })).toEqual(['a2'])
    })

    it('scores by the filtered messages only: later ones change nothing', async (store) => {
      await append(store, facts('a'), importedMessage('a1', 'walrus and otter', { at: T0 }))
      await append(store, facts('b'), importedMessage('b1', 'walrus in the sea', { at: T0 + 1 }))
      const asked = async () =>
        (await store.search.search({ text: 'walrus otter sea', until: T0 + 10 })).map(({ messageId, score }) => [
          messageId,
          score,
        ])
      const before = await asked()
      await append(
        store,
        facts('a'),
        ...Array.from({ length: 20 }, (_, index) =>
          importedMessage(`later${index}`, 'otter otter sea', { at: T0 + 100 + index }),
        ),
      )
      expect(await asked()).toEqual(before)
    })

    it('finds a session by its workspace as soon as that is known', async (store) => {
      await append(store, facts('s'), importedMessage('m1', 'walrus'))
      expect(await ids(store, { text: 'walrus', workspace: 'shop' })).toEqual([])
      await append(store, facts('s', { workspace: '/work/shop' }), importedMessage('m2', 'otter'))
      expect(await ids(store, { text: 'walrus', workspace: 'shop' })).toEqual(['m1'])
      expect(await ids(store, { text: 'otter', workspace: '/work/shop' })).toEqual(['m2'])
    })

    it('finds nothing of a deleted session, and everything of the others', async (store) => {
      for (const session of ['a', 'b', 'c'])
        for (let index = 0; index < 7; index += 1)
          await append(
            store,
            facts(session, { workspace: '/w' }),
            importedMessage(`${session}${index}`, `walrus number ${index}`),
          )
      await store.sessions.delete('cairn:b')
      const found = await ids(store, { text: 'walrus', limit: 99 })
      expect(found.filter((id) => id.startsWith('b'))).toEqual([])
      expect(found.length).toBe(14)
      expect(await store.verify()).toEqual([])
    })

    describe('files', () => {
      const edit = (path: string): ContentBlock[] => [
        { type: 'tool_call', id: path, name: 'Edit', input: { file_path: path, old_string: 'a', new_string: 'b' } },
      ]
      const read = (path: string): ContentBlock[] => [
        { type: 'tool_call', id: path, name: 'Read', input: { file_path: path } },
      ]
      const work = async (store: Store): Promise<void> => {
        await append(
          store,
          facts('a', { workspace: '/w', branch: 'main' }),
          importedMessage('a1', 'please mend the parser', { at: T0 }),
          importedMessage('a2', edit('/w/src/parser.ts'), { at: T0 + 1, role: 'assistant' }),
          importedMessage('a3', edit('/w/src/lexer.ts'), { at: T0 + 2, role: 'assistant' }),
        )
        await append(
          store,
          facts('b', { workspace: '/w', branch: 'colours' }),
          importedMessage('b1', 'please mend the colours', { at: T0 + 10 }),
          importedMessage('b2', read('/w/src/parser.ts'), { at: T0 + 11, role: 'assistant' }),
          importedMessage('b3', edit('/w/src/theme.ts'), { at: T0 + 12, role: 'assistant' }),
        )
        await append(
          store,
          facts('c', { workspace: '/v' }),
          importedMessage('c1', edit('/v/parser.ts'), { at: T0 + 20, role: 'assistant' }),
        )
      }

      it('filters messages by a file that their tools touched', async (store) => {
        await work(store)
        const found = async (file: string, more: Partial<SearchQuery> = {}) =>
          (await ids(store, { text: 'src parser lexer theme', file, ...more })).sort()
        expect(await found('/w/src/parser.ts')).toEqual(['a2', 'b2'])
        expect(await found('parser.ts')).toEqual(['a2', 'b2', 'c1'])
        expect(await found('src/parser.ts')).toEqual(['a2', 'b2'])
        expect(await found('./src/parser.ts')).toEqual(['a2', 'b2'])
        expect(await found('ser.ts')).toEqual([])
        expect(await found('parser.ts', { workspace: '/v' })).toEqual(['c1'])
      })

      it('lists the messages that touched a file, newest first', async (store) => {
        await work(store)
        const touched = async (query: TouchQuery) =>
          (await store.search.touches(query)).map(
            ({ path, operation, sessionId, seq }) => `${sessionId} ${seq} ${operation} ${path}`,
          )
        expect(await touched({ file: 'src/parser.ts' })).toEqual([
          'cairn:b 1 read /w/src/parser.ts',
          'cairn:a 1 edit /w/src/parser.ts',
        ])
        expect(await touched({ file: './src/parser.ts' })).toEqual(await touched({ file: 'src/parser.ts' }))
        for (const file of ['', ' ', 'src/', '../parser.ts', 'x'.repeat(100_000)])
          expect([file.slice(0, 20), await touched({ file })]).toEqual([file.slice(0, 20), []])
        for (const wrong of [{ limit: -1 }, { limit: 1.5 }, { since: Number.NaN }])
          expect(await touched(wrong).catch(errorCode)).toBe('invalid-input')
        expect((await touched({ workspace: '/w' })).length).toBe(4)
        expect((await touched({ workspace: '/w', limit: 1 }))[0]).toBe('cairn:b 2 edit /w/src/theme.ts')
        expect((await touched({ sessionId: 'cairn:a' })).length).toBe(2)
        expect((await touched({ sessionIds: ['cairn:a', 'cairn:none'] })).length).toBe(2)
        expect(await touched({ sessionIds: [] })).toEqual([])
        expect((await touched({ since: T0 + 2, until: T0 + 12 })).length).toBe(2)
      })

      it('finds the sessions relevant to a request', async (store) => {
        await work(store)
        const found = async (query: SessionSearchQuery) => await store.search.sessions(query)
        const [first, ...others] = await found({ text: 'lexer broken', workspace: '/w' })
        expect(first).toMatchObject({ sessionId: 'cairn:a', hits: 1 })
        expect(first?.best?.messageId).toBe('a3')
        expect((first?.score ?? 0) > (others[0]?.score ?? 0)).toBe(true)
        expect((await found({ text: 'colours', workspace: '/w' }))[0]?.sessionId).toBe('cairn:b')
        expect((await found({ text: 'mend', branch: 'colours', workspace: '/w' }))[0]?.sessionId).toBe('cairn:b')
        expect(await found({ text: 'colours', until: T0 + 5 })).toEqual([])
        const onColours = async (ranker: RankerName) =>
          (await found({ text: 'lexer colours broken', onlyBranch: 'colours', workspace: '/w', ranker })).map(
            ({ sessionId }) => sessionId,
          )
        for (const ranker of ['cairn', 'bm25', 'clio'] as const) expect(await onColours(ranker)).toEqual(['cairn:b'])
        expect(await found({ text: 'colours', onlyBranch: 'no such branch' })).toEqual([])
        expect((await found({ text: 'mend', workspace: '/w', limit: 1 })).length).toBe(1)
        expect(await found({ text: 'zeppelin', workspace: '/w' })).toEqual([])
      })
    })
  })
  runSearchCorrectionsContract(api, open)
  runSearchRepeatsContract(api, open)
  runSearchFilesContract(api, open)
  runSearchLanguagesContract(api, open)
}

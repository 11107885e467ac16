/** The contract that every ImportStorage keeps: all of a batch or nothing of it, and nothing twice. */
import type { Store } from '../../ports/store.ts'
import { append, batch, cursor, facts, importBatch, importedMessage, message, reply, request, T0 } from './fixtures.ts'
import { collect, SLOW_TEST_MS, testsOn, type OpenStore, type TestApi } from './test-api.ts'

const PATH = '/transcripts/a.jsonl'

/** All that an import could have changed. */
const snapshot = async (store: Store) => ({
  sessions: await store.sessions.list({ limit: 100 }),
  entries: await store.sessions.read('cairn:s'),
  usage: await store.usage.report({ by: 'session' }),
  found: await store.search.search({ text: 'walrus' }),
  files: await store.imports.files(),
  skips: await store.imports.skips(),
  source: await collect(store.sessions.sourceLines('cairn:s')),
})

const texts = async (store: Store, sessionId = 'cairn:s') =>
  (await store.sessions.read(sessionId)).map((entry) =>
    entry.kind === 'message' && entry.content[0]?.type === 'text' ? entry.content[0].text : entry.kind,
  )

/** Defines the tests of this contract with the functions in `api`; `open` gives an empty store to each. */
export const runImportStorageContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, open)

  describe('ImportStorage', () => {
    it('commits lines, entries, requests and the position together', async (store) => {
      const position = cursor({ offset: 77, line: 2, parserState: { open: ['x', null, { y: 1.5 }] } })
      const counts = await store.imports
        .prepare(
          batch(PATH, 0, {
            agent: 'codex',
            sessions: [
              {
                session: facts('s', { agent: 'codex', title: 'T', workspace: '/work/shop', branch: 'main' }),
                writes: [
                  importedMessage('m1', 'walrus'),
                  reply('m2', request('c1')),
                  { entry: { kind: 'model', at: T0, model: 'x' }, externalId: 'e3' },
                ],
              },
            ],
            source: [{ sessionId: 'codex:s', firstLine: 1, lines: ['{"a":1}', '{"b":2}'] }],
            cursor: position,
          }),
        )
        .commit()
      expect(counts).toEqual({ newSessions: 1, newMessages: 2, newRequests: 1 })
      expect(await store.imports.file(PATH)).toEqual({
        path: PATH,
        agent: 'codex',
        cursor: position,
        version: 1,
      })
      expect(await store.imports.files()).toEqual([{ path: PATH, agent: 'codex', cursor: position, version: 1 }])
      expect(await store.sessions.get('codex:s')).toMatchObject({
        agent: 'codex',
        externalId: 's',
        title: 'T',
        entries: 3,
        messages: 2,
        requests: 1,
      })
      expect((await store.sessions.read('codex:s')).map((entry) => [entry.seq, entry.kind])).toEqual([
        [0, 'message'],
        [1, 'message'],
        [2, 'model'],
      ])
      expect((await store.search.search({ text: 'walrus' })).length).toBe(1)
    })

    it('has no state for an unknown file', async (store) => {
      expect(await store.imports.file('/none')).toBe(undefined)
      expect(await store.imports.files()).toEqual([])
    })

    it('writes nothing before the commit, and nothing when another importer advanced the file', async (store) => {
      const more = {
        sessions: [{ session: facts('s'), writes: [importedMessage('m1', 'walrus one'), reply('r1', request('c1'))] }],
        source: [{ sessionId: 'cairn:s', firstLine: 1, lines: ['1'] }],
      }
      const empty = await snapshot(store)
      const prepared = store.imports.prepare(batch(PATH, 0, more))
      expect(await snapshot(store)).toEqual(empty)
      await prepared.commit()
      const before = await snapshot(store)
      for (const stale of [0, 2, 7]) {
        const late = batch(PATH, stale, {
          sessions: [
            {
              session: facts('s', { title: 'late' }),
              writes: [importedMessage('m9', 'walrus late'), reply('r9', request('c9'))],
            },
            { session: facts('fresh'), writes: [] },
          ],
          source: [{ sessionId: 'cairn:s', firstLine: 2, lines: ['late'] }],
          skips: [{ file: PATH, reason: 'late', count: 1 }],
          cursor: cursor({ offset: 999 }),
        })
        expect(await store.imports.prepare(late).commit()).toBe(undefined)
        expect(await snapshot(store)).toEqual(before)
      }
    })

    it('lets exactly one of several concurrent importers commit each batch', async (store) => {
      for (const version of [0, 1]) {
        const results = await Promise.all(
          Array.from({ length: 6 }, (_, importer) =>
            store.imports
              .prepare(
                batch(PATH, version, {
                  sessions: [{ session: facts('s'), writes: [importedMessage(`m${version}-${importer}`, 'x')] }],
                }),
              )
              .commit(),
          ),
        )
        expect(results.filter((counts) => counts !== undefined)).toEqual([
          { newSessions: 1 - version, newMessages: 1, newRequests: 0 },
        ])
      }
      expect((await store.sessions.read('cairn:s')).map((entry) => entry.seq)).toEqual([0, 1])
      expect((await store.imports.file(PATH))?.version).toBe(2)
    })

    it('lets several files and a live writer append to one session concurrently', async (store) => {
      const files = Array.from({ length: 5 }, (_, index) => `/transcripts/${index}.jsonl`)
      await Promise.all([
        ...files.map((path, index) =>
          importBatch(store, path, {
            sessions: [
              {
                session: facts('s'),
                writes: [importedMessage(`a${index}`, 'x'), importedMessage(`b${index}`, 'x')],
              },
            ],
          }),
        ),
        store.sessions.append(facts('s'), 0, [{ entry: message('live', 'x') }]),
      ])
      const log = await store.sessions.read('cairn:s')
      expect(log.map((entry) => entry.seq)).toEqual(log.map((_, index) => index))
      const ids = log.map((entry) => (entry.kind === 'message' ? entry.id : ''))
      expect(ids.filter((id) => id !== 'live').sort()).toEqual(
        files.flatMap((_, index) => [`a${index}`, `b${index}`]).sort(),
      )
    })

    it('continues with the next batch, in file order where there are no times', async (store) => {
      await importBatch(store, PATH, {
        sessions: [
          {
            session: facts('s'),
            writes: [importedMessage('m1', 'first', { at: null }), importedMessage('m2', 'second', { at: T0 })],
          },
        ],
      })
      await importBatch(store, PATH, {
        sessions: [
          {
            session: facts('s'),
            writes: [importedMessage('m3', 'third', { at: T0 - 500 }), importedMessage('m4', 'fourth', { at: null })],
          },
        ],
      })
      expect(await texts(store)).toEqual(['first', 'second', 'third', 'fourth'])
      expect(await store.sessions.get('cairn:s')).toMatchObject({ startedAt: T0 - 500, updatedAt: T0 })
    })

    it('does not repeat known entries, but updates the figures of their request', async (store) => {
      const first = [importedMessage('m1', 'one'), reply('m2', request('c1', { outputTokens: 3, costNano: 30n }), 400)]
      await importBatch(store, PATH, { sessions: [{ session: facts('s'), writes: first }] })
      const again = [
        importedMessage('m1', 'one'),
        reply('m2', request('c1', { outputTokens: 90, costNano: 900n }), 400),
        importedMessage('m3', 'three'),
        importedMessage('m3', 'three'),
      ]
      const counts = await importBatch(store, PATH, {
        restarted: true,
        sessions: [{ session: facts('s'), writes: again }],
      })
      expect(counts).toEqual({ newSessions: 0, newMessages: 1, newRequests: 0 })
      expect(await texts(store)).toEqual(['one', 'reply m2', 'three'])
      expect((await store.usage.report({ by: 'session' })).total).toMatchObject({
        requests: 1,
        outputTokens: 90,
        costNano: 900n,
        partialRequests: 0,
      })
      expect((await store.usage.report({ by: 'day' })).total).toMatchObject({
        requests: 1,
        outputTokens: 90,
        costNano: 900n,
        partialRequests: 0,
      })
    })

    it('recognises entries from another file, within their session only', async (store) => {
      await importBatch(store, '/a', {
        sessions: [{ session: facts('s'), writes: [importedMessage('m1', 'one')] }],
      })
      await importBatch(store, '/b', {
        sessions: [
          { session: facts('s'), writes: [importedMessage('m1', 'one')] },
          { session: facts('t'), writes: [importedMessage('m1', 'one')] },
        ],
      })
      expect([(await texts(store)).length, (await texts(store, 'cairn:t')).length]).toEqual([1, 1])
    })

    it('importing the same file again changes nothing', async (store) => {
      const more = {
        sessions: [
          {
            session: facts('s', { title: 'T' }),
            writes: [importedMessage('m1', 'walrus'), reply('m2', request('c1'), 900)],
          },
        ],
        source: [{ sessionId: 'cairn:s', firstLine: 1, lines: ['one', 'two'] }],
        skips: [{ file: PATH, line: 3, reason: 'not JSON', count: 1 }],
      }
      await importBatch(store, PATH, more)
      const before = await snapshot(store)
      await importBatch(store, PATH, { ...more, restarted: true })
      const after = await snapshot(store)
      // The file's own version counts on.
      expect({ ...after, files: [] }).toEqual({ ...before, files: [] })
    })

    it('returns messages by their external ids, within their session only, whatever characters they hold', async (store) => {
      const long = 'walrus '.repeat(2_000)
      const ids = ['m1', 'm2', 'odd \u0000 id', "it's"]
      await importBatch(store, PATH, {
        sessions: [
          {
            session: facts('s'),
            writes: [
              ...ids.map((id) => importedMessage(id, `${id} ${long}`)),
              { entry: { kind: 'model', at: T0, model: 'x' }, externalId: 'e1' },
            ],
          },
        ],
      })
      const found = await store.imports.messagesWith('cairn:s', ['m2', 'none', 'odd \u0000 id', "it's", 'e1'])
      expect([...found.keys()].sort()).toEqual(["it's", 'm2', 'odd \u0000 id'])
      expect(found.get('m2')).toEqual((await store.sessions.read('cairn:s'))[1])
      expect([
        (await store.imports.messagesWith('cairn:t', ['m1'])).size,
        (await store.imports.messagesWith('cairn:s', [])).size,
      ]).toEqual([0, 0])
    })

    it('remembers which agent a file was attributed to last', async (store) => {
      await importBatch(store, PATH, { agent: 'generic' })
      await importBatch(store, PATH, { agent: 'pi', restarted: true })
      expect((await store.imports.file(PATH))?.agent).toBe('pi')
    })

    it('lists skipped lines by file, and afresh after a restart', async (store) => {
      const skip = (file: string, line: number) => ({ file, line, reason: 'not JSON', count: 1 })
      await importBatch(store, '/b', { skips: [skip('/b', 4)] })
      await importBatch(store, '/a', { skips: [{ file: '/a', reason: 'too long', count: 3 }] })
      await importBatch(store, '/b', { skips: [skip('/b', 9)] })
      expect(await store.imports.skips()).toEqual([
        { file: '/a', reason: 'too long', count: 3 },
        skip('/b', 4),
        skip('/b', 9),
      ])
      await importBatch(store, '/b', { restarted: true, skips: [skip('/b', 2)] })
      expect(await store.imports.skips()).toEqual([{ file: '/a', reason: 'too long', count: 3 }, skip('/b', 2)])
    })

    it('does not lose a batch because of odd characters in its metadata', async (store) => {
      for (const [index, odd] of ['a\u0000b', '\ud800', '\u0001x', '%_*', '😀'].entries()) {
        const fact = request(`c${odd}`, {
          model: odd,
          provider: odd,
          mode: odd,
          branch: odd,
          workspace: odd,
          subagent: odd,
        })
        const counts = await importBatch(store, `/transcripts/${index}`, {
          sessions: [
            {
              session: facts(`s${index}`, { title: odd, branch: odd, workspace: odd }),
              writes: [reply(`m${odd}`, fact)],
            },
          ],
          skips: [{ file: `/transcripts/${index}`, reason: odd, count: 1 }],
          cursor: cursor({ parserState: { [odd]: odd } }),
        })
        expect(counts).toEqual({ newSessions: 1, newMessages: 1, newRequests: 1 })
        expect((await store.imports.file(`/transcripts/${index}`))?.cursor.parserState).toEqual({
          [odd]: odd,
        })
      }
      expect((await store.usage.report({ by: 'model' })).total.requests).toBe(5)
    })
  })

  describe('source lines', () => {
    const bytesOf = (line: string | Uint8Array) => (typeof line === 'string' ? new TextEncoder().encode(line) : line)

    it(
      'are returned byte for byte, in the order of import',
      async (store) => {
        const invalid = Uint8Array.from({ length: 256 }, (_, index) => 255 - index)
        const lines = [
          '{"a":"é😀\\ud800 \\u0000"}',
          '',
          '  ',
          invalid,
          new Uint8Array(0),
          '\u0001x',
          '\ufeff{}',
          'crlf\r',
          'y'.repeat(1_000_000),
          new Uint8Array(200_000).fill(200),
          'same',
          'same',
        ]
        await importBatch(store, '/a', {
          sessions: [{ session: facts('s'), writes: [] }],
          source: [{ sessionId: 'cairn:s', firstLine: 5, lines }],
        })
        await importBatch(store, '/b', {
          sessions: [{ session: facts('s'), writes: [] }],
          source: [
            { sessionId: 'cairn:s', firstLine: 1, lines: ['b1'] },
            { sessionId: 'cairn:s', firstLine: 9, lines: ['b9'] },
          ],
        })
        await importBatch(store, '/a', {
          sessions: [{ session: facts('s'), writes: [] }],
          source: [{ sessionId: 'cairn:s', firstLine: 17, lines: ['last'] }],
        })
        const expected = [
          ...lines.map((line, index) => ({ file: '/a', line: 5 + index, bytes: bytesOf(line) })),
          { file: '/b', line: 1, bytes: bytesOf('b1') },
          { file: '/b', line: 9, bytes: bytesOf('b9') },
          { file: '/a', line: 17, bytes: bytesOf('last') },
        ]
        const found = await collect(store.sessions.sourceLines('cairn:s'))
        expect(found.map(({ file, line, bytes }) => [file, line, bytes.length])).toEqual(
          expected.map(({ file, line, bytes }) => [file, line, bytes.length]),
        )
        for (const [index, { bytes }] of found.entries()) {
          const wanted = expected[index]?.bytes
          expect([index, bytes.every((byte, offset) => byte === wanted?.[offset])]).toEqual([index, true])
        }
      },
      SLOW_TEST_MS,
    )

    it('are copied when the batch is prepared: the reader reuses its buffer', async (store) => {
      const buffer = new Uint8Array([1, 2, 3])
      const prepared = store.imports.prepare(
        batch(PATH, 0, {
          sessions: [{ session: facts('s'), writes: [] }],
          source: [{ sessionId: 'cairn:s', firstLine: 1, lines: [buffer] }],
        }),
      )
      buffer.fill(9)
      await prepared.commit()
      const [line] = await collect(store.sessions.sourceLines('cairn:s'))
      expect([...(line?.bytes ?? [])]).toEqual([1, 2, 3])
    })

    it('of a rewritten file are kept beside the new ones', async (store) => {
      const lines = async () =>
        (await collect(store.sessions.sourceLines('cairn:s'))).map(
          ({ line, bytes }) => `${line}:${new TextDecoder().decode(bytes)}`,
        )
      const sessions = [{ session: facts('s'), writes: [] }]
      await importBatch(store, PATH, {
        sessions,
        source: [{ sessionId: 'cairn:s', firstLine: 1, lines: ['a', 'b'] }],
      })
      await importBatch(store, PATH, {
        restarted: true,
        sessions,
        source: [{ sessionId: 'cairn:s', firstLine: 1, lines: ['A', 'b', 'c'] }],
      })
      expect((await lines()).sort()).toEqual(['1:A', '1:a', '2:b', '3:c'])
    })

    it('are empty where nothing was imported', async (store) => {
      await append(store, facts('live'), { entry: message('m', 'x') })
      expect(await collect(store.sessions.sourceLines('cairn:live'))).toEqual([])
      expect(await collect(store.sessions.sourceLines('cairn:none'))).toEqual([])
    })
  })
}

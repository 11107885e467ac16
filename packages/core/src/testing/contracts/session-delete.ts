/** Contract of SessionStorage, fourth part: what is deleted is gone everywhere, and nothing else is. */
import type { Store } from '../../ports/store.ts'
import { append, facts, importBatch, importedMessage, message, reply, request, text } from './fixtures.ts'
import { collect, testsOn, type OpenStore, type TestApi } from './test-api.ts'

/** Long enough to be shared between sessions rather than repeated. */
const SHARED = `shared walrus ${'0123456789abcdef'.repeat(2000)}`

/** A file with two sessions that share a text and a line. */
const fill = (store: Store) =>
  importBatch(store, '/transcripts/both.jsonl', {
    sessions: [
      {
        session: facts('gone'),
        writes: [
          importedMessage('1', [text(SHARED)]),
          importedMessage('2', 'secret zebra'),
          reply('3', request('g1', { costNano: 5n })),
        ],
      },
      {
        session: facts('kept'),
        writes: [importedMessage('1', [text(SHARED)]), reply('2', request('k1', { costNano: 7n }))],
      },
    ],
    source: [
      { sessionId: 'cairn:gone', firstLine: 1, lines: [SHARED, '"zebra"'] },
      { sessionId: 'cairn:kept', firstLine: 3, lines: [SHARED] },
    ],
  })

/** Defines the tests of this contract with the functions in `api`; `open` gives an empty store to each. */
export const runDeleteContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, open)

  describe('delete', () => {
    it('removes a session from everything, and reports what was removed', async (store) => {
      await fill(store)
      await store.state.set({ tier: 'session', sessionId: 'cairn:gone' }, new Map([['draft', 'x']]))
      expect(await store.sessions.delete('cairn:gone')).toMatchObject({
        sessionId: 'cairn:gone',
        entries: 3,
        requests: 1,
        sourceLines: 2,
      })
      expect(await store.sessions.get('cairn:gone')).toBe(undefined)
      expect(await store.sessions.read('cairn:gone')).toEqual([])
      expect((await store.sessions.list({ limit: 9 })).sessions.map((session) => session.id)).toEqual(['cairn:kept'])
      expect(await store.sessions.resolve('gone')).toEqual([])
      expect(await collect(store.sessions.sourceLines('cairn:gone'))).toEqual([])
      expect(await store.search.search({ text: 'zebra' })).toEqual([])
      expect((await store.usage.report({ by: 'session' })).rows).toMatchObject([
        { key: 'cairn:kept', costNano: 7n, requests: 1 },
      ])
      expect((await store.usage.report({ by: 'day' })).total).toMatchObject({ requests: 1, costNano: 7n })
      expect(await store.usage.requests('cairn:gone')).toEqual([])
      expect((await store.state.all({ tier: 'session', sessionId: 'cairn:gone' })).size).toBe(0)
      expect(await store.verify()).toEqual([])
    })

    it('keeps what another session shares with it', async (store) => {
      await fill(store)
      await store.sessions.delete('cairn:gone')
      const [entry] = await store.sessions.read('cairn:kept')
      expect(entry?.kind === 'message' && JSON.stringify(entry.content) === JSON.stringify([text(SHARED)])).toBe(true)
      const [line, ...more] = await collect(store.sessions.sourceLines('cairn:kept'))
      expect([new TextDecoder().decode(line?.bytes) === SHARED, line?.line, more.length]).toEqual([true, 3, 0])
      expect((await store.search.search({ text: 'walrus' })).map((hit) => hit.sessionId)).toEqual(['cairn:kept'])
      // The same content once more, after its first holder went.
      await append(store, facts('new'), { entry: message('m', SHARED) })
      const [again] = await store.sessions.read('cairn:new')
      expect(again?.kind === 'message' && JSON.stringify(again.content) === JSON.stringify([text(SHARED)])).toBe(true)
    })

    it('reports nothing for an unknown session', async (store) => {
      expect(await store.sessions.delete('cairn:none')).toBe(undefined)
      await fill(store)
      await store.sessions.delete('cairn:gone')
      expect(await store.sessions.delete('cairn:gone')).toBe(undefined)
    })

    it('is remembered by imports, which continue with the rest of the batch', async (store) => {
      await fill(store)
      await store.sessions.delete('cairn:gone')
      const counts = await importBatch(store, '/transcripts/both.jsonl', {
        restarted: true,
        sessions: [
          {
            session: facts('gone', { title: 'back' }),
            writes: [importedMessage('2', 'secret zebra'), reply('3', request('g1'))],
          },
          { session: facts('kept'), writes: [importedMessage('9', 'fresh otter')] },
        ],
        source: [{ sessionId: 'cairn:gone', firstLine: 2, lines: ['"zebra"'] }],
      })
      expect(counts).toEqual({ newSessions: 0, newMessages: 1, newRequests: 0 })
      expect(await store.sessions.get('cairn:gone')).toBe(undefined)
      expect(await collect(store.sessions.sourceLines('cairn:gone'))).toEqual([])
      expect(await store.search.search({ text: 'zebra' })).toEqual([])
      expect((await store.search.search({ text: 'otter' })).length).toBe(1)
      expect((await store.usage.report({ by: 'session' })).total.requests).toBe(1)
    })

    it('does not stop a live writer, whose session starts again', async (store) => {
      await fill(store)
      await store.sessions.delete('cairn:gone')
      expect(await store.sessions.append(facts('gone'), 3, [{ entry: message('4', 'more') }])).toMatchObject({
        ok: false,
        error: { actualSeq: 0 },
      })
      expect(await store.sessions.append(facts('gone'), 0, [{ entry: message('4', 'more') }])).toEqual({
        ok: true,
        value: { nextSeq: 1 },
      })
      expect(await store.sessions.read('cairn:gone')).toMatchObject([{ id: '4', seq: 0 }])
    })
  })
}

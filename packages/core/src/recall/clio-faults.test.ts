/** CLIO's faults of recall, by their numbers in its description: each mended here. */
import { describe, expect, it } from '@jest/globals'
import { policyOf } from '../context/policies/registry.ts'
import { trimmedSession } from '../archive/trimmed-session.fixture.ts'
import type { SearchIndex } from '../ports/search-index.ts'
import type { Store } from '../ports/store.ts'
import type { LogEntry, MessageEntry } from '../session-log.ts'
import { modelHistory } from '../session/model-history.ts'
import { createInMemoryStore } from '../testing/index.ts'
import { analyseEntry } from './analyse-entry.ts'
import { buildSegment } from './index/build.ts'
import { createView } from './index/view.ts'
import { createSearch } from './search.ts'

const texts = (text: string, seq: number): MessageEntry => ({
  kind: 'message',
  seq,
  at: seq * 1000,
  id: `m${seq}`,
  role: seq % 2 === 0 ? 'user' : 'assistant',
  content: [{ type: 'text', text }],
})

const store = async (
  sessions: Readonly<Record<string, readonly LogEntry[]>>,
  titles: Readonly<Record<string, string>> = {},
): Promise<Store> => {
  const made = createInMemoryStore()
  for (const [externalId, log] of Object.entries(sessions)) {
    const title = titles[externalId]
    await made.sessions.append(
      { id: `cairn:${externalId}`, agent: 'cairn', externalId, ...(title === undefined ? {} : { title }) },
      0,
      log.map((entry) => ({ entry })),
    )
  }
  return made
}
const found = async ({ search }: Pick<Store, 'search'>, text: string): Promise<readonly string[]> =>
  (await search.search({ text })).map(({ sessionId, seq }) => `${sessionId}#${seq}`)

describe('what left the context', () => {
  it('a fact in message 1 of 40 is found although it was trimmed', async () => {
    const session = trimmedSession(policyOf('clio'), 12_000)
    session.user('The staging database listens on port 15433.')
    session.agent('Noted.')
    session.user('Now the colours of the chart.')
    for (let index = 0; index < 19; index++) {
      session.agent(`Step ${index} is done.`)
      session.tool(
        'Read',
        { file_path: `src/part-${index}.ts` },
        `export const value${index} = load(${index})\n`.repeat(60),
      )
    }
    const { log } = session
    expect(session.trims()).toBeGreaterThan(0)
    const [first] = log
    expect(
      modelHistory(log).some(({ seqs, id }) => seqs.includes(first?.seq ?? -1) && !id.startsWith('rewrite:')),
    ).toBe(false)
    expect((await found(await store({ s: log }), 'Which port does the staging database listen on?'))[0]).toBe(
      'cairn:s#0',
    )
  })

  it('so is what a truncation, a compaction and a rewind removed', async () => {
    const trims: readonly LogEntry[] = [
      { kind: 'truncation', seq: 40, at: 1, fromSeq: 0, toSeq: 39, reason: 'window' },
      { kind: 'compaction', seq: 40, at: 1, trigger: 'auto' },
      { kind: 'rewind', seq: 40, at: 1, toSeq: -1 },
    ]
    for (const trim of trims) {
      const log = [
        texts('The secret ingredient is cardamom.', 0),
        ...Array.from({ length: 39 }, (_, index) => texts(`Talk about other things ${index}`, index + 1)),
        trim,
      ]
      expect(modelHistory(log)).toEqual([])
      expect((await found(await store({ s: log }), 'secret ingredient'))[0]).toBe('cairn:s#0')
    }
  })
})

describe('the words of a query', () => {
  it('"auth" does not match "authors"; "refreshing" finds "refresh"', async () => {
    const made = await store({
      a: [texts('The authors are listed by name', 0)],
      b: [texts('auth is checked first', 0)],
      c: [texts('We refresh the token', 0)],
    })
    expect(await found(made, 'auth')).toEqual(['cairn:b#0'])
    expect(await found(made, 'refreshing')).toEqual(['cairn:c#0'])
    expect(await found(made, 'author')).toEqual(['cairn:a#0'])
  })

  it("a session's title is searched", async () => {
    const made = await store(
      { a: [texts('It works now', 0)], b: [texts('It works now', 0)] },
      { a: 'Migrate the billing tables', b: 'Colours of the chart' },
    )
    expect((await made.search.sessions({ text: 'billing tables' }))[0]?.sessionId).toBe('cairn:a')
  })
})

describe('the cost of a query', () => {
  /** An index over so many sessions of ten messages, and what its questions read. */
  const indexOf = (sessions: number): { readonly search: SearchIndex; readonly reads: { messages: number } } => {
    const logs = Array.from({ length: sessions }, (_, session) =>
      Array.from({ length: 10 }, (_, seq) =>
        texts(`The parser of session ${session} needs a mend in place ${seq}`, seq),
      ),
    )
    const messages = logs.flatMap((log, session) =>
      log.map((entry) => ({
        session,
        seq: entry.seq,
        at: entry.at ?? Number.NaN,
        message: analyseEntry(entry, () => false),
      })),
    )
    const view = createView([buildSegment(messages)])
    const reads = { messages: 0 }
    const search = createSearch({
      open: async () => ({ view, sessions: undefined, onBranch: undefined, read: async () => new Map() }),
      sessions: async (numbers) => new Map(numbers.map((number) => [number, { id: `cairn:${number}`, title: null }])),
      folders: async () => new Map(),
      labels: async (numbers) => Array.from(numbers, () => ({ branch: null, title: null })),
      messages: async (positions) => {
        reads.messages += positions.length
        return positions.map(({ session, seq }) => logs[session]?.[seq])
      },
    })
    return { search, reads }
  }

  it.each([20, 400])('reads only the messages that it returns, of %i sessions', async (sessions) => {
    const { search, reads } = indexOf(sessions)
    expect(await search.search({ text: 'mend the parser', limit: 10 })).toHaveLength(10)
    // And at most 40 that may hold the words in a row.
    expect(reads.messages).toBe(50)
    expect((await search.sessions({ text: 'mend the parser', limit: 5 })).length).toBe(5)
    expect(reads.messages).toBe(55)
    await search.search({ text: 'nothing of this kind' })
    expect(reads.messages).toBeLessThanOrEqual(55 + 10)
  })
})

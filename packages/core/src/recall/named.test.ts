/** What a query names beside its words: who said it, when, and which file it is about. Sets of our own. */
import { beforeAll, describe, expect, it } from '@jest/globals'
import type { ContentBlock } from '../messages.ts'
import type { SearchQuery } from '../ports/search-index.ts'
import type { Store } from '../ports/store.ts'
import type { MessageEntry } from '../session-log.ts'
import { createInMemoryStore } from '../testing/index.ts'
import { createSearch } from './search.ts'
import { analyseEntry } from './analyse-entry.ts'
import { buildSegment } from './index/build.ts'
import { createView } from './index/view.ts'

type TestEntry = Pick<MessageEntry, 'role'> & {
  readonly at: number
  readonly content: string | readonly ContentBlock[]
  readonly author?: string
}

const fill = async (store: Store, id: string, messages: readonly TestEntry[], workspace = '/w'): Promise<void> => {
  const entries = messages.map(({ content, ...rest }, seq) => ({
    entry: {
      kind: 'message' as const,
      seq,
      id: `${id}${seq}`,
      content: typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content,
      ...rest,
    },
  }))
  await store.sessions.append({ id: `cairn:${id}`, agent: 'cairn', externalId: id, workspace }, 0, entries)
}
const found = async (store: Store, text: string, more: Partial<SearchQuery> = {}) =>
  await store.search.search({ text, ...more })

const PEOPLE = ['Mira', 'Tom', 'Ines'] as const
const SAYINGS = [
  'the ferry was late',
  'what a storm that was',
  'my bike is broken',
  'we ate too much cake',
  'it rained on the tent',
  'the cat is back',
  'she said nothing of it',
]

/** Three people, a day a month from January 2024 to June 2026; nobody's name is said. */
const chat = async (store: Store): Promise<void> => {
  for (let month = 0; month < 30; month++) {
    const entries = Array.from({ length: 9 }, (_, index): TestEntry => ({
      role: 'user',
      at: Date.UTC(2024, month, 10, 12, index),
      author: PEOPLE[(index + month) % 3] ?? '',
      content: SAYINGS[(index * 3 + month) % SAYINGS.length] ?? '',
    }))
    await fill(store, `chat${month}`, entries, '/chat')
  }
}

const edit = (path: string, change: string): readonly ContentBlock[] => [
  {
    type: 'tool_call',
    id: path + change,
    name: 'Edit',
    input: { file_path: path, old_string: 'a', new_string: change },
  },
]
const read = (path: string): readonly ContentBlock[] => [
  { type: 'tool_call', id: path, name: 'Read', input: { file_path: path } },
]

const OTHERS = ['menu.ts', 'pier.ts', 'ropes.ts', 'tide-table.ts', 'harbour.ts']
/** Sessions about other files that are full of the words with which one asks for changes. */
const code = async (store: Store): Promise<void> => {
  for (let session = 0; session < 12; session++) {
    const path = `/p${session % 3}/src/${OTHERS[session % OTHERS.length] ?? ''}`
    await fill(store, `other${session}`, [
      {
        role: 'user',
        at: Date.UTC(2025, 5, session + 1),
        content: 'please fix and edit this, read it first and update what it says in messages of March 2025',
      },
      { role: 'assistant', at: Date.UTC(2025, 5, session + 1, 1), content: read(path) },
      {
        role: 'assistant',
        at: Date.UTC(2025, 5, session + 1, 2),
        content: edit(path, `fix edit update read rewrite ${session}`),
      },
    ])
  }
  await fill(store, 'lamps', [
    {
      role: 'user',
      at: Date.UTC(2025, 6, 1),
      content: 'lampTimer.ts is wrong: the lamps go out at noon. See lampTimer.ts, and look into lampTimer.ts again.',
    },
    { role: 'assistant', at: Date.UTC(2025, 6, 1, 1), content: read('/p1/src/lampTimer.ts') },
    { role: 'assistant', at: Date.UTC(2025, 6, 1, 2), content: edit('/p1/src/lampTimer.ts', 'const hours = 24') },
    { role: 'user', at: Date.UTC(2025, 6, 1, 3), content: 'and the Dockerfile should say so' },
    { role: 'assistant', at: Date.UTC(2025, 6, 1, 4), content: edit('/p1/Dockerfile', 'ENV HOURS=24') },
  ])
}

describe('names and dates in a query', () => {
  const store = createInMemoryStore()
  beforeAll(async () => {
    await chat(store)
    await code(store)
  })
  const months = async (text: string, more?: Partial<SearchQuery>) =>
    (await found(store, text, more)).map(
      ({ at, author }) => `${new Date(at ?? 0).toISOString().slice(0, 7)} ${author ?? '-'}`,
    )

  it("a name alone finds that person's messages, newest first", async () => {
    const hits = await found(store, 'mira')
    expect(hits).toHaveLength(10)
    expect(new Set(hits.map(({ author }) => author))).toEqual(new Set(['Mira']))
    expect(hits[0]?.explanation.terms).toEqual([{ text: 'mira', found: true }])
    expect(hits.map(({ at }) => at)).toEqual(
      hits.map(({ at }) => at).toSorted((left, right) => (right ?? 0) - (left ?? 0)),
    )
  })

  it('a month without a year matches every year, and combines with a name', async () => {
    const answers = await months('What did Mira say in March?')
    expect(new Set(answers.slice(0, 9))).toEqual(new Set(['2024-03 Mira', '2025-03 Mira', '2026-03 Mira']))
  })

  it.each(['messages from March 2026', 'What was said in March 2026?', 'March 2026', '2026-03'])('%s', async (text) => {
    expect(new Set((await months(text)).slice(0, 9).map((one) => one.slice(0, 7)))).toEqual(new Set(['2026-03']))
  })

  it('a name and a month alone', async () => {
    expect(new Set((await months('Tom March 2026')).slice(0, 3))).toEqual(new Set(['2026-03 Tom']))
  })

  it('a period without messages falls back to the words', async () => {
    expect((await months('What about the ferry in March 2031?')).length).toBeGreaterThan(0)
  })

  it('a month matches also where the named person wrote nothing', async () => {
    expect((await months('What did Mira do in July 2025?', { workspace: '/w' })).slice(0, 5)).toEqual(
      Array(5).fill('2025-07 -'),
    )
  })

  it('filters also apply to named messages', async () => {
    expect(new Set(await months('Mira', { until: Date.UTC(2024, 2, 1) }))).toEqual(
      new Set(['2024-02 Mira', '2024-01 Mira']),
    )
    expect(await months('Mira', { author: 'Tom' })).toEqual([])
    expect(await months('Mira', { workspace: '/w' })).toEqual([])
  })

  it('specific words outweigh a name', async () => {
    expect((await found(store, 'Mira lampTimer.ts noon'))[0]?.text).toContain('noon')
  })

  it('finds a few of very many, in time that grows no faster than their number', async () => {
    const session = Array.from({ length: 5_000 }, (_, seq): MessageEntry => ({
      kind: 'message',
      seq,
      at: seq * 60_000,
      id: `m${seq}`,
      role: 'user',
      author: PEOPLE[seq % 3] ?? '',
      content: [{ type: 'text', text: 'tea' }],
    }))
    const view = createView([
      buildSegment(
        session.map((entry) => ({
          session: 1,
          seq: entry.seq,
          at: entry.at ?? NaN,
          message: analyseEntry(entry, () => false),
        })),
      ),
    ])
    const search = createSearch({
      open: async () => ({ view, sessions: undefined, onBranch: undefined, read: async () => new Map() }),
      sessions: async (numbers) => new Map(numbers.map((number) => [number, { id: 's', title: null }])),
      folders: async () => new Map(),
      labels: async () => [],
      messages: async (positions) => positions.map(({ seq }) => session[seq]),
    })
    expect((await search.search({ text: 'Ines', limit: 3 })).map(({ seq }) => seq)).toEqual([4997, 4994, 4991])
    expect((await search.search({ text: 'Ines tea', limit: 3 })).map(({ author }) => author)).toEqual([
      'Ines',
      'Ines',
      'Ines',
    ])
  })
})

describe('files', () => {
  const store = createInMemoryStore()
  beforeAll(() => code(store))
  const touched = async (text: string) => (await found(store, text)).map(({ messageId }) => messageId)

  it.each([
    ['lampTimer.ts', 'lamps2'],
    ['LAMPTIMER.TS', 'lamps2'],
    ['src/lampTimer.ts', 'lamps2'],
    ['fix lampTimer.ts', 'lamps2'],
    ['lampTimer.ts edit', 'lamps2'],
    ['update lampTimer.ts', 'lamps2'],
    ['who edited lampTimer.ts', 'lamps2'],
    ['fix Dockerfile', 'lamps4'],
    ['update Dockerfile', 'lamps4'],
  ])('%s: its edit first', async (text, first) => expect((await touched(text))[0]).toBe(first))

  it('ranks operations on the file before messages that only share the other word', async () => {
    expect([...(await touched('read lampTimer.ts'))].sort()).toEqual(['lamps0', 'lamps1', 'lamps2'])
  })

  it('counts an edit more when words of the query are the name of its file', async () => {
    const hits = await found(store, 'hours in lamp timer')
    /** What an edit gains beside its words, as a share of these. */
    const gain = (id: string): number => {
      const parts = hits.find(({ messageId }) => messageId === id)?.explanation.parts ?? []
      const fits = parts.find(({ name }) => name === 'fits the question')?.value ?? 0
      return fits / (parts.reduce((sum, { value }) => sum + value, 0) - fits)
    }
    expect(gain('lamps4')).toBeGreaterThan(0)
    expect(gain('lamps2')).toBeGreaterThan(1.5 * gain('lamps4'))
  })

  it('an unknown file leaves the other word', async () => {
    expect((await touched('fix nothing-here.ts')).length).toBeGreaterThan(5)
  })
})

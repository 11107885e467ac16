import type { OutlineMark, OutlineRequest } from '@cairn/core/insights'
import type {
  ContentBlock,
  EntryRange,
  EntryWrite,
  LogEntry,
  MessageEntry,
  NewLogEntry,
  StoredRequest,
} from '@cairn/core'
import { emptyTotals } from '@cairn/core'
import { blockView, callersOf, entryView, entryViews, readImageUrl, readWholeEntry } from '@cairn/core/conversation'
import { createInMemoryStore } from '@cairn/core/testing'
import { LONG_SESSION, addLongSession } from '../../../e2e/sample-session.ts'
import { createLogFacts } from './log-facts.ts'
import { requestView } from './request-view.ts'
import { findInSession } from './find-query.ts'
import { entryPage, requestPage, sessionHead } from './session-queries.ts'
import { matchesInEntry } from './match-query.ts'
import { REQUEST_SORTS } from './sorts.ts'
import { contextPoints, timelineView } from './timeline-view.ts'

const NOW = Date.parse('2026-05-05T12:00:00Z')
const options = { isWhole: false, toolOf: () => undefined }

const request = (contextTokens: number, changes: Partial<StoredRequest> = {}): StoredRequest => ({
  at: NOW,
  model: 'm',
  provider: null,
  mode: null,
  workspace: null,
  missingOutputCostNano: 0n,
  subagent: null,
  inputTokens: 1,
  cacheReadTokens: contextTokens - 1,
  cacheWrite5mTokens: 0,
  cacheWrite1hTokens: 0,
  outputTokens: 1,
  costNano: 5n,
  costState: 'computed',
  partial: false,
  ...changes,
})

describe('a block', () => {
  it('is cut where it is long, and says how long it is', () => {
    const view = blockView({ type: 'text', text: 'x'.repeat(7_000) }, 0, options)
    expect(view).toMatchObject({ type: 'text', length: 7_000 })
    expect(view.type === 'text' && view.text.length).toBe(6_000)
    expect(blockView({ type: 'text', text: 'x'.repeat(7_000) }, 0, { ...options, isWhole: true })).toMatchObject({
      text: 'x'.repeat(7_000),
    })
  })

  it('that is a call has a summary of one line', () => {
    const briefOf = (input: object): unknown => {
      const view = blockView({ type: 'tool_call', id: '1', name: 'Bash', input: { ...input } }, 0, options)
      return view.type === 'call' ? view.brief : undefined
    }
    expect(briefOf({ description: 'list', command: 'ls -l\nrm x' })).toBe('ls -l')
    expect(briefOf({ command: ['git', 'status'] })).toBe('git status')
    expect(briefOf({ other: { deep: 'text' } })).toBe('text')
    expect(briefOf({})).toBe('')
  })

  it('that is an image is shown only where nothing in it can run', () => {
    const stateOf = (mediaType: string, source: object): unknown => {
      const view = blockView({ type: 'image', mediaType, ...source }, 0, options)
      return view.type === 'image' ? [view.image.state, view.image.url] : undefined
    }
    expect(stateOf('image/png', { data: 'AA==' })).toEqual(['stored', null])
    expect(stateOf('image/svg+xml', { data: 'AA==' })).toEqual(['unsupported', null])
    expect(stateOf('text/html', { data: 'AA==' })).toEqual(['unsupported', null])
    expect(stateOf('image/png', { url: 'https://example.org/x.png' })).toEqual([
      'elsewhere',
      'https://example.org/x.png',
    ])
  })
})

describe('a text with tags of programs', () => {
  it('comes in parts with what they mean, and one without them in none', () => {
    const partsOf = (text: string): unknown => {
      const view = blockView({ type: 'text', text }, 0, options)
      return view.type === 'text' ? view.parts : undefined
    }
    expect(partsOf('Fix <b>it</b>')).toEqual([])
    expect(partsOf('Fix it <system-reminder>be brief</system-reminder>')).toEqual([
      { text: 'Fix it ' },
      { text: 'be brief', label: 'Reminder by the agent’s program' },
    ])
  })
})

describe('an entry', () => {
  it('that is a result names its tool where the call is known', () => {
    const call: LogEntry = {
      kind: 'message',
      seq: 0,
      at: 1,
      role: 'assistant',
      id: 'a',
      content: [{ type: 'tool_call', id: 'c', name: 'Read', input: {} }],
    }
    const result: LogEntry = {
      kind: 'message',
      seq: 1,
      at: 2,
      role: 'user',
      id: 'b',
      content: [{ type: 'tool_result', callId: 'c', content: [{ type: 'text', text: '\nfirst line\nsecond' }] }],
    }
    expect(entryView(result, callersOf([call, result]))).toMatchObject({
      blocks: [{ type: 'result', name: 'Read', brief: 'first line' }],
    })
    expect(entryView(result, new Map())).toMatchObject({ blocks: [{ name: null }] })
  })

  it('that is a call has its result, and the result links to it', () => {
    const call = (seq: number, name: string): LogEntry => ({
      kind: 'message',
      seq,
      at: 1,
      role: 'assistant',
      id: `call-${seq}`,
      content: [
        { type: 'text', text: 'I look.' },
        { type: 'tool_call', id: `c${seq}`, name, input: { command: 'npm test' } },
      ],
    })
    const result = (seq: number, callId: string): LogEntry => ({
      kind: 'message',
      seq,
      at: 2,
      role: 'user',
      id: `result-${seq}`,
      content: [{ type: 'tool_result', callId, content: [{ type: 'text', text: '12 passed' }] }],
    })
    const views = entryViews([call(0, 'Bash'), result(1, 'c0'), call(2, 'Grep'), result(3, 'c2'), result(4, 'c9')])
    expect(views[0]).toMatchObject({
      blocks: [
        { type: 'text' },
        { type: 'call', brief: 'npm test', output: { seq: 1, block: 0, view: { type: 'result', text: '12 passed' } } },
      ],
    })
    expect(views[1]).toEqual({ kind: 'hidden', seq: 1, shownIn: 0 })
    expect(views[2]).toMatchObject({ blocks: [{ type: 'text' }, { type: 'call', output: { seq: 3 } }] })
    expect(views[3]).toEqual({ kind: 'hidden', seq: 3, shownIn: 2 })
    expect(views[4]).toMatchObject({ kind: 'message', blocks: [{ type: 'result', name: null }] })
  })

  it("that the agent's program wrote in the user's name is shown as its own", () => {
    const viewOfUserText = (text: string) =>
      entryView(
        { kind: 'message', seq: 0, at: null, id: 'm', role: 'user', content: [{ type: 'text', text }] },
        new Map(),
      )
    expect(viewOfUserText('[Request interrupted by user]')).toMatchObject({ role: 'user', origin: 'meta' })
    expect(viewOfUserText('Mend it')).toMatchObject({ role: 'user', origin: null })
  })

  it('that is no message is a marker or hidden', () => {
    expect(
      entryView({ kind: 'compaction', seq: 4, at: null, trigger: 'auto', tokensBefore: 1_234 }, new Map()),
    ).toMatchObject({ kind: 'marker', mark: 'compaction', text: 'The context of 1,234 tokens was compacted (auto)' })
    expect(entryView({ kind: 'favourite', seq: 5, at: null, favourite: true }, new Map())).toEqual({
      kind: 'hidden',
      seq: 5,
    })
  })
})

describe('the edge of a page', () => {
  it('keeps a call with its result, and the words of a search are found in either', async () => {
    const store = createInMemoryStore()
    const message = (seq: number, role: 'assistant' | 'tool', content: readonly ContentBlock[]): EntryWrite => ({
      entry: { kind: 'message', at: seq, role, id: `m${seq}`, content },
    })
    const writes = Array.from({ length: 102 }, (_, seq) =>
      message(seq, 'assistant', [{ type: 'text', text: `reply ${seq}` }]),
    )
    writes[99] = message(99, 'assistant', [{ type: 'tool_call', id: 'c', name: 'Read', input: { file_path: '/a.ts' } }])
    const text = `${'line\n'.repeat(2_000)}the vouchers are rounded`
    writes[100] = message(100, 'tool', [{ type: 'tool_result', callId: 'c', content: [{ type: 'text', text }] }])
    await store.sessions.append({ id: 's', agent: 'a', externalId: 's' }, 0, writes)
    const [first, second] = [await entryPage(store.sessions, 's', 0), await entryPage(store.sessions, 's', 1)]
    expect([first.length, second.length]).toEqual([100, 2])
    expect(first.at(-1)).toMatchObject({ seq: 99, blocks: [{ type: 'call', output: { seq: 100 } }] })
    expect(second[0]).toEqual({ kind: 'hidden', seq: 100, shownIn: 99 })
    expect(await matchesInEntry(store.sessions, 's', 100, 'voucher')).toEqual({ words: ['vouchers'], blocks: [0] })
    const words = async (query: string) => (await matchesInEntry(store.sessions, 's', 100, query)).words
    expect(await words('Rounding voucher')).toEqual(['vouchers', 'rounded'])
    expect(await words('"vouchers are" line')).toEqual(['vouchers are', 'line'])
    expect(await words('"are vouchers"')).toEqual([])
    expect(await matchesInEntry(store.sessions, 's', 99, 'voucher')).toEqual({ words: [], blocks: [] })
    expect(await matchesInEntry(store.sessions, 's', 900, 'voucher')).toEqual({ words: [], blocks: [] })
  })
})

describe('the context over time', () => {
  const sized = (number: number, tokens: number, seq: number | null = number * 2): OutlineRequest => ({
    number,
    at: NOW,
    model: 'm',
    seq,
    turn: 1,
    inputTokens: 1,
    cacheReadTokens: tokens - 1,
    cacheWriteTokens: 0,
  })

  it('shows of many requests the largest, and leads to the first reply among them', () => {
    const { points, starts } = contextPoints(
      Array.from({ length: 400 }, (_, index) => sized(index + 1, index + 1, index % 3 === 0 ? null : index)),
    )
    expect([points.length, starts.length, starts[1]]).toEqual([134, 134, 3])
    expect(points[0]).toMatchObject({ first: 1, last: 3, drawn: 3, seq: 1, inputTokens: 1, cacheReadTokens: 2 })
    expect(points.at(-1)).toMatchObject({ first: 400, last: 400, seq: null })
    expect(contextPoints([]).points).toEqual([])
  })

  it('shows what a compaction left, and each mark where its request is', () => {
    const mark = (kind: OutlineMark['kind'], before: number): OutlineMark => ({
      ...{ kind, before, seq: before * 2, at: NOW, about: kind === 'cache-break' ? '' : 'auto', pauseMs: null },
      ...{ rewrittenTokens: 16_639, rewrittenNano: 5n },
      ...(kind === 'cache-break'
        ? { tokensBefore: null, tokensAfter: null }
        : { tokensBefore: 237_823, tokensAfter: 26_169 }),
    })
    const marks = [mark('compaction', 172), mark('cache-break', 173), mark('cleared-results', 300)]
    const requests = Array.from({ length: 330 }, (_, index) => sized(index + 1, index < 172 ? 230_000 : 26_169 + index))
    const { points, marks: shown } = timelineView({ turns: [], total: emptyTotals, requests, marks })
    // Three requests share a bar, but the first one after the compaction has its own.
    expect(points.slice(56, 60).map(({ first, last, cacheReadTokens }) => [first, last, cacheReadTokens])).toEqual([
      [169, 171, 229_999],
      [172, 172, 229_999],
      [173, 173, 26_340],
      // Of these the first has lost the cache.
      [174, 176, 26_341],
    ])
    expect(shown.map(({ kind, index, sizes }) => [kind, index, sizes])).toEqual([
      ['compaction', 58, '238K → 26.2K tokens'],
      ['cache-break', 59, ''],
      ['cleared-results', 101, ''],
    ])
    expect(shown[0]?.title).toMatch(/^Compaction \(auto\), entry #344: 238K → 26\.2K tokens; /)
    expect(shown[2]?.title).toMatch(
      /^Old tool results were cleared \(auto\), entry #600; 16\.6K tokens were written again/,
    )
  })

  it('shows of requests that share a bar the one that lost the cache, though it is not the largest', () => {
    const requests = Array.from({ length: 330 }, (_, index) => sized(index + 1, index === 100 ? 700 : 1_000 + index))
    const loss: OutlineMark = {
      ...{ kind: 'cache-break', before: 100, seq: null, at: NOW, about: '', pauseMs: null },
      ...{ rewrittenTokens: 699, rewrittenNano: 5n, tokensBefore: null, tokensAfter: null },
    }
    const drawn = (marks: readonly OutlineMark[]) =>
      contextPoints(requests, marks)
        .points.slice(32, 35)
        .map(({ first, last, drawn: number, isLoss }) => [first, last, number, isLoss])
    expect(drawn([])).toEqual([
      [97, 99, 99, false],
      [100, 102, 102, false],
      [103, 105, 105, false],
    ])
    expect(drawn([loss])).toEqual([
      [97, 99, 99, false],
      [100, 102, 101, true],
      [103, 105, 105, false],
    ])
  })

  it('keeps the numbers of requests, subagents’ included', () => {
    expect(
      contextPoints([sized(1, 1), sized(3, 3)]).points.map(({ first, last, label }) => [first, last, label]),
    ).toEqual([
      [1, 1, '1'],
      [3, 3, '3'],
    ])
  })

  it('has requests that say how their cost is known', () => {
    expect(requestView(request(5, { costNano: null, costState: 'unpriced' }), 0).cost).toMatchObject({
      text: 'unpriced',
      isIncomplete: true,
    })
    expect(requestView(request(5, { costState: 'recorded' }), 1)).toMatchObject({
      number: 2,
      context: 5,
      cost: { notes: ['Recorded by the agent.'] },
    })
    expect(requestView(request(5, { partial: true }), 0).cost.notes[1]).toContain('Partial')
  })
})

describe('a session', () => {
  it('is read as head, pages and outline', async () => {
    const store = createInMemoryStore()
    await addLongSession(store, 500, NOW)
    const head = await sessionHead(store, LONG_SESSION, Date.now())
    expect(head?.session).toMatchObject({ entries: 500, project: 'checkout', isUntitled: false })
    expect(head?.models.map(({ name }) => name)).toEqual(['claude-sonnet-4-5'])
    expect((await entryPage(store.sessions, LONG_SESSION, 4)).map(({ seq }) => seq)).toEqual(
      Array.from({ length: 100 }, (_, index) => 400 + index),
    )
    expect(await entryPage(store.sessions, LONG_SESSION, 5)).toEqual([])
    expect(await readWholeEntry(store.sessions, LONG_SESSION, 7)).toMatchObject({ kind: 'message', seq: 7 })
    expect(await readImageUrl(store.sessions, LONG_SESSION, 13, [1, null])).toMatch(/^data:image\/png;base64,/)
    expect(await readImageUrl(store.sessions, LONG_SESSION, 13, [2, null])).toBeUndefined()
    const summary = await store.sessions.get(LONG_SESSION)
    if (summary === undefined) throw new Error('it is there')
    const outline = await createLogFacts()(store.sessions, summary)
    expect(outline.compactions.map(({ seq }) => seq)).toEqual([100, 200, 300, 400])
    expect(outline.subagents).toEqual([{ name: 'explore-1', seq: 50 }])
    expect(outline.task.answers).toBeGreaterThan(0)
  })

  it('has a task: its counters and its todo list, without rewound entries', async () => {
    const store = createInMemoryStore()
    const id = 'task'
    const message = (index: number, content: MessageEntry['content'], role: 'user' | 'assistant'): NewLogEntry => ({
      kind: 'message',
      id: `m${index}`,
      at: index,
      role,
      content,
    })
    const todo = (texts: readonly string[]): NewLogEntry => ({
      kind: 'todo',
      at: 3,
      items: texts.map((text, index) => ({ text, status: index === 0 ? 'completed' : 'in_progress' })),
    })
    const failed: MessageEntry['content'] = [
      { type: 'tool_result', callId: 'c', isError: true, content: [{ type: 'text', text: 'no' }] },
    ]
    const entries: readonly NewLogEntry[] = [
      message(0, [{ type: 'text', text: 'Mend it' }], 'user'),
      message(1, [{ type: 'tool_call', id: 'c', name: 'Bash', input: {} }], 'assistant'),
      message(2, failed, 'user'),
      todo(['look', 'mend']),
      message(4, [{ type: 'text', text: 'On it.' }], 'assistant'),
      todo(['something', 'else']),
      { kind: 'rewind', at: 6, toSeq: 4 },
    ]
    await store.sessions.append(
      { id, agent: 'cairn', externalId: id },
      0,
      entries.map((entry) => ({ entry })),
    )
    const entriesOf = async (): Promise<number> => (await store.sessions.get(id))?.entries ?? 0
    const outlineOf = createLogFacts()
    expect((await outlineOf(store.sessions, { id, entries: await entriesOf() })).task).toEqual({
      answers: 2,
      failedInARow: 1,
      answersSinceTodo: 1,
      hasUncheckedEdits: false,
      todo: [
        { text: 'look', status: 'completed' },
        { text: 'mend', status: 'in_progress' },
      ],
      moreTodo: 0,
    })
    // What came since is read on, and a rewind takes back what was read before.
    const append = async (entry: NewLogEntry) => {
      await store.sessions.append({ id, agent: 'cairn', externalId: id }, 'end', [{ entry }])
      const outline = await outlineOf(store.sessions, { id, entries: await entriesOf() })
      expect(outline).toEqual(await createLogFacts()(store.sessions, { id, entries: await entriesOf() }))
      return outline.task
    }
    expect((await append(message(7, [{ type: 'text', text: 'Done.' }], 'assistant'))).answers).toBe(3)
    expect((await append({ kind: 'rewind', at: 8, toSeq: 2 })).todo).toBeNull()
  })

  it('reads a log once, and then only what is new', async () => {
    const store = createInMemoryStore()
    await addLongSession(store, 1_300, NOW)
    const read: number[] = []
    const sessions = {
      read: async (id: string, range: EntryRange = {}) => {
        const entries = await store.sessions.read(id, range)
        if (range.kinds?.length !== 1) read.push(entries.length)
        return entries
      },
    }
    const outlineOf = createLogFacts()
    await outlineOf(sessions, { id: LONG_SESSION, entries: 1_300 })
    expect(read.reduce((sum, count) => sum + count, 0)).toBe(1_300)
    read.length = 0
    const entry: NewLogEntry = {
      kind: 'message',
      id: 'new',
      at: NOW,
      role: 'user',
      content: [{ type: 'text', text: 'On' }],
    }
    await store.sessions.append({ id: LONG_SESSION, agent: 'claude-code', externalId: 'x' }, 'end', [{ entry }])
    await outlineOf(sessions, { id: LONG_SESSION, entries: 1_301 })
    expect(read).toEqual([1])
  })

  it('is undefined for an unknown id', async () => {
    const store = createInMemoryStore()
    expect(await sessionHead(store, '../../x', Date.now())).toBeUndefined()
    expect(await entryPage(store.sessions, '../../x', 0)).toEqual([])
    expect(await readWholeEntry(store.sessions, '../../x', 0)).toBeUndefined()
    expect(await readImageUrl(store.sessions, '../../x', 0, [0, null])).toBeUndefined()
  })
})

describe('a session', () => {
  it('sorts its requests in both directions, each with its number by time', async () => {
    const store = createInMemoryStore()
    await addLongSession(store, 60, NOW)
    const query = { id: LONG_SESSION, page: 1 }
    for (const sort of REQUEST_SORTS) {
      const rising = await requestPage(store.usage, { ...query, sort, order: 'ascending' })
      const falling = await requestPage(store.usage, { ...query, sort, order: 'descending' })
      expect([sort, rising.rows.map(({ number }) => number).toSorted((left, right) => left - right)]).toEqual([
        sort,
        falling.rows.map(({ number }) => number).toSorted((left, right) => left - right),
      ])
      if (sort === 'context')
        expect(falling.rows.map(({ context }) => context)).toEqual(
          rising.rows.map(({ context }) => context).toReversed(),
        )
    }
    const { rows } = await requestPage(store.usage, { ...query, sort: 'number', order: 'descending' })
    expect(rows.at(-1)?.number).toBe(1)
  })

  it('finds its own entries, in the order of the log', async () => {
    const store = createInMemoryStore()
    await addLongSession(store, 60, NOW)
    const seqs = await findInSession(store.search, LONG_SESSION, 'voucher is used twice')
    expect(seqs.length).toBeGreaterThan(0)
    expect(seqs).toEqual(seqs.toSorted((left, right) => left - right))
    expect(await findInSession(store.search, 'another', 'voucher')).toEqual([])
    const both = new Set(await findInSession(store.search, LONG_SESSION, 'twice voucher'))
    for (const word of ['twice', 'voucher'])
      expect(await findInSession(store.search, LONG_SESSION, word)).toEqual(expect.arrayContaining([...both]))
    expect(both.size).toBeGreaterThan(0)
    expect(await findInSession(store.search, LONG_SESSION, 'voucher zeppelin')).toEqual([])
    expect((await findInSession(store.search, LONG_SESSION, 'voucher zeppelin', true)).length).toBeGreaterThan(0)
    expect(await findInSession(store.search, LONG_SESSION, '"twice voucher"')).toEqual([])
    expect(await findInSession(store.search, LONG_SESSION, '  ')).toEqual([])
  })
})

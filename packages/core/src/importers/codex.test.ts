import { describe, expect, it } from '@jest/globals'
import { codexImporter } from './codex.ts'
import { uuidTime } from './codex-lineage.ts'
import { parseAll, parserOf, requestsOf, writesOf } from '../testing/parse-lines.ts'

const BORN = Date.parse('2026-06-18T10:00:00.000Z')
/** A UUIDv7 of a time, ms after BORN. */
const uuid = (after: number, tail = '1'): string => {
  const time = (BORN + after).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${tail.padStart(12, '0')}`
}
const line = (after: number, type: string, payload: object) => ({
  timestamp: new Date(BORN + after).toISOString(),
  type,
  payload,
})
const meta = (after: number, id: string, more: object = {}) =>
  line(after, 'session_meta', {
    id,
    timestamp: new Date(uuidTime(id) ?? BORN).toISOString(),
    cwd: '/code/app',
    model_provider: 'openai',
    git: { branch: 'main' },
    ...more,
  })
const turn = (after: number, id?: string) =>
  line(after, 'turn_context', {
    ...(id === undefined ? {} : { turn_id: id }),
    cwd: '/code/app',
    model: 'gpt-5.5',
    collaboration_mode: { mode: 'default' },
  })
const usage = (input: number, cached: number, output: number) => ({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: output,
  reasoning_output_tokens: output,
  total_tokens: input + output,
})
/** Input, the part of it that was cached, and output. */
type Counts = readonly [number, number, number]
const tokens = (after: number, total: Counts, last: Counts) =>
  line(after, 'event_msg', {
    type: 'token_count',
    info: { total_token_usage: usage(...total), last_token_usage: usage(...last) },
  })
const says = (after: number, text: string) =>
  line(after, 'response_item', {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text }],
  })
const asks = (after: number, text: string) =>
  line(after, 'response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text }] })

const parse = (lines: readonly unknown[], path = '/x/rollout-a.jsonl') => parseAll(parserOf(codexImporter, path), lines)
const keys = (lines: readonly unknown[]) => requestsOf(parse(lines)).map(({ callId }) => callId)

/** The same line as another file repeats it, stamped with another time. */
const copied = <T extends { readonly timestamp: string }>(lines: readonly T[], after: number) =>
  lines.map((copy) => ({ ...copy, timestamp: new Date(BORN + after).toISOString() }))

describe('codex', () => {
  const A = uuid(0, 'a')

  it('maps items to messages, with the mode and model of their turn', () => {
    const lines = parse([
      meta(0, A),
      turn(1, uuid(1)),
      line(2, 'response_item', {
        type: 'message',
        role: 'developer',
        content: [{ type: 'input_text', text: 'rules' }],
      }),
      asks(3, '<environment_context>\n</environment_context>'),
      asks(4, 'please'),
      line(5, 'event_msg', { type: 'user_message', message: 'please' }),
      line(6, 'response_item', { type: 'reasoning', summary: [] }),
      line(7, 'response_item', {
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'thinking' }],
        encrypted_content: 'seal',
      }),
      line(8, 'response_item', {
        type: 'function_call',
        name: 'exec',
        arguments: '{"cmd":"ls"}',
        call_id: 'c1',
      }),
      line(9, 'response_item', { type: 'function_call_output', call_id: 'c1', output: 'files' }),
      line(10, 'response_item', { type: 'web_search_call', action: { url: 'x' } }),
      line(11, 'compacted', { message: 'short', replacement_history: [] }),
    ])
    expect(
      writesOf(lines).map(({ entry }) =>
        entry.kind === 'message' ? [entry.role, entry.origin, entry.content[0]?.type, entry.mode] : [entry.kind],
      ),
    ).toEqual([
      ['system', undefined, 'text', 'act'],
      ['user', 'meta', 'text', 'act'],
      ['user', undefined, 'text', 'act'],
      ['assistant', undefined, 'thinking', 'act'],
      ['assistant', undefined, 'tool_call', 'act'],
      ['tool', undefined, 'tool_result', 'act'],
      ['assistant', undefined, 'other', 'act'],
      ['compaction'],
      ['user', 'summary', 'text', undefined],
    ])
    expect(lines[5]?.session).toEqual({
      id: `codex:${A}`,
      agent: 'codex',
      externalId: A,
      workspace: '/code/app',
      branch: 'main',
      title: 'please',
    })
  })

  it('takes the title from finished items, where there are no messages of the user among the events', () => {
    const finished = (after: number, item: object) => line(after, 'event_msg', { type: 'item_completed', item })
    const written = (after: number, ...texts: readonly string[]) =>
      finished(after, { type: 'UserMessage', content: texts.map((text) => ({ type: 'text', text })) })
    const titles = parse([
      meta(0, A),
      turn(1, uuid(1)),
      written(2, '<environment_context>\n  <cwd>/code/app</cwd>\n</environment_context>'),
      written(3, 'hi'),
      finished(4, { type: 'AgentMessage', content: [{ type: 'Text', text: 'Hello' }] }),
      finished(5, { type: 'UserMessage', content: null }),
      written(6, 'Why does the build fail on Windows?', 'It is the slashes, I think.'),
      written(7, 'Then mend the tests of the parser'),
    ]).flatMap(({ session }) => session?.title ?? [])
    expect(titles).toEqual(['hi', 'Why does the build fail on Windows? It is the slashes, I think.'])
  })

  it('counts each request once, in disjoint token classes, with its visible output', () => {
    const lines = parse([
      meta(0, A),
      turn(1, uuid(1)),
      line(2, 'event_msg', { type: 'token_count', info: null }),
      says(3, '12345'),
      tokens(4, [100, 60, 10], [100, 60, 10]),
      tokens(5, [100, 60, 10], [100, 60, 10]),
      says(6, '123'),
      tokens(7, [250, 160, 30], [150, 100, 20]),
    ])
    expect(requestsOf(lines)).toMatchObject([
      {
        model: 'gpt-5.5',
        provider: 'openai',
        inputTokens: 40,
        cacheReadTokens: 60,
        outputTokens: 10,
        reasoningTokens: 10,
        workspace: '/code/app',
        branch: 'main',
      },
      { inputTokens: 50, cacheReadTokens: 100, outputTokens: 20 },
    ])
    expect(writesOf(lines).flatMap(({ visibleCharacters }) => visibleCharacters ?? [])).toEqual([5, 3])
  })

  it('identifies the session by its first meta line, else by the file', () => {
    expect(parse([says(0, 'x')], `/x/rollout-2026-06-18T07-41-33-${A}.jsonl`)[0]?.session?.externalId).toBe(A)
  })

  describe.each([
    ['with turn ids', true],
    ['without turn ids', false],
  ])('forks of forks %s', (_name, withTurns) => {
    const B = uuid(100_000, 'b')
    const C = uuid(200_000, 'c')
    const D = uuid(200_001, 'd')
    const turnAt = (after: number) => turn(after, withTurns ? uuid(after) : undefined)
    const fileA = [
      meta(0, A),
      turnAt(1),
      says(2, 'aaa'),
      tokens(5000, [100, 0, 10], [100, 0, 10]),
      tokens(9000, [300, 100, 20], [200, 100, 10]),
    ]
    const ownOfB = [turnAt(100_010), says(100_020, 'bbb'), tokens(105_000, [600, 300, 30], [300, 200, 10])]
    const fileB = [meta(100_000, B, { forked_from_id: A }), ...copied(fileA, 100_000), ...ownOfB]
    const ownOfC = [turnAt(200_010), says(204_000, 'ccccc'), tokens(205_000, [1000, 600, 40], [400, 300, 10])]
    const fileC = [meta(200_000, C, { forked_from_id: B }), ...copied(fileB, 200_000), ...ownOfC]

    it("give a copied request its ancestor's key, and their own requests new ones", () => {
      const [a, b, c] = [keys(fileA), keys(fileB), keys(fileC)]
      expect(a).toHaveLength(2)
      expect(b).toHaveLength(3)
      expect(b.slice(0, 2)).toEqual(a)
      expect(c).toHaveLength(4)
      expect(c.slice(0, 3)).toEqual(b)
      expect(new Set(c).size).toBe(4)
    })

    it('are separate sessions, and do not count copied output as visible', () => {
      const lines = parse(fileC)
      expect(new Set(lines.map(({ session }) => session?.id))).toEqual(new Set([`codex:${C}`]))
      expect(lines.at(-1)?.session?.forkedFrom).toBe(`codex:${B}`)
      expect(writesOf(lines).flatMap(({ visibleCharacters }) => visibleCharacters ?? [])).toEqual([0, 0, 0, 5])
    })

    if (withTurns) {
      it('keep requests of siblings apart, although their counters are the same', () => {
        const fileD = [
          meta(200_001, D, { forked_from_id: B }),
          ...copied(fileB, 200_001),
          turnAt(200_011),
          tokens(206_000, [1000, 600, 40], [400, 300, 10]),
        ]
        expect(keys(fileD).slice(0, 3)).toEqual(keys(fileC).slice(0, 3))
        expect(keys(fileD)[3]).not.toBe(keys(fileC)[3])
      })
    }
  })

  describe('subagents', () => {
    const spawned = (id: string, more: object = {}) => ({
      source: { subagent: { thread_spawn: { parent_thread_id: A, depth: 1 } } },
      ...more,
      id,
    })

    it("belong to their parent's session, without the inherited history", () => {
      const S = uuid(50_000, '5')
      const parent = [meta(0, A), turn(1, uuid(1)), asks(2, 'parent asks'), tokens(5000, [100, 0, 10], [100, 0, 10])]
      const lines = parse([
        meta(50_000, S, spawned(S, { forked_from_id: A })),
        ...copied(parent, 50_000),
        turn(50_010, uuid(50_010)),
        asks(50_020, 'child asks'),
        tokens(55_000, [200, 0, 20], [100, 0, 10]),
      ])
      expect(lines.every(({ session }) => session?.id === `codex:${A}`)).toBe(true)
      expect(lines.every(({ session }) => session?.title === undefined && session?.branch === undefined)).toBe(true)
      const texts = writesOf(lines).flatMap(({ entry }) =>
        entry.kind === 'message' && entry.content[0]?.type === 'text' ? [[entry.content[0].text, entry.subagent]] : [],
      )
      expect(texts).toEqual([['child asks', S]])
      const requests = requestsOf(lines)
      expect(requests[0]?.callId).toBe(keys(parent)[0])
      expect(requests[1]?.callId).not.toBe(requests[0]?.callId)
      expect(requests[1]?.subagent).toBe(S)
    })

    it('that start without history are kept apart, also without turn ids', () => {
      const [S, T] = [uuid(50_000, '5'), uuid(50_001, '6')]
      const rollout = (id: string) => [
        meta(50_000, id, spawned(id)),
        turn(50_001),
        asks(50_002, 'do it'),
        tokens(55_000, [100, 0, 10], [100, 0, 10]),
      ]
      expect(keys(rollout(S))).not.toEqual(keys(rollout(T)))
      expect(writesOf(parse(rollout(S))).filter(({ entry }) => entry.kind === 'message')).toHaveLength(1)
    })
  })

  it('attributes nested subagents to the root session', () => {
    const [S, T] = [uuid(50_000, '5'), uuid(60_000, '6')]
    const [first] = parse([
      meta(60_000, T, {
        id: T,
        session_id: A,
        source: { subagent: { thread_spawn: { parent_thread_id: S, depth: 2 } } },
      }),
    ])
    expect(first?.session?.externalId).toBe(A)
  })

  describe('requests without an event of their own', () => {
    const started = (after: number) => line(after, 'event_msg', { type: 'task_started', turn_id: uuid(after) })
    const aborted = (after: number) =>
      line(after, 'event_msg', { type: 'turn_aborted', turn_id: uuid(1), reason: 'interrupted' })
    const record = (after: number, thread: Counts, request: Counts, more: object = {}) =>
      line(after, 'token_usage_record', {
        thread_id: A,
        response_id: `resp_${after}`,
        usage: usage(...request),
        thread_token_usage: usage(...thread),
        ...more,
      })
    const sums = (lines: readonly unknown[]): Counts => {
      const requests = requestsOf(parse(lines))
      const sum = (of: (request: (typeof requests)[number]) => number) =>
        requests.reduce((all, request) => all + of(request), 0)
      return [
        sum(({ inputTokens, cacheReadTokens }) => inputTokens + cacheReadTokens),
        sum(({ cacheReadTokens }) => cacheReadTokens),
        sum(({ outputTokens }) => outputTokens),
      ]
    }
    const begin = [meta(0, A), started(1), turn(2, uuid(1))]

    it('of a turn that was aborted while its tools ran: the next total holds it', () => {
      const lines = [
        ...begin,
        tokens(1000, [100, 60, 10], [100, 60, 10]),
        says(1500, '12345'),
        aborted(2000),
        line(90_000, 'turn_context', { turn_id: uuid(90_000), cwd: '/code/app', model: 'gpt-6' }),
        says(91_000, '123'),
        tokens(92_000, [520, 300, 37], [300, 160, 20]),
        tokens(93_000, [920, 600, 57], [400, 300, 20]),
      ]
      expect(sums(lines)).toEqual([920, 600, 57])
      const writes = writesOf(parse(lines)).filter(({ request }) => request !== undefined)
      expect(writes.map(({ request }) => request)).toMatchObject([
        { model: 'gpt-5.5', inputTokens: 40, cacheReadTokens: 60, outputTokens: 10 },
        // At the time, and of the model, of what was seen of it.
        { model: 'gpt-5.5', inputTokens: 40, cacheReadTokens: 80, outputTokens: 7, at: BORN + 1500 },
        { model: 'gpt-6', inputTokens: 140, cacheReadTokens: 160, outputTokens: 20, at: BORN + 92_000 },
        { model: 'gpt-6', inputTokens: 100, cacheReadTokens: 300, outputTokens: 20 },
      ])
      expect(writes.map(({ visibleCharacters }) => visibleCharacters)).toEqual([0, 5, 3, 0])
      expect(new Set(writes.map(({ externalId }) => externalId)).size).toBe(4)
      expect(new Set(keys(lines)).size).toBe(4)
    })

    it('of the first turn, when it was aborted', () => {
      const first = [...begin, says(500, 'abc'), aborted(2000), tokens(5000, [250, 0, 30], [150, 0, 20])]
      expect(sums(first)).toEqual([250, 0, 30])
      // Without a turn that ended early, or beyond the window, the total was brought from elsewhere.
      expect(sums([...begin, says(500, 'abc'), tokens(5000, [250, 0, 30], [150, 0, 20])])).toEqual([150, 0, 20])
      const info = {
        total_token_usage: usage(900_000, 0, 30),
        last_token_usage: usage(150, 0, 20),
        model_context_window: 258_400,
      }
      const brought = [
        ...begin,
        says(500, 'abc'),
        aborted(2000),
        line(5000, 'event_msg', { type: 'token_count', info }),
      ]
      expect(sums(brought)).toEqual([150, 0, 20])
    })

    it('not where a total was begun again, went down, or is an estimate', () => {
      const estimated = (after: number, total: Counts) =>
        line(after, 'event_msg', {
          type: 'token_count',
          info: {
            total_token_usage: { ...usage(...total), total_tokens: 258_400 },
            last_token_usage: { ...usage(0, 0, 0), reasoning_output_tokens: 0, total_tokens: 17_000 },
          },
        })
      const first = tokens(1000, [9000, 0, 90], [9000, 0, 90])
      expect(sums([...begin, first, tokens(2000, [500, 0, 5], [500, 0, 5])])).toEqual([9500, 0, 95])
      expect(sums([...begin, first, tokens(2000, [8000, 0, 95], [500, 0, 5])])).toEqual([9500, 0, 95])
      expect(sums([...begin, first, estimated(2000, [0, 0, 0]), tokens(3000, [500, 0, 5], [500, 0, 5])])).toEqual([
        9500, 0, 95,
      ])
      // An estimate of the context took the place of the request's own counters, which the total has.
      expect(sums([...begin, first, estimated(2000, [9700, 400, 99])])).toEqual([9700, 400, 99])
    })

    it('of a record that no event follows, once', () => {
      const lines = [
        ...begin,
        record(900, [100, 60, 10], [100, 60, 10]),
        tokens(1000, [100, 60, 10], [100, 60, 10]),
        // A compaction by the provider has a record alone.
        record(1900, [400, 60, 15], [300, 0, 5]),
        record(2000, [600, 160, 35], [200, 100, 20]),
        tokens(2100, [600, 160, 35], [200, 100, 20]),
        tokens(2200, [600, 160, 35], [200, 100, 20]),
        says(2900, 'the end'),
        record(3000, [850, 400, 41], [250, 240, 6]),
      ]
      expect(sums(lines)).toEqual([850, 400, 41])
      expect(requestsOf(parse(lines))).toHaveLength(4)
      // When the tool was ended with the program, the session goes on with or without an event for it.
      expect(sums([...lines, tokens(9000, [1000, 400, 50], [150, 0, 9])])).toEqual([1000, 400, 50])
      expect(sums([...lines, tokens(9000, [850, 400, 41], [250, 240, 6])])).toEqual([850, 400, 41])
      expect(sums([...lines, record(9000, [999, 0, 0], [149, 0, 0], { thread_id: uuid(7, '7') })])).toEqual([
        850, 400, 41,
      ])
    })

    it('and a record has the key of the event that follows it, as a copy of the event has', () => {
      const events = [tokens(1000, [100, 60, 10], [100, 60, 10]), tokens(2100, [300, 160, 35], [200, 100, 25])]
      const [first, second] = events
      const recorded = [
        ...begin,
        record(900, [100, 60, 10], [100, 60, 10]),
        first,
        record(2000, [300, 160, 35], [200, 100, 25]),
        second,
      ]
      expect(keys(recorded)).toEqual(keys([...begin, ...events]))
      const B = uuid(100_000, 'b')
      const fork = [
        meta(100_000, B, { forked_from_id: A }),
        ...copied([...begin, ...events], 100_000),
        turn(100_010, uuid(100_010)),
        tokens(105_000, [900, 300, 40], [100, 100, 1]),
      ]
      expect(keys(fork).slice(0, 2)).toEqual(keys(recorded))
      // What a fork's first total has beyond its copy may be its ancestor's.
      expect(keys(fork)).toHaveLength(3)
    })

    it('are not counted again from a copy of the lines', () => {
      const parent = [
        ...begin,
        tokens(1000, [100, 60, 10], [100, 60, 10]),
        says(1500, '12345'),
        aborted(2000),
        turn(3000, uuid(3000)),
        tokens(5000, [520, 300, 37], [300, 160, 20]),
      ]
      const fork = [meta(100_000, uuid(100_000, 'b'), { forked_from_id: A }), ...copied(parent, 100_000)]
      expect(keys(parent)).toHaveLength(3)
      expect(keys(parent)).toEqual(expect.arrayContaining([...keys(fork)]))
    })
  })

  it('resumes from its state as if the file had been read at once', () => {
    const lines = [
      meta(0, A),
      turn(1, uuid(1)),
      says(2, 'aa'),
      tokens(5000, [100, 0, 10], [100, 0, 10]),
      says(6000, 'b'),
      line(6100, 'event_msg', { type: 'turn_aborted', turn_id: uuid(1) }),
      tokens(7000, [300, 0, 25], [100, 0, 10]),
      line(8000, 'token_usage_record', { usage: usage(50, 20, 3), thread_token_usage: usage(350, 20, 28) }),
      tokens(9000, [350, 20, 28], [50, 20, 3]),
    ]
    const whole = parse(lines)
    for (let cut = 0; cut <= lines.length; cut++) {
      const before = parserOf(codexImporter, '/x/rollout-a.jsonl')
      const head = parseAll(before, lines.slice(0, cut))
      const state = JSON.parse(JSON.stringify(before.state())) as ReturnType<typeof before.state>
      expect([
        ...head,
        ...parseAll(parserOf(codexImporter, '/x/rollout-a.jsonl', { state }), lines.slice(cut), cut + 1),
      ]).toEqual(whole)
    }
  })

  it('keeps messages that a compaction repeats, and treats the rest of its new history as the summary', () => {
    const item = (role: string, text: string) => ({ type: 'message', role, content: [{ type: 'input_text', text }] })
    const lines = parse([
      meta(0, A),
      turn(1, uuid(1)),
      asks(2, 'first'),
      says(3, 'an answer'),
      asks(4, 'second'),
      line(5, 'compacted', {
        message: '',
        replacement_history: [item('user', 'first'), item('user', 'What was done: all')],
      }),
    ])
    const entries = writesOf(lines).map(({ entry }) => entry)
    const first = entries.find((entry) => entry.kind === 'message' && entry.role === 'user')
    const [compaction, summary, ...more] = entries.slice(-2)
    expect(compaction).toMatchObject({ kind: 'compaction', kept: [first?.kind === 'message' ? first.id : ''] })
    expect(summary).toMatchObject({
      kind: 'message',
      role: 'user',
      origin: 'summary',
      content: [{ type: 'text', text: 'What was done: all' }],
    })
    expect(more).toEqual([])
  })

  it("has no empty summary, and no subagent's compaction in the parent’s log", () => {
    const compacted = line(9, 'compacted', { message: '', replacement_history: [] })
    expect(writesOf(parse([meta(0, A), turn(1, uuid(1)), asks(2, 'go'), compacted])).at(-1)?.entry.kind).toBe(
      'compaction',
    )
    const sub = parse([
      meta(0, uuid(1, 'b'), { parent_thread_id: A, source: { subagent: { thread_spawn: { parent_thread_id: A } } } }),
      turn(100, uuid(100)),
      line(200, 'compacted', { message: 'short' }),
    ])
    expect(writesOf(sub).map(({ entry }) => entry.kind)).not.toContain('compaction')
  })
})

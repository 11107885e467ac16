import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { ContentBlock } from '../messages.ts'
import type { LogEntry, NewLogEntry } from '../session-log.ts'
import { createModelHistory, modelHistory } from './model-history.ts'
import { userMessage } from './user-message.fixture.ts'

const logOf = (...entries: readonly NewLogEntry[]): LogEntry[] => entries.map((entry, seq) => ({ ...entry, seq }))
const pin = (messageId: string, state: 'pinned' | 'dropped' | 'automatic', block?: number): NewLogEntry => ({
  kind: 'pin',
  at: 0,
  messageId,
  state,
  ...(block === undefined ? {} : { block }),
})
const edit = (messageId: string, block: number, text: string): NewLogEntry => ({
  kind: 'edit',
  at: 0,
  messageId,
  block,
  reason: 'stale',
  text,
})
const truncate = (fromSeq: number, toSeq: number): NewLogEntry => ({
  kind: 'truncation',
  at: 0,
  fromSeq,
  toSeq,
  reason: 'window',
})
const compact = (more: { partial?: boolean } = {}): NewLogEntry => ({
  kind: 'compaction',
  at: 0,
  trigger: 'auto',
  ...more,
})
const rewind = (toSeq: number): NewLogEntry => ({ kind: 'rewind', at: 0, toSeq })
const ids = (log: readonly LogEntry[], subagent?: string) =>
  modelHistory(log, subagent === undefined ? {} : { subagent })
    .map((message) => message.id)
    .join(' ')
const texts = (log: readonly LogEntry[]) =>
  modelHistory(log).flatMap((message) =>
    message.content.map((block) => (block.type === 'text' ? block.text : block.type)),
  )

describe('modelHistory', () => {
  it('returns the messages in order, with the entries they are made of', () => {
    expect(
      modelHistory(
        logOf(
          userMessage('a'),
          { kind: 'file', at: 0, path: 'x', operation: 'read' },
          userMessage('b', { role: 'assistant', at: 5, origin: 'meta' }),
        ),
      ),
    ).toEqual([
      { id: 'a', role: 'user', content: [{ type: 'text', text: 'a' }], seqs: [0], at: 0 },
      {
        id: 'b',
        role: 'assistant',
        content: [{ type: 'text', text: 'b' }],
        seqs: [2],
        at: 5,
        origin: 'meta',
      },
    ])
  })

  it('merges consecutive lines of one response, also with notices between them', () => {
    const part = (id: string, responseId: string) => userMessage(id, { role: 'assistant', responseId })
    const found = modelHistory(
      logOf(
        userMessage('q'),
        part('1', 'r'),
        { kind: 'notice', at: 0, level: 'info', text: 'n' },
        userMessage('sub', { subagent: 's' }),
        part('2', 'r'),
        part('3', 'other'),
        userMessage('q2'),
        part('4', 'other'),
      ),
    )
    expect(found.map((message) => [message.id, message.seqs])).toEqual([
      ['q', [0]],
      ['1', [1, 4]],
      ['3', [5]],
      ['q2', [6]],
      ['4', [7]],
    ])
    expect(found[1]?.content).toEqual([
      { type: 'text', text: '1' },
      { type: 'text', text: '2' },
    ])
  })

  it("leaves out subagents' messages, or returns those of one subagent", () => {
    const log = logOf(
      userMessage('a'),
      userMessage('s1', { subagent: 's' }),
      userMessage('t1', { subagent: 't' }),
      compact(),
      userMessage('s2', { subagent: 's' }),
      userMessage('b'),
    )
    expect(ids(log)).toBe('b')
    expect(ids(log, 's')).toBe('s1 s2')
    expect(ids(log, 'none')).toBe('')
  })

  it('shows the last edit of a block, and keeps the links between calls and results', () => {
    const blocks: ContentBlock[] = [
      { type: 'text', text: 'one' },
      { type: 'tool_result', callId: 'c', content: [{ type: 'text', text: 'long' }], isError: true },
      { type: 'tool_call', id: 'c', name: 'read', input: { path: 'x' } },
      { type: 'thinking', text: 'hm', signature: 's' },
    ]
    const log = logOf(
      userMessage('a', { content: blocks }),
      edit('a', 0, 'first'),
      edit('a', 0, 'second'),
      edit('a', 1, 'cut'),
      edit('a', 2, 'cut'),
      edit('a', 3, 'cut'),
      edit('a', 9, 'none'),
      edit('nobody', 0, 'x'),
    )
    expect(modelHistory(log)[0]?.content).toEqual([
      { type: 'text', text: 'second' },
      { type: 'tool_result', callId: 'c', content: [{ type: 'text', text: 'cut' }], isError: true },
      { type: 'tool_call', id: 'c', name: 'read', input: { notice: 'cut' } },
      { type: 'text', text: 'cut' },
    ])
  })

  it('leaves out truncated messages, both ends included', () => {
    expect(ids(logOf(userMessage('a'), userMessage('b'), userMessage('c'), userMessage('d'), truncate(1, 2)))).toBe(
      'a d',
    )
    expect(ids(logOf(userMessage('a'), truncate(0, 99), userMessage('b')))).toBe('b')
    expect(ids(logOf(userMessage('a'), truncate(5, 2)))).toBe('a')
  })

  it('starts with the summary after a compaction; a partial one keeps the messages', () => {
    expect(
      ids(
        logOf(
          userMessage('a'),
          userMessage('b'),
          compact(),
          userMessage('sum', { origin: 'summary' }),
          userMessage('c'),
        ),
      ),
    ).toBe('sum c')
    expect(ids(logOf(userMessage('a'), compact({ partial: true }), userMessage('b')))).toBe('a b')
    expect(ids(logOf(userMessage('a'), compact(), userMessage('b'), compact(), userMessage('c')))).toBe('c')
  })

  it('undoes messages, edits, truncations, compactions and pins at a rewind', () => {
    expect(ids(logOf(userMessage('a'), userMessage('b'), rewind(0), userMessage('c')))).toBe('a c')
    expect(ids(logOf(userMessage('a'), userMessage('b'), compact(), userMessage('c'), rewind(1)))).toBe('a b')
    expect(texts(logOf(userMessage('a'), edit('a', 0, 'x'), edit('a', 0, 'y'), rewind(1)))).toEqual(['x'])
    expect(texts(logOf(userMessage('a'), edit('a', 0, 'x'), rewind(0)))).toEqual(['a'])
    expect(ids(logOf(userMessage('a'), pin('a', 'dropped'), rewind(0)))).toBe('a')
    // What was taken back once does not come back by a later rewind to a later place.
    expect(
      ids(
        logOf(
          userMessage('a'),
          userMessage('b'),
          userMessage('c'),
          rewind(0),
          userMessage('d'),
          userMessage('e'),
          rewind(4),
        ),
      ),
    ).toBe('a d')
    expect(ids(logOf(userMessage('a'), rewind(-1)))).toBe('')
  })

  it("lets the user's pins and drops of messages and blocks overrule every policy, and be undone", () => {
    expect(ids(logOf(userMessage('a'), userMessage('b'), pin('a', 'pinned'), compact(), userMessage('c')))).toBe('a c')
    expect(ids(logOf(userMessage('a'), userMessage('b'), truncate(0, 1), pin('a', 'pinned')))).toBe('a')
    expect(texts(logOf(userMessage('a'), pin('a', 'pinned'), edit('a', 0, 'x')))).toEqual(['a'])
    expect(ids(logOf(userMessage('a'), userMessage('b'), pin('b', 'dropped')))).toBe('a')
    const two = userMessage('m', {
      content: [
        { type: 'text', text: '1' },
        { type: 'text', text: '2' },
      ],
    })
    expect(texts(logOf(two, pin('m', 'dropped', 0)))).toEqual(['2'])
    expect(texts(logOf(two, pin('m', 'pinned', 1), compact()))).toEqual(['2'])
    expect(texts(logOf(two, pin('m', 'dropped'), pin('m', 'pinned', 1)))).toEqual(['2'])
    expect(ids(logOf(userMessage('a'), pin('a', 'pinned'), compact(), pin('a', 'automatic')))).toBe('')
  })

  it('reports the range of positions that left the view', () => {
    const range = (...entries: readonly NewLogEntry[]) => {
      const history = createModelHistory()
      for (const entry of logOf(...entries)) history.step(entry)
      return history.deletedRange()
    }
    expect(range(userMessage('a'), userMessage('b'))).toBeUndefined()
    expect(range(userMessage('a'), userMessage('b'), userMessage('c'), userMessage('d'), truncate(1, 2))).toEqual([
      1, 2,
    ])
    expect(range(userMessage('a'), userMessage('b'), compact(), userMessage('c'))).toEqual([0, 1])
  })

  it('does not change earlier results when it continues', () => {
    const history = createModelHistory()
    const [first, second] = logOf(userMessage('a', { responseId: 'r' }), userMessage('b', { responseId: 'r' }))
    if (first === undefined || second === undefined) throw new Error('two entries')
    history.step(first)
    const before = history.messages()
    history.step(second)
    expect([before.length, before[0]?.content.length, history.messages()[0]?.content.length]).toEqual([1, 1, 2])
  })
})

/** Logs of any shape; references may lead anywhere. */
const anyLog: fc.Arbitrary<LogEntry[]> = fc
  .array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc
          .record({
            subagent: fc.option(fc.constant('s'), { nil: undefined }),
            response: fc.option(fc.constantFrom('r1', 'r2'), { nil: undefined }),
            role: fc.constantFrom('user', 'assistant'),
            blocks: fc.nat({ max: 3 }),
          })
          .map(
            ({ subagent, response, role, blocks }) =>
              (seq: number): NewLogEntry =>
                userMessage(`m${seq}`, {
                  role: role === 'user' ? 'user' : 'assistant',
                  content: Array.from({ length: blocks }, (_, block) => ({
                    type: 'text',
                    text: `${seq}.${block}`,
                  })),
                  ...(subagent === undefined ? {} : { subagent }),
                  ...(response === undefined ? {} : { responseId: response }),
                }),
          ),
      },
      fc.tuple(fc.nat({ max: 30 }), fc.nat({ max: 2 }), fc.string()).map(
        ([target, block, text]) =>
          () =>
            edit(`m${target}`, block, text),
      ),
      fc
        .tuple(
          fc.nat({ max: 30 }),
          fc.constantFrom('pinned' as const, 'dropped' as const, 'automatic' as const),
          fc.option(fc.nat({ max: 2 }), { nil: undefined }),
        )
        .map(
          ([target, state, block]) =>
            () =>
              pin(`m${target}`, state, block),
        ),
      fc.tuple(fc.nat({ max: 30 }), fc.nat({ max: 30 })).map(
        ([from, to]) =>
          () =>
            truncate(from, to),
      ),
      fc.boolean().map((partial) => () => compact({ partial })),
      fc.nat({ max: 30 }).map((to) => () => rewind(to)),
    ),
    { maxLength: 30 },
  )
  .map((makers) => logOf(...makers.map((make, seq) => make(seq))))

/** What it was when a rewind's goal was the last entry, and what came since. */
const liveByDefinition = (log: readonly LogEntry[]): readonly LogEntry[] => {
  const position = log.findLastIndex(({ kind }) => kind === 'rewind')
  const rewound = log[position]
  if (rewound?.kind !== 'rewind') return log
  return [
    ...liveByDefinition(log.filter(({ seq }) => seq <= rewound.toSeq && seq < rewound.seq)),
    ...log.slice(position + 1),
  ]
}

/** The view by its definition, one message entry at a time, with no state kept. */
const seenByDefinition = (log: readonly LogEntry[], subagent?: string): Map<number, string[]> => {
  const live = liveByDefinition(log)
  const seen = new Map<number, string[]>()
  for (const message of live) {
    if (message.kind !== 'message' || message.subagent !== subagent) continue
    const later = live.filter((entry) => entry.seq > message.seq)
    const isRemoved =
      subagent === undefined &&
      later.some(
        (entry) =>
          (entry.kind === 'compaction' && entry.partial !== true) ||
          (entry.kind === 'truncation' && entry.fromSeq <= message.seq && message.seq <= entry.toSeq),
      )
    const state = (block?: number) =>
      later.findLast((entry) => entry.kind === 'pin' && entry.messageId === message.id && entry.block === block)
    const blocks = message.content.flatMap((content, block) => {
      const [own, whole] = [state(block), state()]
      const ownState = own?.kind === 'pin' ? own.state : 'automatic'
      const pinned = ownState !== 'automatic' ? ownState : whole?.kind === 'pin' ? whole.state : 'automatic'
      if (pinned === 'pinned') return content.type === 'text' ? [content.text] : []
      if (pinned === 'dropped' || isRemoved) return []
      const replaced = later.findLast(
        (entry) => entry.kind === 'edit' && entry.messageId === message.id && entry.block === block,
      )
      return [replaced?.kind === 'edit' ? replaced.text : content.type === 'text' ? content.text : '']
    })
    if (blocks.length > 0) seen.set(message.seq, blocks)
  }
  return seen
}

describe('createModelHistory', () => {
  it('equals a fold from scratch after every step', () => {
    fc.assert(
      fc.property(anyLog, (log) => {
        for (const options of [{}, { subagent: 's' }]) {
          const history = createModelHistory(options)
          for (const [seq, entry] of log.entries()) {
            history.step(entry)
            expect(history.messages()).toEqual(modelHistory(log.slice(0, seq + 1), options))
          }
        }
      }),
      { numRuns: 300 },
    )
  })

  it('matches the definition', () => {
    fc.assert(
      fc.property(anyLog, (log) => {
        for (const subagent of [undefined, 's']) {
          const expected = seenByDefinition(log, subagent)
          const messages = modelHistory(log, subagent === undefined ? {} : { subagent })
          expect(messages.flatMap((message) => message.seqs)).toEqual([...expected.keys()])
          expect(
            messages.flatMap((message) => message.content.map((block) => (block.type === 'text' ? block.text : ''))),
          ).toEqual([...expected.values()].flat())
        }
      }),
      { numRuns: 500 },
    )
  })
})

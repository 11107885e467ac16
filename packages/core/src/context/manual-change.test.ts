import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { LogEntry, NewLogEntry } from '../session-log.ts'
import { manualChange, targetOf, type ManualAction, type ManualChange, type ManualTarget } from './manual-change.ts'
import { POLICY_NAMES } from './policies/registry.ts'
import { prepare } from './request.ts'
import { createContextView } from './view.ts'

const FILE = 'a line of a file that nobody mentions again\n'.repeat(300)
const ROUNDS = 12

const log = (entries: readonly NewLogEntry[]): readonly LogEntry[] => entries.map((entry, seq) => ({ ...entry, seq }))
const user = (id: string, text: string): NewLogEntry => ({
  kind: 'message',
  id,
  at: 1,
  role: 'user',
  content: [{ type: 'text', text }],
})
const read = (index: number): readonly NewLogEntry[] => [
  {
    kind: 'message',
    id: `call-${index}`,
    at: 1000 * index,
    role: 'assistant',
    content: [
      { type: 'text', text: `Reading ${index}.` },
      { type: 'tool_call', id: `t${index}`, name: 'Read', input: { file_path: `f${index}.ts` } },
    ],
  },
  {
    kind: 'message',
    id: `result-${index}`,
    at: 1000 * index + 1,
    role: 'tool',
    content: [{ type: 'tool_result', callId: `t${index}`, content: [{ type: 'text', text: `${index}\n${FILE}` }] }],
  },
]
const SESSION = log([
  user('u1', 'Read them'),
  ...Array.from({ length: ROUNDS }, (_, index) => read(index)).flat(),
  user('u2', 'Now f3'),
])

const appended = (entries: readonly LogEntry[], change: Pick<ManualChange, 'entries'>): readonly LogEntry[] => [
  ...entries,
  ...change.entries.map((entry, index) => ({ ...entry, seq: (entries.at(-1)?.seq ?? -1) + 1 + index })),
]
const act = (
  entries: readonly LogEntry[],
  ...actions: readonly (readonly [ManualAction, string])[]
): readonly LogEntry[] =>
  actions.reduce(
    (now, [action, text]) => appended(now, manualChange(action, targetOf(text, now), now, 5, 2.7)),
    entries,
  )
const viewOf = (entries: readonly LogEntry[]) => {
  const view = createContextView(2.7)
  for (const entry of entries) view.step(entry)
  return view
}
/** What stands in the view: pin and visibility of every block. */
const priority = (entries: readonly LogEntry[]): readonly unknown[] =>
  viewOf(entries)
    .all()
    .map(({ source }) => [
      source.entry.id,
      source.block,
      source.pin,
      source.seen === source.original ? 'full' : source.seen,
    ])
const statusOf = (entries: readonly LogEntry[], id: string): readonly unknown[] =>
  priority(entries)
    .filter((row) => Array.isArray(row) && row[0] === id)
    .map((row) => (Array.isArray(row) ? row.slice(2) : row))

describe('naming a message', () => {
  const named = log([
    user('abc-1', 'a'),
    user('abc-12', 'b'),
    user('h:77', 'c'),
    { kind: 'message', id: 'sub', at: 1, role: 'user', subagent: 's', content: [{ type: 'text', text: 'x' }] },
    { kind: 'message', id: 'void', at: 1, role: 'user', content: [] },
  ])

  it('accepts an id, the start of one, and a block', () => {
    expect(targetOf('abc-1', named)).toEqual({ messageId: 'abc-1' })
    expect(targetOf('abc-1:0', named)).toEqual({ messageId: 'abc-1', block: 0 })
    expect(targetOf('abc-12', named)).toEqual({ messageId: 'abc-12' })
    expect(targetOf('h:7', named)).toEqual({ messageId: 'h:77' })
    expect(targetOf('h:77:0', named)).toEqual({ messageId: 'h:77', block: 0 })
    expect(targetOf('h:7:0', named)).toEqual({ messageId: 'h:77', block: 0 })
  })

  it.each([
    ['abc', 'ambiguous', '"abc" could be several messages; give more of the id: abc-1, abc-12.'],
    ['zzz', 'not-found', /^There is no message whose id is, or starts with, "zzz" in this session/],
    ['', 'not-found', /^There is no message/],
    ['abc-12:1', 'not-found', 'Message abc-12 has one block, :0; there is no "abc-12:1".'],
    ['sub', 'usage', /is of a subagent/],
    ['void', 'usage', /is empty/],
  ])('refuses %j in one sentence', (text, code, message) => {
    expect(() => targetOf(text, named)).toThrow(
      expect.objectContaining({
        code,
        message: expect.stringMatching(typeof message === 'string' ? message.replaceAll(/[.()]/g, '\\$&') : message),
      }),
    )
  })

  it('says that a message was rewound or inserted by a policy', () => {
    const rewound: readonly LogEntry[] = [...named, { kind: 'rewind', seq: 5, at: 1, toSeq: 1 }]
    expect(() => targetOf('h:77', rewound)).toThrow(/was taken back by a rewind/)
    const rewritten: readonly LogEntry[] = [
      ...named,
      {
        kind: 'rewrite',
        seq: 5,
        at: 1,
        policy: 'p',
        trigger: 'window',
        changes: [],
        insertions: [{ why: 'index', text: 'names' }],
      },
    ]
    expect(() => targetOf('rewrite:5:0', rewritten)).toThrow(/was put in by a policy/)
  })
})

describe('pinning, dropping and restoring', () => {
  it('drops a call with its result, so that no result is left without its call', () => {
    const change = manualChange('drop', { messageId: 'call-2', block: 1 }, SESSION, 5, 2.7)
    expect(change.entries).toMatchObject([
      { messageId: 'call-2', block: 1, state: 'dropped' },
      { messageId: 'result-2', block: 0, state: 'dropped' },
    ])
    expect(change.along).toEqual([{ messageId: 'result-2', block: 0, what: 'result' }])
    expect(change.tokens).toBeLessThan(-1000)
    const { messages } = prepare({ entries: appended(SESSION, change), policy: 'none' })
    expect(JSON.stringify(messages)).not.toContain('f2.ts')
    expect(JSON.stringify(messages)).not.toContain('no longer in the context')
  })

  it('drops a result alone, and reports that the model is told', () => {
    const change = manualChange('drop', { messageId: 'result-2' }, SESSION, 5, 2.7)
    expect(change).toMatchObject({ along: [], unanswered: 1 })
    expect(JSON.stringify(prepare({ entries: appended(SESSION, change), policy: 'none' }).messages)).toContain(
      'result missing',
    )
  })

  it('brings back what a compaction took out, a result with its call', () => {
    const compacted: readonly LogEntry[] = [
      ...SESSION,
      { kind: 'compaction', seq: SESSION.length, at: 2, trigger: 'auto' },
      {
        ...SESSION[0],
        kind: 'message',
        id: 'u3',
        role: 'user',
        at: 3,
        content: [{ type: 'text', text: 'Go on' }],
        seq: SESSION.length + 1,
      },
    ]
    const change = manualChange('restore', { messageId: 'result-3' }, compacted, 5, 2.7)
    expect(change).toMatchObject({
      before: 'automatic',
      after: 'pinned',
      along: [{ messageId: 'call-3', block: 1, what: 'call' }],
    })
    expect(change.tokens).toBeGreaterThan(1000)
    const back = appended(compacted, change)
    const { messages } = prepare({ entries: back, policy: 'none' })
    expect(messages.flatMap(({ content }) => content.map(({ type }) => type))).toEqual(
      expect.arrayContaining(['tool_call', 'tool_result']),
    )
    expect(priority(act(back, ['restore', 'result-3']))).toEqual(priority(compacted))
  })

  it('undoes a drop without pinning a block that nothing else removed', () => {
    expect(priority(act(SESSION, ['drop', 'call-2'], ['restore', 'call-2']))).toEqual(priority(SESSION))
    expect(priority(act(SESSION, ['drop', 'result-2'], ['restore', 'result-2']))).toEqual(priority(SESSION))
    expect(priority(act(SESSION, ['pin', 'result-2'], ['restore', 'result-2']))).toEqual(priority(SESSION))
  })

  it('exempts one block from a decision about its whole message', () => {
    expect(statusOf(act(SESSION, ['drop', 'call-2'], ['restore', 'call-2:0']), 'call-2')).toEqual([
      ['automatic', 'full'],
      ['dropped', null],
    ])
    expect(statusOf(act(SESSION, ['pin', 'call-2'], ['drop', 'call-2:0'], ['pin', 'call-2']), 'call-2')).toEqual([
      ['pinned', 'full'],
      ['pinned', 'full'],
    ])
  })

  it('changes nothing twice', () => {
    for (const action of ['pin', 'drop'] as const)
      expect(manualChange(action, { messageId: 'call-2' }, act(SESSION, [action, 'call-2']), 5, 2.7).entries).toEqual(
        [],
      )
    expect(manualChange('restore', { messageId: 'call-2' }, SESSION, 5, 2.7).entries).toEqual([])
    expect(manualChange('drop', { messageId: 'u2' }, SESSION, 5, 2.7).isNewestUser).toBe(true)
  })

  it('a restored block is visible, and the command it names for undoing works, whatever was decided before', () => {
    const target: fc.Arbitrary<ManualTarget> = fc
      .record({
        messageId: fc.constantFrom('call-1', 'result-1'),
        block: fc.option(fc.constant(0), { nil: undefined }),
      })
      .map(({ messageId, block }) => (block === undefined ? { messageId } : { messageId, block }))
    const actions = fc.array(fc.tuple(fc.constantFrom('pin' as const, 'drop' as const, 'restore' as const), target), {
      maxLength: 6,
    })
    const cleared: readonly LogEntry[] = [
      ...SESSION,
      {
        kind: 'rewrite',
        seq: SESSION.length,
        at: 2,
        policy: 'p',
        trigger: 'window',
        changes: [
          { seq: 4, block: 0, why: 'old', text: '[cleared]' },
          { seq: 3, block: 0, why: 'old' },
        ],
      },
    ]
    fc.assert(
      fc.property(fc.constantFrom(SESSION, cleared), actions, target, (start, done, last) => {
        const before = done.reduce(
          (now, [action, each]) => appended(now, manualChange(action, each, now, 5, 2.7)),
          start,
        )
        const seen = (entries: readonly LogEntry[]) =>
          viewOf(entries)
            .all()
            .filter(
              ({ source }) =>
                source.entry.id === last.messageId && (last.block === undefined || source.block === last.block),
            )
        const wasPinned = seen(before).some(({ source }) => source.pin === 'pinned')
        const after = appended(before, manualChange('restore', last, before, 5, 2.7))
        if (!wasPinned) expect(seen(after).every(({ source }) => source.seen === source.original)).toBe(true)
        expect(seen(after).some(({ source }) => source.pin === 'dropped')).toBe(false)
        expect(
          seen(appended(before, manualChange('drop', last, before, 5, 2.7))).every(
            ({ source }) => source.seen === null,
          ),
        ).toBe(true)
        expect(
          seen(appended(before, manualChange('pin', last, before, 5, 2.7))).every(
            ({ source }) => source.pin === 'pinned' && source.seen === source.original,
          ),
        ).toBe(true)
      }),
    )
  })

  it.each(POLICY_NAMES)('pinned blocks stay whole and dropped blocks stay out under the policy %s', (policy) => {
    const decided = act(SESSION, ['pin', 'result-0'], ['drop', 'call-1'])
    const { messages } = prepare({ entries: decided, policy, window: 40_000, maxOutputTokens: 4000, now: 10 ** 9 })
    const results = messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'tool_result' ? [block] : [])),
    )
    expect(results.find(({ callId }) => callId === 't0')).toEqual({
      type: 'tool_result',
      callId: 't0',
      content: [{ type: 'text', text: `0\n${FILE}` }],
    })
    expect(results.some(({ callId }) => callId === 't1')).toBe(false)
    expect(
      results.filter(({ content }) => JSON.stringify(content).length > 5000).length < ROUNDS - 1 || policy === 'none',
    ).toBe(true)
  })
})

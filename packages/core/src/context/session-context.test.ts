import { describe, expect, it } from '@jest/globals'
import { modelFacts } from '../models/model-facts.ts'
import type { LogEntry, NewLogEntry } from '../session-log.ts'
import { sessionContext, type ContextBlock, type SessionContextInput } from './session-context.ts'
import { sessionModel, windowFor } from './session-model.ts'
import { storedRequest } from './stored-request.fixture.ts'

const MINUTE = 60_000
const T0 = Date.UTC(2026, 0, 31, 8)
const FILE = 'a line of a file that nobody mentions again\n'.repeat(400)

const log = (entries: readonly NewLogEntry[]): readonly LogEntry[] => entries.map((entry, seq) => ({ ...entry, seq }))

const user = (id: string, text: string, at: number): NewLogEntry => ({
  kind: 'message',
  id,
  at,
  role: 'user',
  content: [{ type: 'text', text }],
})
const read = (index: number, at: number): readonly NewLogEntry[] => [
  {
    kind: 'message',
    id: `call-${index}`,
    at,
    role: 'assistant',
    content: [
      { type: 'text', text: `Reading ${index}.` },
      { type: 'tool_call', id: `t${index}`, name: 'Read', input: { file_path: `f${index}.ts` } },
    ],
  },
  {
    kind: 'message',
    id: `result-${index}`,
    at: at + 1,
    role: 'tool',
    content: [{ type: 'tool_result', callId: `t${index}`, content: [{ type: 'text', text: `${index}\n${FILE}` }] }],
  },
]

/** A question, many reads, an answer and a new question. */
const session = (reads: number): readonly LogEntry[] =>
  log([
    user('u1', 'Read all of them', T0),
    ...Array.from({ length: reads }, (_, index) => read(index, T0 + (index + 1) * 1000)).flat(),
    { kind: 'message', id: 'answer', at: T0 + MINUTE, role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
    user('u2', 'Now explain f3.ts', T0 + 2 * MINUTE),
  ])

const facts = modelFacts('claude-sonnet-4-5')
const PRICES = { input: 3, output: 15, write: 3.75, read: 0.3 }
const shown = (entries: readonly LogEntry[], setting: Partial<SessionContextInput> = {}) =>
  sessionContext({ entries, facts, prices: PRICES, now: T0 + 3 * MINUTE, ...setting })
const block = (context: ReturnType<typeof shown>, id: string, position = 0): ContextBlock | undefined =>
  context.messages.find((message) => message.id === id)?.blocks[position]

describe('what the next request would be sent with', () => {
  it('lists each block in order, with its kind and the reason why it is included', () => {
    const context = shown(session(2))
    expect(context.messages.map(({ id, role }) => [id, role])).toEqual([
      ['u1', 'user'],
      ['call-0', 'assistant'],
      ['result-0', 'tool'],
      ['call-1', 'assistant'],
      ['result-1', 'tool'],
      ['answer', 'assistant'],
      ['u2', 'user'],
    ])
    expect(block(context, 'call-0', 1)).toMatchObject({
      block: 1,
      kind: 'call',
      tool: 'Read',
      path: 'f0.ts',
      state: 'full',
      reason: { code: 'kept' },
    })
    expect(block(context, 'u2')?.reason).toEqual({ code: 'newest-user', text: 'newest user message' })
    expect(block(context, 'answer')?.reason.code).toBe('new')
    const blocks = context.messages.flatMap(({ blocks: own }) => own)
    expect(blocks.reduce((sum, { tokensSent }) => sum + tokensSent, 0)).toBe(context.prepared.tokens)
    expect(context).toMatchObject({
      level: 'ok',
      windowFrom: 'model',
      window: 200_000,
      isCold: false,
      lastInput: undefined,
    })
  })

  it("does not count a tool's text as the user's, even without a call", () => {
    const context = shown(
      log([
        user('u1', 'Go', T0),
        {
          kind: 'message',
          id: 't1',
          at: T0 + 1,
          role: 'tool',
          content: [{ type: 'text', text: 'What the tool said.' }],
        },
      ]),
    )
    expect(block(context, 't1')?.kind).toBe('result')
    expect(block(context, 'u1')?.kind).toBe('user')
  })

  it('reports what the policy would change now and why, without touching the log', () => {
    const entries = session(30)
    const before = JSON.stringify(entries)
    const context = shown(entries, { window: 64_000 })
    expect(JSON.stringify(entries)).toBe(before)
    expect(context.prepared.entriesToAppend.length).toBeGreaterThan(0)
    const changed = context.messages.flatMap(({ blocks, inserted }) =>
      inserted ? [] : blocks.filter(({ changesNow }) => changesNow),
    )
    const decided = new Set(
      context.prepared.entriesToAppend.flatMap(({ changes }) =>
        changes.map(({ seq, block: position }) => `${seq}:${position}`),
      ),
    )
    expect(changed).toHaveLength(decided.size)
    expect(
      changed.every(
        ({ state, reason }) => (state === 'shortened' || state === 'left-out') && reason.by?.policy === 'cache-aware',
      ),
    ).toBe(true)
    expect(context.level).not.toBe('over')
  })

  it('reports a change the same way once it is in the log, but no longer as pending', () => {
    const entries = session(30)
    const first = shown(entries, { window: 64_000 })
    const second = shown([...entries, ...first.prepared.entriesToAppend], { window: 64_000 })
    const states = (context: typeof first) =>
      context.messages.map(({ id, blocks }) => [
        id,
        blocks.map(({ state, reason, tokensSent }) => [state, reason, tokensSent]),
      ])
    expect(second.prepared.entriesToAppend).toEqual([])
    expect(second.messages.flatMap(({ blocks }) => blocks).some(({ changesNow }) => changesNow)).toBe(false)
    expect(states(second)).toEqual(states(first))
  })

  it('reports an overflow and what causes it when nothing fits', () => {
    const context = shown(log([user('u', 'x'.repeat(60_000), T0)]), { window: 8000, prefixTokens: 0 })
    expect(context.level).toBe('over')
    expect(context.prepared.overflow?.message).toMatch(/the newest message of the user/)
  })

  it('honours compactions, pins and edits of the log', () => {
    const entries = log([
      ...session(1),
      { kind: 'compaction', at: T0 + 2 * MINUTE, trigger: 'auto' },
      {
        kind: 'message',
        id: 'sum',
        at: T0 + 2 * MINUTE,
        role: 'user',
        origin: 'summary',
        content: [{ type: 'text', text: 'What happened so far.' }],
      },
      user('u3', 'Go on', T0 + 2 * MINUTE),
      { kind: 'pin', at: T0 + 2 * MINUTE, messageId: 'u1', state: 'pinned' },
      user('u4', 'odd', T0 + 2 * MINUTE),
      { kind: 'edit', at: T0 + 2 * MINUTE, messageId: 'u3', block: 0, reason: 'secret word', text: 'x' },
      { kind: 'pin', at: T0 + 2 * MINUTE, messageId: 'u4', state: 'dropped' },
    ])
    const context = shown(entries, { policy: 'none' })
    expect(
      ['u1', 'call-0', 'result-0', 'sum', 'u3', 'u4'].map((id) => [
        block(context, id)?.state,
        block(context, id)?.reason.code,
      ]),
    ).toEqual([
      ['pinned', 'pinned'],
      ['left-out', 'compaction'],
      ['left-out', 'compaction'],
      ['full', 'summary'],
      ['shortened', 'secret word'],
      ['dropped', 'dropped'],
    ])
  })
})

describe('what the next request would cost', () => {
  it('attributes tokens beyond the messages to system prompt and tools', () => {
    const entries = session(2)
    const plain = shown(entries)
    const context = shown(entries, { newest: storedRequest(T0 + MINUTE, plain.prepared.tokens + 5000) })
    expect(context.prefix).toBeGreaterThan(4900)
    expect(context.prefix).toBeLessThan(5100)
    expect(context.availableTokens).toBeLessThan(plain.availableTokens)
    const all = context.prefix + context.prepared.tokens
    expect(context.cost?.coldUsd).toBeCloseTo((all * 3.75) / 1e6, 9)
    // All but the reply and the new question was sent before.
    expect(all - (context.cost?.cachedTokens ?? 0)).toBeLessThan(20)
    expect(context.cost?.warmUsd).toBeLessThan((context.cost?.coldUsd ?? 0) / 10)
  })

  it('is higher after a block was dropped, because everything after it is uncached', () => {
    const entries = session(4)
    const dropped = shown([
      ...entries,
      { kind: 'pin', seq: entries.length, at: T0 + 2 * MINUTE, messageId: 'result-0', state: 'dropped' },
    ])
    const kept = shown(entries)
    expect(dropped.prepared.tokens).toBeLessThan(kept.prepared.tokens)
    expect(dropped.cost?.cachedTokens).toBeLessThan(50)
    expect(dropped.cost?.warmUsd).toBeGreaterThan((kept.cost?.warmUsd ?? 0) * 3)
  })

  it('is higher after a block was replaced, too', () => {
    const entries = session(4)
    const edited = shown([
      ...entries,
      {
        kind: 'edit',
        seq: entries.length,
        at: T0 + 2 * MINUTE,
        messageId: 'result-0',
        block: 0,
        reason: 'r',
        text: 'short',
      },
    ])
    expect(edited.cost?.cachedTokens).toBeLessThan(50)
  })

  it('is absent where no price is known', () => {
    expect(sessionContext({ entries: session(1), facts, now: T0 }).cost).toBeUndefined()
  })
})

describe('the model that a session goes on with', () => {
  it('is that of the newest request of the main conversation, or one chosen since', () => {
    const requests = [
      storedRequest(T0, 100),
      storedRequest(T0 + 1, 300_000),
      storedRequest(T0 + 2, 50, { model: 'small', subagent: 'x' }),
      storedRequest(T0 + 3, 0, { model: 'empty' }),
    ]
    expect(sessionModel([], requests)).toMatchObject({
      model: 'claude-sonnet-4-5',
      largestInput: 300_000,
      newest: { at: T0 + 1 },
    })
    expect(sessionModel([], requests, T0)).toMatchObject({ largestInput: 100 })
    expect(sessionModel(log([{ kind: 'model', at: T0 + 9, model: 'gpt-5' }]), requests)).toMatchObject({
      model: 'gpt-5',
      largestInput: 0,
    })
    expect(sessionModel(log([{ kind: 'model', at: T0 - 9, model: 'gpt-5' }]), requests).model).toBe('claude-sonnet-4-5')
    expect(sessionModel([], [])).toEqual({ model: undefined, newest: undefined, largestInput: 0 })
  })

  it('has a window at least as large as what was sent', () => {
    expect(windowFor(facts, undefined, 150_000)).toEqual({ window: 200_000, from: 'model' })
    expect(windowFor(facts, undefined, 300_000)).toEqual({ window: 400_000, from: 'recorded' })
    expect(windowFor(facts, undefined, 5_000_000)).toEqual({ window: 5_000_000, from: 'recorded' })
    expect(windowFor(modelFacts('nobody-knows'), undefined, 0)).toEqual({ window: 128_000, from: 'assumed' })
    expect(windowFor(facts, 9000, 300_000)).toEqual({ window: 9000, from: 'given' })
  })
})

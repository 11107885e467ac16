import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { ContentBlock, Message } from '../messages.ts'
import type { LogEntry } from '../session-log.ts'
import { createLiveEntries } from '../session/live-entries.ts'
import { toAnthropicMessages } from './messages/to-anthropic.ts'
import { validateMessages } from './messages/validate.ts'
import { ContextOverflowError } from './overflow.ts'
import type { Policy, Situation } from './policy.ts'
import { cacheAwarePolicy } from './policies/cache-aware/policy.ts'
import { clinePolicy } from './policies/cline/policy.ts'
import { clioPolicy } from './policies/clio/policy.ts'
import { nonePolicy } from './policies/none.ts'
import { createContext } from './create-context.ts'
import { isSameModel, isSignedThinking, isThinking } from './thinking.ts'
import { playThinking, thinkingConversations, type Answered } from './thinking-log.fixture.ts'

const policies: readonly Policy[] = [
  nonePolicy,
  clinePolicy(),
  clioPolicy(),
  cacheAwarePolicy('safe'),
  cacheAwarePolicy('lean', { name: 'lean', leastWarm: 200, leastCold: 100 }),
]
const windows = fc.constantFrom(4000, 8000, 16_000, 64_000)

const flat = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap(({ role, content }) =>
    content.map((block) => `${role === 'assistant' ? 'assistant' : 'user'} ${JSON.stringify(block)}`),
  )

const thinkingIn = (messages: readonly Message[]): readonly ContentBlock[] =>
  messages.flatMap(({ content }) => content.filter(isThinking))

/** Signed reasoning of the replies since one without calls; none when the newest reply has none. */
const runningThinking = (log: readonly LogEntry[]): readonly ContentBlock[] => {
  const live = createLiveEntries()
  for (const entry of log) live.step(entry)
  const replies = new Map<string, ContentBlock[]>()
  for (const entry of log)
    if (live.has(entry.seq) && entry.kind === 'message' && entry.role === 'assistant') {
      const id = entry.responseId ?? entry.id
      replies.set(id, [...(replies.get(id) ?? []), ...entry.content])
    }
  const all = [...replies.values()]
  const last = all.findLastIndex((blocks) => blocks.every(({ type }) => type !== 'tool_call'))
  return all.slice(last + 1).flatMap((blocks) => blocks.filter(isSignedThinking))
}

describe.each(policies.map((policy) => [policy.name, policy] as const))(
  'reasoning under the policy %s',
  (_n, policy) => {
    it('is sent only after the same messages as when it was signed, where signatures are bound to the conversation', () => {
      fc.assert(
        fc.property(thinkingConversations, windows, (events, window) => {
          let last: Answered | undefined
          /** By the block: what stood before it when the model made it. */
          const before = new Map<string, readonly string[]>()
          playThinking(
            events,
            {
              policy,
              window,
              asked: { thinkingSignature: 'bound-to-conversation' },
              models: ['claude-opus-5-5', 'claude-sonnet-5-5'],
            },
            (answered) => {
              const { model, prepared } = (last = answered)
              const sent = flat(prepared.messages)
              for (const [index, block] of sent.entries()) {
                const made = before.get(`${model} ${block}`)
                if (!/^assistant .*(?:"signature"|redacted_thinking)/.test(block)) continue
                expect(made).toBeDefined()
                expect(sent.slice(0, index)).toEqual(made)
              }
              expect(validateMessages(prepared.messages)).toEqual([])
            },
            ({ model, prepared }, reply) => {
              const sent = flat(prepared.messages)
              const own = flat([{ role: 'assistant', content: reply }])
              for (const [index, block] of own.entries())
                before.set(`${model} ${block}`, [...sent, ...own.slice(0, index)])
            },
          )
          if (last === undefined) return
          const fromLog = createContext(policy, 2.7)
          fromLog.step(last.log.slice(0, last.length))
          expect(flat(fromLog.prepare(last.situation).messages)).toEqual(flat(last.prepared.messages))
        }),
        { numRuns: 150 },
      )
    }, 60_000)

    it('of the running turn comes back unchanged where signatures are bound to the turn', () => {
      fc.assert(
        fc.property(thinkingConversations, windows, (events, window) => {
          playThinking(
            events.filter((event) => event.do !== 'pin'),
            { policy, window, asked: { thinkingSignature: 'bound-to-turn' }, models: ['claude-opus-4-5'] },
            ({ prepared, log, situation }) => {
              const running = runningThinking(log)
              const sent = thinkingIn(prepared.messages)
              expect(sent.slice(sent.length - running.length)).toEqual(running)
              expect(validateMessages(prepared.messages)).toEqual([])
              expect(thinkingIn(prepared.messages).every(isSignedThinking)).toBe(true)
              if (prepared.tokens > situation.availableTokens)
                expect(prepared.overflow).toBeInstanceOf(ContextOverflowError)
            },
            () => undefined,
          )
        }),
        { numRuns: 150 },
      )
    }, 60_000)
  },
)

describe('reasoning is sent', () => {
  const situation: Situation = {
    now: 60_000,
    window: 200_000,
    availableTokens: 150_000,
    prefix: 0,
    lastUsed: 0,
    prices: { input: 3, output: 15, write: 3.75, read: 0.3 },
    cacheLifetime: 300,
    refusals: 0,
  }
  const text = (value: string): ContentBlock => ({ type: 'text', text: value })
  const log = (...entries: readonly object[]): readonly LogEntry[] =>
    entries.map((entry, seq) => ({ kind: 'message', seq, at: seq * 1000, id: `m${seq}`, ...entry }) as LogEntry)
  const requestOf = (entries: readonly LogEntry[], asked: Partial<Situation>) => {
    const context = createContext(nonePolicy, 2.7)
    context.step(entries)
    return context.prepare({ ...situation, ...asked })
  }
  const signed = (id: string): ContentBlock => ({ type: 'thinking', text: `about ${id}`, signature: id })
  const conversation = log(
    { role: 'user', content: [text('Begin.')] },
    { role: 'assistant', model: 'claude-opus-4-5-20251101', content: [signed('A'), text('One.')] },
    { role: 'user', content: [text('Go on.')] },
    { role: 'assistant', model: 'claude-sonnet-4-5', content: [signed('B'), text('Two.')] },
    { role: 'user', content: [text('And on.')] },
  )

  it('only to the model that made it, whatever the release or host in its name; the rest is reported', () => {
    const request = requestOf(conversation, { model: 'eu.anthropic.claude-opus-4-5-v1:0' })
    expect(thinkingIn(request.messages)).toEqual([signed('A')])
    expect(request.withheld).toEqual([
      { seq: 3, block: 0, messageId: 'm3', why: 'foreign-thinking', tokens: expect.any(Number) },
    ])
    expect(thinkingIn(requestOf(conversation, { model: 'claude-sonnet-4-5' }).messages)).toEqual([signed('B')])
    expect(thinkingIn(requestOf(conversation, {}).messages)).toHaveLength(2)
    expect(thinkingIn(requestOf(conversation, { model: 'gpt-5.1-codex' }).messages)).toEqual([])
  })

  it('only to the provider that made it, where both are known', () => {
    const entries = log(
      { kind: 'model', model: 'claude-opus-4-5', provider: 'bedrock' },
      { role: 'user', content: [text('Begin.')] },
      { role: 'assistant', content: [signed('A'), text('One.')] },
      { role: 'user', content: [text('Go on.')] },
    )
    const sentTo = (provider: string | undefined): number =>
      thinkingIn(requestOf(entries, { model: 'claude-opus-4-5', provider }).messages).length
    expect([sentTo('bedrock'), sentTo('anthropic'), sentTo(undefined)]).toEqual([1, 0, 1])
  })

  it('never at the end of a reply, nor without a signature, even if it is pinned', () => {
    const entries = log(
      { role: 'user', content: [text('Begin.')] },
      { role: 'assistant', content: [{ type: 'thinking', text: 'no seal' }, text('One.'), signed('last')] },
      { kind: 'pin', messageId: 'm1', state: 'pinned' },
      { role: 'user', content: [text('Go on.')] },
    )
    const request = requestOf(entries, {})
    expect(request.messages[1]?.content).toEqual([text('One.')])
    expect(request.withheld.map(({ why }) => why)).toEqual(['unsigned-thinking', 'last-thinking'])
    expect(toAnthropicMessages([{ role: 'assistant', content: [{ type: 'thinking', text: 'no seal' }] }])).toEqual([])
  })

  it('not when a secret was replaced in it by a placeholder: its signature is for what the model wrote', () => {
    const stored = (content: readonly ContentBlock[]): readonly LogEntry[] =>
      log(
        { role: 'user', content: [text('Begin.')] },
        { role: 'assistant', content: [...content, text('One.')] },
        { role: 'user', content: [text('Go on.')] },
      )
    const held: ContentBlock = { type: 'thinking', text: 'the token is [redacted:github-token]', signature: 'A' }
    const cut: ContentBlock = { type: 'thinking', text: 'about B', signature: 'B[redacted:aws-secret-key]B' }
    const sealed = (data: string): ContentBlock => ({ type: 'other', value: { type: 'redacted_thinking', data } })
    const request = requestOf(stored([held, cut, sealed('E[redacted:api-key]w'), signed('C'), sealed('Ew')]), {})
    expect(request.messages[1]?.content).toEqual([signed('C'), sealed('Ew'), text('One.')])
    expect(request.withheld.map(({ seq, block, why }) => [seq, block, why])).toEqual([
      [1, 0, 'unsigned-thinking'],
      [1, 1, 'unsigned-thinking'],
      [1, 2, 'unsigned-thinking'],
    ])
    expect(JSON.stringify(toAnthropicMessages([{ role: 'assistant', content: [held, text('One.')] }]))).not.toContain(
      'redacted:',
    )
    // What only looks like one is the model's own.
    const own: ContentBlock = { type: 'thinking', text: 'I wrote [redacted: too long] and [redacted]', signature: 'D' }
    expect(thinkingIn(requestOf(stored([own]), {}).messages)).toEqual([own])
    const bound = requestOf(stored([held, signed('C')]), { thinkingSignature: 'bound-to-conversation' })
    expect(thinkingIn(bound.messages)).toEqual([])
    expect(
      validateMessages([
        { role: 'user', content: 'Begin.' },
        { role: 'assistant', content: [held, text('One.')] },
      ]).map(({ code }) => code),
    ).toEqual(['thinking-unsigned'])
  })

  it('as the message check reports, in either format', () => {
    const codes = (message: Message | { role: string; content: unknown }): readonly string[] =>
      validateMessages([{ role: 'user', content: 'Begin.' }, message]).map(({ code }) => code)
    expect(codes({ role: 'assistant', content: [signed('A'), text('One.')] })).toEqual([])
    expect(codes({ role: 'assistant', content: [{ type: 'thinking', thinking: 'no seal' }, text('One.')] })).toEqual([
      'thinking-unsigned',
    ])
    expect(codes({ role: 'assistant', content: [text('One.'), signed('A')] })).toEqual(['thinking-last'])
    expect(codes({ role: 'user', content: [signed('A'), text('One.')] })).toEqual(['thinking-role'])
  })

  it('again after a rewind that takes the change back', () => {
    const edited = [
      ...conversation.slice(0, 3),
      { kind: 'edit', seq: 3, at: 3000, messageId: 'm0', block: 0, reason: 'edited', text: 'Other words.' } as const,
      { ...conversation[4], seq: 4 } as LogEntry,
    ]
    const asked = { thinkingSignature: 'bound-to-conversation' } as const
    expect(thinkingIn(requestOf(edited, asked).messages)).toEqual([])
    const back: LogEntry = { kind: 'rewind', seq: 5, at: 5000, toSeq: 2 }
    expect(thinkingIn(requestOf([...edited, back], asked).messages)).toEqual([signed('A')])
  })

  it('the same whichever models were asked before: a pin that restores reasoning excludes what was signed without it', () => {
    const entries = log(
      { role: 'user', content: [text('Begin.')] },
      { role: 'assistant', model: 'claude-opus-5-5', responseId: 'r', content: [signed('A')] },
      { role: 'assistant', model: 'claude-opus-5-5', responseId: 'r', content: [text('One.')] },
      { kind: 'rewrite', policy: 'x', trigger: 'window', changes: [{ seq: 1, block: 0, why: 'dead' }] },
      { role: 'user', content: [text('Go on.')] },
      { role: 'assistant', model: 'claude-opus-5-5', content: [signed('B'), text('Two.')] },
      { role: 'user', content: [text('And on.')] },
      { kind: 'pin', messageId: 'm1', state: 'pinned' },
    )
    const opus: Situation = { ...situation, model: 'claude-opus-5-5', thinkingSignature: 'bound-to-conversation' }
    const context = createContext(nonePolicy, 2.7)
    context.step(entries.slice(0, -1))
    context.prepare({ ...opus, model: 'claude-sonnet-5-5' })
    context.step(entries)
    expect(thinkingIn(context.prepare(opus).messages)).toEqual([signed('A')])
    expect(thinkingIn(requestOf(entries, opus).messages)).toEqual([signed('A')])
  })

  it('not after a block that is sent differently from how the model made it, where signatures are bound', () => {
    const entries = log(
      { role: 'user', content: [text('Begin.')] },
      { role: 'assistant', content: [signed('A'), text('Half \ud83d of it.'), signed('B'), text('One.')] },
      { role: 'user', content: [text('Go on.')] },
      {
        role: 'assistant',
        content: [{ type: 'thinking', text: 'half \udc00', signature: 'C' }, text('Two.'), signed('D'), text('.')],
      },
      { role: 'user', content: [text('Go on.')] },
      { role: 'assistant', content: [signed('E'), text('Three.')] },
      { role: 'user', content: [text('And on.')] },
    )
    const bound = requestOf(entries, { thinkingSignature: 'bound-to-conversation' })
    expect(thinkingIn(bound.messages)).toEqual([signed('A'), signed('E')])
    expect(bound.withheld.map(({ seq, block, why }) => [seq, block, why])).toEqual([
      [1, 2, 'bound-thinking'],
      [3, 0, 'unsigned-thinking'],
      [3, 2, 'bound-thinking'],
    ])
    expect(thinkingIn(requestOf(entries, {}).messages)).toEqual(['A', 'B', 'D', 'E'].map(signed))
    expect(JSON.stringify(bound.messages[1])).toContain('Half \ufffd of it.')
  })

  it.each([
    ['claude-opus-4-5', 'claude-4.5-opus', true],
    ['opus', 'claude-opus-4-5', true],
    ['claude-opus-4-5', 'claude-opus-5-4', false],
    ['claude-opus-4-5@20251101', 'anthropic/claude-opus-4.5', true],
    ['gpt-5.1', 'gpt-5.1-codex', false],
    [undefined, 'gpt-5.1', true],
  ])('treats %s and %s as one model: %s', (left, right, isSame) => {
    expect(isSameModel(left, right)).toBe(isSame)
  })
})

import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { LogEntry } from '../session-log.ts'
import { ContextOverflowError } from './overflow.ts'
import type { Policy, Situation } from './policy.ts'
import { cacheAwarePolicy } from './policies/cache-aware/policy.ts'
import { clinePolicy } from './policies/cline/policy.ts'
import { clioPolicy } from './policies/clio/policy.ts'
import { nonePolicy } from './policies/none.ts'
import { validateMessages } from './messages/validate.ts'
import { createContext, type Context, type Prepared } from './create-context.ts'
import { conversations, windows, type Conversation } from './random-log.fixture.ts'
import { situationOf } from './situation.fixture.ts'
import { ARRIVAL } from './view.ts'

const keeping: readonly Policy[] = [
  clinePolicy(),
  clioPolicy(),
  cacheAwarePolicy('safe'),
  cacheAwarePolicy('lean', { name: 'lean', leastWarm: 200, leastCold: 100 }),
]
const policies: readonly Policy[] = [nonePolicy, ...keeping]

interface Played {
  readonly context: Context
  readonly log: readonly LogEntry[]
  readonly last: Prepared
  readonly situation: Situation
}

/** Lives through a conversation: each step is followed by a request, whose decisions go into the log. */
const play = (
  policy: Policy,
  conversation: Conversation,
  window: number,
  onRequest?: (prepared: Prepared, context: Context, situation: Situation) => void,
): Played => {
  const context = createContext(policy, 2.7)
  const log: LogEntry[] = []
  let last: Prepared | undefined
  let situation = situationOf(window, 0)
  for (const step of conversation) {
    const entries = step.map((entry, index) => ({ ...entry, seq: log.length + index }))
    log.push(...entries)
    context.step(entries)
    situation = situationOf(window, (entries.at(-1)?.at ?? 0) + 500)
    last = context.prepare(situation)
    onRequest?.(last, context, situation)
    log.push(...last.entriesToAppend)
  }
  if (last === undefined) throw new Error('A conversation has at least one step.')
  return { context, log, last, situation }
}

const bytesOf = (prepared: Prepared): string => JSON.stringify(prepared.messages)

describe.each(policies.map((policy) => [policy.name, policy] as const))('the policy %s', (_name, policy) => {
  it('prepares valid requests that keep what must be kept', () => {
    fc.assert(
      fc.property(conversations, windows, (conversation, window) => {
        play(policy, conversation, window, (prepared, context, situation) => {
          expect(validateMessages(prepared.messages)).toEqual([])
          for (const { policy: by, tokensBefore, tokensAfter } of prepared.entriesToAppend)
            if (by === policy.name) expect(tokensAfter).toBeLessThan(tokensBefore ?? 0)
          if (policy.keepsWindow && !prepared.fits) {
            // Nothing but what must stay, and the newest request, is left.
            expect(prepared.overflow).toBeInstanceOf(ContextOverflowError)
            expect(prepared.overflow?.obstacles.length).toBeGreaterThan(0)
          }
          if (prepared.fits) expect(prepared.tokens).toBeLessThanOrEqual(situation.availableTokens)
          const newest = context.view.newestUser
          for (const source of newest === undefined ? [] : context.view.history.blocksOf(newest.seq))
            if (source.pin !== 'dropped') expect(source.seen).toBe(source.original)
          for (const { source } of context.view.all()) {
            if (source.pin === 'pinned') expect(source.seen).toBe(source.original)
            if (source.pin === 'dropped') expect(source.seen).toBeNull()
          }
        })
      }),
      { numRuns: 60 },
    )
  })

  it('prepares the same from the log alone as live, and changes nothing when asked again', () => {
    fc.assert(
      fc.property(conversations, windows, (conversation, window) => {
        const { context, log, last, situation } = play(policy, conversation, window)
        const again = context.prepare(situation)
        expect(again.entriesToAppend).toEqual([])
        expect(bytesOf(again)).toBe(bytesOf(last))
        expect(again.cacheBreakpoints).toEqual(last.cacheBreakpoints)
        const fromLog = createContext(policy, 2.7)
        fromLog.step(log)
        const prepared = fromLog.prepare(situation)
        expect(prepared.entriesToAppend).toEqual([])
        expect(bytesOf(prepared)).toBe(bytesOf(last))
        // What a rewrite left as it was is read from the cache, whoever sends it.
        if (last.entriesToAppend.some(({ trigger }) => trigger !== ARRIVAL))
          expect(prepared.cacheBreakpoints).toEqual(last.cacheBreakpoints)
      }),
      { numRuns: 60 },
    )
  })

  it('decides the same whether or not it followed the conversation', () => {
    fc.assert(
      fc.property(conversations, windows, (conversation, window) => {
        const live = play(policy, conversation.slice(0, -1), window)
        const step = (conversation.at(-1) ?? []).map((entry, index) => ({ ...entry, seq: live.log.length + index }))
        const situation = situationOf(window, (step.at(-1)?.at ?? 0) + 500)
        const scratch = createContext(policy, 2.7)
        scratch.step(live.log)
        for (const context of [live.context, scratch]) context.step(step)
        const [left, right] = [live.context.prepare(situation), scratch.prepare(situation)]
        expect(right.entriesToAppend).toEqual(left.entriesToAppend)
        expect(bytesOf(right)).toBe(bytesOf(left))
        expect(right.cacheBreakpoints).toEqual(left.cacheBreakpoints)
      }),
      { numRuns: 60 },
    )
  })
})

describe.each(keeping.map((policy) => [policy.name, policy] as const))(
  'after refusals, the policy %s',
  (_name, policy) => {
    it("makes each attempt smaller, with the user's newest request whole, until nothing can be removed", () => {
      fc.assert(
        fc.property(conversations, (conversation) => {
          const { context, last, situation } = play(policy, conversation, 64_000)
          let before = last.tokens
          for (let refusals = 1; refusals <= 12; refusals++) {
            const tried = context.prepare({ ...situation, refusals, refusedTokens: before })
            if (tried.overflow !== undefined) {
              expect(tried.overflow.code).toBe('context-overflow')
              return
            }
            expect(tried.tokens).toBeLessThan(before)
            expect(validateMessages(tried.messages)).toEqual([])
            before = tried.tokens
          }
          throw new Error('A dozen tries must end.')
        }),
        { numRuns: 40 },
      )
    })
  },
)

describe('a request that cannot fit', () => {
  it('throws an error that names what does not fit', () => {
    const context = createContext(cacheAwarePolicy(), 2.7)
    context.step([
      { kind: 'message', seq: 0, at: 0, id: 'u', role: 'user', content: [{ type: 'text', text: 'x'.repeat(27_000) }] },
    ])
    const { overflow, fits } = context.prepare(situationOf(8000, 0))
    expect(fits).toBe(false)
    expect(overflow?.message).toBe(
      'The request needs about 10004 tokens and the model has room for 5600; nothing more can be left out beside the newest message of the user (10004 tokens). Shorten the message, unpin something, or choose a model with a larger window.',
    )
    expect(overflow?.obstacles).toEqual([{ seq: 0, block: 0, tokens: 10_004, why: 'newest-user-message' }])
  })
})

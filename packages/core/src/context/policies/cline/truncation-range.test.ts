import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { blocksOf, viewOf, type LooseMessage } from '../../messages/loose.ts'
import { frozen, toolConversation } from '../../messages/messages.fixture.ts'
import { nextTruncationRange, type TruncationKeep } from './truncation-range.ts'

const KEEPS: readonly TruncationKeep[] = ['none', 'lastTwo', 'half', 'quarter']
const alternating = (count: number): LooseMessage[] =>
  Array.from({ length: count }, (_, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: `m${index}` }))
const ranges = (count: number, prior?: [number, number]) =>
  KEEPS.map((keep) => nextTruncationRange(alternating(count), prior, keep))
const keeps = fc.constantFrom(...KEEPS)

describe('nextTruncationRange', () => {
  it('returns the ranges of the original', () => {
    expect(ranges(11)).toEqual([
      [2, 9],
      [2, 7],
      [2, 5],
      [2, 7],
    ])
    expect(ranges(20)).toEqual([
      [2, 19],
      [2, 17],
      [2, 9],
      [2, 13],
    ])
    expect(ranges(20, [2, 7])).toEqual([
      [2, 19],
      [2, 17],
      [2, 13],
      [2, 15],
    ])
  })

  it('stays within short conversations, and never restores a removed message', () => {
    for (const count of [0, 1, 2, 3]) expect(ranges(count)).toEqual([undefined, undefined, undefined, undefined])
    expect(ranges(4)).toEqual([[2, 3], undefined, [2, 3], [2, 3]])
    expect(ranges(5)).toEqual([[2, 3], undefined, [2, 3], [2, 3]])
    expect(ranges(5, [2, 9])).toEqual([undefined, undefined, undefined, undefined])
    expect(ranges(5, [2, 3])).toEqual([undefined, undefined, undefined, undefined])
  })

  it('keeps the results of the first exchange, and works through a long run of tool calls', () => {
    const messages: LooseMessage[] = [{ role: 'user', content: 'go' }]
    for (let step = 0; step < 20; step += 1) {
      messages.push({ role: 'assistant', content: [{ type: 'tool_use', id: `c${step}`, name: 'Bash', input: {} }] })
      messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${step}`, content: 'ok' }] })
    }
    expect(nextTruncationRange(messages, undefined, 'half')).toEqual([3, 20])
    expect(nextTruncationRange(messages, [3, 20], 'quarter')).toEqual([3, 34])
    // A range from elsewhere took the first call's result: the call goes, too.
    expect(nextTruncationRange(messages, [2, 7], 'half')?.[0]).toBe(1)
  })

  it('refuses invalid ranges and keep settings', () => {
    expect(() => nextTruncationRange(alternating(5), [3, 0.5], 'half')).toThrow('A deleted range is two whole numbers')
    expect(() => nextTruncationRange(alternating(5), undefined, 'all' as 'none')).toThrow('keeps "none"')
    expect(() => nextTruncationRange(undefined as unknown as [], undefined, 'none')).toThrow(
      'needs an array of messages',
    )
  })

  it('property: for any roles the range is within bounds, grows, and ends with the assistant', () => {
    const roles = fc.array(fc.constantFrom('user', 'assistant'), { maxLength: 15 })
    fc.assert(
      fc.property(roles, keeps, fc.nat(14), (sequence, keep, end) => {
        const messages = frozen(sequence.map((role) => ({ role, content: 'x' })))
        const prior: [number, number] | undefined = end < 3 ? undefined : [2, end]
        const range = nextTruncationRange(messages, prior, keep)
        if (range === undefined) return
        expect(range[0]).toBe(2)
        expect(range[1]).toBeLessThan(messages.length)
        expect(range[1]).toBeGreaterThan(prior?.[1] ?? 1)
        expect(messages[range[1]]?.role).toBe('assistant')
      }),
      { numRuns: 1000 },
    )
  })

  it('property: with parallel calls and repeated roles no call or result is separated, step by step', () => {
    fc.assert(
      fc.property(toolConversation, fc.array(keeps, { minLength: 1, maxLength: 5 }), (messages, steps) => {
        frozen(messages)
        let prior: [number, number] | undefined
        for (const keep of steps) {
          const range = nextTruncationRange(messages, prior, keep)
          if (range === undefined) continue
          const [start, end] = range
          expect(start).toBeGreaterThanOrEqual(1)
          expect(start).toBeLessThanOrEqual(prior?.[0] ?? start)
          expect(end).toBeGreaterThan(prior?.[1] ?? start - 1)
          expect(end).toBeLessThan(messages.length)
          const left = messages.filter((_, index) => index < start || index > end)
          const views = left.flatMap((message) => blocksOf(message).map(viewOf))
          const calls = views.flatMap((view) => (view.kind === 'call' ? [view.id] : []))
          const results = views.flatMap((view) => (view.kind === 'result' ? [view.id] : []))
          expect(results).toEqual(calls)
          // What ends the range is no request of the user.
          const last = messages[end]
          expect(last?.role === 'assistant' || typeof last?.content !== 'string').toBe(true)
          prior = range
        }
      }),
      { numRuns: 500 },
    )
  })

  it('property: "half" makes progress until no exchange is left', () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 60 }), (count) => {
        const messages = alternating(count)
        let end = 1
        for (;;) {
          const range = nextTruncationRange(messages, end === 1 ? undefined : [2, end], 'half')
          if (range === undefined) break
          end = range[1]
        }
        expect(count - 1 - end).toBe(count % 2)
      }),
    )
  })
})

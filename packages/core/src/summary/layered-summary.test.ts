import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { fileOperationsOf } from '../file-activity/file-tools.ts'
import { agent, conversation, tool, user } from './conversation.fixture.ts'
import { groupIntoUnits } from './conversation-units.ts'
import { layeredSummary } from './layered-summary.ts'

const layered = (messages: Parameters<typeof layeredSummary>[0], target: number) =>
  layeredSummary(messages, target, { fileOperations: fileOperationsOf })
const range = (length: number): readonly number[] => Array.from({ length }, (_, index) => index)
const long = range(60).flatMap((number) => [
  user(`request ${number} ${'please '.repeat(30)}`),
  ...tool('Read', { file_path: `src/${number}.ts` }, `content ${number} ${'code '.repeat(400)}`),
])

describe('groupIntoUnits', () => {
  it('never separates a call from its result', () => {
    const [call, result] = tool('Read', { file_path: 'a' })
    if (call === undefined || result === undefined) throw new Error('no call')
    expect(groupIntoUnits([user('x'), call, result, agent('y')]).map(({ messages }) => messages.length)).toEqual([
      1, 2, 1,
    ])
    expect(groupIntoUnits([result, call]).map(({ messages }) => messages.length)).toEqual([1, 1])
  })

  it('joins parallel calls that a transcript records on separate lines', () => {
    const [first, firstResult] = tool('Read', { file_path: 'a' })
    const [second, secondResult] = tool('Read', { file_path: 'b' })
    if (!first || !firstResult || !second || !secondResult) throw new Error('no call')
    expect(
      groupIntoUnits([user('x'), first, second, firstResult, secondResult, user('y')]).map(
        ({ messages }) => messages.length,
      ),
    ).toEqual([1, 4, 1])
    expect(groupIntoUnits([first, firstResult, second, secondResult]).map(({ messages }) => messages.length)).toEqual([
      2, 2,
    ])
    expect(
      groupIntoUnits([first, second, user('x'), secondResult, firstResult]).map(({ messages }) => messages.length),
    ).toEqual([5])
  })

  it('keeps every message once, in order', () => {
    fc.assert(
      fc.property(conversation, (messages) =>
        expect(groupIntoUnits(messages).flatMap((unit) => unit.messages)).toEqual(messages),
      ),
      { numRuns: 50 },
    )
  })
})

describe('layeredSummary', () => {
  it('keeps everything that fits', () => {
    const { text, units } = layered(
      [user('Fix it'), ...tool('Read', { file_path: 'a.ts' }, 'one\ntwo'), agent('Fixed.')],
      1000,
    )
    expect(text).toBe('User: Fix it\nCall: Read a.ts\nResult: one\n        two\nAgent: Fixed.')
    expect(units.map(({ layer }) => layer)).toEqual(['whole', 'whole', 'whole'])
  })

  it('has layers from old to new: counted, one line, shortened, whole', () => {
    const { text, units } = layered(long, 10_000)
    const order = ['counted', 'line', 'shortened', 'whole']
    const ranks = units.map(({ layer }) => order.indexOf(layer))
    expect(new Set(ranks).size).toBe(4)
    expect(text).toMatch(
      /^\[earlier, not shown: \d+ \(agent \d+, user \d+\)\]\nUser: request \d+ .*\nAgent: \[Read\(src\/\d+\.ts\)\]\n/,
    )
    expect(text).toContain('content 59 code')
    expect(text.length).toBeGreaterThan(7000)
  })

  it('keeps the newest units, not the beginning', () => {
    for (const target of [20, 60, 200, 1000, 5000]) {
      const { text, units } = layered([...long, agent('The newest words.')], target)
      expect(text).toMatch(target > 60 ? /The newest words\.$/ : /words\.$/)
      expect(units.at(-1)?.characters).toBeGreaterThan(0)
    }
    expect(layered([user('old'), agent(`begin ${'x'.repeat(5000)} end`)], 100).text).toMatch(/end$/)
  })

  it('drops units oldest first', () => {
    const numbers = [...layered(long, 3000).text.matchAll(/request (\d+)/g)].map(([, number]) => Number(number))
    expect(numbers.length).toBeGreaterThan(3)
    expect(numbers).toEqual(numbers.toSorted((left, right) => left - right))
    expect(numbers.at(-1)).toBe(59)
  })

  it('fits the target, and never shows an old unit while a newer one is only counted', () => {
    fc.assert(
      fc.property(conversation, fc.nat(20_000), (messages, target) => {
        const { text, units } = layered(messages, target)
        expect(text.length).toBeLessThanOrEqual(target)
        expect(units).toHaveLength(groupIntoUnits(messages).length)
        const shown = units.map(({ layer }) => layer !== 'counted')
        expect(shown).toEqual(shown.toSorted((left, right) => Number(left) - Number(right)))
        if (units.length > 0 && target > 0) expect(shown.at(-1)).toBe(true)
      }),
      { numRuns: 100 },
    )
  })

  it('never keeps less of a unit when the target is larger', () => {
    const order = ['counted', 'line', 'shortened', 'whole']
    fc.assert(
      fc.property(conversation, fc.nat(15_000), fc.nat(5000), (messages, target, more) => {
        const small = layered(messages, target).units
        const large = layered(messages, target + more).units
        small.forEach(({ layer, characters }, index) => {
          expect(large[index]?.characters).toBeGreaterThanOrEqual(characters)
          expect(order.indexOf(large[index]?.layer ?? '')).toBeGreaterThanOrEqual(order.indexOf(layer))
        })
      }),
      { numRuns: 200 },
    )
  })

  it('never keeps less of a unit, by whatever the target is raised', () => {
    const mixed = [
      ...long.slice(-60),
      user('y'.repeat(3000)),
      ...tool('Read', { file_path: 'x' }, 'z'.repeat(20_000)),
      agent('short'),
    ]
    let before: readonly number[] = []
    for (let target = 0; target < 12_000; target += 60) {
      const now = layered(mixed, target).units.map(({ characters }) => characters)
      expect(before.filter((characters, index) => characters > (now[index] ?? 0))).toEqual([])
      before = now
    }
  })

  it('uses the available tokens, also when one unit exceeds them', () => {
    const { text } = layered([...long, ...tool('Read', { file_path: 'big' }, 'x'.repeat(500_000))], 60_000)
    expect(text.length).toBeGreaterThan(59_000)
  })

  it('escapes the text of units', () => {
    fc.assert(
      fc.property(conversation, fc.nat(5000), (messages, target) =>
        expect(layered(messages, target).text).not.toMatch(/<\/?(?:thread_summary|session_state)/),
      ),
      { numRuns: 50 },
    )
  })

  it('is empty for an empty conversation', () => {
    expect(layered([], 100)).toEqual({ text: '', units: [] })
    expect(layered([user('a')], 0).text).toBe('')
  })
})

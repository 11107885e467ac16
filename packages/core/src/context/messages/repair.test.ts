import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { brokenMessages, frozen, looseMessages } from './messages.fixture.ts'
import { normaliseMessages } from './normalise.ts'
import { RESULT_MISSING, repairPairs } from './repair.ts'
import { validateMessages } from './validate.ts'

const use = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: {} })
const result = (id: string, content = `result ${id}`) => ({ type: 'tool_result', tool_use_id: id, content })
const text = (value: string) => ({ type: 'text', text: value })

describe('repairPairs', () => {
  it('answers A and B by [result A missing, result B, text]', () => {
    const messages = frozen([
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [use('A'), use('B')] },
      { role: 'user', content: [text('and now'), result('B')] },
    ])
    expect(repairPairs(messages)[2]).toEqual({
      role: 'user',
      content: [{ ...result('A', RESULT_MISSING), is_error: true }, result('B'), text('and now')],
    })
  })

  it("keeps Cairn's format, ids and additional fields", () => {
    const messages = frozen([
      { role: 'user', id: 'm0', content: [text('go')] },
      { role: 'assistant', id: 'm1', content: [{ type: 'tool_call', id: 'A', name: 'Read', input: {} }] },
      { role: 'user', id: 'm2', content: 'never mind' },
    ])
    expect(repairPairs(messages)[2]).toEqual({
      role: 'user',
      id: 'm2',
      content: [
        { type: 'tool_result', callId: 'A', content: [text(RESULT_MISSING)], isError: true },
        text('never mind'),
      ],
    })
  })

  it('moves a result from two messages later, and keeps one of several results', () => {
    const repaired = repairPairs([
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [use('A')] },
      { role: 'user', content: 'wait' },
      { role: 'assistant', content: 'yes' },
      { role: 'user', content: [result('A', 'late'), result('A', 'again')] },
    ])
    expect(repaired).toEqual([
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [use('A')] },
      { role: 'user', content: [result('A', 'late'), text('wait')] },
      { role: 'assistant', content: 'yes' },
    ])
  })

  it('inserts a user message between two messages of the assistant', () => {
    const repaired = repairPairs([
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [use('A')] },
      { role: 'assistant', content: 'and on' },
    ])
    expect(repaired.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
  })

  it('leaves calls of the last message pending, and tool messages separate', () => {
    const messages = frozen([
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [use('A'), use('B')] },
      { role: 'tool', content: [result('A')] },
      { role: 'tool', content: [result('B')] },
      { role: 'assistant', content: [use('C')] },
    ])
    const repaired = repairPairs(messages)
    expect(repaired).toHaveLength(5)
    repaired.forEach((message, index) => expect(message).toBe(messages[index]))
  })

  it('pairs ids that a provider restarts in every turn', () => {
    const messages = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [use('call_0')] },
      { role: 'user', content: [result('call_0', 'first')] },
      { role: 'assistant', content: [use('call_0')] },
      { role: 'user', content: [result('call_0', 'second')] },
    ]
    expect(repairPairs(messages)).toEqual(messages)
    expect(validateMessages(messages)).toEqual([])
  })

  it('stripping orphans leaves no empty content, and does not change strings or its input', () => {
    const messages = frozen([
      { role: 'user', content: 'a string stays' },
      { role: 'assistant', content: 'ok' },
      { role: 'user', content: [result('gone', 'what it said')] },
    ])
    const repaired = repairPairs(messages)
    expect(repaired[0]).toBe(messages[0])
    expect(repaired.every(({ content }) => content.length > 0)).toBe(true)
    expect(JSON.stringify(repaired[2])).toContain('what it said')
    expect(validateMessages(repaired)).toEqual([])
  })

  it('refuses anything but a list of messages in one sentence', () => {
    const bad: unknown = [null]
    expect(() => repairPairs(bad as [])).toThrow('repairPairs needs messages with a role; message 0 has none.')
    expect(() => repairPairs('x' as unknown as [])).toThrow('repairPairs needs an array of messages.')
  })

  it('property: the result is valid, the input unchanged, and a second pass changes nothing', () => {
    fc.assert(
      fc.property(fc.oneof(brokenMessages, looseMessages), fc.boolean(), (messages, mergeAdjacentUsers) => {
        frozen(messages)
        const repaired = repairPairs(normaliseMessages(messages, { mergeAdjacentUsers }))
        expect(validateMessages(repaired)).toEqual([])
        const again = repairPairs(repaired)
        expect(again).toHaveLength(repaired.length)
        again.forEach((message, index) => expect(message).toBe(repaired[index]))
      }),
      { numRuns: 1000 },
    )
  })

  it('property: no text of the user is lost', () => {
    fc.assert(
      fc.property(looseMessages, (messages) => {
        const texts = (of: readonly { content?: unknown }[]): number => JSON.stringify(of).split('a longer text').length
        const asked = messages.filter(
          ({ content }) =>
            typeof content === 'string' || (content as { type: string }[]).every(({ type }) => type === 'text'),
        )
        expect(texts(repairPairs(messages))).toBeGreaterThanOrEqual(texts(asked))
      }),
    )
  })
})

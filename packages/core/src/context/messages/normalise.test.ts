import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { brokenMessages, frozen } from './messages.fixture.ts'
import { normaliseMessages } from './normalise.ts'
import { validateMessages } from './validate.ts'

const normal = (...messages: unknown[]): readonly unknown[] => normaliseMessages(frozen(messages) as [])
const text = (value: string) => ({ type: 'text', text: value })

describe('normaliseMessages', () => {
  it('accepts the shapes that older programs wrote', () => {
    expect(
      normal(
        { role: 'Human', text: 'in a field' },
        { role: 'ai', content: 'a string' },
        { role: 'user', parts: [{ text: 'parts' }, null] },
        { role: 'assistant', content: ['bare', null, { type: 'text', text: '' }] },
        null,
        { role: 'user', content: [] },
      ),
    ).toEqual([
      { role: 'user', content: [text('in a field')] },
      { role: 'assistant', content: [text('a string')] },
      { role: 'user', content: [text('parts')] },
      { role: 'assistant', content: [text('bare')] },
    ])
  })

  it('converts tool calls of other APIs, so that none is lost', () => {
    const call = { type: 'tool_call', id: 'a', name: 'R', input: '{}' }
    const result = { type: 'tool_result', callId: 'a', content: [text('r')] }
    expect(
      normal(
        { role: 'user', content: 'x' },
        { role: 'assistant', content: null, tool_calls: [{ id: 'a', function: { name: 'R', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'a', content: 'r' },
        { type: 'user', message: { role: 'user', content: 'y' } },
      ),
    ).toEqual([
      { role: 'user', content: [text('x')] },
      { role: 'assistant', content: [call] },
      { role: 'tool', content: [result] },
      { role: 'user', content: [text('y')] },
    ])
  })

  it('refuses an unknown role instead of guessing the author', () => {
    for (const [role, shown] of [
      ['nobody', '"nobody"'],
      [7, '7'],
      [undefined, 'undefined'],
    ] as const)
      expect(() => normal({ role: 'user', content: 'x' }, { role, content: 'y' })).toThrow(
        `Message 1 has the role ${shown}; known are `,
      )
  })

  it('removes markup that wraps a whole text, and only that', () => {
    const mentions = 'the [conversation] tag and [/conversation]'
    const two = '[conversation]a[/conversation] and [conversation]b[/conversation]'
    expect(
      normal({ role: 'user', content: [text(' [Conversation]\nhello[/conversation]\n'), text(mentions), text(two)] }),
    ).toEqual([{ role: 'user', content: [text('hello'), text(mentions), text(two)] }])
    expect(normal({ role: 'user', content: '<conversation>x</conversation>' })).toEqual([
      { role: 'user', content: [text('x')] },
    ])
  })

  it('says that the beginning is missing instead of dropping the reply', () => {
    const [system, made, answer] = normal({ role: 'system', content: 's' }, { role: 'assistant', content: 'a' }) as {
      role: string
    }[]
    expect([system?.role, made?.role, answer?.role]).toEqual(['system', 'user', 'assistant'])
  })

  it('merges consecutive user messages on request, results first', () => {
    const result = { type: 'tool_result', tool_use_id: 'A', content: 'r' }
    const messages = [
      { role: 'user', id: 1, content: [text('a')] },
      { role: 'user', id: 2, content: [result] },
    ]
    expect(normaliseMessages(messages)).toEqual(messages)
    expect(normaliseMessages(messages, { mergeAdjacentUsers: true })).toEqual([
      { role: 'user', id: 1, content: [result, text('a')] },
    ])
  })

  it('property: idempotent', () => {
    fc.assert(
      fc.property(brokenMessages, (messages) => {
        const once = normaliseMessages(messages)
        const twice = normaliseMessages(once)
        expect(twice).toHaveLength(once.length)
        twice.forEach((message, index) => expect(message).toBe(once[index]))
      }),
      { numRuns: 500 },
    )
  })
})

describe('validateMessages', () => {
  const codes = (...messages: unknown[]): string[] => validateMessages(messages as []).map(({ code }) => code)
  const use = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: {} })
  const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'r' })

  it('names each problem and its position', () => {
    expect(codes()).toEqual([])
    expect(codes({ role: 'user', content: 'hi' }, { role: 'assistant', content: [use('A')] })).toEqual([])
    expect(codes(null)).toEqual(['not-a-message'])
    expect(codes({ role: 'assistant', content: 'hi' })).toEqual(['first-role'])
    expect(codes({ role: 'user', content: [] })).toEqual(['empty'])
    expect(codes({ role: 'user', content: 'x' }, { role: 'boss', content: 'x' })).toEqual(['role'])
    expect(codes({ role: 'user', content: [{ text: 'x' }] })).toEqual(['block'])
    expect(codes({ role: 'user', content: [use('A')] })).toEqual(['call-role'])
    expect(codes({ role: 'user', content: [result('A')] })).toEqual(['result-without-call'])
    const asked = [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: [use('A')] },
    ]
    expect(codes(...asked, { role: 'user', content: 'y' })).toEqual(['call-without-result'])
    expect(codes(...asked, { role: 'assistant', content: [result('A')] })).toEqual([
      'call-without-result',
      'result-role',
    ])
    expect(codes(...asked, { role: 'user', content: [result('A'), result('A')] })).toEqual(['result-repeated'])
    expect(codes(...asked, { role: 'user', content: [text('y'), result('A')] })).toEqual(['result-not-first'])
    expect(codes(...asked, { role: 'user', content: 'y' }, { role: 'user', content: [result('A')] })).toEqual([
      'call-without-result',
      'result-without-call',
    ])
    expect(codes({ role: 'user', content: 'x' }, { role: 'assistant', content: [use('A'), use('A')] })).toEqual([
      'call-id',
    ])
  })

  it('gives the position', () => {
    expect(validateMessages([{ role: 'user', content: [text('x'), result('A')] }])).toEqual([
      expect.objectContaining({ code: 'result-without-call', index: 0, block: 1 }),
    ])
  })
})

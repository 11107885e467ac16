import { describe, expect, it } from '@jest/globals'
import type { LogEntry, NewLogEntry } from '../../session-log.ts'
import type { ContentBlock } from '../../messages.ts'
import { policyOf } from '../policies/registry.ts'
import { createContext } from '../create-context.ts'
import { prepare, situationOf } from '../request.ts'
import { RESULT_MISSING } from './repair.ts'
import { toAnthropicMessages } from './to-anthropic.ts'
import { validateMessages } from './validate.ts'

const call = (id: string): ContentBlock => ({ type: 'tool_call', id, name: 'Read', input: { path: 'a.ts' } })
const result = (callId: string, ...texts: readonly string[]): ContentBlock => ({
  type: 'tool_result',
  callId,
  content: texts.map((text) => ({ type: 'text', text })),
})
const logOf = (
  ...value: readonly (readonly ['user' | 'assistant' | 'tool', ...ContentBlock[]])[]
): readonly LogEntry[] =>
  value.map(([role, ...content], seq): LogEntry => ({ kind: 'message', seq, at: seq, id: `m${seq}`, role, content }))
const ask: readonly ['user', ContentBlock] = ['user', { type: 'text', text: 'go' }]

describe('a call without a result', () => {
  it('at the end is sent with a placeholder result, and reported', () => {
    const { messages, repairs, tokens } = prepare({ entries: logOf(ask, ['assistant', call('a'), call('b')]) })
    expect(validateMessages(messages)).toEqual([])
    expect(toAnthropicMessages(messages).at(-1)).toMatchObject({
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', is_error: true },
        { type: 'tool_result', tool_use_id: 'b', is_error: true },
      ],
    })
    expect(JSON.stringify(messages.at(-1))).toContain('not finished')
    expect(repairs).toEqual([
      expect.objectContaining({ callId: 'a', tool: 'Read', why: 'interrupted' }),
      expect.objectContaining({ callId: 'b', tool: 'Read', why: 'interrupted' }),
    ])
    expect(repairs[0]?.message).toBe('The call a of Read has no result yet; it is sent as "result missing".')
    const without = prepare({ entries: logOf(ask, ['assistant', { type: 'text', text: 'x' }]) })
    expect(without.repairs).toEqual([])
    expect(tokens).toBeGreaterThan(without.tokens)
  })

  it('in the middle is sent with a placeholder result; complete calls are not reported', () => {
    const { messages, repairs } = prepare({
      entries: logOf(ask, ['assistant', call('a')], ask, ['assistant', call('b')], ['tool', result('b', 'B')], ask),
    })
    expect(validateMessages(messages)).toEqual([])
    expect(repairs).toEqual([expect.objectContaining({ callId: 'a', why: 'missing' })])
    expect(JSON.stringify(messages)).toContain(RESULT_MISSING)
  })

  it('with two different results is sent with the first, and reported', () => {
    const entries = logOf(ask, ['assistant', call('a')], ['tool', result('a', 'A'), result('a', 'longer')], ask)
    const { messages, repairs } = prepare({ entries })
    expect(validateMessages(messages)).toEqual([])
    expect(repairs.map(({ message }) => message)).toEqual([
      'The call a of Read has 2 results that differ; the first good one is sent.',
    ])
    expect(JSON.stringify(messages)).not.toContain('longer')
  })

  it.each([
    ['the same twice', [result('a', 'A'), result('a', 'A')]],
    ['what stands for a result, and the result', [result('a', RESULT_MISSING), result('a', 'A')]],
  ])('with %s loses nothing, and nothing is reported', (_what, results) => {
    const { messages, repairs } = prepare({ entries: logOf(ask, ['assistant', call('a')], ['tool', ...results], ask) })
    expect(validateMessages(messages)).toEqual([])
    expect(repairs).toEqual([])
  })

  it('live: uses the result once it has come', () => {
    const context = createContext(policyOf('none'), 2.7)
    const situation = situationOf({ window: 100_000 })
    const log = logOf(ask, ['assistant', call('a')], ['tool', result('a', 'A')])
    context.step(log.slice(0, 2))
    expect(context.prepare(situation).repairs).toHaveLength(1)
    context.step(log.slice(2))
    const { messages, repairs } = context.prepare(situation)
    expect(repairs).toEqual([])
    expect(messages.at(-1)?.content).toEqual([result('a', 'A')])
  })
})

describe('what a provider would refuse is not sent', () => {
  it('blank texts, in results too; a message of blank texts alone is left out', () => {
    const { messages } = prepare({
      entries: logOf(
        ['user', { type: 'text', text: 'go' }, { type: 'text', text: ' \n' }],
        ['assistant', { type: 'text', text: '\t' }, call('a')],
        ['tool', result('a', '', ' ', 'A')],
        ['assistant', { type: 'text', text: '' }],
        ['user', { type: 'text', text: 'on' }],
      ),
    })
    expect(messages.map(({ content }) => content)).toEqual([
      [{ type: 'text', text: 'go' }],
      [call('a')],
      [result('a', 'A')],
      [{ type: 'text', text: 'on' }],
    ])
    expect(validateMessages(messages)).toEqual([])
  })

  it('lone surrogates, wherever they are; complete pairs and escaped text stay', () => {
    const half = 'a\ud83db'
    const mended = 'a\ufffdb'
    const sound = '😀 \\ud83d'
    const { messages } = prepare({
      entries: logOf(
        ['user', { type: 'text', text: half }, { type: 'file', path: half, text: half }],
        ['assistant', { type: 'tool_call', id: 'a', name: 'R', input: { [half]: [half, sound], [sound]: 1 } }],
        ['tool', result('a', half, sound)],
        ['assistant', { type: 'tool_call', id: 'b', name: 'R', input: half }],
        ['tool', { type: 'tool_result', callId: 'b', content: [{ type: 'other', value: { half } }] }],
      ),
    })
    expect(messages.map(({ content }) => content)).toEqual([
      [
        { type: 'text', text: mended },
        { type: 'file', path: mended, text: mended },
      ],
      [{ type: 'tool_call', id: 'a', name: 'R', input: { [mended]: [mended, sound], [sound]: 1 } }],
      [result('a', mended, sound)],
      [{ type: 'tool_call', id: 'b', name: 'R', input: mended }],
      [{ type: 'tool_result', callId: 'b', content: [{ type: 'other', value: { half: mended } }] }],
    ])
  })
})

describe('the overhead of each message is counted', () => {
  const tiny = (count: number): readonly NewLogEntry[] =>
    Array.from({ length: count }, (_, index): NewLogEntry => ({
      kind: 'message',
      at: index,
      id: `m${index}`,
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: [{ type: 'text', text: `step ${index}` }],
    }))

  it('thousands of tiny messages take several times the tokens of their characters', () => {
    const entries = tiny(5001).map((entry, seq) => ({ ...entry, seq }))
    const { tokens } = prepare({ entries, policy: 'none' })
    const characters = tiny(5001).reduce((sum, _, index) => sum + Math.ceil(`step ${index}`.length / 2.7), 0)
    expect(tokens).toBe(characters + 4 * 5001)
  })

  it('the same live, message by message, as at once', () => {
    const context = createContext(policyOf('none'), 2.7)
    const situation = situationOf({ window: 1_000_000 })
    const entries = tiny(300).map((entry, seq) => ({ ...entry, seq }))
    let before = 0
    for (const entry of entries) {
      context.step([entry])
      const { tokens } = context.prepare(situation)
      expect(tokens).toBeGreaterThan(before + 4)
      before = tokens
    }
    expect(prepare({ entries, policy: 'none', charsPerToken: 2.7 }).tokens).toBe(before)
  })

  it('a policy keeps them within the window, and not far below it', () => {
    const entries = tiny(5001).map((entry, seq) => ({ ...entry, seq }))
    for (const policy of ['cline', 'clio', 'cache-aware'] as const) {
      const { tokens, fits } = prepare({ entries, policy, window: 24_000, maxOutputTokens: 4000 })
      expect(fits).toBe(true)
      expect(tokens).toBeLessThanOrEqual(20_000)
    }
  })
})

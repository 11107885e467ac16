import { describe, expect, it } from '@jest/globals'
import { ContextOverflowError } from './overflow.ts'
import { prepare } from './request.ts'

const anthropic = [
  { role: 'user', content: 'Look at a.ts' },
  { role: 'assistant', content: [{ type: 'text', text: 'Reading.' }, { type: 'tool_use', id: 't1', name: 'Read', input: { file_path: 'a.ts' } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'const a = 1' }] },
]

describe('prepare', () => {
  it('takes messages in the form of an API and gives them back in the form of the log', () => {
    const { messages, fits, entriesToAppend } = prepare({ messages: anthropic, model: 'claude-sonnet-4-5' })
    expect(fits).toBe(true)
    expect(entriesToAppend).toEqual([])
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', [{ type: 'text', text: 'Look at a.ts' }]],
      ['assistant', [{ type: 'text', text: 'Reading.' }, { type: 'tool_call', id: 't1', name: 'Read', input: { file_path: 'a.ts' } }]],
      ['tool', [{ type: 'tool_result', callId: 't1', content: [{ type: 'text', text: 'const a = 1' }] }]],
    ])
  })

  it('throws what is in the way of a request that cannot fit, and only says so under the policy none', () => {
    const messages = [{ role: 'user', content: 'x'.repeat(50_000) }]
    expect(() => prepare({ messages, window: 8000, maxOutputTokens: 1000 })).toThrow(ContextOverflowError)
    expect(prepare({ messages, window: 8000, maxOutputTokens: 1000, policy: 'none' }).overflow).toBeInstanceOf(ContextOverflowError)
  })

  it.each(['none', 'cline', 'clio', 'cache-aware'] as const)('keeps the newest message of the user whole under the policy %s', (policy) => {
    const file = 'some line of a file\n'.repeat(3000)
    const long = [
      { role: 'user', content: 'Read all of them' },
      ...Array.from({ length: 12 }, (_, index) => [
        { role: 'assistant', content: [{ type: 'tool_use', id: `t${index}`, name: 'Read', input: { file_path: `f${index}.ts` } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${index}`, content: `${index} ${file}` }] },
      ]).flat(),
      { role: 'user', content: 'Now explain f3.ts' },
    ]
    const { messages, tokens, fits } = prepare({ messages: long, window: 64_000, maxOutputTokens: 4000, policy })
    expect(messages.at(-1)?.content.at(-1)).toEqual({ type: 'text', text: 'Now explain f3.ts' })
    expect(fits).toBe(policy !== 'none')
    if (policy !== 'none') expect(tokens).toBeLessThanOrEqual(60_000)
  })

  it.each([
    [{}, 'prepare needs either the entries of a log or messages.'],
    [{ messages: 'hello' as never }, 'prepare needs an array of messages.'],
    [{ messages: [], policy: 'best' as never }, 'There is no policy "best"; there are none, cline, clio, cache-aware.'],
    [{ messages: [], preset: 'fast' as never }, 'There is no preset "fast"; there are safe, quality, lean.'],
    [{ messages: [], charsPerToken: 0 }, /above 0/],
  ])('refuses %j in a sentence', (input, message) => {
    expect(() => prepare(input)).toThrow(message)
  })
})

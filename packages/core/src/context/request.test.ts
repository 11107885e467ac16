import { describe, expect, it } from '@jest/globals'
import { CairnError } from '../errors.ts'
import { estimateTokens } from '../tokens/estimate.ts'
import { toAnthropicMessages } from './messages/to-anthropic.ts'
import { ContextOverflowError } from './overflow.ts'
import { prepare } from './request.ts'

const anthropic = [
  { role: 'user', content: 'Look at a.ts' },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'Reading.' },
      { type: 'tool_use', id: 't1', name: 'Read', input: { file_path: 'a.ts' } },
    ],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'const a = 1' }] },
]

describe('prepare', () => {
  it("accepts messages in an API's format and returns them in the format of the log", () => {
    const { messages, fits, entriesToAppend } = prepare({ messages: anthropic, model: 'claude-sonnet-4-5' })
    expect(fits).toBe(true)
    expect(entriesToAppend).toEqual([])
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', [{ type: 'text', text: 'Look at a.ts' }]],
      [
        'assistant',
        [
          { type: 'text', text: 'Reading.' },
          { type: 'tool_call', id: 't1', name: 'Read', input: { file_path: 'a.ts' } },
        ],
      ],
      ['tool', [{ type: 'tool_result', callId: 't1', content: [{ type: 'text', text: 'const a = 1' }] }]],
    ])
  })

  it('throws an error that names what does not fit, and only reports it under the policy none', () => {
    const messages = [{ role: 'user', content: 'x'.repeat(50_000) }]
    expect(() => prepare({ messages, window: 8000, maxOutputTokens: 1000 })).toThrow(ContextOverflowError)
    expect(prepare({ messages, window: 8000, maxOutputTokens: 1000, policy: 'none' }).overflow).toBeInstanceOf(
      ContextOverflowError,
    )
  })

  it.each(['none', 'cline', 'clio', 'cache-aware'] as const)(
    'keeps the newest message of the user whole under the policy %s',
    (policy) => {
      const file = 'some line of a file\n'.repeat(3000)
      const long = [
        { role: 'user', content: 'Read all of them' },
        ...Array.from({ length: 12 }, (_, index) => [
          {
            role: 'assistant',
            content: [{ type: 'tool_use', id: `t${index}`, name: 'Read', input: { file_path: `f${index}.ts` } }],
          },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${index}`, content: `${index} ${file}` }] },
        ]).flat(),
        { role: 'user', content: 'Now explain f3.ts' },
      ]
      const { messages, tokens, fits } = prepare({ messages: long, window: 64_000, maxOutputTokens: 4000, policy })
      expect(messages.at(-1)?.content.at(-1)).toEqual({ type: 'text', text: 'Now explain f3.ts' })
      expect(fits).toBe(policy !== 'none')
      if (policy !== 'none') expect(tokens).toBeLessThanOrEqual(60_000)
    },
  )

  it.each([
    [{}, 'prepare needs either the entries of a log or messages.'],
    [{ messages: 'hello' as never }, 'prepare needs an array of messages.'],
    [{ messages: [], policy: 'best' as never }, 'There is no policy "best"; there are none, cline, clio, cache-aware.'],
    [{ messages: [], preset: 'fast' as never }, 'There is no preset "fast"; there are safe, quality, lean.'],
    [{ messages: [], charsPerToken: 0 }, /above 0/],
  ])('refuses %j in one sentence', (input, message) => {
    expect(() => prepare(input)).toThrow(message)
  })

  const circle: Record<string, unknown> = {}
  circle.self = circle

  it.each([
    ['nothing', null, 'prepare needs an object with messages or the entries of a log.'],
    ['no messages', { messages: [] }, 'There is nothing to send: no message has any content.'],
    [
      'a blank message',
      { messages: [{ role: 'user', content: ' ' }] },
      'There is nothing to send: no message has any content.',
    ],
    [
      'a number for content',
      { messages: [{ role: 'user', content: 5 }] },
      'The content of message 0 must be a text or an array of blocks, not number.',
    ],
    ['an unknown role', { messages: [{ role: 'narrator', content: 'x' }] }, /Message 0 has the role "narrator"/],
    [
      'a circle',
      { messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'R', input: circle }] }] },
      /^prepare was given something that it can't read: /,
    ],
    [
      'a price that is none',
      { messages: [{ role: 'user', content: 'x' }], prices: { input: Number.NaN, output: 1, write: 1, read: 1 } },
      'prices.input must be a number, at least 0, not NaN.',
    ],
    [
      'a time that is none',
      { messages: [{ role: 'user', content: 'x' }], now: 'noon' },
      'now must be a number, at least 0, not noon.',
    ],
    [
      'a policy that is none',
      { messages: [{ role: 'user', content: 'x' }], policy: 5 },
      /createContext needs a policy/,
    ],
  ])('refuses %s as a CairnError', (_what, input, message) => {
    let thrown: unknown
    try {
      prepare(input as never)
    } catch (error) {
      thrown = error
    }
    expect(CairnError.is(thrown)).toBe(true)
    expect((thrown as Error).message).toMatch(
      message instanceof RegExp ? message : new RegExp(`^${message.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')}$`),
    )
  })

  it.each([
    ["Cairn's", [{ name: 'read', description: 'd'.repeat(9000), inputSchema: {} }]],
    ["Anthropic's", [{ name: 'read', description: 'd'.repeat(9000), input_schema: { type: 'object' } }]],
    ["Anthropic's, without a description", [{ name: 'read', input_schema: { title: 'd'.repeat(9000) } }]],
    ["OpenAI's", [{ type: 'function', function: { name: 'read', parameters: { title: 'd'.repeat(9000) } } }]],
    ["Gemini's", [{ functionDeclarations: [{ name: 'read', description: 'd'.repeat(9000) }] }]],
  ])('reserves tokens for tools in the format of %s', (_whose, tools) => {
    const messages = [{ role: 'user', content: 'x '.repeat(3000) }]
    const setting = { messages, window: 4000, maxOutputTokens: 100, charsPerToken: 3 }
    expect(prepare(setting).fits).toBe(true)
    expect(() => prepare({ ...setting, tools })).toThrow(
      /needs about 2\d{3} tokens and the model has room for [1-9]\d{0,2};/,
    )
  })

  it('reserves tokens for a system prompt in blocks', () => {
    const messages = [{ role: 'user', content: 'x '.repeat(3000) }]
    const setting = { messages, window: 4000, maxOutputTokens: 100, charsPerToken: 3 }
    const prompt = 's'.repeat(9000)
    for (const system of [prompt, [{ type: 'text', text: prompt, cache_control: { type: 'ephemeral' } }]])
      expect(() => prepare({ ...setting, system })).toThrow(/the model has room for [1-9]\d{0,2};/)
  })

  it.each([
    [{ tools: 5 }, 'tools must be a list of tool definitions, not number.'],
    [{ tools: [{ name: 'a' }, 'read'] }, 'Tool 1 must be a definition with a name, not "read".'],
    [{ system: 5 }, 'system must be a text or a list of text blocks, not number.'],
    [{ system: [{ type: 'image' }] }, 'system must be a text or a list of text blocks; one of its blocks has no text.'],
    [{ model: 5 }, "model must be a model's name, not number."],
  ])('refuses %j in a specific sentence', (more, message) => {
    expect(() => prepare({ messages: [{ role: 'user', content: 'x' }], ...(more as object) })).toThrow(message)
  })

  it('counts what it adds to complete calls and results', () => {
    const calls = Array.from({ length: 800 }, (_, index) => ({
      type: 'tool_use',
      id: `t${index}`,
      name: 'R',
      input: {},
    }))
    const messages = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: calls },
      { role: 'user', content: 'next' },
    ]
    const { messages: sent, tokens } = prepare({ messages, window: 64_000, maxOutputTokens: 1000 })
    expect(sent.flatMap(({ content }) => content).filter(({ type }) => type === 'tool_result')).toHaveLength(800)
    expect(tokens).toBeGreaterThanOrEqual(800 * 6)
    expect(tokens).toBeGreaterThanOrEqual(estimateTokens(sent) - 4 * sent.length)
    // All of them are the newest request: none can go.
    expect(() => prepare({ messages, window: 4000, maxOutputTokens: 500 })).toThrow(ContextOverflowError)
  })

  it('ignores a blank message: the task before it stays', () => {
    const messages = [
      { role: 'user', content: 'The task, with its details.' },
      ...anthropic.slice(1),
      { role: 'user', content: '  ' },
    ]
    for (const policy of ['cline', 'clio', 'cache-aware'] as const) {
      expect(
        JSON.stringify(
          prepare({
            messages: [
              ...messages.slice(0, 2),
              { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'x'.repeat(20_000) }] },
              messages.at(-1) ?? anthropic[0],
            ].flatMap((m) => m ?? []),
            window: 3000,
            maxOutputTokens: 500,
            policy,
          }).messages,
        ),
      ).toContain('The task, with its details.')
    }
  })

  it('never separates a call from its result, however small the window', () => {
    const messages = [
      ...anthropic.slice(0, 2),
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'x'.repeat(20_000) }] },
    ]
    for (const policy of ['cline', 'clio', 'cache-aware'] as const) {
      const { messages: sent } = prepare({ messages, window: 3000, maxOutputTokens: 500, policy })
      const blocks = sent.flatMap(({ content }) => content)
      expect(blocks.filter(({ type }) => type === 'tool_call')).toHaveLength(1)
      expect(blocks.filter(({ type }) => type === 'tool_result')).toHaveLength(1)
    }
  })

  it('returns messages for Anthropic, joined by role and with cache breakpoints', () => {
    const { messages, cacheBreakpoints } = prepare({ messages: anthropic })
    expect(toAnthropicMessages(messages, cacheBreakpoints)).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Look at a.ts', cache_control: { type: 'ephemeral' } }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Reading.' },
          { type: 'tool_use', id: 't1', name: 'Read', input: { file_path: 'a.ts' } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 't1',
            content: [{ type: 'text', text: 'const a = 1' }],
            cache_control: { type: 'ephemeral' },
          },
        ],
      },
    ])
  })
})

import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { CairnError } from '../../errors.ts'
import type { Message } from '../../messages.ts'
import { prepare } from '../request.ts'
import { toAnthropicMessages } from './to-anthropic.ts'
import { validateMessages } from './validate.ts'

const sent = (...messages: readonly object[]): readonly Message[] => prepare({ messages, policy: 'none' }).messages
const blocksOf = (messages: readonly Message[]) => messages.flatMap(({ content }) => content)
const callsIn = (messages: readonly Message[]) => blocksOf(messages).filter(({ type }) => type === 'tool_call')
const resultsIn = (messages: readonly Message[]) => blocksOf(messages).filter(({ type }) => type === 'tool_result')
const text = (value: string) => ({ type: 'text', text: value })

const ask = { role: 'user', content: 'Look at a.ts' }
const PAIR = [
  ['user', [text('Look at a.ts')]],
  ['assistant', [{ type: 'tool_call', id: 't1', name: 'Read', input: { path: 'a.ts' } }]],
  ['tool', [{ type: 'tool_result', callId: 't1', content: [text('const a = 1')] }]],
]
const shapeOf = (messages: readonly Message[]) => messages.map(({ role, content }) => [role, content])

describe('a tool call and its result', () => {
  const call = { path: 'a.ts' }
  const callText = JSON.stringify(call)

  it.each<[string, readonly object[], unknown]>([
    [
      'a chat completion',
      [
        ask,
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 't1', type: 'function', function: { name: 'Read', arguments: callText } }],
        },
        { role: 'tool', tool_call_id: 't1', content: 'const a = 1' },
      ],
      callText,
    ],
    [
      "items of OpenAI's responses",
      [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Look at a.ts' }] },
        { type: 'function_call', call_id: 't1', name: 'Read', arguments: callText },
        { type: 'function_call_output', call_id: 't1', output: 'const a = 1' },
      ],
      callText,
    ],
    [
      'lines of a transcript of Claude Code',
      [
        { type: 'user', uuid: 'u1', message: ask },
        {
          type: 'assistant',
          uuid: 'u2',
          message: {
            id: 'msg_1',
            type: 'message',
            role: 'assistant',
            content: [{ type: 'tool_use', id: 't1', name: 'Read', input: call }],
          },
        },
        {
          type: 'user',
          uuid: 'u3',
          message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'const a = 1' }] },
        },
      ],
      call,
    ],
    [
      "the AI SDK's messages",
      [
        { role: 'user', content: [text('Look at a.ts')] },
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 't1', toolName: 'Read', input: call }] },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 't1',
              toolName: 'Read',
              output: { type: 'text', value: 'const a = 1' },
            },
          ],
        },
      ],
      call,
    ],
    [
      "the AI SDK's messages for the screen",
      [
        { role: 'user', parts: [text('Look at a.ts')] },
        {
          role: 'assistant',
          content: '',
          parts: [
            { type: 'step-start' },
            { type: 'tool-Read', toolCallId: 't1', state: 'output-available', input: call, output: 'const a = 1' },
          ],
        },
      ],
      call,
    ],
    [
      "LangChain's messages",
      [
        ask,
        { role: 'assistant', content: '', tool_calls: [{ name: 'Read', args: call, id: 't1', type: 'tool_call' }] },
        { role: 'tool', tool_call_id: 't1', content: 'const a = 1' },
      ],
      call,
    ],
    [
      "pi's messages",
      [
        ask,
        { role: 'assistant', content: [{ type: 'toolCall', id: 't1', name: 'Read', arguments: call }] },
        { role: 'toolResult', toolCallId: 't1', toolName: 'Read', content: [text('const a = 1')] },
      ],
      call,
    ],
  ])('are read from %s', (_form, messages, input) => {
    const [user, assistant, tool] = shapeOf(sent(...messages))
    expect([user, tool]).toEqual([
      PAIR[0],
      // A result that stood in the assistant's message moves to one of the user's.
      [expect.stringMatching(/^(?:tool|user)$/), PAIR[2]?.[1]],
    ])
    expect(assistant).toEqual(['assistant', [{ type: 'tool_call', id: 't1', name: 'Read', input }]])
  })

  it.each<[string, readonly object[]]>([
    [
      'Gemini',
      [
        { role: 'user', parts: [{ text: 'Look at both' }] },
        {
          role: 'model',
          parts: [
            { functionCall: { name: 'Read', args: { path: 'a' } } },
            { functionCall: { name: 'Stat', args: { path: 'b' } } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { name: 'Stat', response: { size: 2 } } },
            { functionResponse: { name: 'Read', response: { text: 'a' } } },
          ],
        },
      ],
    ],
    [
      'Ollama and the old functions of OpenAI',
      [
        ask,
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ function: { name: 'Read', arguments: { path: 'a' } } }],
          function_call: { name: 'Stat', arguments: '{"path":"b"}' },
        },
        { role: 'function', name: 'Stat', content: '{"size":2}' },
        { role: 'tool', content: '{"text":"a"}' },
      ],
    ],
  ])("are paired by the tool's name in %s, which has no ids", (_form, messages) => {
    const all = sent(...messages)
    const [read, stat] = callsIn(all)
    const answers = new Map(resultsIn(all).map((block) => [block.type === 'tool_result' ? block.callId : '', block]))
    expect([read, stat]).toMatchObject([{ name: 'Read' }, { name: 'Stat' }])
    if (read?.type !== 'tool_call' || stat?.type !== 'tool_call') throw new Error('Two calls are expected.')
    expect(answers.get(read.id)).toMatchObject({ content: [text('{"text":"a"}')] })
    expect(answers.get(stat.id)).toMatchObject({ content: [text('{"size":2}')] })
    expect(validateMessages(all)).toEqual([])
  })

  it('the items of one reply become one message whose calls are answered together', () => {
    const all = sent(
      ask,
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Both.' }], encrypted_content: 'sealed' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Reading.' }] },
      { type: 'function_call', call_id: 'a', name: 'Read', arguments: '{}' },
      { type: 'function_call', call_id: 'b', name: 'Read', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: 'A' },
      { type: 'function_call_output', call_id: 'b', output: [{ type: 'input_text', text: 'B' }] },
    )
    expect(all.map(({ role, content }) => [role, content.map(({ type }) => type)])).toEqual([
      ['user', ['text']],
      ['assistant', ['thinking', 'text', 'tool_call', 'tool_call']],
      ['tool', ['tool_result']],
      ['tool', ['tool_result']],
    ])
  })
})

describe('images and documents', () => {
  const png = 'iVBORw0KGgo='

  it.each<[string, object, object]>([
    [
      'a chat completion',
      { type: 'image_url', image_url: { url: 'https://a.example/x.png' } },
      { url: 'https://a.example/x.png' },
    ],
    [
      'the same inline',
      { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
      { mediaType: 'image/png', data: png },
    ],
    [
      'responses',
      { type: 'input_image', image_url: `data:image/png;base64,${png}` },
      { mediaType: 'image/png', data: png },
    ],
    [
      'Anthropic',
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
      { mediaType: 'image/png', data: png },
    ],
    ['the AI SDK', { type: 'image', image: png }, { mediaType: 'image/png', data: png }],
    [
      'the AI SDK as a file',
      { type: 'file', mediaType: 'image/png', data: png },
      { mediaType: 'image/png', data: png },
    ],
    ['Gemini', { inlineData: { mimeType: 'image/png', data: png } }, { mediaType: 'image/png', data: png }],
  ])('an image of %s is read as an image', (_form, block, image) => {
    expect(blocksOf(sent({ role: 'user', content: [block] }))).toEqual([
      expect.objectContaining({ type: 'image', ...image }),
    ])
  })

  const pdf = 'JVBERi0xLjQK'
  it.each<[string, object, string]>([
    [
      'Anthropic',
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: pdf }, title: 'spec.pdf' },
      'spec.pdf',
    ],
    [
      'a chat completion',
      { type: 'file', file: { filename: 'spec.pdf', file_data: `data:application/pdf;base64,${pdf}` } },
      'spec.pdf',
    ],
    [
      'responses',
      { type: 'input_file', filename: 'spec.pdf', file_data: `data:application/pdf;base64,${pdf}` },
      'spec.pdf',
    ],
    ['the AI SDK', { type: 'file', filename: 'spec.pdf', mediaType: 'application/pdf', data: pdf }, 'spec.pdf'],
    ['Gemini', { inlineData: { mimeType: 'application/pdf', data: pdf } }, 'document'],
  ])('a document of %s is read as a file, and sent to Anthropic as a document', (_form, block, path) => {
    const messages = sent({ role: 'user', content: [block] })
    expect(blocksOf(messages)).toEqual([{ type: 'file', path, mediaType: 'application/pdf', data: pdf }])
    expect(toAnthropicMessages(messages)[0]?.content).toEqual([
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: pdf }, title: path },
    ])
  })

  it('a document with further fields passes unchanged', () => {
    const document = {
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: 'x' },
      citations: { enabled: true },
    }
    expect(toAnthropicMessages(sent({ role: 'user', content: [document] }))[0]?.content).toEqual([document])
  })

  it('a document counts as one document, whatever its length', () => {
    const file = {
      type: 'input_file',
      filename: 'a.pdf',
      file_data: `data:application/pdf;base64,${'A'.repeat(400_000)}`,
    }
    expect(prepare({ messages: [{ role: 'user', content: [file] }] }).tokens).toBeLessThan(2000)
  })
})

describe('an unknown form is refused with its position', () => {
  it.each<[string, unknown, RegExp]>([
    ['an unknown role', { role: 'narrator', content: 'x' }, /^Message 1 has the role "narrator"; known are /],
    ['a role that is no text', { role: 7, content: 'x' }, /^Message 1 has the role 7; known are /],
    [
      'a line of a transcript that is no message',
      { type: 'file-history-snapshot', snapshot: {} },
      /^Message 1 has no role and the unknown type "file-history-snapshot"/,
    ],
    ['something else than an object', 'hello', /^Message 1 .* must be an object with a role and content, not "hello"/],
    ['a message without content', { role: 'assistant', response: 'x' }, /^Message 1 has no content; /],
    [
      'a block without a type',
      { role: 'user', content: [{ words: 'x' }] },
      /^Message 1 holds a block 0 without a type/,
    ],
    ['a block that is none', { role: 'user', content: ['a', 5] }, /^Message 1 must hold blocks .* block 1 is 5/],
    [
      "a user's call",
      { role: 'user', content: [{ type: 'tool_use', id: 'a', name: 'R', input: {} }] },
      /^Message 1 .*only the assistant calls tools/,
    ],
    [
      'a call without a tool',
      { role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'function' }] },
      /^Message 1 holds a tool call .* without the name/,
    ],
    [
      'two calls with one id',
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'a', name: 'R', input: {} },
          { type: 'tool_use', id: 'a', name: 'R', input: {} },
        ],
      },
      /^Message 1 holds a second tool call with the id "a"/,
    ],
    [
      'a result of no call',
      { role: 'user', content: [{ type: 'tool_result', content: 'x' }] },
      /^Message 1 holds a tool result .* no call waits/,
    ],
    [
      'calls that are no list',
      { role: 'assistant', content: null, tool_calls: {} },
      /^Message 1 must have an array of calls/,
    ],
    [
      'bytes',
      { role: 'user', content: [{ type: 'image', image: new Uint8Array(3) }] },
      /^Message 1 holds bytes in block 0/,
    ],
  ])('%s', (_what, message, sentence) => {
    let thrown: unknown
    try {
      prepare({ messages: [ask, message as object] })
    } catch (error) {
      thrown = error
    }
    expect(CairnError.is(thrown) && thrown.code).toBe('invalid-input')
    expect((thrown as Error).message).toMatch(sentence)
    expect((thrown as Error).message).not.toContain('\n')
  })
})

/** A turn of the assistant with its calls, in one of the forms, and how many they are. */
const FORMS = ['chat', 'responses', 'claude-code', 'ai-sdk', 'gemini', 'anthropic', 'cairn'] as const
const turns = fc.array(
  fc.record({
    form: fc.constantFrom(...FORMS),
    calls: fc.integer({ min: 0, max: 3 }),
    answered: fc.boolean(),
    words: fc.constantFrom('', '  ', 'Reading.', 'half \ud83d of a pair'),
  }),
  { maxLength: 8 },
)

const written = (
  { form, calls, answered, words }: { form: (typeof FORMS)[number]; calls: number; answered: boolean; words: string },
  turn: number,
): readonly object[] => {
  const ids = Array.from({ length: calls }, (_, index) => `t${turn}-${index}`)
  const input = { path: words }
  const results = answered ? ids : []
  switch (form) {
    case 'chat':
      return [
        {
          role: 'assistant',
          content: calls > 0 ? null : words,
          tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'R', arguments: '{"a":1}' } })),
        },
        ...results.map((id) => ({ role: 'tool', tool_call_id: id, content: words })),
      ]
    case 'responses':
      return [
        { type: 'reasoning', summary: [] },
        ...ids.map((id) => ({ type: 'function_call', call_id: id, name: 'R', arguments: '{}' })),
        ...results.map((id) => ({ type: 'function_call_output', call_id: id, output: words })),
      ]
    case 'claude-code':
      return [
        ...ids.map((id) => ({
          type: 'assistant',
          message: {
            id: `m${turn}`,
            type: 'message',
            role: 'assistant',
            content: [{ type: 'tool_use', id, name: 'R', input }],
          },
        })),
        ...results.map((id) => ({
          type: 'user',
          message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: words }] },
        })),
      ]
    case 'ai-sdk':
      return [
        {
          role: 'assistant',
          content: [text(words), ...ids.map((id) => ({ type: 'tool-call', toolCallId: id, toolName: 'R', input }))],
        },
        {
          role: 'tool',
          content: results.map((id) => ({
            type: 'tool-result',
            toolCallId: id,
            toolName: 'R',
            output: { type: 'json', value: { words } },
          })),
        },
      ]
    case 'gemini':
      return [
        {
          role: 'model',
          parts: [{ text: words }, ...ids.map((id) => ({ functionCall: { id, name: 'R', args: input } }))],
        },
        { role: 'user', parts: results.map((id) => ({ functionResponse: { id, name: 'R', response: { words } } })) },
      ]
    case 'anthropic':
      return [
        { role: 'assistant', content: [text(words), ...ids.map((id) => ({ type: 'tool_use', id, name: 'R', input }))] },
        { role: 'user', content: results.map((id) => ({ type: 'tool_result', tool_use_id: id, content: words })) },
      ]
    case 'cairn':
      return [
        {
          role: 'assistant',
          content: [text(words), ...ids.map((id) => ({ type: 'tool_call', id, name: 'R', input }))],
        },
        { role: 'tool', content: results.map((id) => ({ type: 'tool_result', callId: id, content: [text(words)] })) },
      ]
  }
}

it('property: in any mixture of forms every call is sent once with a result, and the request is valid', () => {
  fc.assert(
    fc.property(turns, fc.boolean(), (mixture, endsWithUser) => {
      const messages = [
        ask,
        ...mixture.flatMap((turn, index) => [...written(turn, index), ...(index % 3 === 2 ? [ask] : [])]),
        ...(endsWithUser ? [ask] : []),
      ]
      const all = sent(...messages)
      const calls = mixture.reduce((sum, turn) => sum + turn.calls, 0)
      expect(callsIn(all)).toHaveLength(calls)
      expect(resultsIn(all)).toHaveLength(calls)
      expect(validateMessages(all)).toEqual([])
      const request = JSON.stringify(toAnthropicMessages(all))
      expect(request).not.toMatch(/"text":"\s*"/)
      JSON.parse(request, (_key, value: unknown) => {
        if (typeof value === 'string') expect(value.isWellFormed()).toBe(true)
        return value
      })
    }),
    { numRuns: 300 },
  )
})

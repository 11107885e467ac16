import { describe, expect, it } from '@jest/globals'
import { CairnError } from '../errors.ts'
import { toAnthropicMessages } from './messages/to-anthropic.ts'
import { prepare } from './request.ts'

const ask = { role: 'user', content: 'Look at a.ts' }
const reasoning = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'hm' }],
  encrypted_content: 'gAAAA',
}
const answer = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] }
const claude = 'claude-sonnet-4-5'

describe("reasoning in the form of OpenAI's responses", () => {
  it.each([
    [claude, ['foreign-thinking']],
    ['gpt-5.2-codex', []],
    ['openai/o3', []],
    ['gemini-2.5-pro', ['foreign-thinking']],
  ])('for %s is withheld because of %j', (model, why) => {
    const prepared = prepare({ messages: [ask, reasoning, answer, ask], model })
    expect(prepared.withheld.map((block) => block.why)).toEqual(why)
    expect(JSON.stringify(prepared.messages).includes('gAAAA')).toBe(why.length === 0)
    expect(JSON.stringify(toAnthropicMessages(prepared.messages))).not.toContain('gAAAA')
  })

  it("leaves Claude's own thinking unchanged", () => {
    const thinking = { type: 'thinking', thinking: 'hm', signature: 'sig' }
    const reply = { role: 'assistant', content: [thinking, { type: 'text', text: 'Done.' }] }
    const { messages, withheld } = prepare({ messages: [ask, reply, ask], model: claude })
    expect(withheld).toEqual([])
    expect(toAnthropicMessages(messages)[1]?.content[0]).toEqual(thinking)
  })
})

it('a signed reply of reasoning alone is left out and listed as withheld', () => {
  const alone = { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature: 'sig' }] }
  const { messages, withheld, tokens } = prepare({ messages: [ask, alone, ask], model: claude })
  expect(JSON.stringify(messages)).not.toContain('sig')
  expect(withheld).toEqual([expect.objectContaining({ seq: 1, block: 0, why: 'last-thinking' })])
  // What is not sent is not counted.
  expect(tokens).toBe(prepare({ messages: [ask, ask], model: claude }).tokens)
})

it('a result without a call is sent as text and reported', () => {
  const orphan = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x1', content: 'const a = 1' }] }
  const { messages, repairs } = prepare({ messages: [ask, { role: 'assistant', content: 'ok' }, orphan] })
  expect(JSON.stringify(messages)).toContain('const a = 1')
  expect(repairs).toEqual([
    {
      callId: 'x1',
      tool: '',
      why: 'no-call',
      message: 'The result of x1 answers no call of the reply before it; it is sent as a text.',
    },
  ])
})

describe('a block that only another API has', () => {
  const audio = { type: 'input_audio', input_audio: { format: 'wav', data: 'UklG'.repeat(5000) } }
  const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { query: 'bcrypt' } }
  const unknown = { type: 'hologram', depth: 3 }

  it("becomes a text that names it, in Anthropic's form", () => {
    const { messages } = prepare({
      messages: [{ role: 'user', content: ['Listen', audio] }, search, answer, { role: 'user', content: [unknown] }],
    })
    const sent = toAnthropicMessages(messages)
    expect(new Set(sent.flatMap(({ content }) => content.map(({ type }) => type)))).toEqual(new Set(['text']))
    const text = JSON.stringify(sent)
    expect(text).toContain('[input_audio: ')
    expect(text).toContain('(20000 characters left out)')
    expect(text).toContain('[web_search_call: ')
    expect(text).toContain('bcrypt')
    expect(text).toContain('[hologram: ')
    expect(text.length).toBeLessThan(2000)
  })

  it("is unchanged where it is Anthropic's own", () => {
    const own = [
      { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'q' } },
      { type: 'web_search_tool_result', tool_use_id: 's1', content: [] },
      { type: 'text', text: 'Found.' },
    ]
    const { messages } = prepare({ messages: [ask, { role: 'assistant', content: own }, ask] })
    expect(toAnthropicMessages(messages)[1]?.content).toEqual(own)
  })
})

describe('the input of prepare', () => {
  const sentence = (input: object): string => {
    try {
      prepare(input)
    } catch (error) {
      if (CairnError.is(error)) return error.message
    }
    return ''
  }
  it.each([
    [{ entries: 'x' }, 'entries must be an array of a log'],
    [{ entries: [5] }, 'entry 0 is'],
    [{ entries: [{ kind: 'message' }] }, 'entry 0 is'],
    [
      { messages: [ask], window: 8000, maxOutputTokens: 9000 },
      'maxOutputTokens (9000) is larger than the window (8000)',
    ],
  ])('refuses %j in one sentence', (input, expected) => {
    expect(sentence(input)).toContain(expected)
  })
})

it('a prepared request can be serialised as JSON', () => {
  const call = { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Read', input: { path: 'a.ts' } }] }
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'const a = 1' }] }
  const prepared = prepare({ messages: [ask, call, result] })
  const { blocks } = JSON.parse(JSON.stringify(prepared)) as { blocks: unknown[] }
  expect(blocks[1]).toEqual({
    seq: 1,
    block: 0,
    messageId: 'message:1',
    kind: 'call',
    state: 'full',
    tokens: prepared.blocks[1]?.tokens,
    content: { type: 'tool_call', id: 't1', name: 'Read', input: { path: 'a.ts' } },
  })
  expect(prepared.blocks[1]?.block.partner).toBe(prepared.blocks[2]?.block)
})

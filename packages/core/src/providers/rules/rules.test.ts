import { describe, expect, it } from '@jest/globals'
import type { JsonObject, JsonValue } from '../../json.ts'
import { ANTHROPIC_RULES, anthropicReasoning, validateAnthropic } from './anthropic.ts'
import { GEMINI_RULES, validateGemini } from './gemini.ts'
import { OPENAI_CHAT_RULES, validateOpenAIChat } from './openai-chat.ts'
import { OPENAI_RESPONSES_RULES, validateOpenAIResponses } from './openai-responses.ts'
import type { WireProblem } from './wire-rules.ts'

type Case = readonly [rule: string, what: string, own: JsonObject]

const text = (content: string, more: JsonObject = {}): JsonObject => ({ type: 'text', text: content, ...more })
const user = (...content: JsonObject[]): JsonObject => ({ role: 'user', content })
const reply = (...content: JsonObject[]): JsonObject => ({ role: 'assistant', content })
const call = (id: string): JsonObject => ({ type: 'tool_use', id, name: 'read', input: {} })
const result = (id: string): JsonObject => ({ type: 'tool_result', tool_use_id: id, content: [] })
const mark = (ttl?: string): JsonObject => ({
  cache_control: { type: 'ephemeral', ...(ttl === undefined ? {} : { ttl }) },
})

const suite = (
  name: string,
  rules: object,
  validate: (body: JsonObject) => readonly WireProblem[],
  sound: JsonObject,
  cases: readonly Case[],
): void =>
  describe(`the rules of ${name}`, () => {
    it('take a sound body', () => expect(validate(sound)).toEqual([]))

    it.each(cases)('%s: %s', (rule, _what, own) => {
      const found = validate({ ...sound, ...own })
      expect([...new Set(found.map((problem) => problem.rule))]).toEqual([rule])
      for (const { reason } of found) expect(reason).toMatch(/^[^\n]{8,}[^.\n]$/)
    })

    it('are all broken once', () => {
      expect(new Set(cases.map(([rule]) => rule))).toEqual(new Set(Object.keys(rules)))
    })
  })

const HELLO = user(text('Hello'))
suite(
  'Anthropic',
  ANTHROPIC_RULES,
  validateAnthropic,
  {
    model: 'claude-sonnet-5-5',
    max_tokens: 5000,
    system: [text('Be brief.', mark('1h'))],
    tools: [{ name: 'read', description: 'Reads', input_schema: { type: 'object' } }],
    messages: [
      HELLO,
      reply({ type: 'thinking', thinking: 'Hm', signature: 's' }, call('a'), call('b')),
      user(result('b'), result('a'), text('And?', mark())),
    ],
  },
  [
    ['max-tokens', 'none', { max_tokens: 0 }],
    ['first-role', 'the model begins', { messages: [reply(text('Hi')), HELLO] }],
    ['last-role', 'a reply that is begun for it', { messages: [HELLO, reply(text('I'))] }],
    ['empty', 'a text of blanks', { messages: [user(text(' \n'))] }],
    ['empty', 'a message', { messages: [user()] }],
    ['empty', 'the system prompt', { system: [text('')] }],
    ['tool-pairs', 'no result', { messages: [HELLO, reply(call('a')), HELLO] }],
    ['tool-pairs', 'no call', { messages: [user(result('a'))] }],
    [
      'tool-pairs',
      'the result later',
      { messages: [HELLO, reply(call('a')), HELLO, reply(text('x')), user(result('a'))] },
    ],
    ['tool-pairs', 'two results', { messages: [HELLO, reply(call('a')), user(result('a'), result('a'))] }],
    ['tool-pairs', 'the result behind a text', { messages: [HELLO, reply(call('a')), user(text('x'), result('a'))] }],
    [
      'tool-pairs',
      'an id twice',
      { messages: [HELLO, reply(call('a')), user(result('a')), reply(call('a')), user(result('a'))] },
    ],
    ['tool-pairs', 'an id with a dot', { messages: [HELLO, reply(call('a.b')), user(result('a.b'))] }],
    ['thinking', 'unsigned', { messages: [HELLO, reply({ type: 'thinking', thinking: 'x' }, text('y')), HELLO] }],
    [
      'thinking',
      'at the end',
      { messages: [HELLO, reply(text('y'), { type: 'redacted_thinking', data: 'x' }), HELLO] },
    ],
    ['thinking', 'of the user', { messages: [user({ type: 'thinking', thinking: 'x', signature: 's' }, text('x'))] }],
    [
      'cache-breakpoints',
      'five',
      { messages: [user(text('a', mark()), text('b', mark()), text('c', mark()), text('d', mark()))] },
    ],
    [
      'cache-breakpoints',
      'the longer one behind',
      { system: [text('a', mark())], messages: [user(text('b', mark('1h')))] },
    ],
    [
      'cache-breakpoints',
      'on reasoning',
      { messages: [HELLO, reply({ type: 'thinking', thinking: 'x', signature: 's', ...mark() }, text('y')), HELLO] },
    ],
    ['tools', 'two of a name', { tools: [{ name: 'a' }, { name: 'a' }] }],
    ['tools', 'a name with a blank', { tools: [{ name: 'a b' }] }],
    ['tools', 'a choice of none', { tools: [], tool_choice: { type: 'none' } }],
    ['tools', 'a tool that is not there', { model: 'claude-opus-5', tool_choice: { type: 'tool', name: 'write' } }],
    ['reasoning', 'turned off', { thinking: { type: 'disabled' } }],
    ['reasoning', 'a forced call', { tool_choice: { type: 'any' } }],
    [
      'reasoning',
      'a forced call with reasoning',
      { model: 'claude-opus-5', thinking: { type: 'adaptive' }, tool_choice: { type: 'any' } },
    ],
    ['reasoning', 'a small budget', { model: 'claude-haiku-4-5', thinking: { type: 'enabled', budget_tokens: 1000 } }],
    [
      'reasoning',
      'a budget over the reply',
      { model: 'claude-haiku-4-5', thinking: { type: 'enabled', budget_tokens: 5000 } },
    ],
    ['sampling', 'a temperature', { temperature: 1 }],
    [
      'images',
      'too many',
      {
        model: 'claude-haiku-4-5',
        messages: [user(...Array.from({ length: 101 }, () => ({ type: 'image', source: { type: 'url', url: 'x' } })))],
      },
    ],
    [
      'images',
      'of a type',
      { messages: [user({ type: 'image', source: { type: 'base64', media_type: 'image/svg+xml', data: '' } })] },
    ],
    ['size', 'too many bytes', { messages: [user(text('x'.repeat(33 * 1024 * 1024)))] }],
  ],
)

const item = (role: string, content: string): JsonObject => ({ role, content: [{ type: 'input_text', text: content }] })
const itemCall = { type: 'function_call', call_id: 'a', name: 'read', arguments: '{}' }
const itemResult = { type: 'function_call_output', call_id: 'a', output: 'ok' }
const itemReasoning = { type: 'reasoning', summary: [], encrypted_content: 'x' }
const itemMark = { prompt_cache_breakpoint: { mode: 'explicit' } }

suite(
  "OpenAI's Responses",
  OPENAI_RESPONSES_RULES,
  validateOpenAIResponses,
  {
    model: 'gpt-5.6',
    store: false,
    include: ['reasoning.encrypted_content'],
    max_output_tokens: 100,
    tools: [{ type: 'function', name: 'read' }],
    input: [item('user', 'Hello'), itemReasoning, itemCall, itemResult],
  },
  [
    ['input', 'none', { input: [] }],
    ['input', 'an empty item', { input: [{ role: 'user', content: [] }] }],
    ['stateless', 'it is stored', { store: true }],
    ['stateless', 'reasoning goes back and none comes', { include: [] }],
    ['max-output', 'too small', { max_output_tokens: 15 }],
    ['tool-pairs', 'no result', { input: [item('user', 'x'), itemCall] }],
    ['tool-pairs', 'no call', { input: [item('user', 'x'), itemResult] }],
    ['tool-pairs', 'the result before the call', { input: [itemResult, itemCall] }],
    ['tool-pairs', 'two results', { input: [itemCall, itemResult, itemResult] }],
    ['tool-pairs', 'arguments as an object', { input: [{ ...itemCall, arguments: {} }, itemResult] }],
    ['reasoning', 'without its seal', { input: [{ ...itemReasoning, encrypted_content: '' }, itemCall, itemResult] }],
    ['reasoning', 'that leads to nothing', { input: [itemCall, itemResult, itemReasoning, item('user', 'x')] }],
    ['effort', 'of a model that does not reason', { model: 'gpt-4.1', reasoning: { effort: 'low' } }],
    ['tools', 'two of a name', { tools: [{ name: 'a' }, { name: 'a' }] }],
    ['tools', 'a tool that is not there', { tool_choice: { type: 'function', name: 'write' } }],
    ['tools', 'a choice of none', { tools: [], tool_choice: 'required' }],
    [
      'cache-breakpoints',
      'five',
      {
        input: [
          { role: 'user', content: Array.from({ length: 5 }, () => ({ type: 'input_text', text: 'x', ...itemMark })) },
        ],
      },
    ],
    [
      'cache-breakpoints',
      'of an older model',
      { model: 'gpt-5.1', input: [{ role: 'user', content: [{ type: 'input_text', text: 'x', ...itemMark }] }] },
    ],
  ],
)

const chatCall = { id: 'a', type: 'function', function: { name: 'read', arguments: '{}' } }
suite(
  'Chat Completions',
  OPENAI_CHAT_RULES,
  validateOpenAIChat,
  {
    model: 'qwen3',
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: 100,
    tools: [{ type: 'function', function: { name: 'read' } }],
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: null, tool_calls: [chatCall] },
      { role: 'tool', tool_call_id: 'a', content: '' },
    ],
  },
  [
    ['messages', 'none', { messages: [] }],
    ['messages', 'an empty one', { messages: [{ role: 'user', content: '' }] }],
    [
      'tool-pairs',
      'no result',
      {
        messages: [
          { role: 'assistant', tool_calls: [chatCall] },
          { role: 'user', content: 'x' },
        ],
      },
    ],
    ['tool-pairs', 'no call', { messages: [{ role: 'tool', tool_call_id: 'a', content: 'x' }] }],
    [
      'tool-pairs',
      'arguments as an object',
      {
        messages: [
          { role: 'assistant', tool_calls: [{ id: 'a', function: { arguments: {} } }] },
          { role: 'tool', tool_call_id: 'a', content: '' },
        ],
      },
    ],
    ['tools', 'two of a name', { tools: [{ function: { name: 'a' } }, { function: { name: 'a' } }] }],
    ['tools', 'a tool that is not there', { tool_choice: { type: 'function', function: { name: 'write' } } }],
    ['max-output', 'none', { max_tokens: 0 }],
    ['usage', 'not asked for', { stream_options: {} }],
  ],
)

const turn = (role: string, ...parts: JsonObject[]): JsonObject => ({ role, parts })
const functionCall = (name: string, args: JsonValue = {}): JsonObject => ({ functionCall: { name, args } })
const functionResponse = (name: string): JsonObject => ({ functionResponse: { name, response: { output: 'found' } } })
const HI = turn('user', { text: 'Hi' })
suite(
  'Gemini',
  GEMINI_RULES,
  validateGemini,
  {
    tools: [{ functionDeclarations: [{ name: 'read' }, { name: 'list-files' }] }],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['read'] } },
    generationConfig: { maxOutputTokens: 1, thinkingConfig: { includeThoughts: true, thinkingLevel: 'LOW' } },
    contents: [
      HI,
      turn('model', { text: '', thoughtSignature: 's' }, functionCall('read'), functionCall('list-files')),
      turn('user', functionResponse('list-files'), functionResponse('read'), { text: 'And?' }),
    ],
  },
  [
    ['turns', 'none', { contents: [] }],
    ['turns', 'the model begins', { contents: [turn('model', { text: 'Hi' }), HI] }],
    ['turns', 'the model ends', { contents: [HI, turn('model', { text: 'Hi' })] }],
    ['parts', 'no part', { contents: [turn('user')] }],
    ['parts', 'an empty text', { contents: [turn('user', { text: '' })] }],
    ['parts', 'two things in a part', { contents: [turn('user', { text: 'a', inlineData: {} })] }],
    [
      'parts',
      'arguments that are text',
      { contents: [HI, turn('model', functionCall('read', '{}')), turn('user', functionResponse('read'))] },
    ],
    [
      'parts',
      'a call of the user',
      { contents: [HI, turn('user', functionCall('read')), turn('user', functionResponse('read'))] },
    ],
    ['tool-pairs', 'a result without a call', { contents: [turn('user', functionResponse('read'))] }],
    [
      'tool-pairs',
      'a call without a result',
      {
        contents: [
          HI,
          turn('model', functionCall('read'), functionCall('read')),
          turn('user', functionResponse('read')),
        ],
      },
    ],
    [
      'tool-pairs',
      'a result of another tool',
      { contents: [HI, turn('model', functionCall('read')), turn('user', functionResponse('list-files'))] },
    ],
    [
      'tools',
      'two of a name',
      { tools: [{ functionDeclarations: [{ name: 'read' }] }, { functionDeclarations: [{ name: 'read' }] }] },
    ],
    ['tools', 'a bad name', { tools: [{ functionDeclarations: [{ name: 'read' }, { name: 'a b' }] }] }],
    ['tools', 'a tool that is not there', { tools: [] }],
    ['max-output', 'none', { generationConfig: {} }],
    [
      'reasoning',
      'both',
      { generationConfig: { maxOutputTokens: 9, thinkingConfig: { thinkingLevel: 'LOW', thinkingBudget: 1 } } },
    ],
  ],
)

describe('how a model of Anthropic is told to reason', () => {
  it.each([
    ['claude-3-5-sonnet-20241022', 'none'],
    ['claude-3-haiku-20240307', 'none'],
    ['claude-3-7-sonnet-latest', 'budget'],
    ['claude-sonnet-4-20250514', 'budget'],
    ['claude-opus-4-5@20251101', 'budget'],
    ['claude-opus-4-6', 'adaptive'],
    ['us.anthropic.claude-opus-4-8-v1:0', 'adaptive'],
    ['claude-sonnet-5', 'adaptive'],
    ['sonnet', 'adaptive'],
    ['claude-sonnet-5-5', 'always'],
    ['claude-fable-5-1', 'always'],
    ['glm-4.7', 'budget'],
  ] as const)('%s: %s', (model, expected) => expect(anthropicReasoning(model)).toBe(expected))
})

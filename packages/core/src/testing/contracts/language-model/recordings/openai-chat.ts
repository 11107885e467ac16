/** Bodies of Chat Completions, as OpenAI and compatible servers send them. */
import { dataEvents, type RecordedReply } from './recording.ts'

/** A chunk of a recorded reply; `rest` is put beside its choices. */
const chunk = (delta: object, finish_reason: string | null = null, rest: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_767_225_600,
  model: 'some-model',
  choices: [{ index: 0, delta, finish_reason }],
  ...rest,
})
/** The usage of a recorded reply. */
const usage = (prompt_tokens: number, completion_tokens: number, rest: object = {}) => ({
  prompt_tokens,
  completion_tokens,
  total_tokens: prompt_tokens + completion_tokens,
  ...rest,
})
const DONE = 'data: [DONE]\n\n'

export const CHAT_RECORDINGS: readonly RecordedReply[] = [
  {
    name: 'a first chunk without choices, usage in a chunk of its own',
    body: dataEvents(
      [
        { id: '', object: 'chat.completion.chunk', created: 0, model: '', choices: [], prompt_filter_results: [] },
        chunk({ role: 'assistant', content: '', refusal: null }),
        chunk({ content: 'Hello' }),
        chunk({ content: ' there.' }),
        chunk({}, 'stop'),
        { ...chunk({}), choices: [], usage: usage(1500, 9, { prompt_tokens_details: { cached_tokens: 1024 } }) },
      ],
      DONE,
    ),
    blocks: ['text Hello there.'],
    stopReason: 'end',
    usage: { inputTokens: 476, cacheReadTokens: 1024, outputTokens: 9 },
  },
  {
    name: 'calls that come whole, with the reason `stop`, usage in the last chunk, no [DONE]',
    body: dataEvents([
      chunk({
        role: 'assistant',
        content: '',
        tool_calls: [
          { index: 0, id: 'call_a', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } },
          { index: 1, id: 'call_b', type: 'function', function: { name: 'list-files', arguments: '{}' } },
        ],
      }),
      chunk({ role: 'assistant', content: '' }, 'stop', { usage: usage(30, 20) }),
    ]),
    blocks: ['read_file {"path":"a"}', 'list-files {}'],
    stopReason: 'tool-calls',
    usage: { inputTokens: 30, outputTokens: 20 },
  },
  {
    name: 'usage with every chunk, comments while it waits, calls in pieces that take turns',
    body: [
      ': OPENROUTER PROCESSING\n\n',
      dataEvents([
        chunk({ role: 'assistant', content: null }, null, { usage: usage(30, 0) }),
        chunk({ tool_calls: [{ index: 0, id: 'call_a', type: 'function', function: { name: 'read_file' } }] }),
        chunk({ tool_calls: [{ index: 1, id: 'call_b', type: 'function', function: { name: 'read_file' } }] }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '{"path":' } }] }, null, { usage: usage(30, 4) }),
      ]),
      ': OPENROUTER PROCESSING\n\n',
      dataEvents(
        [
          chunk({ tool_calls: [{ index: 1, function: { arguments: '{"path":"b"}' } }] }),
          chunk({ tool_calls: [{ index: 0, function: { arguments: '"a"}' } }] }),
          chunk({}, 'tool_calls', { usage: usage(30, 25) }),
        ],
        DONE,
      ),
    ].join(''),
    blocks: ['read_file {"path":"a"}', 'read_file {"path":"b"}'],
    stopReason: 'tool-calls',
    usage: { inputTokens: 30, outputTokens: 25 },
  },
]

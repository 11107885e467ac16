/** Bodies of Anthropic's wire. */
import { namedEvents, type RecordedReply } from './recording.ts'

/** The first event of a recorded reply. */
const start = (usage: object) => ({
  type: 'message_start',
  message: {
    id: 'msg_01',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-5',
    content: [],
    stop_reason: null,
    usage,
  },
})
const block = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block })
const delta = (index: number, piece: object) => ({ type: 'content_block_delta', index, delta: piece })
const stop = (index: number) => ({ type: 'content_block_stop', index })
/** The last two events of a recorded reply. */
const end = (stop_reason: string, usage: object) => [
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
  { type: 'message_stop' },
]

export const ANTHROPIC_RECORDINGS: readonly RecordedReply[] = [
  {
    name: 'pings between pieces, a block of another kind, and a field that is new',
    body: namedEvents([
      start({
        input_tokens: 25,
        cache_creation_input_tokens: 300,
        cache_read_input_tokens: 1200,
        cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 200 },
        output_tokens: 2,
      }),
      { type: 'ping' },
      block(0, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }),
      delta(0, { type: 'input_json_delta', partial_json: '{"query":"weather"}' }),
      stop(0),
      block(1, { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }),
      stop(1),
      block(2, { type: 'text', text: '', citations: null }),
      { type: 'ping' },
      delta(2, { type: 'text_delta', text: 'It is ' }),
      delta(2, {
        type: 'citations_delta',
        citation: { type: 'web_search_result_location', url: 'https://example.org' },
      }),
      { type: 'ping' },
      delta(2, { type: 'text_delta', text: 'clear.' }),
      stop(2),
      ...end('end_turn', { output_tokens: 40, server_tool_use: { web_search_requests: 1 } }),
    ]),
    blocks: ['other', 'other', 'text It is clear.'],
    stopReason: 'end',
    usage: {
      inputTokens: 25,
      cacheReadTokens: 1200,
      cacheWrite5mTokens: 100,
      cacheWrite1hTokens: 200,
      outputTokens: 40,
    },
  },
  {
    name: 'a compatible server: no split of what was written, a call without pieces, an empty input',
    body: namedEvents([
      start({ input_tokens: 7, output_tokens: 0 }),
      block(0, { type: 'tool_use', id: 'toolu_1', name: 'list-files', input: {} }),
      stop(0),
      ...end('tool_use', { output_tokens: 12 }),
    ]),
    blocks: ['list-files {}'],
    stopReason: 'tool-calls',
    usage: { inputTokens: 7, cacheReadTokens: 0, cacheWrite5mTokens: 0, outputTokens: 12 },
  },
]

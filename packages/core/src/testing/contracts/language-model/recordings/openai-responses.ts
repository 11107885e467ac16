/** Bodies of OpenAI's Responses. */
import { namedEvents, type RecordedReply } from './recording.ts'

/** A response of a recorded reply. */
const response = (status: string, output: readonly object[], rest: object = {}) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1_767_225_600,
  status,
  model: 'gpt-5.6',
  output,
  ...rest,
})
const search = {
  id: 'ws_1',
  type: 'web_search_call',
  status: 'completed',
  action: { type: 'search', query: 'weather' },
}
const content = { type: 'output_text', text: 'It is clear.', annotations: [] }
const message = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [content] }
const added = { ...message, status: 'in_progress', content: [] }

export const RESPONSES_RECORDINGS: readonly RecordedReply[] = [
  {
    name: 'an item of another kind, a text with annotations, events that are new',
    body: namedEvents(
      [
        { type: 'response.created', response: response('in_progress', []) },
        { type: 'response.output_item.added', output_index: 0, item: { ...search, status: 'in_progress' } },
        { type: 'response.web_search_call.searching', output_index: 0, item_id: 'ws_1' },
        { type: 'response.output_item.done', output_index: 0, item: search },
        { type: 'response.output_item.added', output_index: 1, item: added },
        {
          type: 'response.content_part.added',
          output_index: 1,
          item_id: 'msg_1',
          content_index: 0,
          part: { ...content, text: '' },
        },
        {
          type: 'response.output_text.delta',
          output_index: 1,
          item_id: 'msg_1',
          content_index: 0,
          delta: 'It is ',
          obfuscation: 'x1',
        },
        {
          type: 'response.output_text.annotation.added',
          output_index: 1,
          item_id: 'msg_1',
          content_index: 0,
          annotation_index: 0,
          annotation: {},
        },
        {
          type: 'response.output_text.delta',
          output_index: 1,
          item_id: 'msg_1',
          content_index: 0,
          delta: 'clear.',
          obfuscation: '',
        },
        {
          type: 'response.output_text.done',
          output_index: 1,
          item_id: 'msg_1',
          content_index: 0,
          text: 'It is clear.',
        },
        { type: 'response.content_part.done', output_index: 1, item_id: 'msg_1', content_index: 0, part: content },
        { type: 'response.output_item.done', output_index: 1, item: message },
        {
          type: 'response.completed',
          response: response('completed', [search, message], {
            usage: {
              input_tokens: 2000,
              input_tokens_details: { cached_tokens: 1280 },
              output_tokens: 60,
              output_tokens_details: { reasoning_tokens: 40 },
              total_tokens: 2060,
            },
          }),
        },
      ].map((event, index) => ({ ...event, sequence_number: index })),
    ),
    blocks: ['other', 'text It is clear.'],
    stopReason: 'end',
    usage: { inputTokens: 720, cacheReadTokens: 1280, outputTokens: 60, reasoningTokens: 40 },
  },
]

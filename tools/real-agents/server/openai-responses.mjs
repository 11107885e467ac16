// The Responses API of OpenAI: POST /v1/responses, always streamed.
import { messagesOf } from './content.mjs'
import { sendEvents } from './event-stream.mjs'

/** @type {import('./model-server.mjs').Wire} */
export const openaiResponses = {
  name: 'openai-responses',
  accepts: (path) => path.endsWith('/responses'),
  read: ({ instructions, input, tools }) => ({
    messages: [
      { role: 'system', text: instructions ?? '' },
      ...(typeof input === 'string' ? [{ role: 'user', text: input }] : messagesOf(input)),
    ],
    tools: (tools ?? []).map(({ name, type }) => name ?? type),
  }),
  answer(response, { body, id }, { text, outputTokens }) {
    const base = { id: `resp_${id}`, object: 'response', created_at: 1_770_000_000, model: body.model, output: [] }
    const part = { type: 'output_text', text, annotations: [] }
    const item = { type: 'message', id: `item_${id}`, role: 'assistant', status: 'completed', content: [part] }
    const position = { item_id: item.id, output_index: 0, content_index: 0 }
    const usage = {
      input_tokens: 4_409,
      input_tokens_details: { cached_tokens: 4_096 },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 4_409 + outputTokens,
    }
    const events = [
      { type: 'response.created', response: { ...base, status: 'in_progress' } },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', content: [] } },
      { type: 'response.content_part.added', ...position, part: { ...part, text: '' } },
      { type: 'response.output_text.delta', ...position, delta: text },
      { type: 'response.output_text.done', ...position, text },
      { type: 'response.content_part.done', ...position, part },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { ...base, status: 'completed', output: [item], usage } },
    ]
    sendEvents(
      response,
      events.map((data, index) => ({ event: data.type, data: { ...data, sequence_number: index } })),
    )
  },
}

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
    tools: (tools ?? []).flatMap(toolNames),
  }),
  /** Answers as the Responses API would, always as a stream. */
  answer(response, { body, id }, { text, call, outputTokens }) {
    const base = { id: `resp_${id}`, object: 'response', created_at: 1_770_000_000, model: body.model, output: [] }
    const item = call === undefined ? messageItem(id, text) : callItem(id, call)
    const usage = {
      input_tokens: 4_409,
      input_tokens_details: { cached_tokens: 4_096 },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 4_409 + outputTokens,
    }
    const events = [
      { type: 'response.created', response: { ...base, status: 'in_progress' } },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress' } },
      ...(call === undefined ? textEvents(item.id, text) : []),
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { ...base, status: 'completed', output: [item], usage } },
    ]
    sendEvents(
      response,
      events.map((data, index) => ({ event: data.type, data: { ...data, sequence_number: index } })),
    )
  },
}

/** A tool within a namespace is named with it, and a slash between. */
const toolNames = ({ name, type, tools }) =>
  type === 'namespace' ? tools.map((tool) => `${name}/${tool.name}`) : [name ?? type]

const messageItem = (id, text) => ({
  type: 'message',
  id: `item_${id}`,
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
})

const callItem = (id, call) => {
  const [name, namespace] = call.name.split('/').reverse()
  return {
    type: 'function_call',
    id: `item_${id}`,
    call_id: call.id,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    arguments: JSON.stringify(call.input),
    status: 'completed',
  }
}

const textEvents = (item_id, text) => {
  const at = { item_id, output_index: 0, content_index: 0 }
  return [
    { type: 'response.output_text.delta', ...at, delta: text },
    { type: 'response.output_text.done', ...at, text },
  ]
}

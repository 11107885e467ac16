// The Messages API of Anthropic: POST /v1/messages, streamed or not, and its counting of tokens.
import { messagesOf, textOf } from './content.mjs'
import { sendEvents, sendJson } from './event-stream.mjs'

const USAGE = { input_tokens: 311, cache_creation_input_tokens: 1_207, cache_read_input_tokens: 2_011 }

/** @type {import('./model-server.mjs').Wire} */
export const anthropicMessages = {
  name: 'anthropic-messages',
  accepts: (path) => /\/v1\/messages(\/count_tokens)?$/.test(path),
  read: ({ system, messages, tools }) => ({
    messages: [{ role: 'system', text: textOf(system) }, ...messagesOf(messages)],
    tools: (tools ?? []).map(({ name }) => name),
  }),
  /** Answers as the Messages API would, as a stream or whole. */
  answer(response, { path, body, id }, { text, call, outputTokens }) {
    if (path.endsWith('/count_tokens')) return sendJson(response, { input_tokens: USAGE.input_tokens })
    const message = { id: `msg_${id}`, type: 'message', role: 'assistant', model: body.model, stop_sequence: null }
    const stop_reason = call === undefined ? 'end_turn' : 'tool_use'
    const block =
      call === undefined
        ? { type: 'text', text }
        : { type: 'tool_use', id: call.id, name: call.name, input: call.input }
    if (body.stream !== true) {
      const usage = { ...USAGE, output_tokens: outputTokens }
      return sendJson(response, { ...message, content: [block], stop_reason, usage })
    }
    const [begun, delta] =
      call === undefined
        ? [
            { type: 'text', text: '' },
            { type: 'text_delta', text },
          ]
        : [
            { ...block, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(call.input) },
          ]
    const usage = { ...USAGE, output_tokens: 1 }
    const events = [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } },
      { type: 'content_block_start', index: 0, content_block: begun },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: outputTokens } },
      { type: 'message_stop' },
    ]
    sendEvents(
      response,
      events.map((data) => ({ event: data.type, data })),
    )
  },
}

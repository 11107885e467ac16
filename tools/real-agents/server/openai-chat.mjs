// The chat completions of OpenAI, which compatible servers speak: POST /v1/chat/completions, streamed or not.
import { messagesOf } from './content.mjs'
import { sendEvents, sendJson } from './event-stream.mjs'

/** @type {import('./model-server.mjs').Wire} */
export const openaiChat = {
  name: 'openai-chat',
  accepts: (path) => path.endsWith('/chat/completions'),
  read: ({ messages, tools }) => ({
    messages: messagesOf(messages),
    tools: (tools ?? []).map((tool) => tool.function?.name ?? tool.name),
  }),
  /** Answers as the Chat Completions API would, as a stream or whole. */
  answer(response, { body, id }, { text, call, outputTokens }) {
    const base = { id: `chatcmpl-${id}`, created: 1_770_000_000, model: body.model }
    const usage = {
      prompt_tokens: 1_733,
      completion_tokens: outputTokens,
      total_tokens: 1_733 + outputTokens,
      prompt_tokens_details: { cached_tokens: 1_024 },
    }
    const content = call === undefined ? { content: text } : { content: null, tool_calls: [toolCall(call)] }
    const finish = call === undefined ? 'stop' : 'tool_calls'
    if (body.stream !== true) {
      const choices = [{ index: 0, message: { role: 'assistant', ...content }, finish_reason: finish }]
      return sendJson(response, { ...base, object: 'chat.completion', choices, usage })
    }
    const chunk = (delta, finish_reason = null) => ({
      ...base,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason }],
    })
    const chunks = [
      chunk({ role: 'assistant', content: '' }),
      chunk(content),
      chunk({}, finish),
      { ...base, object: 'chat.completion.chunk', choices: [], usage },
      '[DONE]',
    ]
    sendEvents(
      response,
      chunks.map((data) => ({ data })),
    )
  },
}

const toolCall = ({ id, name, input }) => ({
  index: 0,
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(input) },
})

// The Gemini API: POST /v1beta/models/<model>:generateContent, :streamGenerateContent and :countTokens.
import { textOf } from './content.mjs'
import { sendEvents, sendJson } from './event-stream.mjs'

/** @type {import('./model-server.mjs').Wire} */
export const geminiContent = {
  name: 'gemini-content',
  accepts: (path) => /\/models\/[^/]+:(generateContent|streamGenerateContent|countTokens)$/.test(path),
  read: ({ systemInstruction, contents, tools }) => ({
    messages: [
      { role: 'system', text: textOf(systemInstruction?.parts) },
      ...(contents ?? []).map(({ role = 'user', parts }) => ({ role, text: textOf(parts) })),
    ],
    tools: (tools ?? []).flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),
  }),
  /** Answers as Gemini's API would, as a stream or whole. */
  answer(response, { path, id }, { text, call, outputTokens }) {
    const [, model, method] = /\/models\/([^/]+):(\w+)$/.exec(path) ?? []
    if (method === 'countTokens') return sendJson(response, { totalTokens: 907 })
    const part = call === undefined ? { text } : { functionCall: { id: call.id, name: call.name, args: call.input } }
    const answer = {
      candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: 2_903,
        cachedContentTokenCount: 2_048,
        candidatesTokenCount: outputTokens,
        totalTokenCount: 2_903 + outputTokens,
      },
      modelVersion: model,
      responseId: id,
    }
    if (method === 'generateContent') return sendJson(response, answer)
    sendEvents(response, [{ data: answer }])
  },
}

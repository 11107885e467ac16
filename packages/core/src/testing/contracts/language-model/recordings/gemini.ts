/** Bodies of Gemini's wire. */
import { dataEvents, type RecordedReply } from './recording.ts'

/** A chunk of a recorded reply. */
const chunk = (parts: readonly object[], counts: object, finishReason?: string) => ({
  candidates: [{ content: { parts, role: 'model' }, index: 0, ...(finishReason !== undefined && { finishReason }) }],
  usageMetadata: { promptTokenCount: 50, ...counts },
  modelVersion: 'gemini-3-pro',
  responseId: 'abc',
})

export const GEMINI_RECORDINGS: readonly RecordedReply[] = [
  {
    name: 'usage with every chunk, thoughts, an empty text with a signature at the end',
    body: dataEvents([
      chunk([{ text: '**Thinking**', thought: true }], { thoughtsTokenCount: 12, totalTokenCount: 62 }),
      chunk([{ text: 'It is ' }], { thoughtsTokenCount: 12, candidatesTokenCount: 2, totalTokenCount: 64 }),
      chunk([{ text: 'clear.' }], { thoughtsTokenCount: 12, candidatesTokenCount: 4, totalTokenCount: 66 }),
      chunk(
        [{ text: '', thoughtSignature: 'c2ln' }],
        { thoughtsTokenCount: 12, candidatesTokenCount: 4, cachedContentTokenCount: 20, totalTokenCount: 66 },
        'STOP',
      ),
    ]),
    blocks: ['text It is clear.'],
    stopReason: 'end',
    usage: { inputTokens: 30, cacheReadTokens: 20, outputTokens: 16, reasoningTokens: 12 },
  },
  {
    name: 'calls without ids in one chunk, with the reason `STOP`',
    body: dataEvents([
      chunk(
        [
          { functionCall: { name: 'read_file', args: { path: 'a' } }, thoughtSignature: 'c2ln' },
          { functionCall: { name: 'list-files', args: {} } },
        ],
        { candidatesTokenCount: 20, totalTokenCount: 70 },
        'STOP',
      ),
    ]),
    blocks: ['read_file {"path":"a"}', 'list-files {}'],
    stopReason: 'tool-calls',
    usage: { inputTokens: 50, cacheReadTokens: 0, outputTokens: 20 },
  },
]

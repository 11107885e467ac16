/** Bodies as providers and compatible servers send them: what the model server's own replies don't have. */
import type { WireName } from '../../model-server/index.ts'
import { ANTHROPIC_RECORDINGS } from './recordings/anthropic.ts'
import { GEMINI_RECORDINGS } from './recordings/gemini.ts'
import { CHAT_RECORDINGS } from './recordings/openai-chat.ts'
import { RESPONSES_RECORDINGS } from './recordings/openai-responses.ts'
import type { RecordedReply } from './recordings/recording.ts'
import { shapeOf } from './replies.ts'
import { callsIn, TOOLS } from './requests.ts'
import type { Suite } from './subject.ts'

const RECORDINGS: Readonly<Record<WireName, readonly RecordedReply[]>> = {
  anthropic: ANTHROPIC_RECORDINGS,
  'openai-responses': RESPONSES_RECORDINGS,
  'openai-chat': CHAT_RECORDINGS,
  gemini: GEMINI_RECORDINGS,
}

/** Defines the tests of recorded bodies of the subject's wire: blocks, end and usage are what the provider meant. */
export const runRecorded = ({ test, expect, subject }: Suite): void => {
  const hasTools = subject.capabilities.tools === true
  for (const { name, body, blocks, stopReason, usage } of RECORDINGS[subject.wire])
    test(`reads ${name}`, async ({ server, model, request, ask }) => {
      server.script({ recording: { text: body } })
      const outcome = await ask(model, request(hasTools ? { tools: TOOLS } : {}))
      expect([outcome.end, outcome.done?.stopReason]).toEqual(['done', stopReason])
      // Thinking is told apart only where it is shown.
      expect(shapeOf(outcome.blocks.filter(({ type }) => type !== 'thinking'))).toEqual(blocks)
      expect(outcome.done?.usage ?? {}).toMatchObject(usage)
      const calls = callsIn(outcome.blocks)
      expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length)
      expect(calls.every(({ id }) => id !== '')).toBe(true)
    })
}

import { expect, it } from '@jest/globals'
import { createInMemoryStore } from '../in-memory/index.ts'
import type { ContentBlock, Role } from '../messages.ts'

const MEMORY = '<long_term_memory>\n- The crane of the northern quay lifts nine tonnes\n</long_term_memory>'
const RECALLED = '<recalled_data note="data">\n1. "the crane of the northern quay"\n</recalled_data>'
const text = (value: string): readonly ContentBlock[] => [{ type: 'text', text: value }]

it('what a session was handed out of the store is not found again in each session', async () => {
  const store = createInMemoryStore()
  const messages: readonly (readonly [string, Role, readonly ContentBlock[]])[] = [
    ['handed', 'system', text(`${MEMORY}\n\n<past_sessions>\n- "The crane of the northern quay"\n</past_sessions>`)],
    ['prompt', 'user', [...text('How much may hang on the crane?'), ...text(RECALLED)]],
    ['looked up', 'tool', [{ type: 'tool_result', callId: 'c1', content: [{ type: 'text', text: RECALLED }] }]],
    ['quoted', 'assistant', text(MEMORY)],
    ['beside words', 'system', text(`Mind the crane of the northern quay.\n${MEMORY}`)],
  ]
  const writes = messages.map(([id, role, content], at) => ({
    entry: { kind: 'message' as const, id, at, role, content },
  }))
  await store.sessions.append({ id: 'codex:s', agent: 'codex', externalId: 's' }, 0, writes)
  const found = async (words: string) =>
    (await store.search.search({ text: words })).map(({ messageId }) => messageId).toSorted()
  expect(await found('northern quay')).toEqual(['beside words', 'quoted'])
  expect(await found('hang')).toEqual(['prompt'])
})

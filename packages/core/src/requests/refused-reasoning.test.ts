import { describe, expect, it } from '@jest/globals'
import { createContextView } from '../context/view.ts'
import { ModelError, type ModelErrorCode } from '../ports/language-model.ts'
import { withoutRefusedReasoning } from './refused-reasoning.ts'

const view = createContextView(3)
view.step({ kind: 'message', seq: 0, id: 'u', at: 1, role: 'user', content: [{ type: 'text', text: 'Go.' }] })
view.step({
  kind: 'message',
  seq: 1,
  id: 'a',
  at: 2,
  role: 'assistant',
  content: [
    { type: 'thinking', text: 'hm', signature: 'c2VhbA==' },
    { type: 'text', text: 'I look.' },
    { type: 'thinking', text: 'unsigned' },
    { type: 'other', value: { type: 'redacted_thinking', data: 'c2VhbGVk' } },
    { type: 'tool_call', id: 'c', name: 'read', input: {} },
  ],
})

const rewriteAfter = (message: string, code: ModelErrorCode = 'bad-request') =>
  withoutRefusedReasoning(new ModelError(code, message), view, 'cache-aware', 3)

describe('withoutRefusedReasoning', () => {
  it.each([
    'messages.1.content.0: Invalid `signature` in `thinking` block',
    '`signature` in `thinking` block is bound to a different conversation',
    'The encrypted content for item rs_1 could not be verified.',
    'Thought signature is not valid: contents[1].parts[0].',
  ])('takes all reasoning that is sent out of the context: %s', (message) => {
    expect(rewriteAfter(message)).toEqual({
      kind: 'rewrite',
      at: 3,
      policy: 'cache-aware',
      trigger: 'refused',
      changes: [
        { seq: 1, block: 0, why: 'refused-thinking' },
        { seq: 1, block: 3, why: 'refused-thinking' },
      ],
    })
  })

  it('leaves it where the refusal is about something else', () => {
    expect(rewriteAfter('thinking.budget_tokens: must be at least 1024')).toBeUndefined()
    expect(rewriteAfter('messages.1: Expected `thinking`, but found `text`')).toBeUndefined()
    expect(rewriteAfter('Invalid `signature` in `thinking` block', 'unavailable')).toBeUndefined()
  })
})

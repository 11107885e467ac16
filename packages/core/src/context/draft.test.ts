import { describe, expect, it } from '@jest/globals'
import type { ContentBlock, Role } from '../messages.ts'
import type { LogEntry } from '../session-log.ts'
import { createDraft } from './draft.ts'
import { nonePolicy } from './policies/none.ts'
import { createContext } from './create-context.ts'

const message = (seq: number, role: Role, ...content: readonly ContentBlock[]): LogEntry => ({
  kind: 'message',
  seq,
  at: seq,
  id: `m${seq}`,
  role,
  content,
  ...(role === 'assistant' ? { model: 'claude-sonnet-5' } : {}),
})
const text = (words: string): ContentBlock => ({ type: 'text', text: words })
const call: ContentBlock = { type: 'tool_call', id: 'c1', name: 'read', input: { path: 'a' } }
const result: ContentBlock = { type: 'tool_result', callId: 'c1', content: [{ type: 'text', text: 'x'.repeat(500) }] }
const thought: ContentBlock = { type: 'thinking', text: 'Hm.', signature: 'sealed' }

const viewOf = (log: readonly LogEntry[]) => {
  const { view, step } = createContext(nonePolicy, 3)
  view.ask({ model: 'claude-sonnet-5', provider: undefined, thinkingSignature: 'bound-to-turn' })
  step(log)
  return view
}

describe('a draft', () => {
  it('does not bring back by a text what it removed: a result would stand without its call', () => {
    const view = viewOf([
      message(0, 'user', text('Go')),
      message(1, 'assistant', call),
      message(2, 'tool', result),
      message(3, 'user', text('On')),
    ])
    const block = view.block(2, 0)
    if (block === undefined) throw new Error('the view lacks the result')
    const draft = createDraft(view)
    draft.replace(block, 'dead', '[cleared]')
    draft.remove(block, 'old')
    draft.replace(block, 'window', '[cleared]')
    expect(draft.build('p', 't', 5)?.changes).toEqual([
      { seq: 1, block: 0, why: 'old' },
      { seq: 2, block: 0, why: 'old' },
    ])
  })
})

describe("the running turn's reasoning", () => {
  const begun = [message(0, 'user', text('Go')), message(1, 'assistant', thought, call), message(2, 'tool', result)]

  it('is still held when a reply broke off and was taken out', () => {
    const view = viewOf([
      ...begun,
      message(3, 'assistant', text('I sha')),
      { kind: 'truncation', seq: 4, at: 4, fromSeq: 3, toSeq: 3, reason: 'connection-lost' },
    ])
    const block = view.block(1, 0)
    expect(block !== undefined && view.isHeld(block)).toBe(true)
  })

  it('is still held when a reply broke off while the model was thinking: that one is never sent', () => {
    const view = viewOf([
      ...begun,
      message(3, 'assistant', { ...thought, text: 'So' }),
      message(4, 'user', text('Stop')),
      message(5, 'user', text('Do something else')),
    ])
    const block = view.block(1, 0)
    expect(block !== undefined && view.isHeld(block)).toBe(true)
    expect(view.endedTurn()).toBe(0)
  })

  it('is not after a whole reply without calls', () => {
    const view = viewOf([...begun, message(3, 'assistant', text('I shall.'))])
    const block = view.block(1, 0)
    expect(block !== undefined && view.isHeld(block)).toBe(false)
  })
})

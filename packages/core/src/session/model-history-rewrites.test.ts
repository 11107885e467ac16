import { describe, expect, it } from '@jest/globals'
import type { ContentBlock, Role } from '../messages.ts'
import type { LogEntry, RewriteEntry } from '../session-log.ts'
import { createModelHistory, type ModelHistory } from './model-history.ts'

const text = (value: string): ContentBlock => ({ type: 'text', text: value })
const call = (id: string): ContentBlock => ({ type: 'tool_call', id, name: 'Read', input: { file_path: `${id}.ts` } })
const result = (callId: string): ContentBlock => ({
  type: 'tool_result',
  callId,
  content: [{ type: 'text', text: `of ${callId}` }],
})

const message = (seq: number, role: Role, content: readonly ContentBlock[], responseId?: string): LogEntry => ({
  kind: 'message',
  seq,
  at: seq,
  id: `m${seq}`,
  role,
  content,
  ...(responseId === undefined ? {} : { responseId }),
})
const rewrite = (seq: number, parts: Partial<RewriteEntry>): RewriteEntry => ({
  kind: 'rewrite',
  seq,
  at: seq,
  policy: 'test',
  trigger: 'test',
  changes: [],
  ...parts,
})

const historyOf = (...log: readonly LogEntry[]): ModelHistory => {
  const history = createModelHistory()
  for (const entry of log) {
    history.step(entry)
    // Asking on the way must not change what is given in the end.
    history.messages()
    history.blocks()
  }
  return history
}
const told = (history: ModelHistory): readonly string[] =>
  history.messages().map(({ role, content }) => `${role}: ${JSON.stringify(content)}`)

const LOG = [
  message(0, 'user', [text('task')]),
  message(1, 'assistant', [text('reading'), call('a')], 'r1'),
  message(2, 'tool', [result('a')]),
  message(3, 'assistant', [text('done')], 'r2'),
]

describe('rewrites in the model history', () => {
  it('replace blocks, keeping the link between a call and its result', () => {
    const history = historyOf(
      ...LOG,
      rewrite(4, {
        changes: [
          { seq: 1, block: 1, why: 'dead', text: '{"file_path":"a.ts"}' },
          { seq: 2, block: 0, why: 'dead', text: '[cleared]' },
          { seq: 3, block: 0, why: 'old' },
        ],
      }),
    )
    expect(told(history)).toEqual([
      'user: [{"type":"text","text":"task"}]',
      'assistant: [{"type":"text","text":"reading"},{"type":"tool_call","id":"a","name":"Read","input":{"file_path":"a.ts"}}]',
      'tool: [{"type":"tool_result","callId":"a","content":[{"type":"text","text":"[cleared]"}]}]',
    ])
    expect(history.block(2, 0)).toMatchObject({ why: 'dead', replacement: '[cleared]', original: result('a') })
  })

  it('insert texts before a message, in order, or at their own position; a later rewrite removes them', () => {
    const history = historyOf(
      ...LOG,
      rewrite(4, {
        insertions: [
          { before: 1, why: 'index', text: 'first' },
          { before: 1, why: 'index', text: 'second' },
          { why: 'note', text: 'at the end' },
        ],
      }),
    )
    expect(history.messages().map(({ content, origin }) => [content[0], origin])).toEqual([
      [text('task'), undefined],
      [text('first'), 'summary'],
      [text('second'), 'summary'],
      [text('reading'), undefined],
      [result('a'), undefined],
      [text('done'), undefined],
      [text('at the end'), 'summary'],
    ])
    history.step(
      rewrite(5, {
        changes: [
          { seq: 4, block: 0, why: 'renewed' },
          { seq: 4, block: 2, why: 'renewed', text: 'changed' },
        ],
      }),
    )
    expect(history.messages().map(({ content }) => content[0])).toEqual([
      text('task'),
      text('second'),
      text('reading'),
      result('a'),
      text('done'),
      text('changed'),
    ])
  })

  it("yield to the user's pins, and apply again when these are removed", () => {
    const history = historyOf(...LOG, rewrite(4, { changes: [{ seq: 2, block: 0, why: 'dead', text: '[cleared]' }] }))
    const seen = () => history.messages().find(({ role }) => role === 'tool')?.content[0]
    history.step({ kind: 'pin', seq: 5, at: 5, messageId: 'm2', state: 'pinned' })
    expect(seen()).toEqual(result('a'))
    history.step({ kind: 'pin', seq: 6, at: 6, messageId: 'm2', state: 'dropped' })
    expect(seen()).toBeUndefined()
    history.step({ kind: 'pin', seq: 7, at: 7, messageId: 'm2', state: 'automatic' })
    expect(seen()).toMatchObject({ content: [text('[cleared]')] })
  })

  it('are undone by a rewind', () => {
    const history = historyOf(
      ...LOG,
      rewrite(4, {
        changes: [{ seq: 2, block: 0, why: 'dead', text: '[cleared]' }],
        insertions: [{ before: 0, why: 'index', text: 'names' }],
      }),
    )
    history.step({ kind: 'rewind', seq: 5, at: 5, toSeq: 3 })
    expect(told(history)).toEqual(told(historyOf(...LOG)))
  })

  it('do not split a response whose calls are interleaved with results', () => {
    const history = historyOf(
      message(0, 'user', [text('task')]),
      message(1, 'assistant', [call('a')], 'r1'),
      message(2, 'tool', [result('a')]),
      message(3, 'assistant', [call('b')], 'r1'),
      message(4, 'tool', [result('b')]),
    )
    expect(history.messages().map(({ role, content }) => [role, content.length])).toEqual([
      ['user', 1],
      ['assistant', 2],
      ['tool', 1],
      ['tool', 1],
    ])
    expect(history.blocks().map(({ seq }) => seq)).toEqual([0, 1, 3, 2, 4])
  })

  it('ignore blocks that do not exist', () => {
    const history = historyOf(
      ...LOG,
      rewrite(4, {
        changes: [
          { seq: 9, block: 0, why: 'dead' },
          { seq: 1, block: 7, why: 'dead' },
        ],
        insertions: [{ before: 99, why: 'index', text: 'x' }],
      }),
    )
    expect(history.messages()).toHaveLength(5)
    expect(history.block(9, 0)).toBeUndefined()
  })
})

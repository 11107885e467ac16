import { describe, expect, it } from '@jest/globals'
import type { NewLogEntry } from '../session-log.ts'
import { createDisplayStream, type DisplayItem } from './display-stream.ts'
import { userMessage } from './user-message.fixture.ts'

const streamOf = (...entries: readonly NewLogEntry[]) => {
  const stream = createDisplayStream()
  for (const [seq, entry] of entries.entries()) stream.step({ ...entry, seq })
  return stream
}

const shape = (items: readonly DisplayItem[]): unknown[] =>
  items.map((item) =>
    item.kind === 'message'
      ? item.entry.id
      : item.kind === 'marker'
        ? `<${item.entry.kind}>`
        : [item.subagent, ...shape(item.items)],
  )

describe('createDisplayStream', () => {
  it('shows everything in order, also what the model no longer sees', () => {
    const stream = streamOf(
      userMessage('a'),
      { kind: 'edit', at: 0, messageId: 'a', block: 0, reason: 'r', text: 'x' },
      { kind: 'compaction', at: 0, trigger: 'auto' },
      userMessage('s', { origin: 'summary' }),
      userMessage('b'),
      { kind: 'rewind', at: 0, toSeq: 3 },
      userMessage('c'),
    )
    expect(shape(stream.items)).toEqual(['a', '<compaction>', 's', 'b', '<rewind>', 'c'])
    const first = stream.items[0]
    expect(first?.kind === 'message' && first.entry.content).toEqual([{ type: 'text', text: 'a' }])
  })

  it('links to the model history, and names the ranges missing there', () => {
    const stream = streamOf(
      userMessage('a'),
      userMessage('b'),
      userMessage('c'),
      { kind: 'truncation', at: 0, fromSeq: 0, toSeq: 1, reason: 'r' },
      userMessage('d', { responseId: 'r', role: 'assistant' }),
      userMessage('e', { responseId: 'r', role: 'assistant' }),
      userMessage('f'),
      { kind: 'rewind', at: 0, toSeq: 5 },
    )
    expect([0, 1, 2, 4, 5, 6].map((seq) => stream.historyIndex(seq))).toEqual([
      undefined,
      undefined,
      0,
      1,
      1,
      undefined,
    ])
    expect(stream.deletedRanges()).toEqual([
      { fromSeq: 0, toSeq: 1, isRewound: false },
      { fromSeq: 6, toSeq: 6, isRewound: true },
    ])
  })

  it('keeps adjacent trimmed and rewound ranges apart', () => {
    const stream = streamOf(
      userMessage('a'),
      { kind: 'truncation', at: 0, fromSeq: 0, toSeq: 0, reason: 'r' },
      userMessage('b'),
      {
        kind: 'rewind',
        at: 0,
        toSeq: 1,
      },
    )
    expect(stream.deletedRanges()).toEqual([
      { fromSeq: 0, toSeq: 0, isRewound: false },
      { fromSeq: 2, toSeq: 2, isRewound: true },
    ])
  })

  it('links calls with their results in either order, and shows pending calls', () => {
    const call = (id: string) => ({ type: 'tool_call' as const, id, name: 't', input: {} })
    const result = (callId: string) => ({ type: 'tool_result' as const, callId, content: [] })
    const stream = streamOf(
      userMessage('a', { role: 'assistant', content: [call('1'), call('2')] }),
      userMessage('b', { content: [result('1')] }),
      userMessage('c', { content: [result('lost')] }),
    )
    expect(stream.toolLink('1')).toEqual({ call: { seq: 0, block: 0 }, result: { seq: 1, block: 0 } })
    expect(stream.toolLink('2')).toEqual({ call: { seq: 0, block: 1 } })
    expect(stream.toolLink('lost')).toEqual({ result: { seq: 2, block: 0 } })
    expect(stream.toolLink('none')).toBeUndefined()
  })

  it('nests each subagent at its first message', () => {
    const stream = streamOf(
      userMessage('a'),
      userMessage('s1', { subagent: 's' }),
      userMessage('t1', { subagent: 't' }),
      userMessage('b'),
      userMessage('s2', { subagent: 's' }),
    )
    expect(shape(stream.items)).toEqual(['a', ['s', 's1', 's2'], ['t', 't1'], 'b'])
    expect(stream.historyIndex(1)).toBeUndefined()
    expect(stream.deletedRanges()).toEqual([])
  })
})

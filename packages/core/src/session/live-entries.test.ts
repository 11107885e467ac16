import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { LogEntry } from '../session-log.ts'
import { createDisplayStream } from './display-stream.ts'
import { createLiveEntries, liveEntries } from './live-entries.ts'
import { modelHistory } from './model-history.ts'
import { todoList } from './todo.ts'

/** A number is a rewind to that place. */
const logOf = (...steps: readonly (string | number)[]): readonly LogEntry[] =>
  steps.map((step, seq) =>
    typeof step === 'number'
      ? { kind: 'rewind', seq, at: seq, toSeq: step }
      : { kind: 'message', seq, at: seq, id: step, role: 'user', content: [{ type: 'text', text: step }] },
  )

const idsOf = (log: readonly LogEntry[]): readonly string[] =>
  liveEntries(log).flatMap((entry) => (entry.kind === 'message' ? [entry.id] : []))

/** By the definition: what it was when `toSeq` was the last entry, and what came since. */
const byDefinition = (log: readonly LogEntry[]): readonly LogEntry[] => {
  const position = log.findLastIndex(({ kind }) => kind === 'rewind')
  const rewind = log[position]
  if (rewind?.kind !== 'rewind') return log
  return [...byDefinition(log.filter(({ seq }) => seq <= rewind.toSeq)), ...log.slice(position + 1)]
}

describe('the entries in effect', () => {
  it("end at a rewind's target, and continue after the rewind", () => {
    expect(idsOf(logOf('a', 'b', 'c', 0, 'd'))).toEqual(['a', 'd'])
    expect(idsOf(logOf('a', -1, 'b'))).toEqual(['b'])
  })

  it('are those from before a rewind that was undone, and from after it once the undo is undone', () => {
    expect(idsOf(logOf('a', 'b', 'c', 0, 2))).toEqual(['a', 'b', 'c'])
    expect(idsOf(logOf('a', 'b', 'c', 0, 2, 3))).toEqual(['a'])
    expect(idsOf(logOf('a', 'b', 0, 'c', 'd', 3, 4))).toEqual(['a', 'c', 'd'])
    // To a message that had been taken back: its own branch, without what was said on the other.
    expect(idsOf(logOf('a', 'b', 'c', 0, 'd', 1))).toEqual(['a', 'b'])
  })

  it('list what was rewound, without the rewinds themselves', () => {
    const live = createLiveEntries()
    for (const entry of logOf('a', 'b', 'c', 0, 'd', 1, 'e')) live.step(entry)
    expect(live.takenBack()).toEqual([
      { fromSeq: 2, toSeq: 2 },
      { fromSeq: 4, toSeq: 4 },
    ])
  })

  const logs = fc
    .array(
      fc.oneof(
        { weight: 3, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.double({ min: 0, max: 0.999, noNaN: true }) },
      ),
      { maxLength: 25 },
    )
    .map((steps) =>
      logOf(...steps.map((step, seq) => (step === undefined ? `m${seq}` : Math.floor(step * (seq + 1)) - 1))),
    )

  it('match the definition for any log, from the rewinds alone, and for every view', () => {
    fc.assert(
      fc.property(logs, (log) => {
        const expected = byDefinition(log).flatMap((entry) => (entry.kind === 'message' ? [entry.id] : []))
        expect(idsOf(log)).toEqual(expected)
        const fromRewinds = createLiveEntries()
        for (const entry of log) if (entry.kind === 'rewind') fromRewinds.step(entry)
        expect(log.filter(({ kind, seq }) => kind !== 'rewind' && fromRewinds.has(seq)).map(({ seq }) => seq)).toEqual(
          liveEntries(log).map(({ seq }) => seq),
        )
        expect(modelHistory(log).map(({ id }) => id)).toEqual(expected)
        const stream = createDisplayStream()
        for (const entry of log) stream.step(entry)
        const shown = log.filter(
          ({ kind, seq }) =>
            kind === 'message' && stream.deletedRanges().every(({ fromSeq, toSeq }) => seq < fromSeq || seq > toSeq),
        )
        expect(shown.length).toBe(expected.length)
        const gone = fromRewinds.takenBack()
        expect(
          log.filter(
            ({ kind, seq }) => kind !== 'rewind' && !gone.some(({ fromSeq, toSeq }) => fromSeq <= seq && seq <= toSeq),
          ).length,
        ).toBe(expected.length)
      }),
    )
  })

  it('apply to the task state as well', () => {
    const todo = (text: string, seq: number): LogEntry => ({
      kind: 'todo',
      seq,
      at: 0,
      items: [{ text, status: 'pending' }],
    })
    const rewound: readonly LogEntry[] = [todo('a', 0), todo('b', 1), { kind: 'rewind', seq: 2, at: 0, toSeq: 0 }]
    expect(todoList(rewound)[0]?.text).toBe('a')
    expect(todoList([...rewound, { kind: 'rewind', seq: 3, at: 0, toSeq: 1 }])[0]?.text).toBe('b')
  })
})

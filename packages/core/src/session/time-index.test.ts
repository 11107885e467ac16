import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { LogEntry } from '../session-log.ts'
import { createTimeIndex, entriesAt } from './time-index.ts'

const logAt = (times: readonly (number | null)[]): LogEntry[] =>
  times.map((at, seq) => ({ kind: 'notice', seq, at, level: 'info', text: '' }))
const seqsAt = (times: readonly (number | null)[], time: number) =>
  entriesAt(createTimeIndex(logAt(times)).index, time).map((entry) => entry.seq)

describe('entriesAt', () => {
  it('returns the entries up to and including a time', () => {
    expect([9, 10, 25, 30, 99].map((time) => seqsAt([10, 20, 20, 30], time))).toEqual([
      [],
      [0],
      [0, 1, 2],
      [0, 1, 2, 3],
      [0, 1, 2, 3],
    ])
  })

  it('gives an entry without a time the time of the previous one', () => {
    expect(seqsAt([10, null, null, 20, null], 10)).toEqual([0, 1, 2])
    expect(seqsAt([null, 10], 5)).toEqual([0])
    expect(seqsAt([], 5)).toEqual([])
  })

  it("includes entries that arrived late, in the log's order", () => {
    const times = [10, 40, 20, null, 30, 10]
    expect([10, 20, 30, 40].map((time) => seqsAt(times, time))).toEqual([
      [0, 5],
      [0, 2, 3, 5],
      [0, 2, 3, 4, 5],
      [0, 1, 2, 3, 4, 5],
    ])
  })

  it('equals a scan of all entries, also while the log grows', () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.nat({ max: 20 }), { freq: 4 }), { maxLength: 40 }),
        fc.integer({ min: -1, max: 21 }),
        (times, time) => {
          const builder = createTimeIndex()
          let last = Number.NEGATIVE_INFINITY
          const expected: number[] = []
          for (const entry of logAt(times)) {
            builder.step(entry)
            last = entry.at ?? last
            if (last <= time) expected.push(entry.seq)
            expect(entriesAt(builder.index, time).map(({ seq }) => seq)).toEqual(expected)
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})

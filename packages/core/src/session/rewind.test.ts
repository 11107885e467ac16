import { describe, expect, it } from '@jest/globals'
import type { LogEntry } from '../session-log.ts'
import { planRewind } from './rewind.ts'

const value = (id: string, seq: number, at: number | null = seq * 1000, subagent?: string): LogEntry => ({
  kind: 'message',
  seq,
  at,
  id,
  role: 'user',
  content: [{ type: 'text', text: id }],
  ...(subagent === undefined ? {} : { subagent }),
})
const LOG: readonly LogEntry[] = [
  value('first', 0),
  value('second-1', 1),
  value('second-2', 2),
  { kind: 'pin', seq: 3, at: 3000, messageId: 'first', state: 'pinned' },
  value('last', 4),
]
const rewind = (seq: number, toSeq: number): LogEntry => ({ kind: 'rewind', seq, at: 0, toSeq })
const codeOf = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (error) {
    return (error as { readonly code?: string }).code
  }
}

describe('a planned rewind', () => {
  it('keeps the message that it targets, and lists what is removed', () => {
    const { entry, expectedSeq, newest, left, back } = planRewind({ message: 'second-1' }, LOG, 9000)
    expect(entry).toEqual({ kind: 'rewind', at: 9000, toSeq: 1 })
    expect(expectedSeq).toBe(5)
    expect(newest?.id).toBe('second-1')
    expect(left.map(({ seq }) => seq)).toEqual([2, 3, 4])
    expect(back).toEqual([])
  })

  it('accepts the start of an id, and reports several or no matches', () => {
    expect(planRewind({ message: 'fi' }, LOG, 0).toSeq).toBe(0)
    expect(() => planRewind({ message: 'second' }, LOG, 0)).toThrow(/second-1, second-2/)
    expect(codeOf(() => planRewind({ message: 'second' }, LOG, 0))).toBe('ambiguous')
    expect(codeOf(() => planRewind({ message: 'nothing' }, LOG, 0))).toBe('not-found')
    expect(codeOf(() => planRewind({ message: '' }, LOG, 0))).toBe('not-found')
    expect(codeOf(() => planRewind({ message: 'sub' }, [...LOG, value('sub', 5, 5000, 's')], 0))).toBe('usage')
  })

  it('accepts the number of an entry, and refuses one that the log does not have', () => {
    expect(planRewind({ entry: 1 }, LOG, 9000)).toMatchObject({ toSeq: 1, entry: { toSeq: 1 } })
    expect(() => planRewind({ entry: 99 }, LOG, 9000)).toThrow(/no entry #99; the last one is #\d+/)
    expect(() => planRewind({ entry: 0 }, [], 9000)).toThrow(/no entries/)
    expect(() => planRewind({ entry: -1 }, LOG, 9000)).toThrow(/whole number/)
  })

  it('accepts a time: everything up to it stays', () => {
    expect(planRewind({ time: 2500 }, LOG, 0).toSeq).toBe(2)
    expect(planRewind({ time: 3000 }, LOG, 0).toSeq).toBe(3)
    expect(planRewind({ time: 99_000 }, LOG, 0).entry).toBeUndefined()
    expect(codeOf(() => planRewind({ time: -1 }, LOG, 0))).toBe('not-found')
    expect(codeOf(() => planRewind({ time: 1 }, [value('a', 0, null)], 0))).toBe('usage')
  })

  it('refuses a time that the log passes more than once, except for subagents, whose transcripts are read later', () => {
    const back: readonly LogEntry[] = [value('a', 0, 1000), value('b', 1, 5000), value('c', 2, 2000)]
    expect(() => planRewind({ time: 3000 }, back, 0)).toThrow(/times are not in order/)
    expect(codeOf(() => planRewind({ time: 3000 }, back, 0))).toBe('ambiguous')
    expect(
      planRewind({ time: 3000 }, [value('a', 0, 1000), value('b', 1, 5000), value('c', 2, 2000, 's')], 0).toSeq,
    ).toBe(0)
  })

  it('does nothing where the session is at that entry already', () => {
    expect(planRewind({ message: 'last' }, LOG, 0).entry).toBeUndefined()
    expect(planRewind({ message: 'first' }, [...LOG, rewind(5, 0)], 0).entry).toBeUndefined()
  })

  it('undoes the last rewind, and the undo', () => {
    const rewound = [...LOG, rewind(5, 0)]
    const undo = planRewind({ undo: true }, rewound, 7)
    expect(undo.entry).toEqual({ kind: 'rewind', at: 7, toSeq: 4 })
    expect(undo.back.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
    const again = planRewind({ undo: true }, [...rewound, rewind(6, 4)], 8)
    expect(again.left.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
    expect(codeOf(() => planRewind({ undo: true }, LOG, 0))).toBe('not-found')
  })

  it('returns to entries that another rewind removed, and lists what is removed for them', () => {
    const branched = [...LOG, rewind(5, 0), value('other', 6)]
    const { left, back, newest } = planRewind({ message: 'second-2' }, branched, 0)
    expect(left.map(({ seq }) => seq)).toEqual([6])
    expect(back.map(({ seq }) => seq)).toEqual([1, 2])
    expect(newest?.id).toBe('second-2')
  })
})

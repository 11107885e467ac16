import type { LogEntry, MessageEntry } from '@cairn/core'
import { entryAtLine, linesOfEntry } from './entry-lines.ts'
import type { SessionText } from './session-reading.ts'
import { createLogText } from './log-text.ts'

const AT = new Date(2026, 2, 5, 10, 0, 0).getTime()
const message = (
  seq: number,
  role: MessageEntry['role'],
  text: string,
  more: Partial<MessageEntry> = {},
): LogEntry => ({
  kind: 'message',
  seq,
  at: AT,
  id: `m${seq}`,
  role,
  content: [{ type: 'text', text }],
  ...more,
})

const shown = (entries: readonly LogEntry[], isWhole = true): SessionText => {
  const transcript = createLogText()
  for (const entry of entries) transcript.step(entry)
  return {
    header: '',
    body: transcript.parts.join(''),
    folds: [],
    landmarks: [],
    entries: transcript.entries,
    isWhole,
  }
}
const session: readonly LogEntry[] = [
  message(0, 'user', 'Fix it,\nplease.'),
  message(1, 'assistant', 'Looking.', { responseId: 'r1' }),
  message(2, 'assistant', 'Found\nit.', { responseId: 'r1' }),
  { kind: 'compaction', seq: 4, at: AT, trigger: 'auto', tokensBefore: 150_000 },
  message(5, 'assistant', '', { responseId: 'r2' }),
  message(6, 'user', 'Thanks'),
]

describe('the lines of an entry', () => {
  it('are its own, with the head of the message where it is the first below it', () => {
    const text = shown(session)
    const lines = text.body.split('\n')
    const textOf = (seq: number): readonly string[] => {
      const found = linesOfEntry(text, seq)
      return found === undefined ? [] : lines.slice(found.from, found.to + 1)
    }
    expect(textOf(0)).toEqual(['## user · 10:00:00', '  Fix it,', '  please.'])
    expect(textOf(1)).toEqual(['## assistant · 10:00:00', '  Looking.'])
    expect(textOf(2)).toEqual(['  Found', '  it.'])
    expect(textOf(4)[0]).toContain('The context was compacted')
    expect(textOf(6)).toEqual(['## user · 10:00:00', '  Thanks'])
  })

  it('are those of the entry before, where it has none, and of the first, where it comes before all', () => {
    const text = shown(session)
    expect(linesOfEntry(text, 3)).toBe(linesOfEntry(text, 2))
    expect(linesOfEntry(text, 5)).toBe(linesOfEntry(text, 4))
    expect(linesOfEntry(text, 99)?.seq).toBe(6)
    expect(linesOfEntry(shown(session.slice(1)), 0)?.seq).toBe(1)
  })

  it('are not known before the text reaches them', () => {
    expect(linesOfEntry(shown(session, false), 7)).toBeUndefined()
    expect(linesOfEntry(shown(session, false), 6)?.seq).toBe(6)
    expect(linesOfEntry(shown([]), 0)).toBeUndefined()
  })

  it('lead back to it', () => {
    const text = shown(session)
    for (const { seq, from, to } of text.entries)
      for (const line of [from, to]) expect(entryAtLine(text, line)?.seq).toBe(seq)
    expect(entryAtLine(text, 0)).toBeUndefined()
  })
})

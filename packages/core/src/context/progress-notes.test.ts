import { describe, expect, it } from '@jest/globals'
import { modelFacts } from '../models/model-facts.ts'
import type { LogEntry, NewLogEntry } from '../session-log.ts'
import { notesBeforeTrims } from './progress-notes.ts'
import { trimContext } from './trim.ts'

const FILE = 'const total = sum(lines) // a line of a file\n'.repeat(150)
const rounds = (from: number, to: number): readonly NewLogEntry[] =>
  Array.from({ length: to - from }, (_, index): readonly NewLogEntry[] => {
    const round = from + index
    return [
      {
        kind: 'message',
        at: round,
        id: `c${round}`,
        role: 'assistant',
        content: [{ type: 'tool_call', id: `t${round}`, name: 'Read', input: { file_path: `src/${round}.ts` } }],
      },
      {
        kind: 'message',
        at: round,
        id: `r${round}`,
        role: 'user',
        content: [{ type: 'tool_result', callId: `t${round}`, content: [{ type: 'text', text: `${round}\n${FILE}` }] }],
      },
    ]
  }).flat()
const ask = (text: string): NewLogEntry => ({
  kind: 'message',
  at: 0,
  id: text,
  role: 'user',
  content: [{ type: 'text', text }],
})
const log = (entries: readonly NewLogEntry[]): readonly LogEntry[] => entries.map((entry, seq) => ({ ...entry, seq }))

describe('notes before trims', () => {
  it('are those written by the policy clio', () => {
    const entries = log([ask('Read all of them.'), ...rounds(0, 20)])
    const { entriesToAppend } = trimContext({
      entries,
      facts: modelFacts(''),
      now: 5000,
      policy: 'clio',
      target: { share: 0.5 },
    })
    const [note, ...others] = notesBeforeTrims([...entries, ...entriesToAppend])
    expect(others).toEqual([])
    expect(note).toMatchObject({ seq: entriesToAppend[0]?.seq, at: 5000, by: 'clio', origin: 'written' })
    expect(note?.text).toContain('> Read all of them.')
    expect(note?.text).toContain('src/19.ts')
  })

  it('are derived from the log before each compaction that the agent made itself', () => {
    const entries = log([
      ask('Read the first ones.'),
      ...rounds(0, 3),
      { kind: 'todo', at: 3, items: [{ text: 'read the rest', status: 'pending' }] },
      ask('Now the others, please.'),
      { kind: 'compaction', at: 77, trigger: 'auto' },
      ...rounds(3, 5),
      { kind: 'compaction', at: null, trigger: 'manual', partial: true },
    ])
    const notes = notesBeforeTrims(entries)
    expect(notes).toHaveLength(1)
    expect(notes[0]).toMatchObject({ by: 'agent', origin: 'derived', at: 77 })
    const text = notes[0]?.text ?? ''
    expect(text).toContain('> Now the others, please.')
    expect(text).toContain('read the rest')
    expect(text).toContain('Requests to the model: 3')
    expect(text).toContain('src/2.ts')
    expect(text).not.toContain('src/3.ts')
  })

  it('count a reply once whose calls were recorded with their results in between', () => {
    const inParts = rounds(0, 3).map((entry) =>
      entry.kind === 'message' && entry.role === 'assistant' ? { ...entry, responseId: 'one' } : entry,
    )
    const [note] = notesBeforeTrims(
      log([ask('Read all.'), ...inParts, ...rounds(3, 5), { kind: 'compaction', at: 77, trigger: 'auto' }]),
    )
    expect(note?.text).toContain('Requests to the model: 3')
  })

  it('are absent where nothing was trimmed', () => {
    expect(notesBeforeTrims(log([ask('Hello'), ...rounds(0, 2)]))).toEqual([])
  })
})

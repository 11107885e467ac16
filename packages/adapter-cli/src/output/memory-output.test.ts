import { describe, expect, it } from '@jest/globals'
import type { MemoryEntry } from '@cairn/core'
import { createIds } from '@cairn/core/node'
import { memoryEntry } from '@cairn/core/testing'
import { entryLines, shortId } from './memory-output.ts'

const entry = (id: string, more: Partial<MemoryEntry> = {}): MemoryEntry =>
  memoryEntry(id, {
    workspace: '/code/app',
    text: 'Tests need Redis',
    confidence: 0.8,
    lastConfirmedAt: Date.UTC(2026, 0, 31, 12),
    ...more,
  })

const PAPER = { style: (_: unknown, text: string) => text, width: 60 }

describe('shortId', () => {
  it('is the end of an id, which differs even between entries of the same moment', () => {
    const ids = createIds({ now: () => 1_790_000_000_000 })
    const made = Array.from({ length: 200 }, () => ids.next())
    expect(new Set(made.map(shortId)).size).toBe(200)
    expect(made.every((id) => id.endsWith(shortId(id)) && shortId(id).length === 8)).toBe(true)
  })

  it('is the whole id where that is not a ULID', () => {
    expect(['entry-1', 'x'.repeat(40), '01KAH'].map(shortId)).toEqual(['entry-1', 'x'.repeat(40), '01KAH'])
  })
})

describe('entryLines', () => {
  it("shows an entry's facts, and leaves out usual ones", () => {
    expect(entryLines(entry('01A'), '01A', PAPER).slice(1)).toEqual(['  Tests need Redis'])
    const told = entry('01A', {
      applications: 2,
      contradictions: 1,
      source: 'agent',
      examples: ['src/a.ts:3-5@1a2b3c4d'],
      commit: '9f8e7d6',
      sessionId: 'x:1',
    })
    expect(entryLines(told, '01A', PAPER)).toEqual([
      '01A  discovery · 80 % sure · recorded 2026-01-31 · applied',
      '  2 times · contradicted once · from agent',
      '  Tests need Redis',
      '  src/a.ts:3-5',
      '  commit 9f8e7d6',
      '  session x:1',
    ])
  })

  it('says confirmed only of an entry that was', () => {
    const first = (confirmations: number) => entryLines(entry('01A', { confirmations }), '01A', PAPER)[0]
    expect([first(0), first(2)]).toEqual([
      '01A  discovery · 80 % sure · recorded 2026-01-31',
      '01A  discovery · 80 % sure · confirmed 2026-01-31',
    ])
  })

  it('cuts long texts if asked for, and says how to see all of them', () => {
    const lines = entryLines(entry('01A', { text: 'word '.repeat(200) }), '01A', PAPER, { isShort: true })
    expect(lines).toHaveLength(4)
    expect(lines[3]).toMatch(/^ {2}word .*word … \(memory show 01A\)$/)
    expect(lines.filter((line) => line.length > PAPER.width)).toEqual([])
    expect(entryLines(entry('01A', { text: 'word '.repeat(200) }), '01A', PAPER).length).toBeGreaterThan(10)
  })

  it('names the project unless it is the current one', () => {
    expect(entryLines(entry('01A'), '01A', PAPER, { project: 'other' })[0]).toMatch(/^01A {2}project other · discovery/)
  })
})

import { describe, expect, it } from '@jest/globals'
import { memoryEntry } from '../testing/index.ts'
import { byPriority, priority } from './priority.ts'

const NOW = Date.UTC(2026, 0, 31)
const DAY_MS = 86_400_000
const entry = (more: Parameters<typeof memoryEntry>[1]) =>
  memoryEntry('m', { confidence: 1, lastConfirmedAt: NOW, ...more })

describe('priority', () => {
  it('is confidence by kind, use and age', () => {
    expect(priority(entry({ confidence: 0.5 }), NOW)).toBeCloseTo(0.5)
    expect(priority(entry({ lastConfirmedAt: NOW - 60 * DAY_MS }), NOW)).toBeCloseTo(0.5)
    expect(priority(entry({ lastConfirmedAt: NOW - 120 * DAY_MS }), NOW)).toBeCloseTo(0.25)
    expect(priority(entry({ confirmations: 1 }), NOW)).toBeCloseTo(1.2)
    expect(priority(entry({ kind: 'solution', applications: 3 }), NOW)).toBeCloseTo(1.3 * (1 + 0.3 * Math.log(4)))
    expect(
      (['pattern', 'failure', 'workflow', 'context_rule'] as const).map((kind) =>
        priority(entry({ kind, confirmations: 9, applications: 9 }), NOW),
      ),
    ).toEqual([1.1, 0.9, 0.8, 1])
  })

  it('does not exceed that of an entry confirmed now when a clock is ahead', () => {
    expect(priority(entry({ lastConfirmedAt: NOW + DAY_MS }), NOW)).toBe(1)
  })

  it('orders by priority, then by the latest confirmation, then by the latest creation', () => {
    const entries = [
      memoryEntry('a', { confidence: 0 }),
      memoryEntry('b', { confidence: 0, lastConfirmedAt: 101 }),
      memoryEntry('c', { confidence: 0 }),
      memoryEntry('d', { confidence: 1 }),
    ]
    expect(entries.sort(byPriority(NOW)).map(({ id }) => id)).toEqual(['d', 'b', 'c', 'a'])
  })
})

/** The priority of an entry among others at a time: CLIO's score. It is not stored. */
import type { MemoryEntry, MemoryKind } from '../ports/memory-storage.ts'

const DAY_MS = 86_400_000
/** An entry that nobody confirms counts half after so many days. */
const HALF_LIFE_DAYS = 60

const KIND_WEIGHTS: Readonly<Record<MemoryKind, number>> = {
  solution: 1.3,
  pattern: 1.1,
  discovery: 1,
  failure: 0.9,
  workflow: 0.8,
  context_rule: 1,
}

/** A solution counts for more the more often it helped, a discovery once it was seen again. */
const useScore = ({ kind, applications, confirmations }: MemoryEntry): number => {
  if (kind === 'solution') return 1 + 0.3 * Math.log(1 + applications)
  return kind === 'discovery' && confirmations > 0 ? 1.2 : 1
}

/**
 * How much an entry counts among others: its confidence, halved every 60 days since it was last confirmed, weighted by
 * kind and use. From 0 up, mostly below 2; higher comes first. `now` in ms.
 */
export const priority = (entry: MemoryEntry, now: number): number => {
  const days = Math.max(0, now - entry.lastConfirmedAt) / DAY_MS
  return entry.confidence * 2 ** (-days / HALF_LIFE_DAYS) * KIND_WEIGHTS[entry.kind] * useScore(entry)
}

/**
 * A comparison for `sort` at the time `now` (ms): highest priority first, then the last confirmed, then the last made.
 */
export const byPriority =
  (now: number) =>
  (left: MemoryEntry, right: MemoryEntry): number =>
    priority(right, now) - priority(left, now) ||
    right.lastConfirmedAt - left.lastConfirmedAt ||
    (left.id < right.id ? 1 : left.id > right.id ? -1 : 0)

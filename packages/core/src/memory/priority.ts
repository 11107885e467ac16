/** The priority of an entry relative to others at a given time: CLIO's score. Not stored. */
import type { MemoryEntry, MemoryKind } from '../ports/memory-storage.ts'

const DAY_MS = 86_400_000
/** The priority of an unconfirmed entry halves after this many days. */
const HALF_LIFE_DAYS = 60

const KIND_WEIGHTS: Readonly<Record<MemoryKind, number>> = {
  solution: 1.3,
  pattern: 1.1,
  discovery: 1,
  failure: 0.9,
  workflow: 0.8,
  context_rule: 1,
}

/**
 * A factor for the order of entries, 1 and above: a solution's grows with how often it helped, a confirmed discovery's
 * is 1.2, every other entry's 1.
 */
const useScore = ({ kind, applications, confirmations }: MemoryEntry): number => {
  if (kind === 'solution') return 1 + 0.3 * Math.log(1 + applications)
  return kind === 'discovery' && confirmations > 0 ? 1.2 : 1
}

/**
 * An entry's priority: its confidence, halved every 60 days since the last confirmation, weighted by kind and use. From
 * 0 up, usually below 2; higher ranks first. `now` in ms.
 */
export const priority = (entry: MemoryEntry, now: number): number => {
  const days = Math.max(0, now - entry.lastConfirmedAt) / DAY_MS
  return entry.confidence * 2 ** (-days / HALF_LIFE_DAYS) * KIND_WEIGHTS[entry.kind] * useScore(entry)
}

/**
 * A comparison for `sort` at the time `now` (ms): highest priority first, then most recently confirmed, then newest.
 */
export const byPriority =
  (now: number) =>
  (left: MemoryEntry, right: MemoryEntry): number =>
    priority(right, now) - priority(left, now) ||
    right.lastConfirmedAt - left.lastConfirmedAt ||
    (left.id < right.id ? 1 : left.id > right.id ? -1 : 0)

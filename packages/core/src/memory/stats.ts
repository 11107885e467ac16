/** Statistics of a workspace's memory. */
import { MEMORY_KINDS, type MemoryEntry, type MemoryKind } from '../ports/memory-storage.ts'
import type { MemoryStats } from './memory.ts'
import { PRUNE_DEFAULTS, prunable } from './prune.ts'

/**
 * Counts and averages of a workspace's current entries. `now` is the time (ms) for which `prunable` counts what a prune
 * would end by its defaults. `oldestAt` and `newestAt` are when entries were first seen. Without entries, the average
 * and the times are null.
 */
export const memoryStats = (workspace: string, entries: readonly MemoryEntry[], now: number): MemoryStats => {
  const byKind = Object.fromEntries(
    MEMORY_KINDS.map((kind) => [kind, entries.filter((entry) => entry.kind === kind).length]),
  ) as Record<MemoryKind, number>
  const times = entries.map(({ firstSeenAt }) => firstSeenAt).sort((left, right) => left - right)
  return {
    workspace,
    entries: entries.length,
    byKind,
    averageConfidence:
      entries.length === 0 ? null : entries.reduce((sum, { confidence }) => sum + confidence, 0) / entries.length,
    oldestAt: times[0] ?? null,
    newestAt: times.at(-1) ?? null,
    prunable: prunable(entries, now, PRUNE_DEFAULTS).length,
    characters: entries.reduce((sum, { text }) => sum + text.length, 0),
  }
}

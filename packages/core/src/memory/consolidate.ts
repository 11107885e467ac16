/** Merges entries of one kind that say the same: the oldest stays, with what the others knew. */
import type { MemoryEntry, MemoryWrite } from '../ports/memory-storage.ts'
import type { ConsolidationReport } from './memory.ts'
import { joinExamples } from './memory-input.ts'
import { wordKey } from './same-words.ts'

const oldestFirst = (left: MemoryEntry, right: MemoryEntry): number =>
  left.firstSeenAt - right.firstSeenAt || (left.id < right.id ? -1 : 1)
const sum = (entries: readonly MemoryEntry[], count: (entry: MemoryEntry) => number): number =>
  entries.reduce((total, entry) => total + count(entry), 0)

/** One of several that say the same, the oldest first, with what all of them know. */
const mergedEntry = (oldest: MemoryEntry, all: readonly MemoryEntry[]): MemoryEntry => ({
  ...oldest,
  confidence: Math.max(...all.map(({ confidence }) => confidence)),
  examples: joinExamples(...all.map(({ examples }) => examples)),
  lastConfirmedAt: Math.max(...all.map(({ lastConfirmedAt }) => lastConfirmedAt)),
  applications: sum(all, ({ applications }) => applications),
  confirmations: sum(all, ({ confirmations }) => confirmations),
  contradictions: sum(all, ({ contradictions }) => contradictions),
})

/** Whether two entries are of one kind and have the same words. Letter case and marks don't count. */
export const isDuplicate = (
  left: Pick<MemoryEntry, 'kind' | 'text'>,
  right: Pick<MemoryEntry, 'kind' | 'text'>,
): boolean => left.kind === right.kind && wordKey(left.text) === wordKey(right.text)

/**
 * The writes that make one entry of all of a kind with the same words: the oldest stays, with the highest confidence and
 * the sums of all, their examples joined, and the latest confirmation; the others end as `merged`. The report has each merged
 * entry with the one that it went into, and how many entries remain. Pure.
 */
export const planConsolidation = (
  current: readonly MemoryEntry[],
): { readonly writes: readonly MemoryWrite[]; readonly report: ConsolidationReport } => {
  const groups = Map.groupBy(current.toSorted(oldestFirst), ({ kind, text }) => `${kind} ${wordKey(text)}`)
  const writes: MemoryWrite[] = []
  const merged: { readonly id: string; readonly into: string }[] = []
  for (const group of groups.values()) {
    const [oldest, ...others] = group
    if (oldest === undefined || others.length === 0) continue
    writes.push({ op: 'put', entry: mergedEntry(oldest, group) })
    for (const { id } of others) {
      writes.push({ op: 'end', id, reason: 'merged', replacedBy: oldest.id })
      merged.push({ id, into: oldest.id })
    }
  }
  return { writes, report: { merged, entries: groups.size } }
}

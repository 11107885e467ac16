/** Merges equivalent entries of one kind: the oldest stays and takes over what the others knew. */
import type { MemoryEntry, MemoryWrite } from '../ports/memory-storage.ts'
import type { ConsolidationReport } from './memory.ts'
import { joinExamples } from './memory-input.ts'
import { wordKey } from './same-words.ts'

const oldestFirst = (left: MemoryEntry, right: MemoryEntry): number =>
  left.firstSeenAt - right.firstSeenAt || (left.id < right.id ? -1 : 1)
const sum = (entries: readonly MemoryEntry[], count: (entry: MemoryEntry) => number): number =>
  entries.reduce((total, entry) => total + count(entry), 0)

/**
 * Merges equivalent entries, given oldest first, into one with the information of all of them. It keeps the oldest's
 * id, text and source; the confidence is the highest.
 */
const mergedEntry = (oldest: MemoryEntry, all: readonly MemoryEntry[]): MemoryEntry => ({
  ...oldest,
  confidence: Math.max(...all.map(({ confidence }) => confidence)),
  examples: joinExamples(...all.map(({ examples }) => examples)),
  lastConfirmedAt: Math.max(...all.map(({ lastConfirmedAt }) => lastConfirmedAt)),
  applications: sum(all, ({ applications }) => applications),
  confirmations: sum(all, ({ confirmations }) => confirmations),
  contradictions: sum(all, ({ contradictions }) => contradictions),
})

/** Whether two entries have the same kind and the same words, ignoring case and punctuation. */
export const isDuplicate = (
  left: Pick<MemoryEntry, 'kind' | 'text'>,
  right: Pick<MemoryEntry, 'kind' | 'text'>,
): boolean => left.kind === right.kind && wordKey(left.text) === wordKey(right.text)

/**
 * Plans the writes that merge all entries of a kind with the same words. The oldest stays, with the highest confidence,
 * the sums of all counts, the joined examples and the latest confirmation; the others end as `merged`. The report lists
 * each merged entry with its target, and the number of remaining entries. Pure.
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

/** Prepares entries for callers: removes the fingerprints of citations, and marks citations that have changed. */
import type { MemoryEntry } from '../ports/memory-storage.ts'
import type { KnownMemory, MemoryMatch } from './memory.ts'
import { citationText } from './staleness-citation.ts'
import { findStaleEntries, type Staleness, type StalenessDeps } from './staleness.ts'
import { byPriority } from './priority.ts'

type Stale = ReadonlyMap<string, Staleness>

/** No entry has a stale citation. */
export const NOTHING_STALE: Stale = new Map()

/** A copy of the entry without the fingerprints of its citations, which only `check` needs. */
export const withoutFingerprints = (entry: MemoryEntry): MemoryEntry => ({
  ...entry,
  examples: entry.examples.map(citationText),
})

/** The entry with its changed or missing citations (`stale`, absent if there are none), without fingerprints. */
export const withStaleness = (entry: MemoryEntry, stale: Stale): KnownMemory => {
  const found = stale.get(entry.id)
  return found === undefined ? withoutFingerprints(entry) : { ...withoutFingerprints(entry), stale: found.citations }
}

/**
 * Reorders matches by score after lowering entries with changed citations; ties keep their order. `entries`: the entry
 * of each match, by id.
 */
export const rerankStale = (
  matches: readonly MemoryMatch[],
  entries: readonly MemoryEntry[],
  stale: Stale,
): readonly MemoryMatch[] => {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return matches
    .map(({ entry, score }) => ({
      entry: withStaleness(byId.get(entry.id) ?? entry, stale),
      score: score * (stale.get(entry.id)?.factor ?? 1),
    }))
    .sort((left, right) => right.score - left.score)
}

/**
 * A comparison for `sort` that orders a memory section's entries by priority at a time (ms), highest first, with stale
 * entries lowered.
 */
export const priorityOrder =
  (at: number, stale: Stale) =>
  (left: MemoryEntry, right: MemoryEntry): number => {
    const weighed = (entry: MemoryEntry): MemoryEntry => {
      const factor = stale.get(entry.id)?.factor ?? 1
      return factor === 1 ? entry : { ...entry, confidence: entry.confidence * factor }
    }
    return byPriority(at)(weighed(left), weighed(right))
  }

/** More entries than a section can contain; lower-ranked ones never get in. */
const SECTION_CANDIDATES = 150
const DAY_MS = 86_400_000
const KEPT_SECTIONS = 100

/** Checks the citations of a section's entries once per session. */
export interface SectionChecks {
  /** The stale citations of a section's entries, as of the start of its session. */
  of(workspace: string, at: number | undefined, entries: readonly MemoryEntry[]): Promise<Stale>
}

/**
 * Checks the `SECTION_CANDIDATES` entries of highest priority, and keeps a session's result (by workspace and `at`), so
 * that all its requests get the same bytes even if cited files change; without `at` each call checks anew. Sessions
 * that started over a day ago and have no result are not checked: nothing is stale. The oldest of over `KEPT_SECTIONS`
 * goes.
 */
export const createSectionChecks = (deps: Omit<StalenessDeps, 'storage'>): SectionChecks => {
  const known = new Map<string, Stale>()
  return {
    of: async (workspace, at, entries) => {
      const now = deps.clock.now()
      const key = JSON.stringify([workspace, at])
      const found = at === undefined ? undefined : known.get(key)
      if (found !== undefined) return found
      if (at !== undefined && now - at > DAY_MS) return NOTHING_STALE
      const candidates = entries.toSorted(byPriority(at ?? now)).slice(0, SECTION_CANDIDATES)
      const stale = await findStaleEntries(candidates, deps)
      if (at === undefined) return stale
      known.set(key, stale)
      const [oldest] = known.keys()
      if (known.size > KEPT_SECTIONS && oldest !== undefined) known.delete(oldest)
      return stale
    },
  }
}

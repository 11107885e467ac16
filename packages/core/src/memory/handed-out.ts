/** Entries as they are handed out: without the fingerprints of what they cite, and marked where that has changed. */
import type { MemoryEntry } from '../ports/memory-storage.ts'
import type { KnownMemory, MemoryMatch } from './memory.ts'
import { citationText } from './staleness-citation.ts'
import { staleEntries, type Staleness, type StalenessDeps } from './staleness.ts'
import { byPriority } from './priority.ts'

type Stale = ReadonlyMap<string, Staleness>

export const NOTHING_STALE: Stale = new Map()

/** An entry without the fingerprints by which `check` sees that its places changed. */
export const shown = (entry: MemoryEntry): MemoryEntry => ({ ...entry, examples: entry.examples.map(citationText) })

/** The same, with the places that don't say any more what they said. */
export const marked = (entry: MemoryEntry, stale: Stale): KnownMemory => {
  const found = stale.get(entry.id)
  return found === undefined ? shown(entry) : { ...shown(entry), stale: found.places }
}

/** Matches anew by their scores, lower where cited places changed. */
export const rankedAnew = (
  matches: readonly MemoryMatch[],
  entries: readonly MemoryEntry[],
  stale: Stale,
): readonly MemoryMatch[] => {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return matches
    .map(({ entry, score }) => ({
      entry: marked(byId.get(entry.id) ?? entry, stale),
      score: score * (stale.get(entry.id)?.factor ?? 1),
    }))
    .sort((left, right) => right.score - left.score)
}

/** The order of a section: by standing, of which a change of what is cited takes its part. */
export const standingOrder =
  (at: number, stale: Stale) =>
  (left: MemoryEntry, right: MemoryEntry): number => {
    const weighed = (entry: MemoryEntry): MemoryEntry => {
      const factor = stale.get(entry.id)?.factor ?? 1
      return factor === 1 ? entry : { ...entry, confidence: entry.confidence * factor }
    }
    return byPriority(at)(weighed(left), weighed(right))
  }

/** More entries than a section ever takes: what stands below them does not get into it. */
const SECTION_CANDIDATES = 150
const DAY_MS = 86_400_000
const KEPT_SECTIONS = 100

export interface SectionChecks {
  /** What the files say against the entries of a section, as of the beginning of its session. */
  of(workspace: string, at: number | undefined, entries: readonly MemoryEntry[]): Promise<Stale>
}

/** A session is given the same bytes for all of its requests, also when it changes the files that entries cite. */
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
      const stale = await staleEntries(candidates, deps)
      if (at === undefined) return stale
      known.set(key, stale)
      const [oldest] = known.keys()
      if (known.size > KEPT_SECTIONS && oldest !== undefined) known.delete(oldest)
      return stale
    },
  }
}

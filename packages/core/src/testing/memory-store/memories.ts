/** Long-term memory of the in-memory store: a list of versions for each entry. */
import type { MemoryEntry, MemoryStorage } from '../../ports/memory-storage.ts'
import { compareText, type MemoryVersion, type StoreData } from './data.ts'

/** The newest version that had begun; of equal times the one put last. */
const versionAt = (
  versions: readonly MemoryVersion[],
  asOf = Number.POSITIVE_INFINITY,
): MemoryEntry | undefined => {
  let found: MemoryVersion | undefined
  for (const version of versions) {
    if (version.at <= asOf && (found === undefined || version.at >= found.at)) found = version
  }
  return found?.entry
}

export const createMemoryMemories = (data: StoreData): MemoryStorage => {
  const versionsOf = (id: string): MemoryVersion[] => data.memories.get(id) ?? []
  return {
    put: async (entry, at) => {
      data.memories.set(entry.id, [...versionsOf(entry.id), { at, entry: structuredClone(entry) }])
      data.changed()
    },
    get: async (id, asOf) => structuredClone(versionAt(versionsOf(id), asOf)),
    list: async (workspace, options) =>
      [...data.memories.values()]
        .flatMap((versions) => versionAt(versions, options?.asOf) ?? [])
        .filter(
          (entry) =>
            entry.workspace === workspace && (options?.kind === undefined || entry.kind === options.kind),
        )
        .sort((left, right) => right.lastConfirmedAt - left.lastConfirmedAt || compareText(left.id, right.id))
        .map((entry) => structuredClone(entry)),
    forget: async (id, at) => {
      if (versionAt(versionsOf(id)) === undefined) return false
      data.memories.set(id, [...versionsOf(id), { at, entry: undefined }])
      data.changed()
      return true
    },
  }
}

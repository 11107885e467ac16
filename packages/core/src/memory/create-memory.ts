/**
 * Long-term memory over its storage. `MemoryReader` and `MemoryWriter` read and change single entries; operations on a
 * whole workspace are here.
 */
import { assertName, assertText, assertTextOrAbsent } from '../input.ts'
import type { MemoryEntry } from '../ports/memory-storage.ts'
import { redact as redactSecrets } from '../redaction/index.ts'
import { planConsolidation } from './consolidate.ts'
import { createMemorySection } from './create-section.ts'
import { findEntry } from './find-entry.ts'
import type { Memory, PruneOptions, PruneReport, StalenessReport } from './memory.ts'
import { assertListing, assertWorkspace } from './memory-input.ts'
import { MemoryReader } from './memory-reader.ts'
import { MemoryWriter, type MemoryDeps } from './memory-writer.ts'
import { prunable, pruneLimits } from './prune.ts'
import { exportMemory } from './sharing-file.ts'
import { importMemory } from './sharing.ts'
import { withoutFingerprints } from './stale-entries.ts'
import { citationText } from './staleness-citation.ts'
import { checkStaleness } from './staleness.ts'
import { memoryStats } from './stats.ts'

/**
 * Creates the long-term memory over a storage. See {@link Memory} for the errors of each call. Returned citations have
 * no fingerprints.
 */
export const createMemory = (deps: MemoryDeps): Memory => {
  const { storage, clock, ids, hasher } = deps
  const reader = new MemoryReader(deps)
  const writer = new MemoryWriter(deps)
  return {
    add: async (input) => {
      const added = await writer.add(input)
      return { ...added, entry: withoutFingerprints(added.entry) }
    },
    get: (idOrPrefix, asOf) => reader.get(idOrPrefix, asOf),
    list: (workspace, listing) => reader.list(workspace, listing),
    search: (workspace, text, options) => reader.search(workspace, text, options),
    confirm: async (id, { applied = false } = {}) => withoutFingerprints(await writer.confirm(id, applied)),
    contradict: async (...given) => withoutFingerprints(await writer.contradict(...given)),
    update: async (...given) => withoutFingerprints(await writer.update(...given)),
    forget: async (idOrPrefix) => withoutFingerprints(await writer.forget(idOrPrefix)),
    history: async (idOrPrefix) =>
      (await storage.history((await findEntry(storage, idOrPrefix)).id)).map((version) => ({
        ...version,
        entry: withoutFingerprints(version.entry),
      })),
    ended: async (workspace, listing = {}) => {
      assertWorkspace(workspace)
      assertListing(listing)
      return (await storage.ended(workspace))
        .filter(({ entry }) => listing.kind === undefined || entry.kind === listing.kind)
        .map((version) => ({ ...version, entry: withoutFingerprints(version.entry) }))
    },
    stats: async (workspace) => {
      assertWorkspace(workspace)
      return memoryStats(workspace, await storage.list(workspace), clock.now())
    },
    prune: (workspace, options) => pruneMemory(deps, workspace, options),
    consolidate: async (workspace) => {
      assertWorkspace(workspace)
      return storage.change(workspace, clock.now(), (current) => {
        const { writes, report } = planConsolidation(current)
        return { writes, result: report }
      })
    },
    section: createMemorySection(deps),
    check: async (workspace, folder, options) => {
      assertWorkspace(workspace)
      assertName(folder, 'The folder to compare the memory with')
      return forReaders(await checkStaleness(deps, workspace, folder, options))
    },
    exportText: async (workspace) => {
      assertWorkspace(workspace)
      return exportMemory(await storage.list(workspace), hasher)
    },
    importText: async (workspace, text, source, options = {}) => {
      assertWorkspace(workspace)
      assertText(text, 'The text of a memory file')
      assertTextOrAbsent(source, 'The name of a memory file')
      const redact = deps.redact ?? redactSecrets
      return importMemory({ storage, clock, ids, hasher, redact }, workspace, text, source, options)
    },
  }
}

/**
 * Ends entries that are too old, too weak or too many of their kind, and reports them with the reason; with `dryRun`
 * only reports. Rejects with `invalid-input` for wrong limits.
 */
const pruneMemory = async (
  { storage, clock }: MemoryDeps,
  workspace: string,
  options: PruneOptions = {},
): Promise<PruneReport> => {
  assertWorkspace(workspace)
  const limits = pruneLimits(options)
  const now = clock.now()
  /** What would be pruned of the current entries, without fingerprints, and how many stay. */
  const report = (current: readonly MemoryEntry[], dryRun: boolean): PruneReport => {
    const pruned = prunable(current, now, limits)
    return {
      pruned: pruned.map(({ entry, why }) => ({ entry: withoutFingerprints(entry), why })),
      kept: current.length - pruned.length,
      dryRun,
    }
  }
  if (options.dryRun === true) return report(await storage.list(workspace), true)
  return storage.change(workspace, now, (current) => {
    const result = report(current, false)
    return { writes: result.pruned.map(({ entry }) => ({ op: 'end', id: entry.id, reason: 'pruned' })), result }
  })
}

/** The report with citations as a person writes them, without the stored fingerprints. */
const forReaders = (report: StalenessReport): StalenessReport => ({
  ...report,
  checked: report.checked.map((finding) => ({
    ...finding,
    entry: withoutFingerprints(finding.entry),
    example: citationText(finding.example),
  })),
})

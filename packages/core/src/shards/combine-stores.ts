/** Several stores, as one to be read. */
import type { CleanUpStorage, OrphanCount } from '../ports/clean-up-storage.ts'
import type { HealthSample, HealthStorage, ReplicaLag, TableSize } from '../ports/health-storage.ts'
import type { ImportStorage } from '../ports/import-storage.ts'
import type { Store, StoreStatistics } from '../ports/store.ts'
import { addSamples } from '../health/sample.ts'
import { createCombinedProjects } from './combined-projects.ts'
import { createCombinedSearch } from './combined-search.ts'
import { createCombinedSessions } from './combined-sessions.ts'
import { createCombinedUsage } from './combined-usage.ts'
import { refusalOf, type Refusal } from './refusal.ts'

/**
 * The store over all shards, of which there is at least one; each session is in one of them. It is read, changed as a whole
 * (priced, checked, rebuilt, purged) and deleted from; appends and imports reject with `usage`. What no team's store is sent
 * (settings, notes, memory, checkpoints) is that of the first shard. Closing it closes all of them.
 */
export const combineStores = (shards: readonly [Store, ...Store[]]): Store => {
  const [first] = shards
  const each = async <T>(work: (store: Store) => Promise<T>): Promise<T[]> => Promise.all(shards.map(work))
  const location = async (): Promise<string> =>
    (await each((store) => store.statistics())).map((statistics) => statistics.location).join(' ')
  const refuse: Refusal = async () => refusalOf(await location())()
  return {
    sessions: createCombinedSessions(shards, refuse),
    usage: createCombinedUsage(shards, refuse),
    projects: createCombinedProjects(shards),
    imports: createCombinedImports(shards, refuse),
    search: createCombinedSearch(shards),
    state: first.state,
    notes: first.notes,
    memory: first.memory,
    checkpoints: first.checkpoints,
    cleanUp: createCombinedCleanUp(shards, first),
    health: createCombinedHealth(shards, first),
    statistics: async () => (await each((store) => store.statistics())).reduce(addStatistics),
    verify: async () => (await each((store) => store.verify())).flat(),
    rebuild: async () => {
      await each((store) => store.rebuild())
    },
    reprice: async (prices) => sumOf(await each((store) => store.reprice(prices))),
    purge: async () => {
      await each((store) => store.purge())
    },
    onChange: (listener) => {
      const ends = shards.map((store) => store.onChange(listener))
      return () => {
        for (const end of ends) end()
      }
    },
    close: async () => {
      await each((store) => store.close())
    },
  }
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

/** Counts and sizes added up; the location names both. */
const addStatistics = (one: StoreStatistics, other: StoreStatistics): StoreStatistics => ({
  location: `${one.location} ${other.location}`,
  sessions: one.sessions + other.sessions,
  entries: one.entries + other.entries,
  requests: one.requests + other.requests,
  importedFiles: one.importedFiles + other.importedFiles,
  redactions: one.redactions + other.redactions,
  sourceBytes: one.sourceBytes + other.sourceBytes,
  blocks: one.blocks + other.blocks,
  packedBytes: one.packedBytes + other.packedBytes,
  totalBytes: one.totalBytes + other.totalBytes,
})

/** What was imported, by all shards; nothing can be imported. Of a file that several have, the first one's cursor. */
const createCombinedImports = (shards: readonly Store[], refuse: Refusal): ImportStorage => ({
  files: async () => (await Promise.all(shards.map(({ imports }) => imports.files()))).flat(),
  file: async (path) =>
    (await Promise.all(shards.map(({ imports }) => imports.file(path)))).find((file) => file !== undefined),
  prepare: () => ({ commit: () => refuse() }),
  messagesWith: async (sessionId, externalIds) =>
    new Map(
      (await Promise.all(shards.map(({ imports }) => imports.messagesWith(sessionId, externalIds)))).flatMap(
        (messages) => [...messages],
      ),
    ),
  skips: async () =>
    (await Promise.all(shards.map(({ imports }) => imports.skips())))
      .flat()
      .sort((left, right) => (left.file < right.file ? -1 : left.file > right.file ? 1 : 0)),
})

/**
 * All shards are cleaned up together, and what they found is added up by kind; whether it is time, and the record of
 * it, are in the first one.
 */
const createCombinedCleanUp = (shards: readonly Store[], first: Store): CleanUpStorage => ({
  removeOrphans: async (query) => {
    const counts = new Map<OrphanCount['kind'], OrphanCount>()
    for (const count of (await Promise.all(shards.map(({ cleanUp }) => cleanUp.removeOrphans(query)))).flat()) {
      const { found = 0, removed = 0, bytes = 0 } = counts.get(count.kind) ?? {}
      counts.set(count.kind, {
        kind: count.kind,
        found: found + count.found,
        removed: removed + count.removed,
        bytes: bytes + count.bytes,
      })
    }
    return [...counts.values()]
  },
  claim: (now, everyMs) => first.cleanUp.claim(now, everyMs),
  record: (record) => first.cleanUp.record(record),
  last: () => first.cleanUp.last(),
})

/**
 * The lag of two replicas as one: the larger seconds and bytes, null (not known) where either is; paused if one is,
 * connected only if both are. Null is no replica: then the other's as it is.
 */
const furtherBehind = (one: ReplicaLag | null, other: ReplicaLag | null): ReplicaLag | null => {
  if (one === null || other === null) return one ?? other
  return {
    seconds: one.seconds === null || other.seconds === null ? null : Math.max(one.seconds, other.seconds),
    bytes: one.bytes === null || other.bytes === null ? null : Math.max(one.bytes, other.bytes),
    isPaused: one.isPaused || other.isPaused,
    isConnected: one.isConnected && other.isConnected,
  }
}

/**
 * Health over shards: samples of the same quarter of an hour are added up, oldest first, and so are the sizes of a
 * table, largest first; the lag is that of the replica that is furthest behind. A new sample goes to the first shard.
 */
const createCombinedHealth = (shards: readonly Store[], first: Store): HealthStorage => {
  const ask = <T>(question: (health: HealthStorage) => Promise<T>): Promise<T[]> =>
    Promise.all(shards.map(({ health }) => question(health)))
  return {
    add: (sample) => first.health.add(sample),
    since: async (bucket) => {
      const samples = new Map<number, HealthSample>()
      for (const sample of (await ask((health) => health.since(bucket))).flat()) {
        const known = samples.get(sample.bucket)
        samples.set(sample.bucket, known === undefined ? sample : addSamples(known, sample))
      }
      return [...samples.values()].sort((left, right) => left.bucket - right.bucket)
    },
    tableSizes: async () => {
      const sizes = new Map<string, TableSize>()
      for (const { name, bytes } of (await ask((health) => health.tableSizes())).flat())
        sizes.set(name, { name, bytes: bytes + (sizes.get(name)?.bytes ?? 0) })
      return [...sizes.values()].sort((left, right) => right.bytes - left.bytes)
    },
    replicaLag: async () => (await ask((health) => health.replicaLag())).reduce(furtherBehind),
  }
}

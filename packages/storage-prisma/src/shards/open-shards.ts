/** A team's store of several databases: all of them opened, and put together as one. */
import { CairnError } from '@cairn/core'
import type { Store } from '@cairn/core'
import { createHasher } from '@cairn/core/node'
import { combineStores, createShardTarget } from '@cairn/core/shards'
import type { Shard } from '@cairn/core/shards'
import type { SyncSource } from '@cairn/core/sync'
import type { DatabaseStore } from '../database-store.ts'
import type { Erasure, ErasureReport } from '../erasure/erasure.ts'

/**
 * Opens the stores at these addresses, at once, as one store. Rejects with what the first of them rejects with, and with
 * `usage` for a database that is named twice, under whatever address; those that were opened are closed then.
 */
export const openShards = async (
  addresses: readonly string[],
  openOne: (address: string) => Promise<DatabaseStore>,
): Promise<DatabaseStore> => {
  const opening = addresses.map(openOne)
  const opened = (await Promise.allSettled(opening)).flatMap((result) =>
    result.status === 'fulfilled' ? [result.value] : [],
  )
  try {
    await Promise.all(opening)
    return await together(opened)
  } catch (error) {
    await Promise.all(opened.map((store) => store.close()))
    throw error
  }
}

/** The stores as one. Rejects with `usage` where two of them are the same. */
const together = async (stores: readonly DatabaseStore[]): Promise<DatabaseStore> => {
  const [first, ...others] = stores
  if (first === undefined) throw new CairnError('usage', 'No store is named.')
  const identities = await Promise.all(stores.map((store) => store.identity()))
  const twice = identities.findIndex((identity, index) => identities.indexOf(identity) < index)
  if (twice >= 0) {
    const { location } = await (stores[twice] ?? first).statistics()
    throw new CairnError('usage', `The database ${location} is named twice: name each one of a store once.`)
  }
  const shards = stores.map((store, index): Shard => ({ identity: identities[index] ?? '', target: store.sync.target }))
  const combined: Store = combineStores([first, ...others])
  const each = async <T>(work: (store: DatabaseStore) => Promise<T>): Promise<T[]> => Promise.all(stores.map(work))
  return {
    ...combined,
    identity: () => Promise.resolve(identities.toSorted().join(' ')),
    timelines: async () => new Map((await each((store) => store.timelines())).flatMap((timelines) => [...timelines])),
    check: async () => {
      await each((store) => store.check())
    },
    sync: {
      source: refusingSource(),
      target: createShardTarget(atLeastOne(shards), createHasher()),
    },
    erasure: combinedErasure(stores),
  }
}

/** The list as one that is not empty. @throws Error if it is */
const atLeastOne = <T>([first, ...others]: readonly T[]): readonly [T, ...T[]] => {
  if (first === undefined) throw new Error('a store has at least one database')
  return [first, ...others]
}

/** A source whose every question rejects with `usage`: what is sent comes from a user's own store. */
const refusingSource = (): SyncSource =>
  new Proxy({} as SyncSource, {
    get: () => () =>
      Promise.reject(
        new CairnError('usage', 'A store of several databases is a team’s: sync from your own, which is one file.'),
      ),
  })

/** What is asked to be removed goes from every database, one after another; the reports are added up. */
const combinedErasure = (stores: readonly DatabaseStore[]): Erasure => ({
  people: async () => [...new Set((await Promise.all(stores.map(({ erasure }) => erasure.people()))).flat())].sort(),
  run: async (scope, options) => {
    const reports: ErasureReport[] = []
    // One after another: what one of them can't do is told before the next is touched.
    for (const { erasure } of stores) reports.push(await erasure.run(scope, options))
    return reports.reduce(addReports)
  },
})

/** Rows and bytes added up; a machine, which every database knows, counts once. */
const addReports = (one: ErasureReport, other: ErasureReport): ErasureReport => ({
  sessions: one.sessions + other.sessions,
  entries: one.entries + other.entries,
  requests: one.requests + other.requests,
  failures: one.failures + other.failures,
  sourceLines: one.sourceLines + other.sourceLines,
  settings: one.settings + other.settings,
  machines: Math.max(one.machines, other.machines),
  names: one.names + other.names,
  bytes: one.bytes + other.bytes,
})

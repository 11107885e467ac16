/** Creates the engine with Node's implementations of its ports. Loaded only by commands that need one. */
import { createEngine } from '@cairn/core'
import type { Engine, EngineDeps, PriceOverride, Privacy } from '@cairn/core'
import { createFileSystem, createHasher, createIds, createSystemClock } from '@cairn/core/node'
import type { RepositorySetting } from '@cairn/core/node/checkpoints'
import type { WatchedEngine } from '@cairn/core/node/watching'

type Prices = Readonly<Record<string, PriceOverride>>

/** What every engine of this process is made with: clock, ids, prices and so on. */
const surroundingsOf = (prices: Prices): Omit<EngineDeps, 'store' | 'privacy'> => {
  const clock = createSystemClock()
  return { fileSystem: createFileSystem(), hasher: createHasher(), clock, ids: createIds(clock), prices }
}

/** What keeps checkpoints, loaded when they are first asked for. */
const snapshotsOf = (address: string, kept: RepositorySetting | undefined): Pick<EngineDeps, 'snapshots'> => {
  if (kept === undefined) return {}
  const setting = address.startsWith('file:') ? { ...kept, storeFile: address.slice('file:'.length) } : kept
  return { snapshots: async () => (await import('@cairn/core/node/checkpoints')).createSnapshotRepository(setting) }
}

export interface EngineSetting {
  readonly prices: Prices
  readonly privacy?: Omit<Privacy, 'incognito'>
  /** Where checkpoints are kept. */
  readonly checkpoints?: RepositorySetting
  /** Called while a search waits for the index to be built; counts entries of the log. */
  readonly onIndexing?: (progress: { readonly done: number; readonly total: number }) => void
}

/** The engine over the store at an address. */
export const openEngine = async (
  address: string,
  { prices, privacy = {}, checkpoints, onIndexing }: EngineSetting,
): Promise<Engine> => {
  const { openStore } = await import('@cairn/storage-prisma')
  const store = await openStore(address, onIndexing === undefined ? {} : { onIndexing })
  return createEngine({ ...surroundingsOf(prices), ...snapshotsOf(address, checkpoints), store, privacy })
}

/** The engine over the store at an address, for a watch: it is told when that is not the store any more. */
export const openWatchedEngine = async (address: string, prices: Prices): Promise<WatchedEngine> => {
  const { openStore } = await import('@cairn/storage-prisma')
  const store = await openStore(address)
  return { engine: createEngine({ ...surroundingsOf(prices), store }), check: () => store.check() }
}

/** An engine over a store in memory: no store is opened, and none is made. */
export const openIncognitoEngine = async (prices: Prices): Promise<Engine> => {
  const { createIncognitoEngine } = await import('@cairn/core/ephemeral')
  return createIncognitoEngine(surroundingsOf(prices))
}

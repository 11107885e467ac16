/** Creates the engine with Node's implementations of its ports. Loaded only by commands that need one. */
import { createEngine } from '@cairn/core'
import type { Engine, EngineDeps, PriceOverride, Privacy } from '@cairn/core'
import {
  createFileSystem,
  createHasher,
  createIds,
  createProcesses,
  createSystemClock,
  createSystemTimer,
} from '@cairn/core/node'
import type { RepositorySetting } from '@cairn/core/node/checkpoints'
import type { WatchedEngine } from '@cairn/core/node/watching'

type Prices = Readonly<Record<string, PriceOverride>>

/** What every engine of this process is made with: clock, ids, prices and so on. */
const surroundingsOf = (prices: Prices): Omit<EngineDeps, 'store' | 'privacy'> => {
  const clock = createSystemClock()
  return {
    fileSystem: createFileSystem(),
    hasher: createHasher(),
    clock,
    ids: createIds(clock),
    processes: createProcesses(),
    timer: createSystemTimer(),
    prices,
    git: async () => (await import('@cairn/core/node/watching')).createGitRecords(),
  }
}

/** What keeps checkpoints, loaded when they are first asked for. */
const snapshotsOf = (address: string, kept: RepositorySetting): Pick<EngineDeps, 'snapshots'> => {
  const setting = address.startsWith('file:') ? { ...kept, storeFile: address.slice('file:'.length) } : kept
  return { snapshots: async () => (await import('@cairn/core/node/checkpoints')).createSnapshotRepository(setting) }
}

/** What related files are found from, loaded when they are first asked for. */
const sourcesOf = (dataFolder?: string): Pick<EngineDeps, 'sources'> => ({
  sources: async () =>
    (await import('@cairn/core/node/sources')).createSourceAccess(dataFolder === undefined ? {} : { dataFolder }),
})

/** What can be left behind beside the store, loaded for a clean-up. */
const besideOf = (address: string, dataFolder: string): Pick<EngineDeps, 'beside'> => ({
  beside: async () => (await import('@cairn/core/node/cleanup')).besideTheStore(dataFolder, address),
})

export interface EngineSetting {
  readonly prices: Prices
  readonly privacy?: Omit<Privacy, 'incognito'>
  /** Where checkpoints are kept. */
  readonly checkpoints?: RepositorySetting
  /** The program of threads that read large imports ahead. Default: the thread that imports reads. */
  readonly importThreads?: URL
  /** Called while a search waits for the index to be built; counts entries of the log. */
  readonly onIndexing?: (progress: { readonly done: number; readonly total: number }) => void
}

/**
 * The engine over the store at an address, which is made where it is missing. Rejects as {@link openStore} does.
 * `close` it at the end.
 */
export const openEngine = async (
  address: string,
  { prices, privacy = {}, checkpoints, importThreads, onIndexing }: EngineSetting,
): Promise<Engine> => {
  const { openStore } = await import('@cairn/storage-prisma')
  const store = await openStore(address, {
    ...(importThreads === undefined ? {} : { importThreads }),
    ...(onIndexing === undefined ? {} : { onIndexing }),
  })
  return createEngine({
    ...surroundingsOf(prices),
    ...sourcesOf(checkpoints?.dataFolder),
    ...(checkpoints === undefined
      ? {}
      : { ...snapshotsOf(address, checkpoints), ...besideOf(address, checkpoints.dataFolder) }),
    store,
    privacy,
  })
}

/** An engine over an empty store in memory, for a command that only reads where there is no store yet. */
export const openEmptyEngine = async (
  address: string,
  { prices, privacy = {}, checkpoints }: EngineSetting,
): Promise<Engine> => {
  const { createEphemeralStore } = await import('@cairn/core/ephemeral')
  const empty = createEphemeralStore()
  // Said to be where it would be made.
  const location = address.replace(/^file:/, '')
  const store = { ...empty, statistics: async () => ({ ...(await empty.statistics()), location }) }
  return createEngine({
    ...surroundingsOf(prices),
    ...sourcesOf(checkpoints?.dataFolder),
    ...(checkpoints === undefined ? {} : snapshotsOf(address, checkpoints)),
    store,
    privacy,
  })
}

/**
 * The engine over the store at an address, for a watch, after its clean-up; `check` rejects when that is not the store
 * any more. Rejects as {@link openStore} does.
 */
export const openWatchedEngine = async (
  address: string,
  prices: Prices,
  dataFolder: string,
): Promise<WatchedEngine> => {
  const { openStore } = await import('@cairn/storage-prisma')
  const store = await openStore(address)
  const engine = createEngine({ ...surroundingsOf(prices), ...besideOf(address, dataFolder), store })
  await engine.cleanUp.atStart()
  return { engine, check: () => store.check() }
}

/** An engine over a store in memory: no store is opened, and none is made; what it keeps is gone when it closes. */
export const openIncognitoEngine = async (prices: Prices): Promise<Engine> => {
  const { createIncognitoEngine } = await import('@cairn/core/ephemeral')
  return createIncognitoEngine({ ...surroundingsOf(prices), ...sourcesOf() })
}

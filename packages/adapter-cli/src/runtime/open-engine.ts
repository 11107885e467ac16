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

/** Returns what every engine of this process is made with: clock, ids, prices and so on. */
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

/** Returns what stores checkpoints, loaded when it is first needed. */
const snapshotsOf = (address: string, kept: RepositorySetting): Pick<EngineDeps, 'snapshots'> => {
  const setting = address.startsWith('file:') ? { ...kept, storeFile: address.slice('file:'.length) } : kept
  return { snapshots: async () => (await import('@cairn/core/node/checkpoints')).createSnapshotRepository(setting) }
}

/** What related files are found from, loaded when it is first needed. `dataFolder`: where their index is kept. */
const sourcesOf = (dataFolder?: string): Pick<EngineDeps, 'sources'> => ({
  sources: async () =>
    (await import('@cairn/core/node/sources')).createSourceAccess(dataFolder === undefined ? {} : { dataFolder }),
})

/** What may be left over beside the store, loaded for a clean-up. */
const besideOf = (address: string, dataFolder: string): Pick<EngineDeps, 'beside'> => ({
  beside: async () => (await import('@cairn/core/node/cleanup')).besideTheStore(dataFolder, address),
})

/** What an engine is opened with. */
export interface EngineSetting {
  readonly prices: Prices
  readonly privacy?: Omit<Privacy, 'incognito'>
  /** Where checkpoints are kept. */
  readonly checkpoints?: RepositorySetting
  /** Called while a search waits for the index to be built; counts entries of the log. */
  readonly onIndexing?: (progress: { readonly done: number; readonly total: number }) => void
}

/**
 * Returns the engine over the store at an address, which is created if it does not exist; `close` it at the end.
 * Rejects as {@link openStore} does.
 */
export const openEngine = async (
  address: string,
  { prices, privacy = {}, checkpoints, onIndexing }: EngineSetting,
): Promise<Engine> => {
  const { openStore } = await import('@cairn/storage-prisma')
  const store = await openStore(address, onIndexing === undefined ? {} : { onIndexing })
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

/**
 * Returns an engine over an empty store in memory, for a command that only reads while there is no store yet. What is
 * written to it is lost.
 */
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
 * Returns the engine over the store at an address for a watch, after its clean-up; `check` rejects if that file is not
 * the store any more. Rejects as {@link openStore} does.
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

/**
 * Returns an engine over a store in memory, without opening or creating a store; its content is lost when it closes.
 */
export const openIncognitoEngine = async (prices: Prices): Promise<Engine> => {
  const { createIncognitoEngine } = await import('@cairn/core/ephemeral')
  return createIncognitoEngine({ ...surroundingsOf(prices), ...sourcesOf() })
}

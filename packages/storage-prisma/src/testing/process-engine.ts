/** An engine over a store, for a process that tests start. */
import { createEngine, type Engine, type FileSystem } from '@cairn/core'
import { createFileSystem, createHasher, createIds, createSystemClock } from '@cairn/core/node'
import { openStore } from '../open-store.ts'
import type { StoreOptions } from '../open-store.ts'

/**
 * Opens the store at an address, and makes an engine over it with this process's clock, ids and files. Rejects as
 * {@link openStore} does.
 */
export const openEngine = async (
  address: string,
  options?: StoreOptions,
  fileSystem: FileSystem = createFileSystem(),
): Promise<Engine> => {
  const clock = createSystemClock()
  return createEngine({
    store: await openStore(address, options),
    fileSystem,
    hasher: createHasher(),
    clock,
    ids: createIds(clock),
  })
}

/** An engine over a store, for a process that tests start. */
import { createEngine, type Engine } from '@cairn/core'
import { createFileSystem, createHasher, createIds, createSystemClock } from '@cairn/core/node'
import { openStore } from '../open-store.ts'

/**
 * Opens the store at an address, and makes an engine over it with this process's clock, ids and files. Rejects as
 * {@link openStore} does.
 */
export const openEngine = async (address: string): Promise<Engine> => {
  const clock = createSystemClock()
  return createEngine({
    store: await openStore(address),
    fileSystem: createFileSystem(),
    hasher: createHasher(),
    clock,
    ids: createIds(clock),
  })
}

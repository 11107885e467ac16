/** Puts the engine together from Node's side of the ports. Loaded only by commands that need a store. */
import { createEngine } from '@cairn/core'
import type { Engine, PriceOverride } from '@cairn/core'
import { createFileSystem, createHasher, createSystemClock } from '@cairn/core/node'
import { openStore } from '@cairn/storage-prisma'

/** The engine over the store at an address. */
export const openEngine = async (address: string, prices: Readonly<Record<string, PriceOverride>>): Promise<Engine> =>
  createEngine({
    store: await openStore(address),
    fileSystem: createFileSystem(),
    hasher: createHasher(),
    clock: createSystemClock(),
    prices,
  })

/** Puts the engine together from Node's side of the ports. Loaded only by commands that need one. */
import { createEngine } from '@cairn/core'
import type { Engine, EngineDeps, PriceOverride, Privacy } from '@cairn/core'
import { createFileSystem, createHasher, createIds, createSystemClock } from '@cairn/core/node'

type Prices = Readonly<Record<string, PriceOverride>>

const surroundingsOf = (prices: Prices): Omit<EngineDeps, 'store' | 'privacy'> => {
  const clock = createSystemClock()
  return { fileSystem: createFileSystem(), hasher: createHasher(), clock, ids: createIds(clock), prices }
}

/** The engine over the store at an address. */
export const openEngine = async (address: string, prices: Prices, privacy: Omit<Privacy, 'incognito'> = {}): Promise<Engine> => {
  const { openStore } = await import('@cairn/storage-prisma')
  return createEngine({ ...surroundingsOf(prices), store: await openStore(address), privacy })
}

/** An engine that keeps what it is given in this process alone: no store is opened, and none is made. */
export const openIncognitoEngine = async (prices: Prices): Promise<Engine> => {
  const { createIncognitoEngine } = await import('@cairn/core/ephemeral')
  return createIncognitoEngine(surroundingsOf(prices))
}

/** Puts the engine together from Node's side of the ports. Loaded only by commands that need one. */
import { createEngine } from '@cairn/core'
import type { Engine, EngineDeps, PriceOverride, Privacy } from '@cairn/core'
import { createFileSystem, createHasher, createIds, createSystemClock } from '@cairn/core/node'

type Prices = Readonly<Record<string, PriceOverride>>

const surroundingsOf = (prices: Prices): Omit<EngineDeps, 'store' | 'privacy'> => {
  const clock = createSystemClock()
  return { fileSystem: createFileSystem(), hasher: createHasher(), clock, ids: createIds(clock), prices }
}

export interface EngineSetting {
  readonly prices: Prices
  readonly privacy?: Omit<Privacy, 'incognito'>
  /** Told how far the search index is, in entries of the log, when a question has to wait for it. */
  readonly onIndexing?: (progress: { readonly done: number; readonly total: number }) => void
}

/** The engine over the store at an address. */
export const openEngine = async (
  address: string,
  { prices, privacy = {}, onIndexing }: EngineSetting,
): Promise<Engine> => {
  const { openStore } = await import('@cairn/storage-prisma')
  const store = await openStore(address, onIndexing === undefined ? {} : { onIndexing })
  return createEngine({ ...surroundingsOf(prices), store, privacy })
}

/** An engine that keeps what it is given in this process alone: no store is opened, and none is made. */
export const openIncognitoEngine = async (prices: Prices): Promise<Engine> => {
  const { createIncognitoEngine } = await import('@cairn/core/ephemeral')
  return createIncognitoEngine(surroundingsOf(prices))
}

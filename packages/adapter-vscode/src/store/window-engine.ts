/** The engine of this window: over the store that it has open. One for each store, made when it is first asked for. */
import type { Engine, Store } from '@cairn/core'
import { dataFolder } from '@cairn/core/node'
import type { WindowStore } from './window-store.ts'

/** The engine of a window, loaded when it is first needed. */
export interface WindowEngine {
  /** Undefined where there is no store yet; asking makes none. Rejects as the store's opening does. */
  engine(): Promise<Engine | undefined>
  /** As `engine`, but makes the store where it is missing. */
  engineForWriting(): Promise<Engine>
}

/** Returns an address as a file's path; an empty object for a server's address. */
const storeFileOf = (address: string): { readonly storeFile?: string } =>
  address.startsWith('file:') ? { storeFile: address.slice('file:'.length) } : {}

/**
 * Returns the engine of a window's store. Closing the store is left to its connection. `engine` is undefined without a
 * store, `engineForWriting` makes one; both reject as opening it does.
 */
export const createWindowEngine = (
  store: Pick<WindowStore, 'store' | 'storeForWriting' | 'address' | 'surroundings'>,
): WindowEngine => {
  const engines = new WeakMap<Store, Promise<Engine>>()

  const load = async (opened: Store): Promise<Engine> => {
    const surroundings = store.surroundings()
    const setting = {
      dataFolder: dataFolder(surroundings),
      home: surroundings.home,
      ...storeFileOf(store.address()),
    }
    return (await import('./open-engine.ts')).openEngine(opened, setting)
  }

  const engineOf = (opened: Store): Promise<Engine> => {
    const known = engines.get(opened)
    if (known !== undefined) return known
    const made = load(opened)
    engines.set(opened, made)
    // The next call tries again.
    made.catch(() => engines.delete(opened))
    return made
  }

  return {
    engine: async () => {
      const opened = await store.store()
      return opened === undefined ? undefined : engineOf(opened)
    },
    engineForWriting: async () => engineOf(await store.storeForWriting()),
  }
}

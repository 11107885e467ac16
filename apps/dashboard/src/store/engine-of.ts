/** The engine over the dashboard's store, as the command line puts it together. */
import 'server-only'
import { createEngine } from '@cairn/core'
import type { Engine, Store } from '@cairn/core'
import { createFileSystem, createHasher, createIds, createSystemClock } from '@cairn/core/node'

/** What an engine has found in sessions stays in memory as long as their store is open. */
const ofStore = new WeakMap<Store, Engine>()

/**
 * Returns the one engine over a store, made at the first call. It ends with its store, which is closed by whoever
 * opened it. Its long-term memory is off if `CAIRN_DASHBOARD_LTM` is "off".
 */
export const engineOf = (store: Store): Engine => {
  const known = ofStore.get(store)
  if (known !== undefined) return known
  const clock = createSystemClock()
  const engine = createEngine({
    store,
    fileSystem: createFileSystem(),
    hasher: createHasher(),
    clock,
    ids: createIds(clock),
    git: async () => (await import('@cairn/core/node/watching')).createGitRecords(),
    privacy: { longTermMemory: process.env['CAIRN_DASHBOARD_LTM'] !== 'off' },
  })
  ofStore.set(store, engine)
  return engine
}

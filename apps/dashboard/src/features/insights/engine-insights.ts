/** The engine's insights over the open store. */
import 'server-only'
import { createEngine } from '@cairn/core'
import type { Store } from '@cairn/core'
import type { Insights } from '@cairn/core/insights'
import { createFileSystem, createHasher, createIds, createSystemClock } from '@cairn/core/node'

/** What was found in sessions stays in memory as long as their store is open. */
const ofStore = new WeakMap<Store, Insights>()

/** The insights of a store; made once. */
export const insightsOf = (store: Store): Insights => {
  const known = ofStore.get(store)
  if (known !== undefined) return known
  const clock = createSystemClock()
  const { insights } = createEngine({
    store,
    fileSystem: createFileSystem(),
    hasher: createHasher(),
    clock,
    ids: createIds(clock),
  })
  ofStore.set(store, insights)
  return insights
}

/** The store for whoever asks: all of it in a dashboard of one person, and for nobody where a team's asker is not known. */
import { CairnError } from '@cairn/core'
import type { Store } from '@cairn/core'
import { currentAsker } from './asker.ts'
import { viewOf } from './store-view.ts'
import { isTeam } from './team.ts'

/**
 * Returns the store as the person who asks may see it; unchanged in a dashboard of one person.
 * @throws CairnError `disabled` if a team's dashboard does not know who asks
 */
export const storeOfAsker = (store: Store): Store => {
  if (!isTeam()) return store
  const asker = currentAsker()
  if (asker === undefined) throw new CairnError('disabled', 'Nobody who is known asks for this.')
  return viewOf(store, asker)
}

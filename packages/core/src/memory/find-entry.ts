/** Finds an entry by its id or a part of it. */
import { CairnError } from '../errors.ts'
import type { MemoryStorage } from '../ports/memory-storage.ts'

/** An entry's full id and workspace. */
export interface FoundEntry {
  readonly id: string
  readonly workspace: string
  readonly current: boolean
}

const NAMED = 5

/**
 * The entry with this id, or the only one whose id starts or ends with the text (as given, else in upper case), current
 * or ended; if several do, the only current one. Rejects with `invalid-input` for an empty text, or with `not-found` or
 * `ambiguous`.
 */
export const findEntry = async (storage: Pick<MemoryStorage, 'resolve'>, idOrPrefix: string): Promise<FoundEntry> => {
  const given = typeof idOrPrefix === 'string' ? idOrPrefix.trim() : ''
  if (given === '')
    throw new CairnError('invalid-input', 'Say which memory entry: its id, or the beginning or the end of it.')
  const shown = JSON.stringify(given.length > 60 ? `${given.slice(0, 60)}…` : given)
  const fitting = await candidates(storage, given)
  const exact = fitting.find(({ id }) => id === given)
  if (exact !== undefined) return exact
  const current = fitting.filter((entry) => entry.current)
  const [only, another] = current.length > 0 ? current : fitting
  if (only === undefined) throw new CairnError('not-found', `There is no memory entry ${shown}.`)
  if (another === undefined) return only
  const ids = (current.length > 0 ? current : fitting).map(({ id }) => id)
  throw new CairnError(
    'ambiguous',
    `Several memory entries have ${shown} in their ids: ${ids.slice(0, NAMED).join(', ')}${ids.length > NAMED ? ', …' : ''}; give more of the id.`,
  )
}

/** How many entries are considered: ended ones may come before current ones. */
const LOOKED_AT = 1_000

/** The entries that an id may mean; tried in upper case if there are none as given. */
const candidates = async (storage: Pick<MemoryStorage, 'resolve'>, given: string): Promise<readonly FoundEntry[]> => {
  const fitting = await storage.resolve(given, LOOKED_AT)
  return fitting.length > 0 || given === given.toUpperCase() ? fitting : storage.resolve(given.toUpperCase(), LOOKED_AT)
}

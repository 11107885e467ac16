/** What the filters offer: the most expensive values of each dimension over all of time. */
import type { Store } from '@cairn/core'
import { DIMENSIONS, STORE_DIMENSION, rowName } from '../usage/dimension.ts'
import type { Dimension } from '../usage/dimension.ts'
import { namedFolders } from '../usage/store-project-names.ts'
import type { NamedStore } from '../usage/store-project-names.ts'

/** A value that a filter offers. */
interface Choice {
  readonly value: string
  readonly label: string
}

/** More than these nobody looks through; any other value can still be named in the address. */
const MOST_CHOICES = 200

/** Folders that are named beside the choices, for those who come from a page of single folders. */
const MOST_FOLDERS = 1_000

/** What the filters offer, and the names of folders that are no choice of their own. */
interface FilterChoices extends Readonly<Record<Dimension, readonly Choice[]>> {
  readonly folders: readonly Choice[]
}

/**
 * Returns the choices of each filter, by label; of each the `MOST_CHOICES` that cost most. Projects are called as on
 * every page. `folders` has up to `MOST_FOLDERS` others that projects have. Rejects as the report does.
 */
export const filterChoices = async (store: NamedStore & Pick<Store, 'usage'>): Promise<FilterChoices> => {
  const { names, folders } = await namedFolders(store)
  const choices: Record<Dimension, Choice[]> = { model: [], project: [], branch: [], agent: [] }
  for (const dimension of DIMENSIONS) {
    const { rows } = await store.usage.report({ by: STORE_DIMENSION[dimension], limit: MOST_CHOICES })
    choices[dimension] = rows
      .map(({ key }) => ({ value: key, label: rowName(dimension, key, names).label }))
      .sort((left, right) => left.label.localeCompare(right.label, 'en'))
  }
  const chosen = new Set(choices.project.map(({ value }) => value))
  const others = [...folders].filter((path) => !chosen.has(path)).slice(0, MOST_FOLDERS)
  return { ...choices, folders: others.map((path) => ({ value: path, label: names(path) })) }
}

/** What the filters offer: the most expensive values of each dimension over all of time. */
import type { UsageStorage } from '@cairn/core'
import { DIMENSIONS, STORE_DIMENSION, rowName } from '../usage/dimension.ts'
import type { Dimension } from '../usage/dimension.ts'
import { distinctNames } from '../usage/project-names.ts'

/** A value that a filter offers. */
export interface Choice {
  readonly value: string
  readonly label: string
}

/** More than these nobody looks through; any other value can still be named in the address. */
const MOST_CHOICES = 200

/**
 * Returns the choices of each filter, by label, at most `MOST_CHOICES` of each. No two projects have the same label.
 * Rejects as the report does.
 */
export const filterChoices = async (
  usage: Pick<UsageStorage, 'report'>,
): Promise<Readonly<Record<Dimension, readonly Choice[]>>> => {
  const choices: Record<Dimension, Choice[]> = { model: [], project: [], branch: [], agent: [] }
  for (const dimension of DIMENSIONS) {
    const { rows } = await usage.report({ by: STORE_DIMENSION[dimension], limit: MOST_CHOICES })
    const names = distinctNames(rows.map(({ key }) => key))
    choices[dimension] = rows
      .map(({ key }) => ({ value: key, label: rowName(dimension, key, names).label }))
      .sort((left, right) => left.label.localeCompare(right.label, 'en'))
  }
  return choices
}

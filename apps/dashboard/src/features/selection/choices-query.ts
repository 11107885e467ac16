/** What the filters offer: the most expensive values of each dimension over all of time. */
import type { UsageStorage } from '@cairn/core'
import { DIMENSIONS, STORE_DIMENSION, rowName } from '../usage/dimension.ts'
import type { Dimension } from '../usage/dimension.ts'

export interface Choice {
  readonly value: string
  readonly label: string
}

/** More than these nobody looks through; any other value can still be named in the address. */
const MOST_CHOICES = 200

/**
 * The choices of every filter, by label, at most `MOST_CHOICES` of each. Labels that two values share have the detail
 * behind them. Rejects as the report does.
 */
export const filterChoices = async (
  usage: Pick<UsageStorage, 'report'>,
): Promise<Readonly<Record<Dimension, readonly Choice[]>>> => {
  const choices: Record<Dimension, Choice[]> = { model: [], project: [], branch: [], agent: [] }
  for (const dimension of DIMENSIONS) {
    const { rows } = await usage.report({ by: STORE_DIMENSION[dimension], limit: MOST_CHOICES })
    const labels = rows.map(({ key }) => rowName(dimension, key))
    const isAmbiguous = (label: string): boolean => labels.filter((other) => other.label === label).length > 1
    choices[dimension] = rows
      .map(({ key }, index) => {
        const name = labels[index] ?? rowName(dimension, key)
        return {
          value: key,
          label: name.detail !== null && isAmbiguous(name.label) ? `${name.label} (${name.detail})` : name.label,
        }
      })
      .sort((left, right) => left.label.localeCompare(right.label, 'en'))
  }
  return choices
}

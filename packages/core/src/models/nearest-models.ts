/** Finds the models that a misspelt name may stand for. */
import { parseModelName } from './parse-model-name.ts'

/** A longer name is no model's; the distance of two names takes the product of their lengths. */
const LONGEST_NAME = 100
const RELEASE_DATE = /-(?:20\d{6}|20\d\d-\d\d-\d\d)$/

/** The name that is compared: bare, without its release date, all parts divided by `-`. */
const comparable = (model: string): string =>
  (parseModelName(model.slice(-LONGEST_NAME)).names[0] ?? '').replace(RELEASE_DATE, '').replaceAll(/[^a-z0-9]+/g, '-')

const inOrder = (name: string): string => name.split('-').sort().join('-')

/**
 * How many insertions, deletions, replacements and swaps of neighbours turn one word into the other; where that is
 * above `limit`, any number above it, as it stops early.
 */
const distanceUpTo = (limit: number, left: string, right: string): number => {
  if (Math.abs(left.length - right.length) > limit) return limit + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    let least = row
    for (let column = 1; column <= right.length; column++) {
      const cost = costAt(left, right, row, column, { beforeLast, last, current })
      current.push(cost)
      least = Math.min(least, cost)
    }
    // A swap may reach back over one row.
    if (least > limit && Math.min(...last) > limit) return limit + 1
    beforeLast = last
    last = current
  }
  return last[right.length] ?? 0
}

interface Rows {
  readonly beforeLast: readonly number[]
  readonly last: readonly number[]
  readonly current: readonly number[]
}

/**
 * The number of steps at a cell of the table of edit distances, from the cells before it; two swapped letters are one
 * step.
 */
const costAt = (left: string, right: string, row: number, column: number, rows: Rows): number => {
  const { beforeLast, last, current } = rows
  const at = (cells: readonly number[], index: number): number => cells[index] ?? Number.POSITIVE_INFINITY
  const changed = left[row - 1] === right[column - 1] ? 0 : 1
  const best = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + changed)
  const isSwapped = row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
  return isSwapped ? Math.min(best, at(beforeLast, column - 2) + 1) : best
}

/** Half a step for each way in which two names may be the same but for the order of their parts. */
const OTHER_ORDER = 0.5

/**
 * The names nearest to a name, the nearest first; of equally near ones the first. Vendor, region, release date and
 * variant do not count; another order of a name's parts (`claude-4.5-sonnet`) counts half a step. Near is what differs
 * in up to a third of the name's characters, or in one. None where nothing is near.
 * @param among names as they are shown; of several that are compared alike the shortest is given
 */
export const nearestNames = (name: string, among: readonly string[], limit = 3): readonly string[] => {
  const wanted = comparable(name)
  if (wanted === '') return []
  const furthest = Math.max(1, Math.floor(wanted.length / 3))
  const wantedParts = inOrder(wanted)
  const shortest = new Map<string, string>()
  for (const candidate of among) {
    const known = comparable(candidate)
    if (candidate.length < (shortest.get(known)?.length ?? Number.POSITIVE_INFINITY)) shortest.set(known, candidate)
  }
  const found: { readonly candidate: string; readonly distance: number }[] = []
  for (const [known, candidate] of shortest) {
    if (known === '') continue
    const distance = Math.min(
      distanceUpTo(furthest, wanted, known),
      distanceUpTo(furthest, wantedParts, inOrder(known)) + OTHER_ORDER,
    )
    if (distance <= furthest) found.push({ candidate, distance })
  }
  return found
    .sort((left, right) => left.distance - right.distance)
    .slice(0, limit)
    .map(({ candidate }) => candidate)
}

export interface NearestModelsOptions {
  /** Of the price list; default: all of them. One that it does not have has no models. */
  readonly provider?: string | undefined
  /** Default 3. */
  readonly limit?: number
}

/**
 * The models of the price list nearest to a name, without that name; see {@link nearestNames}. `provider`: only those
 * of that provider, none for an unknown one. The list is loaded late.
 */
export const nearestModels = async (
  name: string,
  { provider, limit }: NearestModelsOptions = {},
): Promise<readonly string[]> => {
  const { listedProviders } = await import('./listed-models.ts')
  const wanted = name.trim().toLowerCase()
  const names = (await listedProviders())
    .filter(({ id }) => provider === undefined || id === provider)
    .flatMap(({ models }) => models.map(({ id }) => id))
    .filter((id) => id.toLowerCase() !== wanted)
  return nearestNames(name, names, limit)
}

/** What drives the change of cost from one time to another: the projects, models and sessions that moved most. */
import type { NanoUsd } from '../money.ts'
import type { UsageDimension, UsageQuery, UsageReport, UsageStorage, UsageTotals } from '../ports/usage-storage.ts'

export const CHANGE_DIMENSIONS = ['workspace', 'model', 'session'] as const satisfies readonly UsageDimension[]
export type ChangeDimension = (typeof CHANGE_DIMENSIONS)[number]

/** What one project, model or session cost before and now. */
export interface Mover {
  readonly key: string
  readonly beforeNano: NanoUsd
  readonly nowNano: NanoUsd
  /** `nowNano` less `beforeNano`. */
  readonly changeNano: NanoUsd
}

/** All movers and the others add up to the change, to the nano-USD. */
export interface Movers {
  /** The largest, whether up or down, first. */
  readonly movers: readonly Mover[]
  /** All that are not among them. */
  readonly others: { readonly count: number; readonly changeNano: NanoUsd }
}

export interface CostChange {
  readonly now: UsageTotals
  readonly before: UsageTotals
  readonly changeNano: NanoUsd
  readonly by: Readonly<Record<ChangeDimension, Movers>>
}

/** Two spans of time (ms; `since` is in it, `until` is not), and which requests. */
export interface ChangeQuery {
  readonly now: { readonly since: number; readonly until?: number }
  readonly before: { readonly since: number; readonly until: number }
  readonly filter?: UsageQuery['filter']
  /** Movers of each dimension; default 5. */
  readonly limit?: number
}

const DEFAULT_LIMIT = 5
/** Imports may go on while it is asked. */
const ATTEMPTS = 3

/**
 * How cost changed between two spans, and the largest movers of each dimension. All sums are the store's own; asked
 * again, a few times, where an import went on meanwhile. Rejects as the store does.
 */
export const costChangeOf = async (
  usage: Pick<UsageStorage, 'report'>,
  { now, before, filter, limit = DEFAULT_LIMIT }: ChangeQuery,
): Promise<CostChange> => {
  const reportsOf = (span: ChangeQuery['now']): Promise<readonly UsageReport[]> =>
    Promise.all(
      CHANGE_DIMENSIONS.map((by) => usage.report({ by, ...span, ...(filter === undefined ? {} : { filter }) })),
    )
  for (let attempt = 1; ; attempt += 1) {
    const [current, earlier] = [await reportsOf(now), await reportsOf(before)]
    const [one, other] = [current[0], earlier[0]]
    if (one === undefined || other === undefined) throw new Error('there is a report for each dimension')
    const isWhole =
      current.every(({ total }) => total.costNano === one.total.costNano) &&
      earlier.every(({ total }) => total.costNano === other.total.costNano)
    if (!isWhole && attempt < ATTEMPTS) continue
    const movers = (dimension: ChangeDimension): Movers => {
      const index = CHANGE_DIMENSIONS.indexOf(dimension)
      return moversOf(earlier[index]?.rows ?? [], current[index]?.rows ?? [], limit)
    }
    return {
      now: one.total,
      before: other.total,
      changeNano: one.total.costNano - other.total.costNano,
      by: { workspace: movers('workspace'), model: movers('model'), session: movers('session') },
    }
  }
}

type CostRow = Pick<UsageReport['rows'][number], 'key' | 'costNano'>

const size = (nano: NanoUsd): NanoUsd => (nano < 0n ? -nano : nano)

/** Larger changes first; of equal ones by key. */
const largestFirst = (left: Mover, right: Mover): number => {
  const [one, other] = [size(left.changeNano), size(right.changeNano)]
  return one === other ? (left.key < right.key ? -1 : 1) : one > other ? -1 : 1
}

/**
 * The `limit` largest changes between two lists of costs, each key once in a list (a missing one cost 0); keys that
 * cost the same are left out, also of `others`. Pure.
 */
export const moversOf = (before: readonly CostRow[], now: readonly CostRow[], limit: number): Movers => {
  const costs = new Map(before.map(({ key, costNano }) => [key, { before: costNano, now: 0n }]))
  for (const { key, costNano } of now) costs.set(key, { before: costs.get(key)?.before ?? 0n, now: costNano })
  const all = [...costs].map(([key, cost]): Mover => ({
    key,
    beforeNano: cost.before,
    nowNano: cost.now,
    changeNano: cost.now - cost.before,
  }))
  const moved = all.filter(({ changeNano }) => changeNano !== 0n).sort(largestFirst)
  const rest = moved.slice(limit)
  return {
    movers: moved.slice(0, limit),
    others: { count: rest.length, changeNano: rest.reduce((sum, { changeNano }) => sum + changeNano, 0n) },
  }
}

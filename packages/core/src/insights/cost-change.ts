/** What drives the change of cost from one time to another: the projects, models and sessions that moved most. */
import type { NanoUsd } from '../money.ts'
import type {
  Movers,
  MoversQuery,
  UsageDimension,
  UsageReport,
  UsageStorage,
  UsageTotals,
} from '../ports/usage-storage.ts'
import { moversOf } from '../usage/movers.ts'

export type { Mover, Movers } from '../ports/usage-storage.ts'

export const CHANGE_DIMENSIONS = ['workspace', 'model', 'session'] as const satisfies readonly UsageDimension[]
export type ChangeDimension = (typeof CHANGE_DIMENSIONS)[number]

export interface CostChange {
  readonly now: UsageTotals
  readonly before: UsageTotals
  readonly changeNano: NanoUsd
  readonly by: Readonly<Record<ChangeDimension, Movers>>
}

/** Two spans of time, and which requests. */
export interface ChangeQuery extends Omit<MoversQuery, 'limit'> {
  /** Movers of each dimension; default 5. */
  readonly limit?: number
  /** Nothing is said to have moved where the earlier span has no request: it would be every session. Default false. */
  readonly onlyIfBefore?: boolean
}

const NO_MOVERS: Movers = { movers: [], others: { count: 0, changeNano: 0n } }
const NOTHING_MOVED: CostChange['by'] = { workspace: NO_MOVERS, model: NO_MOVERS, session: NO_MOVERS }

const DEFAULT_LIMIT = 5
/** Imports may go on while it is asked. */
const ATTEMPTS = 3

/**
 * How cost changed between two spans, and the largest movers of each dimension; no movers for `onlyIfBefore` where the
 * earlier span has no request. All sums are the store's own; asked again where an import went on meanwhile, three times
 * in all; the last answer is returned even if its parts do not add up. Rejects as the store does.
 */
export const costChangeOf = async (
  usage: Pick<UsageStorage, 'report' | 'sessionMovers'>,
  { now, before, filter, limit = DEFAULT_LIMIT, onlyIfBefore = false }: ChangeQuery,
): Promise<CostChange> => {
  const filtered = filter === undefined ? {} : { filter }
  const both = (by: UsageDimension): Promise<readonly [before: UsageReport, now: UsageReport]> =>
    Promise.all([usage.report({ by, ...before, ...filtered }), usage.report({ by, ...now, ...filtered })])
  for (let attempt = 1; ; attempt += 1) {
    const sessions = (): Promise<Movers> => usage.sessionMovers({ now, before, ...filtered, limit })
    const asked = onlyIfBefore ? undefined : sessions()
    asked?.catch(() => undefined)
    const [workspace, model] = await Promise.all([both('workspace'), both('model')])
    const [{ total: earlier }, { total: current }] = workspace
    const changeNano = current.costNano - earlier.costNano
    if (onlyIfBefore && earlier.requests === 0) return { now: current, before: earlier, changeNano, by: NOTHING_MOVED }
    const session = await (asked ?? sessions())
    const isWhole =
      model.every(({ total }, index) => total.costNano === workspace[index]?.total.costNano) &&
      session.movers.reduce((sum, mover) => sum + mover.changeNano, session.others.changeNano) === changeNano
    if (!isWhole && attempt < ATTEMPTS) continue
    const movers = ([{ rows: from }, { rows: to }]: typeof workspace): Movers => moversOf(from, to, limit)
    return {
      now: current,
      before: earlier,
      changeNano,
      by: { workspace: movers(workspace), model: movers(model), session },
    }
  }
}

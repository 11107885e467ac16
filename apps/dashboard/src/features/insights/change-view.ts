/** What moved the cost, as the overview shows it. */
import { formatUsd, usdFromNano } from '@cairn/core'
import type { ChangeDimension, Mover } from '@cairn/core/insights'
import { counted } from '../usage/figure.ts'
import { rowName } from '../usage/dimension.ts'
import type { ProjectNames } from '../usage/project-names.ts'
import type { SelectionChange } from './change-query.ts'

/** A project, model or session that moved the cost. */
export interface MoverView {
  readonly key: string
  readonly label: string
  /** A project's path; null where the label says all. */
  readonly detail: string | null
  /** `+$9.00`. */
  readonly change: string
  /** `from $3.00 to $12.00`. */
  readonly span: string
  readonly isUp: boolean
  /** Of the largest in its list, 0 to 1. */
  readonly share: number
}

/** What moved the cost, by one dimension. */
export interface MoversView {
  readonly dimension: ChangeDimension
  readonly title: string
  readonly movers: readonly MoverView[]
  /** `3 others: −$0.10`; null where there are none. */
  readonly others: string | null
}

/** How the cost changed, as the page shows it. */
export interface ChangeView {
  /** `+$12.30 against the 30 days before: $15.40 after $3.10.`; or that there was nothing before. */
  readonly sentence: string
  /** Empty where there was nothing before. */
  readonly lists: readonly MoversView[]
}

const LISTS: readonly (readonly [ChangeDimension, string, string])[] = [
  ['workspace', 'Projects', 'other project'],
  ['model', 'Models', 'other model'],
  ['session', 'Sessions', 'other session'],
]

/** Returns an amount with its sign: `+$9.00`, `−$0.50`. */
const signedUsd = (nano: bigint): string => (nano < 0n ? `−${formatUsd(-nano)}` : `+${formatUsd(nano)}`)

/**
 * Returns what moved the cost, as texts and bars by project, model and session; a sentence alone if the period before
 * had no request; null if nothing moved it, this period had no request, or there is none before. `names`: as projects
 * are shown; by default as they are called.
 */
export const changeView = (found: SelectionChange | undefined, names?: ProjectNames): ChangeView | null => {
  if (found === undefined || found.change.now.requests === 0) return null
  const { change, days, titles } = found
  const before = days === 1 ? 'the day before' : `the ${days} days before`
  if (change.before.requests === 0)
    return { sentence: `There was no request in ${before}, so there is nothing to compare with.`, lists: [] }
  const nameOf = (dimension: ChangeDimension, key: string): Pick<MoverView, 'label' | 'detail'> => {
    if (dimension === 'session') return { label: titles.get(key) ?? key.slice(key.indexOf(':') + 1), detail: null }
    return rowName(dimension === 'workspace' ? 'project' : 'model', key, names)
  }
  const moverView = (dimension: ChangeDimension, mover: Mover, largest: number): MoverView => ({
    key: mover.key,
    ...nameOf(dimension, mover.key),
    change: signedUsd(mover.changeNano),
    span: `from ${formatUsd(mover.beforeNano)} to ${formatUsd(mover.nowNano)}`,
    isUp: mover.changeNano > 0n,
    share: Math.abs(usdFromNano(mover.changeNano)) / largest,
  })
  const lists = LISTS.flatMap(([dimension, title, other]) => {
    const { movers, others } = change.by[dimension]
    const [first] = movers
    if (first === undefined) return []
    const largest = Math.abs(usdFromNano(first.changeNano))
    return [
      {
        dimension,
        title,
        movers: movers.map((mover) => moverView(dimension, mover, largest)),
        others: others.count === 0 ? null : `${counted(others.count, other)}: ${signedUsd(others.changeNano)}`,
      },
    ]
  })
  if (lists.length === 0) return null
  return {
    sentence: `${signedUsd(change.changeNano)} against ${before}: ${formatUsd(change.now.costNano)} after ${formatUsd(change.before.costNano)}.`,
    lists,
  }
}

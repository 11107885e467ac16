'use client'
/** Stands in place of what the filters leave nothing of, with the way to take them off. */
import { Notice } from '../../components/notice.tsx'
import { DIMENSION_NAMES } from '../usage/dimension.ts'
import { FILTERS } from './selection.ts'
import type { FilterName, Selection } from './selection.ts'
import type { SelectionState } from './use-selection.ts'
import { useFilterName } from './use-value-name.ts'

interface NothingFilteredProps {
  readonly state: Pick<SelectionState, 'selection' | 'select'>
  /** The filters that the page goes by; others of the address are left aside. */
  readonly filters: readonly FilterName[]
  /** What there is none of, and where: `No file of this period passes`. */
  readonly text: string
  /** Whether the page goes by the period, too. */
  readonly isOfPeriod?: boolean
  /** What makes some, as typed. */
  readonly command?: string
}

/** Returns which of these filters are set, with their values, in the order given. */
export const setFilters = ({ filter }: Pick<Selection, 'filter'>, filters: readonly FilterName[] = FILTERS) =>
  filters.flatMap((name) => {
    const value = filter[name]
    return value === undefined ? [] : [{ name, value }]
  })

/**
 * A notice with the filters that are set, and buttons that take them off or, where a period is looked at, show all time.
 */
export const NothingFiltered = ({ state, filters, text, isOfPeriod = false, command }: NothingFilteredProps) => {
  const { selection, select } = state
  const nameOf = useFilterName()
  const set = setFilters(selection, filters)
  const [only] = set.length === 1 ? set : []
  const isBounded =
    isOfPeriod && (selection.period !== 'all' || selection.from !== undefined || selection.to !== undefined)
  const without = Object.fromEntries(
    Object.entries(selection.filter).filter(([name]) => !set.some((one) => one.name === name)),
  )
  return (
    <Notice
      title={`Nothing for ${set.map(({ name, value }) => nameOf(name, value)).join(' and ')}`}
      text={text}
      {...(command === undefined ? {} : { command })}
      action={{
        label: only === undefined ? 'Clear filters' : `Show all ${DIMENSION_NAMES[only.name].many.toLowerCase()}`,
        run: () => select({ filter: without }),
      }}
      {...(isBounded
        ? { other: { label: 'Show all time', run: () => select({ period: 'all', from: undefined, to: undefined }) } }
        : {})}
    />
  )
}

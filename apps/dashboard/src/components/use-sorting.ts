'use client'
/** The order of a table, kept in the page's address. A second click on a column reverses it. */
import { useSearchParams } from 'next/navigation'
import { ORDERS, reversed } from './sorting.ts'
import type { Order } from './sorting.ts'
import { useUrlState } from './use-url-state.ts'

/** How a table is sorted, and how to change that. */
export interface Sorting<Sort extends string> {
  readonly sort: Sort
  readonly order: Order
  /** What a click on a column does. */
  readonly sortBy: (sort: Sort) => void
  readonly choose: (sort: Sort, order: Order) => void
}

interface SortingOptions<Sort extends string> {
  readonly sorts: readonly Sort[]
  /** Where the address names no column. */
  readonly fallback: Sort
  /** Columns whose smallest value comes first, such as names. All others begin with their largest. */
  readonly rising?: readonly Sort[]
  /** Tells the tables of a page apart: `model` for `modelSort` and `modelOrder`. */
  readonly prefix?: string
}

/**
 * Returns the order of a table as the address has it, `fallback` if it names none, and how to change it: sorting by the
 * same column again reverses the order. A change goes back to the first page.
 */
export const useSorting = <Sort extends string>({
  sorts,
  fallback,
  rising = [],
  prefix = '',
}: SortingOptions<Sort>): Sorting<Sort> => {
  const parameters = useSearchParams()
  const change = useUrlState()
  const [sortName, orderName] = prefix === '' ? ['sort', 'order'] : [`${prefix}Sort`, `${prefix}Order`]
  const firstOrder = (by: Sort): Order => (rising.includes(by) ? 'ascending' : 'descending')
  const sort = sorts.find((known) => known === parameters.get(sortName)) ?? fallback
  const order = ORDERS.find((known) => known === parameters.get(orderName)) ?? firstOrder(sort)
  const choose = (by: Sort, next: Order): void =>
    change({
      [sortName]: by === fallback ? undefined : by,
      [orderName]: next === firstOrder(by) ? undefined : next,
      page: undefined,
    })
  return { sort, order, choose, sortBy: (by) => choose(by, by === sort ? reversed(order) : firstOrder(by)) }
}

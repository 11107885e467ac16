/** Order of a table's rows, by what a column holds. */

export type Order = 'ascending' | 'descending'

export const ORDERS = ['ascending', 'descending'] as const satisfies readonly Order[]

/** The opposite order: ascending for descending, and the reverse. */
export const reversed = (order: Order): Order => (order === 'ascending' ? 'descending' : 'ascending')

/** What a row is sorted by; null where it is not known. */
export type SortValue = number | string | null

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** The order of two values: numbers by size, all else as texts. */
const compare = (left: number | string, right: number | string): number =>
  typeof left === 'number' && typeof right === 'number' ? left - right : collator.compare(String(left), String(right))

/**
 * A copy of the rows, sorted; equal ones stay as they were, and what is not known (null) comes last in both
 * directions.
 */
export const sortedRows = <Row>(rows: readonly Row[], order: Order, valueOf: (row: Row) => SortValue): Row[] => {
  const sign = order === 'ascending' ? 1 : -1
  return rows
    .map((row) => ({ row, value: valueOf(row) }))
    .sort((left, right) => {
      if (left.value === null || right.value === null) return Number(left.value === null) - Number(right.value === null)
      return sign * compare(left.value, right.value)
    })
    .map(({ row }) => row)
}

/** Order of a table's rows, by what a column holds. */

/** The direction of a sort. */
export type Order = 'ascending' | 'descending'

export const ORDERS = ['ascending', 'descending'] as const satisfies readonly Order[]

/** Returns the opposite order. */
export const reversed = (order: Order): Order => (order === 'ascending' ? 'descending' : 'ascending')

/** What a row is sorted by; null where it is not known. */
export type SortValue = number | string | null

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Compares two values: numbers by size, everything else as text. Negative if `left` comes first. */
const compare = (left: number | string, right: number | string): number =>
  typeof left === 'number' && typeof right === 'number' ? left - right : collator.compare(String(left), String(right))

/**
 * Returns a sorted copy of the rows; equal rows keep their order, and unknown values (null) come last in both
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

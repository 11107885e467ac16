/** Sorts a table whose columns a narrow screen leaves out. */
import { ORDERS } from './sorting.ts'
import type { Sorting } from './use-sorting.ts'

interface SortPickerProps<Sort extends string> {
  readonly sorts: readonly { readonly sort: Sort; readonly name: string }[]
  readonly sorting: Sorting<Sort>
  readonly className: string
}

const ARROWS = { ascending: '↑', descending: '↓' } as const

/** A select of every column in both orders. Choosing one sorts the table. */
export const SortPicker = <Sort extends string>({ sorts, sorting, className }: SortPickerProps<Sort>) => {
  const choices = sorts.flatMap(({ sort, name }) =>
    ORDERS.toReversed().map((order) => ({ value: `${sort} ${order}`, sort, order, name })),
  )
  return (
    <select
      aria-label="Sorted by"
      value={`${sorting.sort} ${sorting.order}`}
      onChange={(event) => {
        const chosen = choices.find(({ value }) => value === event.target.value)
        if (chosen !== undefined) sorting.choose(chosen.sort, chosen.order)
      }}
      className={`min-w-0 rounded-lg border border-line bg-panel px-2 py-1 text-xs text-ink ${className}`}
    >
      {choices.map(({ value, order, name }) => (
        <option key={value} value={value}>
          {ARROWS[order]} {name}
        </option>
      ))}
    </select>
  )
}

/** The head of a column; a button where its table can be sorted by it. */
import type { Sorting } from './use-sorting.ts'

interface SortHeadProps<Sort extends string> {
  readonly name: string
  readonly align: 'left' | 'right'
  readonly className?: string
  /** What the column counts, in a sentence; shown on hover, and read out. */
  readonly hint?: string | undefined
  readonly sorting?: Pick<Sorting<Sort>, 'sort' | 'order' | 'sortBy'>
  /** What `sorting` calls this column; a column without it can't be sorted by. */
  readonly by?: Sort
}

/** The name of a column as a button that sorts by it; an arrow shows the order where it does so already. */
const SortButton = <Sort extends string>({
  name,
  align,
  hint,
  sorting,
  by,
}: Pick<SortHeadProps<Sort>, 'name' | 'align' | 'hint'> & Required<Pick<SortHeadProps<Sort>, 'sorting' | 'by'>>) => {
  const isSorted = sorting.sort === by
  const arrow = isSorted && <span aria-hidden="true">{sorting.order === 'ascending' ? '↑' : '↓'}</span>
  return (
    <button
      type="button"
      title={hint}
      onClick={() => sorting.sortBy(by)}
      className={`rounded ${hint === undefined ? '' : 'underline decoration-line decoration-dotted underline-offset-4'} hover:text-ink hover:underline ${isSorted ? 'font-semibold text-ink' : ''}`}
    >
      {align === 'right' && arrow} {name} {align === 'left' && arrow}
    </button>
  )
}

/** A column’s `th`. Its name is a button that sorts by it where `sorting` and `by` are given, else plain text. */
export const SortHead = <Sort extends string>({
  name,
  align,
  className = '',
  hint,
  sorting,
  by,
}: SortHeadProps<Sort>) => {
  const isSortable = sorting !== undefined && by !== undefined
  return (
    <th
      scope="col"
      title={isSortable ? undefined : hint}
      aria-sort={isSortable && sorting.sort === by ? sorting.order : undefined}
      className={`px-2 py-2 font-medium whitespace-nowrap first:pl-4 last:pr-4 sm:first:pl-5 sm:last:pr-5 ${align === 'left' ? 'text-left' : 'text-right'} ${className}`}
    >
      {isSortable ? <SortButton name={name} align={align} hint={hint} sorting={sorting} by={by} /> : name}
    </th>
  )
}

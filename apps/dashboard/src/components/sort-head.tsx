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

export const SortHead = <Sort extends string>({
  name,
  align,
  className = '',
  hint,
  sorting,
  by,
}: SortHeadProps<Sort>) => {
  const isSorted = by !== undefined && sorting?.sort === by
  const arrow = isSorted && <span aria-hidden="true">{sorting.order === 'ascending' ? '↑' : '↓'}</span>
  return (
    <th
      scope="col"
      title={sorting === undefined || by === undefined ? hint : undefined}
      aria-sort={isSorted ? sorting.order : undefined}
      className={`px-2 py-2 font-medium whitespace-nowrap first:pl-4 last:pr-4 sm:first:pl-5 sm:last:pr-5 ${align === 'left' ? 'text-left' : 'text-right'} ${className}`}
    >
      {sorting === undefined || by === undefined ? (
        name
      ) : (
        <button
          type="button"
          title={hint}
          onClick={() => sorting.sortBy(by)}
          className={`rounded ${hint === undefined ? '' : 'underline decoration-line decoration-dotted underline-offset-4'} hover:text-ink hover:underline ${isSorted ? 'font-semibold text-ink' : ''}`}
        >
          {align === 'right' && arrow} {name} {align === 'left' && arrow}
        </button>
      )}
    </th>
  )
}

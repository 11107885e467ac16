/** The head of a column; a button where its table can be sorted by it. */

interface SortHeadProps {
  readonly name: string
  readonly isSorted: boolean
  readonly direction: 'ascending' | 'descending'
  readonly align: 'left' | 'right'
  readonly sort?: () => void
  readonly className?: string
}

const Arrow = ({ direction }: Pick<SortHeadProps, 'direction'>) => <span aria-hidden="true">{direction === 'ascending' ? '↑' : '↓'}</span>

export const SortHead = ({ name, isSorted, direction, align, sort, className = '' }: SortHeadProps) => (
  <th
    scope="col"
    aria-sort={isSorted && sort !== undefined ? direction : undefined}
    className={`px-2 py-2 font-medium whitespace-nowrap first:pl-4 last:pr-4 sm:first:pl-5 sm:last:pr-5 ${align === 'left' ? 'text-left' : 'text-right'} ${className}`}
  >
    {sort === undefined ? (
      name
    ) : (
      <button type="button" onClick={sort} className={`rounded hover:text-ink ${isSorted ? 'font-semibold text-ink' : ''}`}>
        {isSorted && align === 'right' && <Arrow direction={direction} />} {name} {isSorted && align === 'left' && <Arrow direction={direction} />}
      </button>
    )}
  </th>
)

/** Goes through the pages of a table that the server cuts. */

interface PagerProps {
  /** From 1. */
  readonly page: number
  /** Of a page. */
  readonly rows: number
  /** Of all. */
  readonly count: number
  readonly go: (page: number) => void
}

const BUTTON = 'rounded-md border border-line bg-panel px-2.5 py-1 hover:bg-sunken disabled:text-muted disabled:opacity-60'

const whole = (count: number): string => count.toLocaleString('en-US')

export const Pager = ({ page, rows, count, go }: PagerProps) => {
  const last = Math.max(1, Math.ceil(count / rows))
  if (last === 1 && page === 1) return <div className="h-3" />
  const first = (page - 1) * rows
  return (
    <nav aria-label="Pages of the table" className="flex flex-wrap items-center justify-between gap-2 border-t border-line px-4 py-3 text-sm sm:px-5">
      <p className="text-muted tabular-nums">
        {first >= count ? `Nothing so far back: there are ${whole(count)}` : `${whole(first + 1)}–${whole(Math.min(count, first + rows))} of ${whole(count)}`}
      </p>
      <div className="flex items-center gap-1.5">
        <button type="button" className={BUTTON} disabled={page <= 1} onClick={() => go(1)} aria-label="First page">
          «
        </button>
        <button type="button" className={BUTTON} disabled={page <= 1} onClick={() => go(Math.min(last, page - 1))}>
          Previous
        </button>
        <span className="px-1 text-muted tabular-nums">
          {whole(page)} / {whole(last)}
        </span>
        <button type="button" className={BUTTON} disabled={page >= last} onClick={() => go(page + 1)}>
          Next
        </button>
        <button type="button" className={BUTTON} disabled={page >= last} onClick={() => go(last)} aria-label="Last page">
          »
        </button>
      </div>
    </nav>
  )
}

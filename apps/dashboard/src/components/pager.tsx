/** Goes through the pages of a table that the server cuts. */

interface PagerProps {
  /** From 1; past the last one means the last. */
  readonly page: number
  /** Of a page. */
  readonly rows: number
  /** Of all. */
  readonly count: number
  readonly go: (page: number) => void
}

/** Returns the number of the last page, from 1, for `count` rows on pages of `rows`; 1 for an empty table. */
export const lastPage = (rows: number, count: number): number => Math.max(1, Math.ceil(count / rows))

interface StepProps {
  readonly name: string
  readonly label?: string
  readonly isPossible: boolean
  readonly step: () => void
}

/**
 * A button of the pager, named for screen readers by `label`. It stays a button where it leads nowhere, as disabling a
 * focused one would lose the focus.
 */
const Step = ({ name, label, isPossible, step }: StepProps) => (
  <button
    type="button"
    aria-disabled={!isPossible}
    aria-label={label}
    onClick={() => {
      if (isPossible) step()
    }}
    className="rounded-md border border-line bg-panel px-2.5 py-1 hover:bg-sunken aria-disabled:cursor-default aria-disabled:bg-sunken aria-disabled:text-muted"
  >
    {name}
  </button>
)

/** Returns a count with separators. */
const whole = (count: number): string => count.toLocaleString('en-US')

/** Shows buttons for the other pages and which rows are shown; nothing but a gap if all rows fit on one page. */
export const Pager = ({ page: wanted, rows, count, go }: PagerProps) => {
  const last = lastPage(rows, count)
  const page = Math.min(wanted, last)
  if (last === 1) return <div className="h-3" />
  const first = (page - 1) * rows
  return (
    <nav
      aria-label="Pages of the table"
      className="flex flex-wrap items-center justify-between gap-2 border-t border-line px-4 py-3 text-sm sm:px-5"
    >
      <p className="text-muted tabular-nums">
        {whole(first + 1)}–{whole(Math.min(count, first + rows))} of {whole(count)}
      </p>
      <div className="flex items-center gap-1.5">
        <Step name="«" label="First page" isPossible={page > 1} step={() => go(1)} />
        <Step name="Previous" isPossible={page > 1} step={() => go(page - 1)} />
        <span className="px-1 text-muted tabular-nums">
          {whole(page)} / {whole(last)}
        </span>
        <Step name="Next" isPossible={page < last} step={() => go(page + 1)} />
        <Step name="»" label="Last page" isPossible={page < last} step={() => go(last)} />
      </div>
    </nav>
  )
}

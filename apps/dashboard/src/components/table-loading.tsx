/** A table's shape while its rows are on their way. */
export const TableLoading = ({ rows }: { readonly rows: number }) => (
  <div role="status" className="rounded-xl border border-line bg-panel p-4">
    <span className="sr-only">Loading…</span>
    <div aria-hidden="true" className="grid gap-3">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="h-7 animate-pulse rounded bg-sunken" />
      ))}
    </div>
  </div>
)

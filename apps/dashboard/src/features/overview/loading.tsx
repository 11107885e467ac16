/** The overview's shape while its numbers are on their way, so that nothing jumps when they come. */

const Block = ({ className }: { readonly className: string }) => (
  <div className={`animate-pulse rounded-xl border border-line bg-sunken ${className}`} />
)

/** Grey tiles and panels in place of the overview, or of a session’s page. */
export const OverviewLoading = () => (
  <div role="status" className="grid gap-4">
    <span className="sr-only">Loading the numbers…</span>
    <div aria-hidden="true" className="grid grid-cols-2 gap-3 sm:gap-4 md:grid-cols-5">
      {['cost', 'saved', 'tokens', 'cache', 'requests'].map((tile) => (
        <Block key={tile} className="h-25 first:col-span-2 md:first:col-span-1" />
      ))}
    </div>
    <ChartsLoading />
    <div aria-hidden="true" className="grid gap-4 lg:grid-cols-2">
      <Block className="h-72" />
      <Block className="h-72" />
    </div>
  </div>
)

/** Grey blocks in place of the charts. */
const ChartsLoading = () => (
  <div aria-hidden="true" className="grid gap-4 lg:grid-cols-2">
    <Block className="h-81" />
    <Block className="h-81" />
  </div>
)

/** Single numbers, large. */
import type { ReactNode } from 'react'

/** A list of {@link Tile}s: five in a row; on narrow screens two, with the first one above them across both columns. */
export const Tiles = ({ children }: { readonly children: ReactNode }) => (
  <dl className="grid grid-cols-2 gap-3 sm:gap-4 md:grid-cols-5 *:first:col-span-2 md:*:first:col-span-1">
    {children}
  </dl>
)

interface TileProps {
  readonly name: string
  readonly below: ReactNode
  /** Against another time. */
  readonly change?: ReactNode
  readonly children: ReactNode
}

/** One number under its name, with a remark below it and how it changed; without `change` that line is left out. */
export const Tile = ({ name, below, change, children }: TileProps) => (
  <div className="min-w-0 rounded-xl border border-line bg-panel px-4 py-3.5 lg:px-5">
    <dt className="text-sm text-muted">{name}</dt>
    <dd className="mt-1 text-2xl font-semibold tracking-tight tabular-nums" data-total={name}>
      {children}
    </dd>
    <dd className="mt-0.5 text-xs text-muted" data-below={name}>
      {below}
    </dd>
    {change !== undefined && change !== false && (
      <dd className="mt-0.5 text-xs text-muted tabular-nums" data-change={name}>
        {change}
      </dd>
    )}
  </div>
)

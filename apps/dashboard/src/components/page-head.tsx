/** A page's title, with what chooses its content beside it. */
import type { ReactNode } from 'react'

interface PageHeadProps {
  readonly title: ReactNode
  readonly below?: ReactNode
  readonly children?: ReactNode
}

export const PageHead = ({ title, below, children }: PageHeadProps) => (
  <div className="mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
    <div className="min-w-0">
      <h1 className="text-xl leading-tight font-semibold break-words">{title}</h1>
      {below !== undefined && <div className="mt-1 text-sm text-muted">{below}</div>}
    </div>
    {children}
  </div>
)

/** A page's title, and what chooses its content: beside it on wide screens, below it on all others. */
import type { ReactNode } from 'react'

interface PageHeadProps {
  readonly title: ReactNode
  readonly below?: ReactNode
  readonly children?: ReactNode
}

/** The head of a page: its title, what is `below` it, and the controls as children. */
export const PageHead = ({ title, below, children }: PageHeadProps) => (
  <div className="mb-4 flex flex-col gap-x-6 gap-y-3 min-[90rem]:flex-row min-[90rem]:items-start min-[90rem]:justify-between">
    <div className="min-w-0 min-[90rem]:min-w-60">
      <h1 className="text-xl leading-tight font-semibold break-words">{title}</h1>
      {below !== undefined && <div className="mt-1 text-sm text-muted">{below}</div>}
    </div>
    {children}
  </div>
)

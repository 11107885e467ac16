/** A titled part of a page. */
import { useId } from 'react'
import type { ReactNode } from 'react'

interface PanelProps {
  readonly title: string
  /** Right of the title. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** A framed section of a page under its title, with `aside` beside that. */
export const Panel = ({ title, aside, children }: PanelProps) => {
  const id = useId()
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-xl border border-line bg-panel">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-4 pt-4 sm:px-5">
        <h2 id={id} className="text-sm font-semibold">
          {title}
        </h2>
        {aside !== undefined && <div className="text-xs text-muted">{aside}</div>}
      </div>
      {children}
    </section>
  )
}

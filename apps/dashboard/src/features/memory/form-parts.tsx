/** What the forms of memory, notes and profile are made of. */
import type { ReactNode } from 'react'
import { StoreText } from '../../components/store-text.tsx'
import type { Change } from './use-change.ts'

export const BUTTON =
  'rounded-md border border-line bg-panel px-2.5 py-1 text-sm hover:bg-sunken aria-disabled:cursor-default aria-disabled:text-muted'
export const MAIN_BUTTON =
  'rounded-md border border-accent bg-panel px-2.5 py-1 text-sm font-medium text-accent hover:bg-sunken aria-disabled:cursor-default aria-disabled:text-muted'
export const FIELD = 'w-full min-w-0 rounded-lg border border-line bg-page px-3 py-1.5 text-sm text-ink'

interface ActionProps {
  readonly change: Change
  readonly label?: string
  readonly className?: string
  readonly type?: 'button' | 'submit'
  readonly act?: () => void
  readonly children: ReactNode
}

/** A button for a change. It keeps the keyboard's focus while a change is under way, and does nothing then. */
export const Action = ({ change, label, className = BUTTON, type = 'button', act, children }: ActionProps) => (
  <button
    type={type}
    aria-label={label}
    aria-disabled={change.isBusy}
    onClick={(event) => {
      if (change.isBusy) event.preventDefault()
      else act?.()
    }}
    className={className}
  >
    {children}
  </button>
)

/** What came of the last change, said at once by screen readers; empty before the first. */
export const Outcome = ({ change: { outcome, isFailed } }: { readonly change: Change }) => (
  <p role="status" className={`text-sm [overflow-wrap:anywhere] ${isFailed ? 'text-danger' : 'text-muted'}`}>
    <StoreText text={outcome} />
  </p>
)

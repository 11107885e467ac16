/** What the reader should know of the numbers below. */
import type { ReactNode } from 'react'

/** A list of sentences; children are further items. An empty list is an empty frame. */
export const Remarks = ({
  remarks,
  children,
}: {
  readonly remarks: readonly string[]
  readonly children?: ReactNode
}) => (
  <ul className="grid gap-1 rounded-xl border border-line border-l-4 border-l-warning bg-panel px-4 py-2.5 text-sm text-muted">
    {remarks.map((remark) => (
      <li key={remark} data-remark={remark}>
        {remark}
      </li>
    ))}
    {children}
  </ul>
)

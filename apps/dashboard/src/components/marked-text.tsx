/** A text of the store with words that were searched for marked in it. */
import type { ReactNode } from 'react'
import { visibleText } from './store-text.tsx'

interface MarkedTextProps {
  readonly text: string
  /** In UTF-16 units, in order, apart from each other; `end` is not included. */
  readonly highlights: readonly { readonly start: number; readonly end: number }[]
}

/**
 * A text as {@link visibleText} shows it, with its highlights marked, isolated from the direction of the text around
 * it. `highlights`: ascending, none within another.
 */
export const MarkedText = ({ text, highlights }: MarkedTextProps) => {
  const parts: ReactNode[] = []
  let position = 0
  for (const { start, end } of highlights) {
    parts.push(visibleText(text.slice(position, start)))
    parts.push(
      <mark key={start} className="rounded-sm bg-accent/20 font-semibold text-ink">
        {visibleText(text.slice(start, end))}
      </mark>,
    )
    position = end
  }
  parts.push(visibleText(text.slice(position)))
  return <bdi>{parts}</bdi>
}

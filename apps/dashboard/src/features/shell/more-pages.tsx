'use client'
/** Links for which the head has no room, in a list that opens. */
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'

const MARKS = {
  never: 'text-muted',
  'on-phones': 'text-muted max-sm:bg-sunken max-sm:font-medium max-sm:text-ink',
  always: 'bg-sunken font-medium text-ink',
} as const

interface MorePagesProps {
  /** In which windows the current page is one of them. */
  readonly mark: keyof typeof MARKS
  /** Elements of a list. */
  readonly children: ReactNode
}

/**
 * A fold with further pages. Closed by Escape, which gives the keyboard back to its button, and by whatever is pointed
 * at or focused elsewhere. @param mark whether the current page is in it
 */
export const MorePages = ({ mark, children }: MorePagesProps) => {
  const list = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const onElsewhere = ({ target }: Event): void => {
      if (target instanceof Node && list.current?.contains(target) !== true) list.current?.removeAttribute('open')
    }
    document.addEventListener('pointerdown', onElsewhere)
    document.addEventListener('focusin', onElsewhere)
    return () => {
      document.removeEventListener('pointerdown', onElsewhere)
      document.removeEventListener('focusin', onElsewhere)
    }
  }, [])
  return (
    <details
      ref={list}
      onKeyDown={({ key, currentTarget }) => {
        if (key !== 'Escape') return
        currentTarget.removeAttribute('open')
        currentTarget.querySelector('summary')?.focus()
      }}
    >
      <summary
        className={`flex cursor-pointer list-none items-center gap-1 rounded-md px-2 py-1.5 text-sm whitespace-nowrap hover:bg-sunken hover:text-ink [&::-webkit-details-marker]:hidden ${MARKS[mark]}`}
      >
        More
        <svg aria-hidden="true" className="size-2.5" viewBox="0 0 10 10">
          <path d="M1 3l4 4 4-4" fill="none" stroke="currentColor" strokeWidth="1.5" />
        </svg>
      </summary>
      <ul className="absolute right-0 z-10 mt-1 grid min-w-36 gap-0.5 rounded-lg border border-line bg-panel p-1 shadow-lg">
        {children}
      </ul>
    </details>
  )
}

'use client'
/** Text that is out of the way until somebody wants it, and whole only then. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { StoreText } from '../../components/store-text.tsx'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'
import type { BlockView, CutText } from './block-view.ts'

/** Which block it is, to ask for the rest of it. */
export interface BlockPlace {
  readonly id: string
  readonly seq: number
  readonly block: number
}

interface LongTextProps {
  readonly cut: CutText
  readonly place: BlockPlace
  readonly isCode: boolean
}

const textOf = (block: BlockView | undefined): string | undefined => (block === undefined || block.type === 'image' ? undefined : block.text)

export const LongText = ({ cut, place, isCode }: LongTextProps) => {
  const trpc = useTRPC()
  const [isWanted, setWanted] = useState(false)
  const { id, seq } = place
  const { data, error } = useQuery(trpc.session.entry.queryOptions({ id, seq }, { enabled: isWanted, staleTime: Infinity }))
  const whole = data?.kind === 'message' ? textOf(data.blocks[place.block]) : undefined
  const isCut = cut.text.length < cut.length && whole === undefined
  return (
    <>
      <div className={`whitespace-pre-wrap [overflow-wrap:anywhere] ${isCode ? 'font-mono text-xs leading-relaxed' : ''}`}>
        <StoreText text={whole ?? cut.text} />
        {isCut && '…'}
      </div>
      {isCut && (
        <button type="button" onClick={() => setWanted(true)} disabled={isWanted && error === null} className="mt-1 rounded-md text-xs text-accent hover:underline">
          {error !== null ? `${failureOf(error).title}: try again` : isWanted ? 'Loading…' : `Show all ${cut.length.toLocaleString('en-US')} characters`}
        </button>
      )}
    </>
  )
}

interface FoldedProps {
  readonly summary: ReactNode
  readonly children: ReactNode
}

/** What is folded away is not made before it is opened. */
export const Folded = ({ summary, children }: FoldedProps) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="group min-w-0 rounded-lg border border-line bg-page" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex cursor-pointer list-none items-center gap-2 rounded-lg px-2.5 py-1.5 text-xs text-muted hover:text-ink [&::-webkit-details-marker]:hidden">
        <svg aria-hidden="true" viewBox="0 0 10 10" className="size-2.5 shrink-0 transition-transform group-open:rotate-90">
          <path d="M3 1l4 4-4 4" fill="none" stroke="currentColor" strokeWidth="1.5" />
        </svg>
        {summary}
      </summary>
      {isOpen && <div className="max-h-[60vh] overflow-auto border-t border-line px-3 py-2" tabIndex={0} role="region" aria-label="Details">{children}</div>}
    </details>
  )
}

'use client'
/** Text that is out of the way until somebody wants it, and whole only then. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'
import type { BlockView, CutText, TaggedText } from '@cairn/core/conversation'
import { FormattedText, type TextFormat } from './formatted-text.tsx'
import { foldName, useOpenFold, wholeName } from './open-folds.ts'
import { TaggedParts } from './tagged-parts.tsx'

/** Which block it is, to ask for the rest of it. */
export interface BlockPosition {
  readonly id: string
  readonly seq: number
  readonly block: number
}

interface LongTextProps {
  readonly cut: CutText & Partial<Pick<TaggedText, 'parts'>>
  readonly position: BlockPosition
  readonly format: TextFormat
}

const FORMATS: Readonly<Record<TextFormat, string>> = {
  plain: 'max-w-[110ch] whitespace-pre-wrap',
  markdown: 'max-w-[110ch]',
  code: 'font-mono text-xs leading-relaxed whitespace-pre-wrap',
}

const textOf = (block: BlockView | undefined): LongTextProps['cut'] | undefined =>
  block === undefined || block.type === 'image' || block.type === 'answered' ? undefined : block

/**
 * A text; where it was cut, with a button that brings the rest, or says why it can't. Where it is cut, the part that is
 * there ends with "…".
 */
export const LongText = ({ cut, position, format }: LongTextProps) => {
  const trpc = useTRPC()
  const { id, seq, block } = position
  const [isWanted, setWanted] = useOpenFold(wholeName(seq, block))
  const text = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const { data, error, refetch } = useQuery(
    trpc.session.entry.queryOptions({ id, seq }, { enabled: isWanted, staleTime: Infinity }),
  )
  const whole = data?.kind === 'message' ? textOf(data.blocks[block]) : undefined
  const shown = whole ?? cut
  const isCut = cut.text.length < cut.length && whole === undefined
  // The button goes when it has done its work; the keyboard is handed to what it brought.
  const hasKeyboard = useRef(false)
  useEffect(() => {
    if (!isCut && hasKeyboard.current) text.current?.focus({ preventScroll: true })
    hasKeyboard.current = false
  }, [isCut])
  const askForAll = (): void => {
    hasKeyboard.current = document.activeElement === button.current
    if (error !== null) void refetch()
    else setWanted(true)
  }
  return (
    <>
      <div ref={text} tabIndex={-1} className={`outline-none [overflow-wrap:anywhere] ${FORMATS[format]}`}>
        {(shown.parts ?? []).length > 0 ? (
          <TaggedParts parts={shown.parts ?? []} seq={seq} format={format} />
        ) : (
          <FormattedText text={shown.text} seq={seq} format={format} />
        )}
        {isCut && '…'}
      </div>
      {isCut && (
        <button
          ref={button}
          type="button"
          onClick={askForAll}
          aria-busy={isWanted && error === null}
          className="mt-1 rounded-md text-xs text-accent hover:underline"
        >
          {error !== null
            ? `${failureOf(error).title}: try again`
            : isWanted
              ? 'Loading…'
              : `Show all ${cut.length.toLocaleString('en-US')} characters`}
        </button>
      )}
    </>
  )
}

interface FoldedProps {
  readonly position: BlockPosition
  readonly summary: ReactNode
  readonly isError?: boolean
  readonly children: ReactNode
}

/**
 * A fold with its summary; what is in it is not made before it is opened, and it stays open while the conversation is
 * on the page.
 */
export const Folded = ({ position, summary, isError = false, children }: FoldedProps) => {
  const [isOpen, setOpen] = useOpenFold(foldName(position.seq, position.block))
  return (
    <details
      className={`group min-w-0 rounded-lg border bg-page ${isError ? 'border-danger' : 'border-line'}`}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary
        // At once, and not with the event that follows: the row may be gone by then.
        onClick={(event) => {
          event.preventDefault()
          setOpen(!isOpen)
        }}
        className="flex cursor-pointer list-none items-center gap-2 rounded-lg px-2.5 py-1.5 text-xs text-muted hover:text-ink [&::-webkit-details-marker]:hidden"
      >
        <svg
          aria-hidden="true"
          viewBox="0 0 10 10"
          className="size-2.5 shrink-0 transition-transform group-open:rotate-90"
        >
          <path d="M3 1l4 4-4 4" fill="none" stroke="currentColor" strokeWidth="1.5" />
        </svg>
        {summary}
      </summary>
      {isOpen && (
        <div
          className="max-h-[60vh] overflow-auto border-t border-line px-3 py-2"
          tabIndex={0}
          role="region"
          aria-label="Details"
        >
          {children}
        </div>
      )}
    </details>
  )
}

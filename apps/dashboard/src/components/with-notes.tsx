'use client'
/**
 * A value with notes that appear on hover and focus. They are in the top layer, above everything, so no scrolling
 * table cuts them off; Escape hides them. In a table the arrow keys go on to the values beside it.
 */
import { useEffect, useId, useRef, useState } from 'react'
import type { KeyboardEvent as FigureKeyEvent, ReactNode, Ref, RefObject } from 'react'
import { figureBeside } from './cell-keys.ts'

interface WithNotesProps {
  readonly notes: readonly string[]
  /** Underlined: its notes say that something is missing in it. */
  readonly isMarked: boolean
  /** A stop of the Tab key; others are reached from one by the arrow keys. */
  readonly isStop: boolean
  readonly children: ReactNode
}

const GAP = 6
const EDGE = 8

/** Moves a bubble below the anchor where it fits, else above it, and never over the edge of the window. */
const moveBeside = (anchor: HTMLElement, bubble: HTMLElement): void => {
  const from = anchor.getBoundingClientRect()
  const size = bubble.getBoundingClientRect()
  const left = Math.min(from.left, window.innerWidth - size.width - EDGE)
  const fitsBelow = from.bottom + GAP + size.height <= window.innerHeight - EDGE
  bubble.style.left = `${Math.max(EDGE, left)}px`
  bubble.style.top = `${fitsBelow ? from.bottom + GAP : Math.max(EDGE, from.top - GAP - size.height)}px`
}

/**
 * Shows the bubble beside its anchor while it is open. Escape closes it, and so does scrolling, but where the anchor has the
 * focus: going there by keyboard may have scrolled the page.
 */
const useBubble = (
  isOpen: boolean,
  close: () => void,
): { readonly anchor: RefObject<HTMLSpanElement | null>; readonly bubble: RefObject<HTMLSpanElement | null> } => {
  const anchor = useRef<HTMLSpanElement>(null)
  const bubble = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (!isOpen || anchor.current === null || bubble.current === null) return
    bubble.current.showPopover()
    moveBeside(anchor.current, bubble.current)
    const closeOnEscape = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') close()
    }
    const followOrClose = (): void => {
      if (anchor.current === null || bubble.current === null || anchor.current !== document.activeElement) close()
      else moveBeside(anchor.current, bubble.current)
    }
    window.addEventListener('keydown', closeOnEscape)
    window.addEventListener('scroll', followOrClose, { capture: true, passive: true })
    return () => {
      window.removeEventListener('keydown', closeOnEscape)
      window.removeEventListener('scroll', followOrClose, { capture: true })
    }
  }, [isOpen])
  return { anchor, bubble }
}

/** The notes in a box beside their figure; screen readers are given them elsewhere. */
const Bubble = ({ ref, notes }: { readonly ref: Ref<HTMLSpanElement>; readonly notes: readonly string[] }) => (
  <span
    ref={ref}
    popover="manual"
    aria-hidden="true"
    className="pointer-events-none inset-auto m-0 max-w-72 rounded-lg border border-line bg-panel px-3 py-2 text-left font-sans text-xs font-normal tracking-normal whitespace-normal text-ink normal-case shadow-lg"
  >
    {notes.map((note) => (
      <span key={note} className="block not-first:mt-1.5">
        {note}
      </span>
    ))}
  </span>
)

/** In a table, moves the focus to the figure beside this one by an arrow key; other keys do nothing. */
const moveToFigure = (event: FigureKeyEvent<HTMLSpanElement>): void => {
  const next = figureBeside(event.currentTarget, event.key)
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

/**
 * The value with notes that are shown when it is pointed at or reached with the keyboard; without notes nothing is
 * added to it.
 */
export const WithNotes = ({ notes, isMarked, isStop, children }: WithNotesProps) => {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const open = (): void => setOpen(true)
  const close = (): void => setOpen(false)
  const { anchor, bubble } = useBubble(isOpen, close)
  if (notes.length === 0) return <>{children}</>
  const isDescribed = isStop || isOpen
  return (
    <span
      ref={anchor}
      className={
        isMarked
          ? 'cursor-help underline decoration-warning decoration-dotted decoration-2 underline-offset-4'
          : undefined
      }
      data-figure=""
      role="note"
      tabIndex={isStop ? 0 : -1}
      aria-describedby={isDescribed ? id : undefined}
      onKeyDown={moveToFigure}
      onPointerEnter={open}
      onPointerLeave={close}
      onFocus={open}
      onBlur={close}
    >
      {children}
      {isDescribed && (
        <span id={id} hidden>
          {notes.join(' ')}
        </span>
      )}
      {isOpen && <Bubble ref={bubble} notes={notes} />}
    </span>
  )
}

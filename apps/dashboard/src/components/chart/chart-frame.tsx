'use client'
/** What charts over steps have in common: the frame that takes pointer and keys, the axes, and the hint beside a step. */
import { useId, useLayoutEffect, useRef } from 'react'
import type { FocusEvent, KeyboardEvent, MouseEvent, PointerEvent, ReactNode, Ref } from 'react'
import { ChartHint, hintText } from './chart-hint.tsx'
import type { HintContent } from './chart-hint.tsx'
import type { ChartLayout } from './chart-layout.ts'

interface ChartFrameProps {
  readonly frame: Ref<HTMLDivElement>
  readonly label: string
  /** For screen readers: what the keys do. */
  readonly help: ReactNode
  readonly isClickable: boolean
  /** px */
  readonly height: number
  /** The numbers of the active step. */
  readonly hint: HintContent | undefined
  /** px from the left edge */
  readonly hintLeft: number
  /** The step under the pointer. */
  readonly indexAt: (event: PointerEvent<HTMLDivElement>) => number | undefined
  readonly setActive: (index: number | undefined) => void
  readonly onKeyDown: (event: KeyboardEvent<HTMLDivElement>) => void
  readonly onClick: (event: MouseEvent<HTMLDivElement>) => void
  /** The frame got the focus from the keyboard. */
  readonly onKeyboardFocus: () => void
  /** The content of the SVG. */
  readonly children: ReactNode
}

const GAP = 6
const EDGE = 8

/** Places the hint above the frame if there is room, otherwise below it, and always inside the window. */
const moveBeside = (frame: Element, hint: HTMLElement, left: number): void => {
  const from = frame.getBoundingClientRect()
  const size = hint.getBoundingClientRect()
  const above = from.top - GAP - size.height
  const below = Math.min(from.bottom + GAP, window.innerHeight - size.height - EDGE)
  hint.style.left = `${Math.max(EDGE, Math.min(from.left + left, window.innerWidth - size.width - EDGE))}px`
  hint.style.top = `${Math.max(EDGE, above >= EDGE ? above : below)}px`
}

/** Shows the numbers of a step in the top layer, where neither panels nor the window's edges cut them off. */
const FloatingHint = ({ hint, left }: { readonly hint: HintContent; readonly left: number }) => {
  const bubble = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const shown = bubble.current
    if (shown?.parentElement === null || shown === null) return
    if (!shown.matches(':popover-open')) shown.showPopover()
    moveBeside(shown.parentElement, shown, left)
  })
  return (
    <div
      ref={bubble}
      popover="manual"
      aria-hidden="true"
      className="pointer-events-none inset-auto m-0 w-60 rounded-lg bg-transparent p-0 text-xs text-ink"
    >
      <ChartHint {...hint} />
    </div>
  )
}

/**
 * Shows the SVG with its hint. Pointer and keys choose the active step, and screen readers hear its numbers. Without an
 * active step there is no hint.
 */
export const ChartFrame = (props: ChartFrameProps) => {
  const { hint, setActive, indexAt } = props
  const helpId = useId()
  const follow = (event: PointerEvent<HTMLDivElement>): void => setActive(indexAt(event))
  const focus = (event: FocusEvent<HTMLDivElement>): void => {
    if (event.currentTarget.matches(':focus-visible')) props.onKeyboardFocus()
  }
  return (
    <div
      ref={props.frame}
      className={`relative mx-1 mb-2 touch-pan-y text-xs sm:mx-3 ${props.isClickable ? 'cursor-pointer' : ''}`}
      role="group"
      tabIndex={0}
      aria-label={props.label}
      aria-describedby={helpId}
      onPointerMove={follow}
      onPointerDown={follow}
      onPointerLeave={() => setActive(undefined)}
      onKeyDown={props.onKeyDown}
      onClick={props.onClick}
      onFocus={focus}
      onBlur={() => setActive(undefined)}
    >
      <p id={helpId} className="sr-only">
        {props.help} The same numbers stand in a table below.
      </p>
      <svg aria-hidden="true" width="100%" height={props.height} className="block">
        {props.children}
      </svg>
      {hint !== undefined && <FloatingHint hint={hint} left={props.hintLeft} />}
      <p aria-live="polite" className="sr-only">
        {hint === undefined ? '' : hintText(hint)}
      </p>
    </div>
  )
}

interface ValueAxisProps {
  readonly layout: ChartLayout
  readonly axisText: (value: number) => string
}

/** A line for every tick, with its value before it, as parts of an SVG; nothing without ticks. */
export const ValueAxis = ({ layout: { ticks, start, end, y }, axisText }: ValueAxisProps) =>
  ticks.map((tick) => (
    <g key={tick}>
      <line x1={start} x2={end} y1={y(tick)} y2={y(tick)} stroke="var(--line)" />
      <text x={start - 8} y={y(tick)} dy="0.32em" textAnchor="end" fill="var(--muted)">
        {axisText(tick)}
      </text>
    </g>
  ))

interface StepAxisProps {
  readonly layout: ChartLayout
  readonly labels: readonly { readonly label: string }[]
  /** Indexes of the steps whose label is shown. */
  readonly labelled: readonly number[]
}

/** The labels of the chosen steps (`labelled`, from 0), in their middle; one at the right edge ends there. */
export const StepAxis = ({ layout: { middle, width, labelWidth, labelY }, labels, labelled }: StepAxisProps) =>
  labelled.map((index) => {
    const isAtEdge = middle(index) > width - labelWidth / 2
    return (
      <text
        key={index}
        x={isAtEdge ? width - 2 : middle(index)}
        y={labelY}
        textAnchor={isAtEdge ? 'end' : 'middle'}
        fill="var(--muted)"
      >
        {labels[index]?.label}
      </text>
    )
  })

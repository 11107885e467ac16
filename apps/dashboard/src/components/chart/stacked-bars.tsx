'use client'
/**
 * Stacked bars over steps of time, drawn as SVG. The pointer shows a bar's numbers; so do the arrow keys, for which the
 * chart is one stop of the keyboard. All of its numbers must stand in a table as well.
 */
import { useId, useState } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'
import { ChartHint, hintText } from './chart-hint.tsx'
import type { HintContent } from './chart-hint.tsx'
import { labelStep, scaleTo } from './scale.ts'
import { useWidth } from './use-width.ts'

export interface BarSeries<Field extends string> {
  readonly field: Field
  readonly name: string
  readonly color: string
}

export type BarPoint<Field extends string> = Readonly<Record<Field, number>> & { readonly key: string; readonly label: string }

export interface BarMark {
  /** Before which bar it stands. */
  readonly index: number
  readonly title: string
}

interface StackedBarsProps<Field extends string, Point extends BarPoint<Field>> {
  readonly label: string
  readonly points: readonly Point[]
  readonly series: readonly BarSeries<Field>[]
  readonly axisText: (value: number) => string
  readonly hintOf: (point: Point) => HintContent
  readonly marks?: readonly BarMark[]
}

const HEIGHT = 232
const TOP = 10
const BOTTOM = 26
const LEFT = 54
const RIGHT = 10
const LABEL_WIDTH = 64
const WIDEST_BAR = 40
const HINT_WIDTH = 240

export const StackedBars = <Field extends string, Point extends BarPoint<Field>>({ label, points, series, axisText, hintOf, marks = [] }: StackedBarsProps<Field, Point>) => {
  const [frame, width] = useWidth()
  const [active, setActive] = useState<number | undefined>(undefined)
  const helpId = useId()
  const heightOf = (point: Point): number => series.reduce((sum, { field }) => sum + point[field], 0)
  const { top, ticks } = scaleTo(points.reduce((most, point) => Math.max(most, heightOf(point)), 0))
  const room = Math.max(0, width - LEFT - RIGHT)
  const step = points.length === 0 ? 0 : room / points.length
  const bar = Math.min(WIDEST_BAR, step > 4 ? step * 0.84 : step)
  const y = (value: number): number => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top)
  const each = labelStep(points.length, room, LABEL_WIDTH)
  const shown = active === undefined ? undefined : points[active]

  const point = (event: PointerEvent<HTMLDivElement>): void => {
    const index = Math.floor((event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT) / step)
    setActive(index >= 0 && index < points.length ? index : undefined)
  }
  const move = (event: KeyboardEvent<HTMLDivElement>): void => {
    const last = points.length - 1
    const from = active ?? -1
    const target = { ArrowRight: Math.min(last, from + 1), ArrowLeft: from < 0 ? last : Math.max(0, from - 1), Home: 0, End: last }[event.key]
    if (target !== undefined) {
      setActive(target)
      event.preventDefault()
    } else if (event.key === 'Escape') setActive(undefined)
  }
  const hintLeft = active === undefined ? 0 : Math.max(0, Math.min(width - HINT_WIDTH, LEFT + (active + 0.5) * step - HINT_WIDTH / 2))

  return (
    <div
      ref={frame}
      className="relative mx-1 mb-2 touch-pan-y text-xs sm:mx-3"
      role="group"
      tabIndex={0}
      aria-label={label}
      aria-describedby={helpId}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={() => setActive(undefined)}
      onKeyDown={move}
      onBlur={() => setActive(undefined)}
    >
      <p id={helpId} className="sr-only">
        Arrow keys go from bar to bar. The same numbers stand in the table below.
      </p>
      <svg aria-hidden="true" width="100%" height={HEIGHT} className="block">
        {width > 0 && (
          <>
            {ticks.map((tick) => (
              <g key={tick}>
                <line x1={LEFT} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} stroke="var(--line)" />
                <text x={LEFT - 8} y={y(tick)} dy="0.32em" textAnchor="end" fill="var(--muted)">
                  {axisText(tick)}
                </text>
              </g>
            ))}
            {active !== undefined && <rect x={LEFT + active * step} y={TOP} width={step} height={HEIGHT - TOP - BOTTOM} fill="var(--sunken)" />}
            {series.map(({ field, color }, level) => (
              <path
                key={field}
                data-series={field}
                fill={color}
                d={points
                  .map((one, index) => {
                    const value = one[field]
                    if (value <= 0) return ''
                    const below = series.slice(0, level).reduce((sum, other) => sum + one[other.field], 0)
                    const left = LEFT + index * step + (step - bar) / 2
                    return `M${left.toFixed(2)} ${y(below).toFixed(2)}h${bar.toFixed(2)}V${y(below + value).toFixed(2)}h${(-bar).toFixed(2)}z`
                  })
                  .join('')}
              />
            ))}
            {marks.map(({ index, title }) => (
              <g key={`${index} ${title}`}>
                <line x1={LEFT + index * step} x2={LEFT + index * step} y1={TOP - 4} y2={HEIGHT - BOTTOM} stroke="var(--danger)" strokeWidth="1.5" strokeDasharray="4 3" />
                <path d={`M${LEFT + index * step - 4} ${TOP - 6}h8l-4 6z`} fill="var(--danger)" />
              </g>
            ))}
            {points.map((one, index) =>
              index % each === 0 && LEFT + (index + 0.5) * step < width - 24 ? (
                <text key={one.key} x={LEFT + (index + 0.5) * step} y={HEIGHT - 8} textAnchor="middle" fill="var(--muted)">
                  {one.label}
                </text>
              ) : null,
            )}
          </>
        )}
      </svg>
      {shown !== undefined && (
        <div aria-hidden="true" className="pointer-events-none absolute bottom-full z-10 -mb-2 w-60" style={{ left: hintLeft }}>
          <ChartHint {...hintOf(shown)} />
        </div>
      )}
      <p aria-live="polite" className="sr-only">
        {shown === undefined ? '' : hintText(hintOf(shown))}
      </p>
    </div>
  )
}

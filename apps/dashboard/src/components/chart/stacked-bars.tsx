'use client'
/**
 * Stacked bars over steps of time, drawn as SVG. The pointer shows a bar's numbers; so do the arrow keys, for which the
 * chart is one stop of the keyboard. All of its numbers must stand in a table as well.
 */
import { useState } from 'react'
import type { KeyboardEvent, MouseEvent, PointerEvent } from 'react'
import { ChartFrame, StepAxis, ValueAxis } from './chart-frame.tsx'
import type { HintContent } from './chart-hint.tsx'
import { labelStep, labelledBars, scaleTo } from './scale.ts'
import { useWidth } from './use-width.ts'

export interface BarSeries<Field extends string> {
  readonly field: Field
  readonly name: string
  readonly color: string
}

export type BarPoint<Field extends string> = Readonly<Record<Field, number>> & {
  readonly key: string
  readonly label: string
  /** Time is left out before it. */ readonly isAfterGap?: boolean
}

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
  /** What a click on a bar, or Enter, does. A finger shows its numbers instead. */
  readonly choose?: ((point: Point) => void) | undefined
}

/** px, where the page's letters are of the usual size. */
const USUAL = {
  height: 232,
  top: 10,
  bottom: 26,
  left: 46,
  right: 10,
  digit: 7,
  labelWidth: 64,
  widestBar: 40,
  hintWidth: 240,
} as const

const sizesFor = (scale: number): Record<keyof typeof USUAL, number> => ({
  height: USUAL.height * scale,
  top: USUAL.top * scale,
  bottom: USUAL.bottom * scale,
  left: USUAL.left * scale,
  right: USUAL.right * scale,
  digit: USUAL.digit * scale,
  labelWidth: USUAL.labelWidth * scale,
  widestBar: USUAL.widestBar * scale,
  hintWidth: USUAL.hintWidth * scale,
})

export const StackedBars = <Field extends string, Point extends BarPoint<Field>>({
  label,
  points,
  series,
  axisText,
  hintOf,
  marks = [],
  choose,
}: StackedBarsProps<Field, Point>) => {
  const [frame, width, scale] = useWidth()
  const {
    height,
    top: above,
    bottom: under,
    left: leastStart,
    right: end,
    digit,
    labelWidth,
    widestBar,
    hintWidth,
  } = sizesFor(scale)
  const [active, setActive] = useState<number | undefined>(undefined)
  const heightOf = (point: Point): number => series.reduce((sum, { field }) => sum + point[field], 0)
  const { top, ticks } = scaleTo(points.reduce((most, point) => Math.max(most, heightOf(point)), 0))
  // No digit of the axis may be cut off, nor its currency.
  const start = Math.max(leastStart, Math.max(...ticks.map((tick) => axisText(tick).length)) * digit + 12 * scale)
  const plotWidth = Math.max(0, width - start - end)
  const step = points.length === 0 ? 0 : plotWidth / points.length
  const bar = Math.min(widestBar, step > 4 ? step * 0.84 : step)
  const y = (value: number): number => above + (height - above - under) * (1 - value / top)
  const labelled = labelledBars(
    points.map(({ isAfterGap }) => isAfterGap === true),
    labelStep(points.length, plotWidth, labelWidth),
    step === 0 ? 0 : labelWidth / step,
  )
  const middle = (index: number): number => start + (index + 0.5) * step
  const shown = active === undefined ? undefined : points[active]

  const indexAt = (event: PointerEvent<HTMLDivElement>): number | undefined => {
    const index = Math.floor((event.clientX - event.currentTarget.getBoundingClientRect().left - start) / step)
    return index >= 0 && index < points.length ? index : undefined
  }
  const move = (event: KeyboardEvent<HTMLDivElement>): void => {
    const last = points.length - 1
    const from = active ?? -1
    const target = {
      ArrowRight: Math.min(last, from + 1),
      ArrowLeft: from < 0 ? last : Math.max(0, from - 1),
      Home: 0,
      End: last,
    }[event.key]
    if (target !== undefined) {
      setActive(target)
      event.preventDefault()
    } else if (event.key === 'Escape') setActive(undefined)
    else if (event.key === 'Enter' && shown !== undefined) choose?.(shown)
  }
  const click = ({ nativeEvent }: MouseEvent<HTMLDivElement>): void => {
    const isFinger = nativeEvent instanceof globalThis.PointerEvent && nativeEvent.pointerType === 'touch'
    if (!isFinger && shown !== undefined) choose?.(shown)
  }
  // The keyboard comes to the latest bar that has something to tell; the pointer has its own way.
  const showFirst = (): void => {
    const latest = points.findLastIndex((one) => heightOf(one) > 0)
    setActive(latest === -1 ? points.length - 1 : latest)
  }
  const hintOfBar = (one: Point, index: number): HintContent => ({
    ...hintOf(one),
    remarks: [
      ...marks
        .filter((mark) => mark.index === index || (index === points.length - 1 && mark.index === points.length))
        .map(({ title }) => title),
      ...(one.isAfterGap === true ? ['Time without usage is left out before it'] : []),
    ],
  })
  const hintLeft = active === undefined ? 0 : Math.max(0, Math.min(width - hintWidth, middle(active) - hintWidth / 2))

  return (
    <ChartFrame
      frame={frame}
      label={label}
      help={`Arrow keys go from bar to bar.${choose === undefined ? '' : ' Enter goes to what a bar stands for.'}`}
      isClickable={choose !== undefined}
      height={height}
      hint={shown === undefined ? undefined : hintOfBar(shown, active ?? 0)}
      hintLeft={hintLeft}
      indexAt={indexAt}
      setActive={setActive}
      onKeyDown={move}
      onClick={click}
      onKeyboardFocus={showFirst}
    >
      {width > 0 && (
        <>
          <ValueAxis ticks={ticks} axisText={axisText} start={start} end={width - end} y={y} />
          {active !== undefined && (
            <rect
              x={start + active * step}
              y={above}
              width={step}
              height={height - above - under}
              fill="var(--sunken)"
            />
          )}
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
                  const left = start + index * step + (step - bar) / 2
                  return `M${left.toFixed(2)} ${y(below).toFixed(2)}h${bar.toFixed(2)}V${y(below + value).toFixed(2)}h${(-bar).toFixed(2)}z`
                })
                .join('')}
            />
          ))}
          {marks.map(({ index, title }) => (
            <g key={`${index} ${title}`}>
              <line
                x1={start + index * step}
                x2={start + index * step}
                y1={above - 4}
                y2={height - under}
                stroke="var(--danger)"
                strokeWidth="1.5"
                strokeDasharray="4 3"
              />
              <path d={`M${start + index * step - 4} ${above - 6}h8l-4 6z`} fill="var(--danger)" />
            </g>
          ))}
          {points.map((one, index) =>
            one.isAfterGap === true ? (
              <g key={one.key} data-gap="">
                <rect x={start + index * step - 5} y={height - under - 6} width="10" height="12" fill="var(--panel)" />
                <path
                  d={`M${start + index * step - 6} ${height - under + 6}l5 -12m2 12l5 -12`}
                  stroke="var(--muted)"
                  strokeWidth="1.5"
                  fill="none"
                />
              </g>
            ) : null,
          )}
          <StepAxis
            labelled={labelled}
            labels={points}
            middle={middle}
            width={width}
            labelWidth={labelWidth}
            y={height - 8}
          />
        </>
      )}
    </ChartFrame>
  )
}

'use client'
/**
 * Stacked bars over steps of time, drawn as SVG. The pointer shows a bar's numbers; so do the arrow keys, for which the
 * chart is one stop of the keyboard. A table must have all of its numbers as well.
 */
import { useState } from 'react'
import type { KeyboardEvent, MouseEvent, PointerEvent } from 'react'
import { ChartFrame, StepAxis, ValueAxis } from './chart-frame.tsx'
import type { HintContent } from './chart-hint.tsx'
import { chartLayout } from './chart-layout.ts'
import type { ChartLayout } from './chart-layout.ts'
import { labelledBars } from './scale.ts'
import { useWidth } from './use-width.ts'

/** One class of the values in each bar. */
export interface BarSeries<Field extends string> {
  readonly field: Field
  readonly name: string
  readonly color: string
}

/** A bar, with a value for each series. */
export type BarPoint<Field extends string> = Readonly<Record<Field, number>> & {
  readonly key: string
  readonly label: string
  /** Time is left out before it. */
  readonly isAfterGap?: boolean
}

/** A mark before a bar. */
export interface BarMark {
  /** Before which bar it is drawn; the number of bars for after the last. */
  readonly index: number
  readonly title: string
  /** Default: that of danger. */
  readonly color?: string
}

interface StackedBarsProps<Field extends string, Point extends BarPoint<Field>> {
  readonly label: string
  readonly points: readonly Point[]
  readonly series: readonly BarSeries<Field>[]
  readonly axisText: (value: number) => string
  readonly hintOf: (point: Point) => HintContent
  readonly marks?: readonly BarMark[]
  /** Lower, for a chart beside something else. */
  readonly isSmall?: boolean
  /** First and last of the bars that are marked as seen elsewhere on the page. */
  readonly seen?: readonly [first: number, last: number]
  /** What a click on a bar, or Enter, does. A finger shows its numbers instead. */
  readonly choose?: ((point: Point) => void) | undefined
}

const SIZES = { height: 232, top: 10, bottom: 26, right: 10, belowLabels: 8 } as const
const SMALL = { height: 96, top: 12, bottom: 20, right: 10, belowLabels: 5 } as const
const WIDEST_BAR = 40

/** Whether a click was made by touch. */
const isFinger = (event: Event): boolean => event instanceof globalThis.PointerEvent && event.pointerType === 'touch'

/**
 * Returns the bar that a key moves to; undefined for other keys. Without an active bar, right begins at the first and
 * left at the last. Neither goes beyond the ends.
 */
const barAfterKey = (key: string, active: number | undefined, last: number): number | undefined =>
  ({
    ArrowRight: Math.min(last, (active ?? -1) + 1),
    ArrowLeft: active === undefined ? last : Math.max(0, active - 1),
    Home: 0,
    End: last,
  })[key]

/**
 * Returns what the marks and the gap at a bar add to its hint. The marks first; the last bar has those behind it, too.
 */
const remarksAt = (
  index: number,
  points: readonly BarPoint<string>[],
  marks: readonly BarMark[],
): readonly string[] => [
  ...marks
    .filter((mark) => mark.index === index || (index === points.length - 1 && mark.index === points.length))
    .map(({ title }) => title),
  ...(points[index]?.isAfterGap === true ? ['Time without usage is left out before it'] : []),
]

interface DrawnBars<Field extends string> {
  readonly layout: ChartLayout
  readonly points: readonly BarPoint<Field>[]
}

/** One path for each series, which begins where the series below it ends. Values that are not positive are left out. */
const Bars = <Field extends string>({
  layout: { start, stepWidth, y },
  points,
  series,
  widestBar,
}: Pick<PlotProps<Field>, 'layout' | 'points' | 'series' | 'widestBar'>) => {
  const barWidth = Math.min(widestBar, stepWidth > 4 ? stepWidth * 0.84 : stepWidth)
  const barPath = (point: BarPoint<Field>, index: number, level: number, field: Field): string => {
    const value = point[field]
    if (value <= 0) return ''
    const below = series.slice(0, level).reduce((sum, other) => sum + point[other.field], 0)
    const left = start + index * stepWidth + (stepWidth - barWidth) / 2
    return `M${left.toFixed(2)} ${y(below).toFixed(2)}h${barWidth.toFixed(2)}V${y(below + value).toFixed(2)}h${(-barWidth).toFixed(2)}z`
  }
  return series.map(({ field, color }, level) => (
    <path
      key={field}
      data-series={field}
      fill={color}
      d={points.map((point, index) => barPath(point, index, level, field)).join('')}
    />
  ))
}

/** A dashed line with a triangle on top, before each marked bar. */
const Marks = ({ layout, marks }: { readonly layout: ChartLayout; readonly marks: readonly BarMark[] }) =>
  marks.map(({ index, title, color = 'var(--danger)' }) => {
    const x = layout.start + index * layout.stepWidth
    return (
      <g key={`${index} ${title}`}>
        <line
          x1={x}
          x2={x}
          y1={layout.top - 4}
          y2={layout.bottom}
          stroke={color}
          strokeWidth="1.5"
          strokeDasharray="4 3"
        />
        <path d={`M${x - 4} ${layout.top - 6}h8l-4 6z`} fill={color} />
      </g>
    )
  })

/** Two strokes through the axis wherever time is left out. */
const Gaps = ({ layout: { start, stepWidth, bottom }, points }: DrawnBars<string>) =>
  points.map(({ key, isAfterGap }, index) => {
    const x = start + index * stepWidth
    return isAfterGap === true ? (
      <g key={key} data-gap="">
        <rect x={x - 5} y={bottom - 6} width="10" height="12" fill="var(--panel)" />
        <path d={`M${x - 6} ${bottom + 6}l5 -12m2 12l5 -12`} stroke="var(--muted)" strokeWidth="1.5" fill="none" />
      </g>
    ) : null
  })

interface PlotProps<Field extends string> extends DrawnBars<Field> {
  readonly series: readonly BarSeries<Field>[]
  readonly marks: readonly BarMark[]
  readonly axisText: (value: number) => string
  readonly seen: readonly [first: number, last: number] | undefined
  /** The bar whose numbers are shown; there is a stripe behind it. */
  readonly active: number | undefined
  /** px */
  readonly widestBar: number
}

/** Draws the whole bar chart, from the back to the front; `seen` frames these bars, `active` has a background. */
const Plot = <Field extends string>({
  layout,
  points,
  series,
  marks,
  axisText,
  seen,
  active,
  widestBar,
}: PlotProps<Field>) => (
  <>
    <ValueAxis layout={layout} axisText={axisText} />
    {seen !== undefined && seen[1] >= seen[0] && (
      <rect
        data-seen=""
        x={layout.start + seen[0] * layout.stepWidth - 1}
        y={layout.top - 2}
        width={Math.max(3, (seen[1] - seen[0] + 1) * layout.stepWidth) + 2}
        height={layout.bottom - layout.top + 3}
        fill="var(--accent)"
        fillOpacity="0.18"
        stroke="var(--accent)"
      />
    )}
    {active !== undefined && (
      <rect
        x={layout.start + active * layout.stepWidth}
        y={layout.top}
        width={layout.stepWidth}
        height={layout.bottom - layout.top}
        fill="var(--sunken)"
      />
    )}
    <Bars layout={layout} points={points} series={series} widestBar={widestBar} />
    <Marks layout={layout} marks={marks} />
    <Gaps layout={layout} points={points} />
    <StepAxis
      layout={layout}
      labels={points}
      labelled={labelledBars(
        points.map(({ isAfterGap }) => isAfterGap === true),
        layout.labelEach,
        layout.labelSteps,
      )}
    />
  </>
)

/**
 * The bar chart, as wide as what it is in; empty until that is known. Pointer and arrow keys choose a bar, Escape none;
 * Enter or a click, not a finger, calls `choose`.
 */
export const StackedBars = <Field extends string, Point extends BarPoint<Field>>(
  props: StackedBarsProps<Field, Point>,
) => {
  const { label, points, series, axisText, hintOf, marks = [], isSmall = false, seen, choose } = props
  const [frame, width, scale] = useWidth()
  const [active, setActive] = useState<number | undefined>(undefined)
  const sumOf = (point: Point): number => series.reduce((sum, { field }) => sum + point[field], 0)
  const largest = points.reduce((most, point) => Math.max(most, sumOf(point)), 0)
  const layout = chartLayout(isSmall ? SMALL : SIZES, width, scale, { count: points.length, largest, axisText })
  const shown = active === undefined ? undefined : points[active]
  const indexAt = (event: PointerEvent<HTMLDivElement>): number | undefined => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - layout.start
    const index = Math.floor(x / layout.stepWidth)
    return index >= 0 && index < points.length ? index : undefined
  }
  const pressKey = (event: KeyboardEvent<HTMLDivElement>): void => {
    const target = barAfterKey(event.key, active, points.length - 1)
    if (target !== undefined) {
      setActive(target)
      event.preventDefault()
    } else if (event.key === 'Escape') setActive(undefined)
    else if (event.key === 'Enter' && shown !== undefined) choose?.(shown)
  }
  const click = ({ nativeEvent }: MouseEvent<HTMLDivElement>): void => {
    if (!isFinger(nativeEvent) && shown !== undefined) choose?.(shown)
  }
  /** The keyboard starts at the latest bar that is not empty. */
  const showLatest = (): void => {
    const latest = points.findLastIndex((point) => sumOf(point) > 0)
    setActive(latest === -1 ? points.length - 1 : latest)
  }
  return (
    <ChartFrame
      frame={frame}
      label={label}
      help={`Arrow keys go from bar to bar.${choose === undefined ? '' : ' Enter goes to what a bar stands for.'}`}
      isClickable={choose !== undefined}
      height={layout.height}
      hint={shown === undefined ? undefined : { ...hintOf(shown), remarks: remarksAt(active ?? 0, points, marks) }}
      hintLeft={layout.hintLeft(active)}
      indexAt={indexAt}
      setActive={setActive}
      onKeyDown={pressKey}
      onClick={click}
      onKeyboardFocus={showLatest}
    >
      {width > 0 && (
        <Plot
          layout={layout}
          points={points}
          series={series}
          marks={marks}
          axisText={axisText}
          seen={seen}
          active={active}
          widestBar={WIDEST_BAR * scale}
        />
      )}
    </ChartFrame>
  )
}

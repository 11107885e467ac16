'use client'
/**
 * Lines over steps, drawn as SVG, with a limit and with marks on the axis. The pointer shows a step's numbers; so do the
 * arrow keys, for which the chart is one stop of the keyboard: left and right go from step to step, up and down from
 * mark to mark, Enter opens one. A table must have all of its numbers as well.
 */
import { useState } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'
import { ChartFrame, StepAxis, ValueAxis } from './chart-frame.tsx'
import type { HintContent } from './chart-hint.tsx'
import { chartLayout } from './chart-layout.ts'
import type { ChartLayout } from './chart-layout.ts'
import { markNear, nextMark, stepPath } from './line-positions.ts'
import { labelledBars } from './scale.ts'
import type { BarMark, BarSeries } from './stacked-bars.tsx'
import { useWidth } from './use-width.ts'

/** A point of a line chart, with a value for each series. */
export type LinePoint<Field extends string> = Readonly<Record<Field, number>> & { readonly label: string }

interface LineChartProps<Field extends string, Point extends LinePoint<Field>> {
  readonly label: string
  readonly points: readonly Point[]
  /** The last is drawn above the others, and stronger. */
  readonly series: readonly BarSeries<Field>[]
  /** Drawn where the lines come near it. */
  readonly limit: number
  /** By rising index of their point, one for a point. */
  readonly marks: readonly BarMark[]
  /** What Enter does on a mark, in words. */
  readonly markAction: string
  readonly chosen: number | undefined
  readonly axisText: (value: number) => string
  readonly hintOf: (point: Point) => HintContent
  readonly choose: (index: number) => void
}

const SIZES = { height: 240, top: 12, bottom: 32, right: 12, belowLabels: 6 } as const
/** px, where the page's letters are of the usual size: half a mark's width, and how far it draws the pointer. */
const MARK = 5
const REACH = 8

/** A limit further above the lines than this would flatten them. */
const FAR = 2.5

/**
 * Returns the point that a key moves to; undefined for other keys. Up and down go to the next mark; where there is
 * none, the point stays.
 */
const pointAfterKey = (key: string, from: number, last: number, markedIndexes: readonly number[]): number | undefined =>
  ({
    ArrowRight: Math.min(last, from + 1),
    ArrowLeft: Math.max(0, from - 1),
    ArrowDown: nextMark(markedIndexes, from, 1),
    ArrowUp: nextMark(markedIndexes, from, -1),
    Home: 0,
    End: last,
  })[key]

/**
 * The point under the pointer; a mark draws it to itself, however many steps share a pixel. Undefined beyond `reach` of
 * the plot, or before it has a width.
 * @param x px from the beginning of the plot
 * @param reach px
 */
const pointAt = (
  x: number,
  { plotWidth, stepWidth }: ChartLayout,
  last: number,
  markedIndexes: readonly number[],
  reach: number,
): number | undefined => {
  if (stepWidth === 0 || x < -reach || x > plotWidth + reach) return undefined
  const index = Math.max(0, Math.min(last, Math.floor(x / stepWidth)))
  return markNear(markedIndexes, x / stepWidth - 0.5, reach / stepWidth) ?? index
}

/** A stripe behind a point, from the top of the plot to its axis, at least 2 px wide; nothing without an `index`. */
const Stripe = ({
  layout: { middle, stepWidth, top, bottom },
  index,
  color,
  opacity,
}: {
  readonly layout: ChartLayout
  readonly index: number | undefined
  readonly color: string
  readonly opacity: number
}) =>
  index === undefined ? null : (
    <rect
      x={middle(index) - Math.max(stepWidth, 2) / 2}
      y={top}
      width={Math.max(stepWidth, 2)}
      height={bottom - top}
      fill={color}
      opacity={opacity}
    />
  )

/** A dashed line across the chart at the limit. */
const LimitLine = ({ layout: { start, end, y }, limit }: { readonly layout: ChartLayout; readonly limit: number }) => (
  <line
    data-limit=""
    x1={start}
    x2={end}
    y1={y(limit)}
    y2={y(limit)}
    stroke="var(--danger)"
    strokeWidth="1.5"
    strokeDasharray="6 4"
  />
)

/** A line of steps for each series; nothing where there are none. The last series is drawn on top, a little thicker. */
const Lines = <Field extends string>({
  layout: { start, stepWidth, y },
  points,
  series,
}: { readonly layout: ChartLayout } & Pick<LineChartProps<Field, LinePoint<Field>>, 'points' | 'series'>) =>
  series.map(({ field, color }, level) => (
    <path
      key={field}
      data-series={field}
      d={stepPath(
        points.map((point) => point[field]),
        start,
        stepWidth,
        y,
      )}
      fill="none"
      stroke={color}
      strokeWidth={level === series.length - 1 ? 2 : 1.5}
      strokeLinejoin="round"
    />
  ))

/** Triangles below the axis at the marked points. The chosen one has no outline. */
const Marks = ({
  layout: { middle, bottom },
  marks,
  chosen,
  size,
}: {
  readonly layout: ChartLayout
  readonly marks: readonly BarMark[]
  readonly chosen: number | undefined
  /** Half the width of one, px. */
  readonly size: number
}) =>
  marks.map(({ index }) => (
    <path
      key={index}
      data-mark={index}
      d={`M${middle(index).toFixed(2)} ${bottom + 1}l${size} ${size * 1.7}h${-2 * size}z`}
      fill="var(--warning)"
      stroke="var(--panel)"
      strokeWidth={index === chosen ? 0 : 0.75}
    />
  ))

interface PlotProps<Field extends string> extends Pick<
  LineChartProps<Field, LinePoint<Field>>,
  'points' | 'series' | 'marks' | 'chosen' | 'axisText'
> {
  readonly layout: ChartLayout
  /** Undefined where it is too far above the lines. */
  readonly limit: number | undefined
  readonly active: number | undefined
  /** px */
  readonly markSize: number
}

/** Draws the whole line chart, from the back to the front. */
const Plot = <Field extends string>(props: PlotProps<Field>) => {
  const { layout, points, series, marks, axisText, limit, chosen, active, markSize } = props
  return (
    <>
      <ValueAxis layout={layout} axisText={axisText} />
      <Stripe layout={layout} index={chosen} color="var(--warning)" opacity={0.55} />
      <Stripe layout={layout} index={active} color="var(--muted)" opacity={0.35} />
      {limit !== undefined && <LimitLine layout={layout} limit={limit} />}
      <Lines layout={layout} points={points} series={series} />
      <Marks layout={layout} marks={marks} chosen={chosen} size={markSize} />
      <StepAxis
        layout={layout}
        labels={points}
        labelled={labelledBars(
          points.map(() => false),
          layout.labelEach,
          layout.labelSteps,
        )}
      />
    </>
  )
}

/**
 * The line chart, as wide as what it is in; empty until that is known. Pointer and arrow keys choose a request, Escape
 * none; Enter or a click on a mark calls `choose`. A limit far above all values is not drawn.
 */
export const LineChart = <Field extends string, Point extends LinePoint<Field>>(
  props: LineChartProps<Field, Point>,
) => {
  const { label, points, series, limit, marks, markAction, chosen, axisText, hintOf, choose } = props
  const [frame, width, scale] = useWidth()
  const [active, setActive] = useState<number | undefined>(undefined)
  const last = points.length - 1
  const largest = points.reduce((most, point) => Math.max(most, ...series.map(({ field }) => point[field])), 0)
  const drawnLimit = limit <= largest * FAR ? limit : undefined
  const content = { count: points.length, largest: Math.max(largest, drawnLimit ?? 0), axisText }
  const layout = chartLayout(SIZES, width, scale, content)
  const shown = active === undefined ? undefined : points[active]
  const markedIndexes = marks.map(({ index }) => index)
  const isMarked = active !== undefined && markedIndexes.includes(active)
  const chooseActive = (): void => {
    if (active !== undefined && isMarked) choose(active)
  }

  const indexAt = (event: PointerEvent<HTMLDivElement>): number | undefined => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - layout.start
    return pointAt(x, layout, last, markedIndexes, REACH * scale)
  }
  const pressKey = (event: KeyboardEvent<HTMLDivElement>): void => {
    const target = pointAfterKey(event.key, active ?? last, last, markedIndexes)
    if (target !== undefined) {
      setActive(target)
      event.preventDefault()
    } else if (event.key === 'Escape') setActive(undefined)
    else if (event.key === 'Enter') chooseActive()
  }
  const remarks = marks.filter(({ index }) => index === active).map(({ title }) => `${title}. ${markAction}.`)
  const markKeys = marks.length === 0 ? '' : ', up and down from rewrite to rewrite, and Enter shows what left'
  return (
    <ChartFrame
      frame={frame}
      label={label}
      help={`Left and right arrow keys go from request to request${markKeys}.`}
      isClickable={isMarked}
      height={layout.height}
      hint={shown === undefined ? undefined : { ...hintOf(shown), remarks }}
      hintLeft={layout.hintLeft(active)}
      indexAt={indexAt}
      setActive={setActive}
      onKeyDown={pressKey}
      onClick={chooseActive}
      onKeyboardFocus={() => setActive(chosen ?? markedIndexes[0] ?? last)}
    >
      {width > 0 && <Plot {...props} layout={layout} limit={drawnLimit} active={active} markSize={MARK * scale} />}
    </ChartFrame>
  )
}

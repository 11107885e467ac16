'use client'
/**
 * Lines over steps, drawn as SVG, with a limit and with marks on the axis. The pointer shows a step's numbers; so do the
 * arrow keys, for which the chart is one stop of the keyboard: left and right go from step to step, up and down from
 * mark to mark, Enter opens one. All of its numbers must stand in a table as well.
 */
import { useState } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'
import { ChartFrame, StepAxis, ValueAxis } from './chart-frame.tsx'
import type { HintContent } from './chart-hint.tsx'
import { markNear, nextMark, stepPath } from './line-positions.ts'
import { labelStep, labelledBars, scaleTo } from './scale.ts'
import type { BarMark, BarSeries } from './stacked-bars.tsx'
import { useWidth } from './use-width.ts'

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

/** px, where the page's letters are of the usual size. */
const USUAL = {
  height: 240,
  top: 12,
  bottom: 32,
  left: 46,
  right: 12,
  digit: 7,
  labelWidth: 64,
  hintWidth: 240,
  mark: 5,
  reach: 8,
} as const

/** A limit further above the lines than this would flatten them. */
const FAR = 2.5

export const LineChart = <Field extends string, Point extends LinePoint<Field>>({
  label,
  points,
  series,
  limit,
  marks,
  markAction,
  chosen,
  axisText,
  hintOf,
  choose,
}: LineChartProps<Field, Point>) => {
  const [frame, width, scale] = useWidth()
  const [active, setActive] = useState<number | undefined>(undefined)
  const px = (name: keyof typeof USUAL): number => USUAL[name] * scale
  const largest = points.reduce((most, point) => Math.max(most, ...series.map(({ field }) => point[field])), 0)
  const isLimitNear = limit <= largest * FAR
  const { top, ticks } = scaleTo(isLimitNear ? Math.max(limit, largest) : largest)
  const start = Math.max(px('left'), Math.max(...ticks.map((tick) => axisText(tick).length)) * px('digit') + 12 * scale)
  const plotWidth = Math.max(0, width - start - px('right'))
  const step = points.length === 0 ? 0 : plotWidth / points.length
  const axis = px('height') - px('bottom')
  const y = (value: number): number => px('top') + (axis - px('top')) * (1 - value / top)
  const middle = (index: number): number => start + (index + 0.5) * step
  const labelled = labelledBars(
    points.map(() => false),
    labelStep(points.length, plotWidth, px('labelWidth')),
    step === 0 ? 0 : px('labelWidth') / step,
  )
  const shown = active === undefined ? undefined : points[active]
  const markedIndexes = marks.map(({ index }) => index)
  const isMarked = (index: number | undefined): index is number => index !== undefined && markedIndexes.includes(index)

  /** The step under the pointer; a mark draws it to itself, however many steps share a pixel. */
  const under = (event: PointerEvent<HTMLDivElement>): number | undefined => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - start
    if (step === 0 || x < -px('reach') || x > plotWidth + px('reach')) return undefined
    const index = Math.max(0, Math.min(points.length - 1, Math.floor(x / step)))
    return markNear(markedIndexes, x / step - 0.5, px('reach') / step) ?? index
  }
  const move = (event: KeyboardEvent<HTMLDivElement>): void => {
    const last = points.length - 1
    const from = active ?? last
    const target = {
      ArrowRight: Math.min(last, from + 1),
      ArrowLeft: Math.max(0, from - 1),
      ArrowDown: nextMark(markedIndexes, from, 1),
      ArrowUp: nextMark(markedIndexes, from, -1),
      Home: 0,
      End: last,
    }[event.key]
    if (target !== undefined) {
      setActive(target)
      event.preventDefault()
    } else if (event.key === 'Escape') setActive(undefined)
    else if (event.key === 'Enter' && isMarked(active)) choose(active)
  }
  const hintOfPoint = (point: Point, index: number): HintContent => ({
    ...hintOf(point),
    remarks: marks.filter((mark) => mark.index === index).map(({ title }) => `${title}. ${markAction}.`),
  })
  const hintLeft =
    active === undefined ? 0 : Math.max(0, Math.min(width - px('hintWidth'), middle(active) - px('hintWidth') / 2))

  return (
    <ChartFrame
      frame={frame}
      label={label}
      help={`Left and right arrow keys go from request to request${
        marks.length === 0 ? '' : ', up and down from rewrite to rewrite, and Enter shows what left'
      }.`}
      isClickable={isMarked(active)}
      height={px('height')}
      hint={shown === undefined ? undefined : hintOfPoint(shown, active ?? 0)}
      hintLeft={hintLeft}
      indexAt={under}
      setActive={setActive}
      onKeyDown={move}
      onClick={() => {
        if (isMarked(active)) choose(active)
      }}
      onKeyboardFocus={() => setActive(chosen ?? markedIndexes[0] ?? points.length - 1)}
    >
      {width > 0 && (
        <>
          <ValueAxis ticks={ticks} axisText={axisText} start={start} end={width - px('right')} y={y} />
          {[chosen, active].map((index, which) =>
            index === undefined ? null : (
              <rect
                key={which === 0 ? 'chosen' : 'active'}
                x={middle(index) - Math.max(step, 2) / 2}
                y={px('top')}
                width={Math.max(step, 2)}
                height={axis - px('top')}
                fill={which === 0 ? 'var(--warning)' : 'var(--muted)'}
                opacity={which === 0 ? 0.55 : 0.35}
              />
            ),
          )}
          {isLimitNear && (
            <line
              data-limit=""
              x1={start}
              x2={width - px('right')}
              y1={y(limit)}
              y2={y(limit)}
              stroke="var(--danger)"
              strokeWidth="1.5"
              strokeDasharray="6 4"
            />
          )}
          {series.map(({ field, color }, level) => (
            <path
              key={field}
              data-series={field}
              d={stepPath(
                points.map((point) => point[field]),
                start,
                step,
                y,
              )}
              fill="none"
              stroke={color}
              strokeWidth={level === series.length - 1 ? 2 : 1.5}
              strokeLinejoin="round"
            />
          ))}
          {marks.map(({ index }) => (
            <path
              key={index}
              data-mark={index}
              d={`M${middle(index).toFixed(2)} ${axis + 1}l${px('mark')} ${px('mark') * 1.7}h${-2 * px('mark')}z`}
              fill="var(--warning)"
              stroke="var(--panel)"
              strokeWidth={index === chosen ? 0 : 0.75}
            />
          ))}
          <StepAxis
            labelled={labelled}
            labels={points}
            middle={middle}
            width={width}
            labelWidth={px('labelWidth')}
            y={px('height') - 6}
          />
        </>
      )}
    </ChartFrame>
  )
}

/** Where things are drawn in a chart over steps: sizes in px, from its upper left corner. */
import { labelStep, scaleTo } from './scale.ts'

/** px, where the page's letters are of the usual size. */
export interface ChartSizes {
  readonly height: number
  /** Above, below and right of the plot. */
  readonly top: number
  readonly bottom: number
  readonly right: number
  /** From the labels of the steps to the lower edge. */
  readonly belowLabels: number
}

/** The same in every chart. */
const COMMON = { left: 46, digit: 7, beforeAxis: 12, labelWidth: 64, hintWidth: 240 } as const

/** Where everything of a chart goes, in px. */
export interface ChartLayout {
  readonly width: number
  readonly height: number
  /** The edges of the plot; `bottom` is where 0 is. */
  readonly top: number
  readonly bottom: number
  readonly start: number
  readonly end: number
  readonly plotWidth: number
  /** Of a step; 0 where there is none. */
  readonly stepWidth: number
  readonly labelWidth: number
  /** The baseline of the steps' labels. */
  readonly labelY: number
  /** Every so many steps may have a label. */
  readonly labelEach: number
  /** How many steps a label is wide. */
  readonly labelSteps: number
  /** Values with a line. */
  readonly ticks: readonly number[]
  readonly y: (value: number) => number
  /** The middle of a step. */
  readonly middle: (index: number) => number
  /** The left edge of the hint beside a step, as far inside the chart as it gets. */
  readonly hintLeft: (index: number | undefined) => number
}

/** What a chart shows. */
interface ChartContent {
  /** How many steps. */
  readonly count: number
  /** The largest value that must fit. */
  readonly largest: number
  readonly axisText: (value: number) => string
}

/**
 * Where everything of a chart goes, in px: axis, steps, labels and hint. Steps are 0 wide without points, or without a
 * width.
 * @param width px; 0 before the chart is laid out
 * @param scale how much larger than usual the page's letters are
 */
export const chartLayout = (
  sizes: ChartSizes,
  width: number,
  scale: number,
  { count, largest, axisText }: ChartContent,
): ChartLayout => {
  const px = (usual: number): number => usual * scale
  const { top: topValue, ticks } = scaleTo(largest)
  // No digit of the axis may be cut off, nor its currency.
  const digits = Math.max(...ticks.map((tick) => axisText(tick).length))
  const start = Math.max(px(COMMON.left), digits * px(COMMON.digit) + px(COMMON.beforeAxis))
  const end = width - px(sizes.right)
  const plotWidth = Math.max(0, end - start)
  const stepWidth = count === 0 ? 0 : plotWidth / count
  const top = px(sizes.top)
  const bottom = px(sizes.height) - px(sizes.bottom)
  const labelWidth = px(COMMON.labelWidth)
  const hintWidth = px(COMMON.hintWidth)
  const middle = (index: number): number => start + (index + 0.5) * stepWidth
  return {
    width,
    height: px(sizes.height),
    top,
    bottom,
    start,
    end,
    plotWidth,
    stepWidth,
    labelWidth,
    labelY: px(sizes.height) - sizes.belowLabels,
    labelEach: labelStep(count, plotWidth, labelWidth),
    labelSteps: stepWidth === 0 ? 0 : labelWidth / stepWidth,
    ticks,
    y: (value) => top + (bottom - top) * (1 - value / topValue),
    middle,
    hintLeft: (index) =>
      index === undefined ? 0 : Math.max(0, Math.min(width - hintWidth, middle(index) - hintWidth / 2)),
  }
}

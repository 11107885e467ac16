/** An axis from 0 whose ticks are round. */

/** An axis from 0 to `top`. */
export interface Scale {
  readonly top: number
  /** From 0 to `top`. */
  readonly ticks: readonly number[]
}

const ROUND = [1, 2, 2.5, 5, 10]

/**
 * An axis from 0 to a round number that is at least `largest`, with its ticks, ascending. For a largest of 0 or less:
 * one tick, at 0.
 * @param wanted about how many steps
 */
export const scaleTo = (largest: number, wanted = 4): Scale => {
  if (!(largest > 0)) return { top: 1, ticks: [0] }
  const rough = largest / wanted
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = (ROUND.find((factor) => factor * power >= rough) ?? 10) * power
  const count = Math.ceil(largest / step - 1e-9)
  return { top: count * step, ticks: Array.from({ length: count + 1 }, (_, index) => index * step) }
}

/**
 * Returns every how many of `count` labels fit side by side, each `width` wide on an axis of `axisWidth` (px); 1 if all
 * fit. The first label is always shown.
 */
export const labelStep = (count: number, axisWidth: number, width: number): number =>
  Math.max(1, Math.ceil(count / Math.max(1, Math.floor(axisWidth / width))))

/**
 * Which bars have a label: those after a gap, whose neighbours' labels would say nothing of them, and every so many of
 * the rest, but none that is too near to one after a gap or would be cut off at the end. Ascending.
 * @param each from `labelStep`
 * @param least how many bars a label is wide
 */
export const labelledBars = (afterGap: readonly boolean[], each: number, least: number): readonly number[] => {
  const chosen: number[] = []
  for (const [index, isAfterGap] of afterGap.entries())
    if (isAfterGap && index - (chosen.at(-1) ?? -Infinity) >= least) chosen.push(index)
  const fixed = [...chosen]
  for (let index = 0; index < afterGap.length; index += each) {
    // A label at the very end would be cut off.
    const isAtEnd = afterGap.length - index < least / 3
    if (!isAtEnd && fixed.every((other) => Math.abs(other - index) >= least)) chosen.push(index)
  }
  return chosen.sort((left, right) => left - right)
}

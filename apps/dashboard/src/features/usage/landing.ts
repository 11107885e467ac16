/**
 * Whoever opens the dashboard names no period. Where the default one is empty, the first page takes one that is not;
 * what the reader chooses after that is shown as chosen, empty or not.
 */
import type { Period } from '../selection/selection.ts'

let isOpen = true
let found: Period | undefined

/**
 * Ends the choice of a period by the page itself. Call it once the reader has chosen a period or filter; `landedOn` is
 * undefined from then on.
 */
export const endLanding = (): void => {
  isOpen = false
  found = undefined
}

/** Whether the page may still replace the default period: neither it nor the reader has chosen one yet. */
export const isLanding = (): boolean => isOpen

/** Notes the period that the page chose instead of the default; from then on it may choose no other. */
export const landOn = (period: Period): void => {
  isOpen = false
  found = period
}

/**
 * Returns the period that the page itself chose because the default one was empty; undefined before that, and once the
 * reader has chosen (`endLanding`). Kept until the page is loaded again.
 */
export const landedOn = (): Period | undefined => found

/**
 * Whoever opens the dashboard names no period. Where the default one is empty, the first page takes one that is not;
 * what the reader chooses after that is shown as chosen, empty or not.
 */
import type { Period } from '../selection/selection.ts'

let isOpen = true
let found: Period | undefined

/**
 * Ends the landing; to be called when the reader has chosen a period or filter: from then on the page chooses none for
 * them, and `landedOn` is undefined.
 */
export const endLanding = (): void => {
  isOpen = false
  found = undefined
}

/** Whether the page may still choose a period in place of the default: neither it nor the reader has chosen one. */
export const isLanding = (): boolean => isOpen

/** Notes the period that the page chose in place of the default; from then on it may choose no other. */
export const landOn = (period: Period): void => {
  isOpen = false
  found = period
}

/**
 * The period that the page itself chose because the default one was empty; undefined before that, and as soon as the
 * reader has chosen (`endLanding`). Kept in this module until the page is loaded again.
 */
export const landedOn = (): Period | undefined => found

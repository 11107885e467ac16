/**
 * Whoever opens the dashboard names no period. Where the default one is empty, the first page takes one that is not;
 * what the reader chooses after that is shown as chosen, empty or not.
 */
import type { Period } from '../selection/selection.ts'

let isOpen = true
let found: Period | undefined

/** The reader has chosen: nothing is chosen for them any more. */
export const endLanding = (): void => {
  isOpen = false
  found = undefined
}

/** Whether a period may be chosen in place of the default. */
export const isLanding = (): boolean => isOpen

/** Tells which period was chosen in place of the default. */
export const landOn = (period: Period): void => {
  isOpen = false
  found = period
}

/** The period that was chosen in place of the default; undefined where none was. */
export const landedOn = (): Period | undefined => found

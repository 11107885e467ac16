'use client'
/** The selection as the server is asked for it; undefined until the browser's zone is known. */
import { useMemo } from 'react'
import type { SelectionInput } from './selection-input.ts'
import type { SelectionState } from './use-selection.ts'

/**
 * Returns period, filters and zone of a selection; the zone is the browser's if the address names none. Undefined while
 * that is not known. Equal selections return the same object.
 */
export const useSelectionInput = ({ selection, browserZone }: SelectionState): SelectionInput | undefined => {
  const timeZone = selection.zone ?? browserZone
  const { period, from, to, filter } = selection
  return useMemo(
    () =>
      timeZone === undefined
        ? undefined
        : { period, timeZone, filter, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) },
    [period, from, to, filter, timeZone],
  )
}

'use client'
/** The selection as the server is asked for it; undefined until the browser's zone is known. */
import { useMemo } from 'react'
import type { SelectionInput } from './selection-input.ts'
import type { SelectionState } from './use-selection.ts'

/**
 * Period, filters and zone of what `useSelection` gives; the zone is the browser’s where the address names none.
 * Undefined while that is not known. The same selection gives the same object.
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

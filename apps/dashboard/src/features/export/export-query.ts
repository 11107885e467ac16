/** The address of an export that holds what a page shows. */
import { writeSelection } from '../selection/selection.ts'
import type { SelectionState } from '../selection/use-selection.ts'

/** A table as its page shows it. */
interface ShownTable {
  readonly sort: string
  readonly order: string
  /** What was searched for. */
  readonly text: string
}

/**
 * Returns the query of an export's address, with `?`: the selection with the zone it is shown in, the order of the
 * rows, and the search.
 */
export const exportQuery = (
  { selection, browserZone }: Pick<SelectionState, 'selection' | 'browserZone'>,
  { sort, order, text }: ShownTable,
): string => {
  const parameters = new URLSearchParams(writeSelection({ ...selection, zone: selection.zone ?? browserZone }))
  parameters.set('sort', sort)
  parameters.set('order', order)
  if (text !== '') parameters.set('q', text)
  return `?${parameters.toString()}`
}

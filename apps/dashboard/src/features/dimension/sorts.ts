/** What the rows of a dimension can be sorted by; names from A to Z at first, all else with the largest first. */
import { MEASURES } from '../overview/measures.ts'

/** The columns that the table can be sorted by. */
export const DIMENSION_SORTS = [...MEASURES, 'name'] as const
/** One of {@link DIMENSION_SORTS}. */
export type DimensionSort = (typeof DIMENSION_SORTS)[number]

/** What the rows of a dimension can be sorted by; names from A to Z at first, all else with the largest first. */
import { MEASURES } from '../overview/measures.ts'

export const DIMENSION_SORTS = [...MEASURES, 'name'] as const
export type DimensionSort = (typeof DIMENSION_SORTS)[number]

export const DIMENSION_PAGE_ROWS = 50

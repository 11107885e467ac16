/** What the rows of a dimension can be sorted by; names from A to Z, all else with the largest first. */
export const DIMENSION_SORTS = ['cost', 'saved', 'requests', 'tokens', 'cacheHit', 'output', 'name'] as const
export type DimensionSort = (typeof DIMENSION_SORTS)[number]

export const DIMENSION_PAGE_ROWS = 50

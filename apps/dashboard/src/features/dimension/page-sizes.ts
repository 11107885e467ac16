/** Values of a dimension on a page. */
export const DIMENSION_PAGE_ROWS = 50

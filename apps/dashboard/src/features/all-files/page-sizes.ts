/** Files of a page of their list. */
export const FILE_PAGE_ROWS = 50

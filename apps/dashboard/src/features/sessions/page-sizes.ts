/** Sessions of a page of their list. */
export const SESSION_PAGE_ROWS = 50

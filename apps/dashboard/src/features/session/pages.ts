/** How much of a session is read at once. */

/** Entries of a log. */
export const ENTRY_PAGE = 100
/** Entries that are read before and after a page, so that calls at its edges find their results. */
export const ENTRY_OVERLAP = 30

/** Requests of a table. */
export const REQUEST_PAGE = 100

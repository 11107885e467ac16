/** How much of a session is read at once. */

/** Entries of a log. Calls and results are matched within a page of them. */
export const ENTRY_PAGE = 100

/** Requests of a table. */
export const REQUEST_PAGE = 100

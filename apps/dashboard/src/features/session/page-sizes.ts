/** How much of a session is read at once. */

/** Entries of a log. */
export const ENTRY_PAGE = 100

/** Requests of a table. */
export const REQUEST_PAGE = 100

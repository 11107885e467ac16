/** How much of a session is read at once. */

/** Entries of a log; calls and their results are told about each other within them. */
export const ENTRY_PAGE = 100

/** Requests of a table. */
export const REQUEST_PAGE = 100

/** How much of memory and notes is sent at once. */

/** Entries of a page. */
export const ENTRY_PAGE = 50

/** Notes of a page. */
export const NOTE_PAGE = 50

/** Characters of a note in the list; the whole one is asked for by itself. */
export const NOTE_SHOWN = 400

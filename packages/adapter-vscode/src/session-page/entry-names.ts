/** What the page of a session and the extension both call things; without what checks messages, which the page has no need of. */

/** Entries that the page asks for at once. */
export const ENTRY_PAGE = 100

/** Returns the key of an image: its entry's number, its block, and its part of the block if it has one. */
export const imageKey = (seq: number, [block, part]: readonly [number, number | null]): string =>
  `${seq}.${block}.${part ?? ''}`

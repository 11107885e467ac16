/** What the page of a session and the extension both call things; without what checks messages, which the page has no need of. */

/** Entries that the page asks for at once. */
export const ENTRY_PAGE = 100

/** What an image is known by: the number of its entry, and where it is in it. */
export const imageKey = (seq: number, [block, part]: readonly [number, number | null]): string =>
  `${seq}.${block}.${part ?? ''}`

/** The address of one file's page. */

/**
 * Returns the address of a file's page; its path may hold anything.
 * @param folder what `path` is relative to; null if that is not known, or the path is a whole one
 */
export const fileHref = (path: string, folder: string | null): string =>
  `/files/history?${new URLSearchParams({ path, ...(folder === null ? {} : { folder }) }).toString()}`

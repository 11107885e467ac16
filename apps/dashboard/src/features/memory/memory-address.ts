/** Addresses of what is remembered: an entry, a note. */

/** The page of memory with an entry opened. */
export const memoryHref = ({ id, workspace }: { readonly id: string; readonly workspace: string }): string =>
  `/memory?${new URLSearchParams({ project: workspace, entry: id }).toString()}`

/** The page of notes with a note opened. */
export const noteHref = ({ key, workspace }: { readonly key: string; readonly workspace: string }): string =>
  `/memory?${new URLSearchParams({ view: 'notes', project: workspace, note: key }).toString()}`

/** Addresses of what is remembered: an entry, a note. */

/** Returns the address of the memory page with an entry open. */
export const memoryHref = ({ id, workspace }: { readonly id: string; readonly workspace: string }): string =>
  `/memory?${new URLSearchParams({ project: workspace, entry: id }).toString()}`

/** Returns the address of the page of notes with a note open. */
export const noteHref = ({ key, workspace }: { readonly key: string; readonly workspace: string }): string =>
  `/memory?${new URLSearchParams({ view: 'notes', project: workspace, note: key }).toString()}`

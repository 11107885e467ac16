/** Addresses of what is remembered: an entry, a note. */

/** The address of the memory page with an entry opened. */
export const memoryHref = ({ id, workspace }: { readonly id: string; readonly workspace: string }): string =>
  `/memory?${new URLSearchParams({ project: workspace, entry: id }).toString()}`

/** The address of the notes' view with a note opened. */
export const noteHref = ({ key, workspace }: { readonly key: string; readonly workspace: string }): string =>
  `/memory?${new URLSearchParams({ view: 'notes', project: workspace, note: key }).toString()}`

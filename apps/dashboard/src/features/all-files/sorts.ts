/** What the list of files can be sorted by, the largest or latest first unless the order is reversed; paths by name. */
export const FILE_SORTS = ['edits', 'reads', 'sessions', 'last', 'path'] as const
/** One of {@link FILE_SORTS}. */
export type FileSort = (typeof FILE_SORTS)[number]

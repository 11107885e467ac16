/** What the table of a session's files can be sorted by and narrowed to, and how much of it is shown at once. */

/** The columns that the table can be sorted by. */
export const FILE_SORTS = [
  'path',
  'state',
  'usedAt',
  'reads',
  'rereads',
  'edits',
  'failures',
  'readTokens',
  'rereadTokens',
] as const
/** One of {@link FILE_SORTS}. */
export type FileSort = (typeof FILE_SORTS)[number]

/** `failed`: every call for it failed, so that it has no state. */
export const FILE_STATES = ['all', 'active', 'stale', 'removed', 'failed'] as const
/** One of {@link FILE_STATES}. */
export type FileStateChoice = (typeof FILE_STATES)[number]

/** Rows before all are asked for. */
export const FEW_FILES = 50
/** Rows of a page when all are asked for. */
export const MOST_FILES = 1_000

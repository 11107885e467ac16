/** What the table of a session's files can be sorted by and narrowed to, and how much of it is shown at once. */

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
export type FileSort = (typeof FILE_SORTS)[number]

export const FILE_STATES = ['all', 'active', 'stale', 'removed'] as const
export type FileStateChoice = (typeof FILE_STATES)[number]

/** Rows before all are asked for. */
export const FEW_FILES = 50
/** Rows of a page when all are asked for. */
export const MOST_FILES = 1_000

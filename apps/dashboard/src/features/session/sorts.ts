/** What the tables of a session can be sorted by. */
import type { SessionFiles } from '@cairn/core'
import { sortedRows } from '../../components/sorting.ts'
import type { Order } from '../../components/sorting.ts'

export const FILE_SORTS = ['path', 'reads', 'rereads', 'edits', 'failures', 'readTokens', 'rereadTokens'] as const
export type FileSort = (typeof FILE_SORTS)[number]

/**
 * The files sorted by the column, as a new list; equal ones stay in the order given, in which what took most of the
 * context comes first.
 */
export const sortedFiles = (files: SessionFiles['files'], sort: FileSort, order: Order): SessionFiles['files'] =>
  sortedRows(files, order, (file) => file[sort])

/** `number` is the order of time. */
export const REQUEST_SORTS = [
  'number',
  'model',
  'inputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'context',
  'outputTokens',
  'cost',
] as const
export type RequestSort = (typeof REQUEST_SORTS)[number]

/** The smallest comes first unless the order is reversed. */
export const RISING_REQUEST_SORTS = ['number', 'model'] as const satisfies readonly RequestSort[]

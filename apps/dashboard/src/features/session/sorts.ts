/** What the tables of a session can be sorted by. */
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
/** One of {@link REQUEST_SORTS}. */
export type RequestSort = (typeof REQUEST_SORTS)[number]

/** The smallest comes first unless the order is reversed. */
export const RISING_REQUEST_SORTS = ['number', 'model'] as const satisfies readonly RequestSort[]

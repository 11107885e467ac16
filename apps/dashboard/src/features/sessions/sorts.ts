/** What the list of sessions can be sorted by, the latest or largest first unless the order is reversed. */
export const SESSION_SORTS = ['updated', 'started', 'cost', 'messages'] as const
/** One of {@link SESSION_SORTS}. */
export type SessionSort = (typeof SESSION_SORTS)[number]

/** What the list of sessions can be sorted by, the latest or largest first unless the order is reversed. */
export const SESSION_SORTS = ['updated', 'started', 'cost', 'messages', 'perRequest', 'subagents'] as const
/** One of {@link SESSION_SORTS}. */
export type SessionSort = (typeof SESSION_SORTS)[number]

/** What the store does not sort by: all sessions of the list are summed within the selection. */
export const SUMMED_SORTS = ['perRequest', 'subagents'] as const satisfies readonly SessionSort[]

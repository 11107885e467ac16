/** Which answers of the server are asked for again when the store was written to. */

/** The address of the page of live sessions. */
export const NOW_PAGE = '/now'

/** Returns the router of a query's procedure: a tRPC key begins with the procedure's path. */
const routerOf = ([path]: readonly unknown[]): unknown => (Array.isArray(path) ? path[0] : undefined)

/** Whether a query reads the store's data; the queries that watch for changes poll by themselves. */
export const isOfStore = (queryKey: readonly unknown[]): boolean => routerOf(queryKey) !== 'live'

/**
 * Whether a query is repeated after a write to the store. Settings count the whole store, and the page of live sessions
 * polls faster and needs of insights only the budgets: both repeat by themselves every minute.
 */
export const isAskedAnew = (queryKey: readonly unknown[], page: string): boolean =>
  isOfStore(queryKey) && routerOf(queryKey) !== 'settings' && !(page === NOW_PAGE && routerOf(queryKey) === 'insights')

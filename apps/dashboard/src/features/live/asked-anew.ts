/** Which answers of the server are asked for again when the store was written to. */

const NOW_PAGE = '/now'
const SESSION_PAGE = /^\/sessions\/[^/]+$/

/** Whether a page shows what goes on: it then has to show a write within a second. */
export const showsWork = (page: string): boolean => page === NOW_PAGE || SESSION_PAGE.test(page)

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

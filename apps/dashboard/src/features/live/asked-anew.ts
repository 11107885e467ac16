/** Which answers of the server are asked for again when the store was written to. */

const NOW_PAGE = '/now'
const SESSION_PAGE = /^\/sessions\/[^/]+$/

/** Whether a page shows what goes on: it then has to show a write within a second. */
export const showsWork = (page: string): boolean => page === NOW_PAGE || SESSION_PAGE.test(page)

/** The router of a query's procedure; a key of tRPC begins with the procedure's path. */
const routerOf = ([path]: readonly unknown[]): unknown => (Array.isArray(path) ? path[0] : undefined)

/** Whether a query may be asked again at all: what tells of the store's changes asks by itself. */
export const isOfStore = (queryKey: readonly unknown[]): boolean => routerOf(queryKey) !== 'live'

/**
 * Whether a write is a reason to ask again. Settings count the whole store, and the page of what goes on now looks more
 * than once a second and has only the month's budgets of insights: both ask by themselves every minute.
 */
export const isAskedAnew = (queryKey: readonly unknown[], page: string): boolean =>
  isOfStore(queryKey) && routerOf(queryKey) !== 'settings' && !(page === NOW_PAGE && routerOf(queryKey) === 'insights')

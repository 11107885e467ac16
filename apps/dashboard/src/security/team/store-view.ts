/**
 * The store as a role sees it: what is not for it is not there, or refused, whatever procedure asks. A second fence
 * behind access.ts; a third one may be the database itself (`cairn team init-roles`).
 *
 * Views are made of what is allowed. Every other method rejects, also one that a port gets later.
 */
import { CairnError } from '@cairn/core'
import type { SessionStorage, SessionSummary, Store, UsageQuery, UsageStorage } from '@cairn/core'
import type { Asker } from './asker.ts'

/** Returns the error for what a role does not show. */
const notShown = (what: string): CairnError => new CairnError('disabled', `Your role does not show ${what}.`)

/** Returns the port with only these methods; all others reject with `disabled`, and nothing can be set. */
const limitedTo = <T extends object>(port: T, allowed: Partial<T>): T =>
  new Proxy(port, {
    get: (_port, name): unknown =>
      Object.hasOwn(allowed, name) ? Reflect.get(allowed, name) : () => Promise.reject(notShown('this')),
    set: () => false,
  })

/** Returns a session without its title. */
const untitled = (session: SessionSummary): SessionSummary => ({ ...session, title: null })

/**
 * Wraps the sessions so that titles come back removed; listing by a title's text throws, as results would reveal it.
 */
const figuresOfSessions = (sessions: SessionStorage): Partial<SessionStorage> => ({
  get: async (id) => {
    const session = await sessions.get(id)
    return session === undefined ? undefined : untitled(session)
  },
  list: async (query) => {
    if (query.text !== undefined) throw notShown('titles, so that nothing is found by them')
    const page = await sessions.list(query)
    return { ...page, sessions: page.sessions.map(untitled) }
  },
})

/** Returns the methods of usage that only read. */
const figuresOfUsage = (usage: UsageStorage): Partial<UsageStorage> => ({
  report: (query) => usage.report(query),
  sessionMovers: (query) => usage.sessionMovers(query),
  providerSums: (query) => usage.providerSums(query),
  subagentSums: (query) => usage.subagentSums(query),
  requests: (id, range) => usage.requests(id, range),
  failures: (query) => usage.failures(query),
})

/**
 * Returns a store of these sessions and usage; of everything else only which folders belong together, and its changes.
 */
const storeOf = (store: Store, sessions: Partial<SessionStorage>, usage: Partial<UsageStorage>): Store =>
  limitedTo(store, {
    isEphemeral: false,
    sessions: limitedTo(store.sessions, sessions),
    usage: limitedTo(store.usage, usage),
    projects: limitedTo(store.projects, { workspaces: () => store.projects.workspaces() }),
    imports: limitedTo(store.imports, {}),
    search: limitedTo(store.search, {}),
    state: limitedTo(store.state, {}),
    notes: limitedTo(store.notes, {}),
    memory: limitedTo(store.memory, {}),
    checkpoints: limitedTo(store.checkpoints, {}),
    cleanUp: limitedTo(store.cleanUp, {}),
    health: limitedTo(store.health, {}),
    onChange: (listener) => store.onChange(listener),
  })

/** Returns a store with everybody's figures, and nothing that anybody wrote. */
const leadView = (store: Store): Store => storeOf(store, figuresOfSessions(store.sessions), figuresOfUsage(store.usage))

const PERSONAL = ['session', 'person', 'machine']

/** Whether rows or filters of a query distinguish sessions or people. */
const isOfSomebody = ({ by, filter = {} }: Pick<UsageQuery, 'by' | 'filter'>): boolean =>
  [by, ...Object.keys(filter)].some((name) => PERSONAL.includes(name))

const NOBODY = 'what belongs to one person, and nobody in this store is known to be you'

/**
 * Returns a store with everybody's sums, and of sessions only this person's own. Sums of one person's work are refused
 * unless it is this person's; undefined is nobody, who sees no session. Refused is a `CairnError` with `disabled`. A
 * session of another person is as one that is not there.
 */
const viewerView = (store: Store, person: string | undefined): Store => {
  const { sessions, usage } = store
  const own = (query: UsageQuery): UsageQuery => {
    if (person === undefined) throw notShown(NOBODY)
    return { ...query, filter: { ...query.filter, person } }
  }
  const isOwn = async (session: string): Promise<boolean> =>
    person !== undefined &&
    session !== '' &&
    // The filter also takes the agent's own id, which several agents may use: the row is of the one that is asked for.
    (await usage.report({ by: 'session', filter: { person, session } })).rows.some(({ key }) => key === session)
  const figures = figuresOfSessions(sessions)
  return storeOf(
    store,
    {
      get: async (id) => ((await isOwn(id)) ? figures.get?.(id) : undefined),
      list: (query) =>
        person === undefined || figures.list === undefined
          ? Promise.resolve({ sessions: [], total: 0 })
          : figures.list({ ...query, person }),
    },
    {
      report: async (query) => usage.report(isOfSomebody(query) ? own(query) : query),
      // Of their own sessions, whatever is asked for.
      subagentSums: async (query) => {
        if (person === undefined) throw notShown(NOBODY)
        return usage.subagentSums({ ...query, filter: { ...query.filter, person } })
      },
      // That cost moved is for everybody to see; whose sessions moved it is not.
      sessionMovers: async (query) => {
        if (query.filter !== undefined && isOfSomebody({ by: 'day', filter: query.filter })) throw notShown('this')
        const { movers, others } = await usage.sessionMovers(query)
        return {
          movers: [],
          others: {
            count: others.count + movers.length,
            changeNano: movers.reduce((sum, { changeNano }) => sum + changeNano, others.changeNano),
          },
        }
      },
      requests: async (id, range) => ((await isOwn(id)) ? usage.requests(id, range) : []),
    },
  )
}

const views = new WeakMap<Store, Map<string, Store>>()

/**
 * Returns the store as this person sees it; the same object for the same store and person, as engines are kept by it.
 */
export const viewOf = (store: Store, { role, person }: Pick<Asker, 'role' | 'person'>): Store => {
  if (role === 'admin') return store
  const ofStore = views.get(store) ?? new Map<string, Store>()
  views.set(store, ofStore)
  const key = JSON.stringify(role === 'lead' ? [role] : [role, person])
  const view = ofStore.get(key) ?? (role === 'lead' ? leadView(store) : viewerView(store, person))
  ofStore.set(key, view)
  return view
}

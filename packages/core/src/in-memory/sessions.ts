/** Sessions of the in-memory store. */
import { CairnError } from '../errors.ts'
import { err, ok } from '../result.ts'
import type {
  EntryWrite,
  DeletionReport,
  SessionQuery,
  SessionSort,
  SessionStorage,
  SessionSummary,
  SortOrder,
} from '../ports/session-storage.ts'
import { datesSession } from '../session-log.ts'
import type { RequestFact } from '../ports/usage-storage.ts'
import { UNKNOWN_KEY } from '../usage/calendar.ts'
import { addTotals, emptyTotals, totalsOfRequest } from '../usage/totals.ts'
import { externalIdOf, isWorkspace, withSessionWorkspace, type StoreData, type StoredSession } from './data.ts'
import { foldersOf } from './projects.ts'
import { scopeKey } from './state.ts'

const DEFAULT_LIMIT = 50

/**
 * Does nothing unless ids of the writes repeat each other or are known: a live writer that repeats one has made a
 * mistake, or tries again what was written already.
 * @throws CairnError `invalid-input`
 */
const refuseRepetition = (sessionId: string, known: ReadonlySet<string>, writes: readonly EntryWrite[]): void => {
  const ids = writes.map(externalIdOf).filter((id) => id !== undefined)
  if (new Set(ids).size === ids.length && !ids.some((id) => known.has(id))) return
  throw new CairnError(
    'invalid-input',
    `An entry with the same id is in the session ${sessionId} already; nothing was written.`,
  )
}

/** The last title that the log was given wins over the one that came with the session. */
const titleOf = (session: StoredSession): string | null => {
  const named = session.entries.map(({ entry }) => entry).findLast((entry) => entry.kind === 'title')
  return named?.kind === 'title' ? named.title : (session.facts.title ?? null)
}

/** A session's summary, computed from its entries and requests; times are null if no entry that counts has one. */
const summarise = (data: StoreData, session: StoredSession): SessionSummary => {
  const entries = session.entries.map(({ entry }) => entry)
  const times = entries.flatMap((entry) => (entry.at === null || !datesSession(entry) ? [] : [entry.at]))
  const favourite = entries.findLast((entry) => entry.kind === 'favourite')
  const totals = [...data.requests.values()]
    .filter((report) => report.sessionId === session.facts.id)
    .map((report) => totalsOfRequest({ ...report.fact, visibleCharacters: report.visibleCharacters }))
    .reduce(addTotals, emptyTotals)
  return {
    id: session.facts.id,
    agent: session.facts.agent,
    externalId: session.facts.externalId,
    workspace: session.facts.workspace ?? null,
    branch: session.facts.branch ?? null,
    title: titleOf(session),
    startedAt: times.length === 0 ? null : times.reduce((left, right) => Math.min(left, right)),
    updatedAt: times.length === 0 ? null : times.reduce((left, right) => Math.max(left, right)),
    entries: entries.length,
    messages: entries.filter((entry) => entry.kind === 'message').length,
    favourite: favourite?.kind === 'favourite' && favourite.favourite,
    redactions: session.entries.reduce((sum, stored) => sum + stored.redactions, 0),
    requests: totals.requests,
    costNano: totals.costNano,
    missingOutputCostNano: totals.missingOutputCostNano,
    unpricedRequests: totals.unpricedRequests,
    ...(session.facts.forkedFrom === undefined ? {} : { forkedFrom: session.facts.forkedFrom }),
  }
}

const SORT_KEYS: Readonly<Record<SessionSort, (session: SessionSummary) => number | bigint | null>> = {
  updated: (session) => session.updatedAt,
  started: (session) => session.startedAt,
  cost: (session) => session.costNano,
  messages: (session) => session.messages,
}

/** Sorts sessions that are in order of creation. Those without a key come last; equal ones are in order of creation, or the reverse. */
const sorted = (
  sessions: readonly SessionSummary[],
  sort: SessionSort,
  order: SortOrder,
): readonly SessionSummary[] => {
  const key = SORT_KEYS[sort]
  const sign = order === 'ascending' ? 1 : -1
  return (order === 'ascending' ? [...sessions] : sessions.toReversed()).sort((left, right) => {
    const [a, b] = [key(left), key(right)]
    if (a === b) return 0
    if (a === null || b === null) return a === null ? 1 : -1
    return a < b ? -sign : sign
  })
}

/** Whether a value is the one asked for; a missing value is asked for as `unknown`, as in usage. */
const isNamed = (value: string | null, wanted: string): boolean => (value ?? UNKNOWN_KEY) === wanted

/** Whether any request of the session has this value; an empty one is none. */
const hasRequest = (
  data: StoreData,
  sessionId: string,
  wanted: string,
  valueOf: (fact: RequestFact) => string | undefined,
): boolean =>
  [...data.requests.values()].some(({ sessionId: owner, fact }) => {
    const value = valueOf(fact) ?? ''
    return owner === sessionId && isNamed(value === '' ? null : value, wanted)
  })

const isOnBranch = (data: StoreData, { id, branch }: SessionSummary, wanted: string): boolean =>
  isNamed(branch, wanted) || hasRequest(data, id, wanted, (fact) => fact.branch)

/**
 * Whether a session fits the query: its facts, time, branch and model; undefined conditions fit all.
 * @param folders of the project that is asked for
 */
const matches = (
  data: StoreData,
  query: SessionQuery,
  session: SessionSummary,
  folders: ReadonlySet<string>,
): boolean =>
  hasFacts(query, session, folders) &&
  isInTime(query, session) &&
  (query.branch === undefined || isOnBranch(data, session, query.branch)) &&
  (query.model === undefined || hasRequest(data, session.id, query.model, (fact) => fact.model))

/**
 * Whether a session fits the conditions about person, agent, folder, favourites and title; undefined ones fit all. Of
 * persons only the unknown one fits. The title is searched without regard to case. `folders`: those of the project.
 */
const hasFacts = (query: SessionQuery, session: SessionSummary, folders: ReadonlySet<string>): boolean => {
  const { agent, person, text, favourites } = query
  return (
    (agent === undefined || session.agent === agent) &&
    // Nothing is synced into memory: nobody is known.
    (person === undefined || person === UNKNOWN_KEY) &&
    isInFolders(query, session.workspace, folders) &&
    (favourites !== true || session.favourite) &&
    (text === undefined || (session.title ?? '').toLowerCase().includes(text.toLowerCase()))
  )
}

/** Whether a session's folder fits what is asked for as workspace, workspaces and project. `folders`: those of the project. */
const isInFolders = (
  { workspace, workspaces, project }: SessionQuery,
  folder: string | null,
  folders: ReadonlySet<string>,
): boolean =>
  (workspaces === undefined || workspaces.includes(folder ?? '')) &&
  (project === undefined || (folder === null ? project === UNKNOWN_KEY : folders.has(folder))) &&
  (workspace === undefined || isWorkspace(folder ?? UNKNOWN_KEY, workspace))

const isInTime = ({ since, until }: SessionQuery, { startedAt, updatedAt }: SessionSummary): boolean =>
  (since === undefined || (updatedAt !== null && updatedAt >= since)) &&
  (until === undefined || (startedAt !== null && startedAt < until))

const textBytes = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length

/**
 * Deletes a session with its requests, failures and state, remembers it as deleted and tells the listeners; gives what
 * was deleted, undefined if there is no such session.
 */
const remove = (data: StoreData, sessionId: string): DeletionReport | undefined => {
  const session = data.sessions.get(sessionId)
  if (session === undefined) return undefined
  const own = [...data.requests].filter(([, report]) => report.sessionId === sessionId)
  for (const [key] of own) data.requests.delete(key)
  for (const [key, failure] of data.failures) if (failure.sessionId === sessionId) data.failures.delete(key)
  data.sessions.delete(sessionId)
  data.deletedSessions.add(sessionId)
  data.state.delete(scopeKey({ tier: 'session', sessionId }))
  data.changed()
  return {
    sessionId,
    entries: session.entries.length,
    requests: own.length,
    sourceLines: session.source.length,
    bytes: session.entries.reduce((sum, { entry }) => sum + textBytes(entry), 0),
  }
}

/**
 * Session storage over the in-memory store's data: what is given and what comes back are copies. `append` returns a
 * `sequence-conflict` and writes nothing where the log has another length than expected (`end`: where there is none),
 * rejects with `invalid-input` for a repeated id, and brings a deleted session back. Lists are the last updated first
 * and `DEFAULT_LIMIT` at most unless the query says otherwise. `resolve`: an exact id, else beginnings of one.
 */
export const createInMemorySessions = (data: StoreData): SessionStorage => ({
  // A live writer brings a deleted session back: it still runs. Imports don't.
  append: async (facts, expectedSeq, writes) => {
    const known = data.sessions.get(facts.id)
    const actualSeq = known?.entries.length ?? 0
    if (expectedSeq === 'end' ? known === undefined : actualSeq !== expectedSeq)
      return err({ code: 'sequence-conflict', expectedSeq, actualSeq })
    refuseRepetition(facts.id, known?.externalIds ?? new Set(), writes)
    const session = data.openSession(facts)
    for (const write of writes) {
      data.addEntry(session, write)
      if (write.request !== undefined) {
        data.addReport({
          agent: facts.agent,
          sessionId: facts.id,
          fact: withSessionWorkspace(facts, write.request),
          visibleCharacters: write.visibleCharacters ?? 0,
        })
      }
    }
    data.changed()
    return ok({ nextSeq: session.entries.length })
  },
  read: async (sessionId, { fromSeq = 0, limit, kinds } = {}) =>
    (data.sessions.get(sessionId)?.entries.slice(fromSeq) ?? [])
      .filter(({ entry }) => kinds?.includes(entry.kind) ?? true)
      .slice(0, limit)
      .map(({ entry }) => structuredClone(entry)),
  idsAmong: async (sessionId, externalIds) => {
    const known = data.sessions.get(sessionId)?.externalIds
    return new Set(externalIds.filter((id) => known?.has(id)))
  },
  get: async (sessionId) => {
    const session = data.sessions.get(sessionId)
    return session === undefined ? undefined : summarise(data, session)
  },
  list: async (query) => {
    const folders = foldersOf(data, query.project)
    const found = [...data.sessions.values()]
      .map((session) => summarise(data, session))
      .filter((session) => matches(data, query, session, folders))
    const offset = query.offset ?? 0
    const inOrder = sorted(found, query.sort ?? 'updated', query.order ?? 'descending')
    return { sessions: inOrder.slice(offset, offset + (query.limit ?? DEFAULT_LIMIT)), total: found.length }
  },
  resolve: async (idOrPrefix, limit = 10) => {
    const summaries = [...data.sessions.values()].map((session) => summarise(data, session))
    const all = sorted(summaries, 'updated', 'descending')
    const exact = all.filter((session) => session.id === idOrPrefix || session.externalId === idOrPrefix)
    if (exact.length > 0) return exact
    return all
      .filter((session) => session.id.startsWith(idOrPrefix) || session.externalId.startsWith(idOrPrefix))
      .slice(0, limit)
  },
  sourceLines: async function* (sessionId) {
    for (const line of data.sessions.get(sessionId)?.source ?? []) yield { ...line, bytes: line.bytes.slice() }
  },
  delete: async (sessionId) => remove(data, sessionId),
})

/** Sessions over several shards: each is in one of them, and lists are merged in their order. */
import type { SessionQuery, SessionStorage, SessionSummary } from '../ports/session-storage.ts'
import type { Store } from '../ports/store.ts'
import { withFoldersOfListedProject } from './combined-projects.ts'
import type { Refusal } from './refusal.ts'

const PAGE = 50
const MOST_RESOLVED = 10

/** A session, and in which shard it is. */
interface Located {
  readonly session: SessionSummary
  readonly shard: number
}

const SORT_VALUE = {
  updated: ({ updatedAt }) => updatedAt,
  started: ({ startedAt }) => startedAt,
  cost: ({ costNano }) => costNano,
  messages: ({ messages }) => messages,
} as const satisfies Record<string, (session: SessionSummary) => number | bigint | null>

/** In the order of a list: unknown values last; of equal ones those of the first shard, or in descending order of the last. */
const inOrder = ({ sort = 'updated', order = 'descending' }: SessionQuery) => {
  const valueOf = SORT_VALUE[sort]
  const sign = order === 'ascending' ? 1 : -1
  return (left: Located, right: Located): number => {
    const [one, other] = [valueOf(left.session), valueOf(right.session)]
    if (one === other) return sign * (left.shard - right.shard)
    if (one === null || other === null) return one === null ? 1 : -1
    return one < other ? -sign : sign
  }
}

/**
 * Sessions over shards; `refuse` answers an append. A session is read from, and deleted in, the shard that has it; of
 * one that none has nothing is read, and a deletion does nothing.
 */
export const createCombinedSessions = (shards: readonly Store[], refuse: Refusal): SessionStorage => {
  const ask = <T>(question: (sessions: SessionStorage) => Promise<T>): Promise<readonly T[]> =>
    Promise.all(shards.map(({ sessions }) => question(sessions)))
  /** The storage that has the session; undefined if none has. */
  const holderOf = async (id: string): Promise<SessionStorage | undefined> => {
    const found = await ask((sessions) => sessions.get(id))
    return shards[found.findIndex((session) => session !== undefined)]?.sessions
  }
  return {
    append: () => refuse(),
    read: async (id, range) => (await (await holderOf(id))?.read(id, range)) ?? [],
    idsAmong: async (id, externalIds) => (await (await holderOf(id))?.idsAmong(id, externalIds)) ?? new Set(),
    get: async (id) => (await ask((sessions) => sessions.get(id))).find((session) => session !== undefined),
    list: async (query) => {
      const { limit = PAGE, offset = 0 } = query
      const asked = await withFoldersOfListedProject(shards, query)
      const pages = await ask((sessions) => sessions.list({ ...asked, limit: offset + limit, offset: 0 }))
      const found = pages.flatMap(({ sessions }, shard) => sessions.map((session): Located => ({ session, shard })))
      return {
        sessions: found
          .sort(inOrder(query))
          .slice(offset, offset + limit)
          .map(({ session }) => session),
        total: pages.reduce((sum, { total }) => sum + total, 0),
      }
    },
    resolve: async (part, limit = MOST_RESOLVED) => {
      const found = (await ask((sessions) => sessions.resolve(part, limit)))
        .flatMap((sessions, shard) => sessions.map((session): Located => ({ session, shard })))
        .sort(inOrder({}))
        .map(({ session }) => session)
      const exact = found.filter(({ id, externalId }) => id === part || externalId === part)
      return (exact.length > 0 ? exact : found).slice(0, limit)
    },
    async *sourceLines(id) {
      const holder = await holderOf(id)
      if (holder !== undefined) yield* holder.sourceLines(id)
    },
    delete: async (id) => (await holderOf(id))?.delete(id),
  }
}

/**
 * A team's store of several databases as the target of a sync. A session lives where it or one of its calls is known
 * already, so that copies from two machines meet and a call counts once; a new one goes to a shard by its id.
 */
import type { Hasher } from '../ports/hasher.ts'
import type { KnownBy, SyncBatch, SyncSession, SyncTarget } from '../ports/sync-storage.ts'

/** One of the databases. */
export interface Shard {
  /** Tells it from the others, on every machine. */
  readonly identity: string
  readonly target: SyncTarget
}

/** What says most of where a session belongs comes first. */
const SIGNS: readonly KnownBy[] = ['session', 'call']

/**
 * The target over all shards. A batch is one commit in each shard that has something of it: where one of them fails, the
 * batch is sent again. Every shard is told of the machine and of projects, and keeps withdrawn sessions out.
 */
export const createShardTarget = (given: readonly [Shard, ...Shard[]], hasher: Hasher): SyncTarget => {
  // In one order, whatever the order in which a machine names them: of two that know something of a session it is the first.
  const shards = inOrder(given)
  const homes = createHomes(shards, hasher)
  const toldOf = new Set<string>()
  return {
    receive: async (batch) => {
      const ofShard = Map.groupBy(batch.sessions, await homes.of(batch.sessions, batch.requests))
      const machine = JSON.stringify(batch.machine)
      const isTold = toldOf.has(machine)
      const answers = await settled(
        shards.flatMap((shard) => {
          const sessions = ofShard.get(shard) ?? []
          return sessions.length === 0 && isTold ? [] : [shard.target.receive(partOf(batch, sessions))]
        }),
      )
      toldOf.add(machine)
      return {
        withdrawn: answers.flatMap(({ withdrawn }) => withdrawn),
        others: answers.flatMap(({ others }) => others),
      }
    },
    takesText: async () => (await Promise.all(shards.map(({ target }) => target.takesText()))).every(Boolean),
    receiveProjects: async (projects) => [
      ...new Set((await settled(shards.map(({ target }) => target.receiveProjects(projects)))).flat()),
    ],
    logEnd: async (sessionId) => (await homes.ofId(sessionId)).target.logEnd(sessionId),
    receiveLog: async (log) => (await homes.ofId(log.session.id)).target.receiveLog(log),
    withdraw: async (sessionIds) =>
      (await settled(shards.map(({ target }) => target.withdraw(sessionIds)))).reduce((sum, count) => sum + count, 0),
    knownBy: async (sessions) => {
      const answers = await Promise.all(shards.map(({ target }) => target.knownBy(sessions)))
      return sessions.map((_, index) => SIGNS.find((sign) => answers.some((answer) => answer[index] === sign)))
    },
  }
}

const inOrder = ([first, ...others]: readonly [Shard, ...Shard[]]): readonly [Shard, ...Shard[]] => {
  const [least = first, ...rest] = [first, ...others].sort((left, right) => (left.identity < right.identity ? -1 : 1))
  return [least, ...rest]
}

/** A batch with these of its sessions, and their requests. */
const partOf = (batch: SyncBatch, sessions: readonly SyncSession[]): SyncBatch => {
  const ids = new Set(sessions.map(({ id }) => id))
  return { ...batch, sessions, requests: batch.requests.filter(({ sessionId }) => ids.has(sessionId)) }
}

/** Waits for all before it rejects with the first failure: no commit goes on after the caller was told. */
const settled = async <T>(work: readonly Promise<T>[]): Promise<T[]> => {
  await Promise.allSettled(work)
  return Promise.all(work)
}

/**
 * Finds the shard of each session, and remembers it; `of` resolves with a function that gives it. Rejects as the shards
 * do.
 */
const createHomes = (shards: readonly [Shard, ...Shard[]], hasher: Hasher) => {
  const known = new Map<string, Shard>()
  /**
   * The shard of a session that none knows: the same on every machine, whatever the order in which it names them, so that
   * two that send it at once send it to the same.
   */
  const shardOfId = (id: string): Shard => {
    const rankOf = ({ identity }: Shard): string => hasher.sha256(`${identity}\0${id}`)
    return shards.reduce((best, shard) => (rankOf(shard) < rankOf(best) ? shard : best))
  }
  /**
   * Remembers a shard for each of these sessions: the first that has it, else the first that has one of its calls, else
   * that of one before it in the list which shares a call, else the one of its id.
   */
  const find = async (sessions: readonly SyncSession[], requests: SyncBatch['requests']): Promise<void> => {
    const calls = Map.groupBy(requests, ({ sessionId }) => sessionId)
    const signs = sessions.map(({ id }) => ({ id, calls: (calls.get(id) ?? []).map(({ call }) => call) }))
    const answers = await Promise.all(shards.map(({ target }) => target.knownBy(signs)))
    /** Of sessions that are new together, and share a call, the second goes where the first one does. */
    const homeOfCall = new Map<string, Shard>()
    for (const [index, { id, calls: own }] of signs.entries()) {
      const holder = (sign: KnownBy): Shard | undefined => shards[answers.findIndex((answer) => answer[index] === sign)]
      const together = own.map((call) => homeOfCall.get(call)).find((shard) => shard !== undefined)
      const home = holder('session') ?? holder('call') ?? together ?? shardOfId(id)
      known.set(id, home)
      for (const call of own) homeOfCall.set(call, home)
    }
  }
  return {
    of: async (
      sessions: readonly SyncSession[],
      requests: SyncBatch['requests'],
    ): Promise<(session: SyncSession) => Shard> => {
      const unknown = sessions.filter(({ id }) => !known.has(id))
      if (unknown.length > 0) await find(unknown, requests)
      return ({ id }) => known.get(id) ?? shardOfId(id)
    },
    /** Of a session of which no more is known than its id. */
    ofId: async (id: string): Promise<Shard> => {
      const home = known.get(id)
      if (home !== undefined) return home
      const answers = await Promise.all(shards.map(({ target }) => target.knownBy([{ id, calls: [] }])))
      return shards[answers.findIndex(([sign]) => sign === 'session')] ?? shardOfId(id)
    },
  }
}

/** A store as a team's: it takes in what machines send. A deletion wins over every copy (see repository/withdrawals). */
import { CairnError, mergeCopies } from '@cairn/core'
import type { DeletionReport, SessionStorage } from '@cairn/core'
import type { SyncBatch, SyncLog, SyncProject, SyncRequest, SyncTarget } from '@cairn/core/sync'
import type { SqlTransaction } from '../sql/database.ts'
import { required } from '../sql/required.ts'
import { tables } from '../sql/schema.ts'
import { removeOrphanNames } from '../cleanup/orphan-names.ts'
import { foldSums } from '../repository/folded-sums.ts'
import { rowLockClause } from '../repository/store-context.ts'
import type { StoreContext } from '../repository/store-context.ts'
import { Labels, storableText } from '../repository/labels.ts'
import { BlockRemoved } from '../repository/pack-writer.ts'
import { nothingPending, prepareContent } from '../repository/prepared-content.ts'
import { mergeRequests } from '../repository/request-merge.ts'
import type { StoredReport } from '../repository/request-merge.ts'
import { findSession, wasDeleted } from '../repository/session-row.ts'
import { writeSession } from '../repository/session-writer.ts'
import { holdWithdrawals, keepOut } from '../repository/withdrawals.ts'
import { isRestricted } from '../roles/is-restricted.ts'
import { hex, knownBy } from './known-by.ts'
import { receiveSessions } from './receive-sessions.ts'

/** How often content that was prepared may be overtaken by a deletion. */
const ATTEMPTS = 3

export interface TargetDeps {
  readonly sessions: Pick<SessionStorage, 'read' | 'get'>
  readonly deleteSession: (sessionId: string) => Promise<DeletionReport | undefined>
}

/**
 * The store of a context as the target of a sync. `withdraw` returns how many sessions it removed; they can't be sent
 * again.
 */
export const createSyncTarget = (context: StoreContext, { sessions, deleteSession }: TargetDeps): SyncTarget => ({
  receive: async (batch) => {
    const left = await receive(context, batch)
    await foldAtTimes(context, batch.at)
    return left
  },
  takesText: async () => !(await isRestricted(context.database, context.database.dialect)),
  receiveProjects: (projects) => receiveProjects(context, projects),
  logEnd: async (sessionId) => {
    const nextSeq = (await sessions.get(sessionId))?.entries ?? 0
    const last = nextSeq === 0 ? [] : await sessions.read(sessionId, { fromSeq: nextSeq - 1, limit: 1 })
    return { nextSeq, last: last[0] }
  },
  receiveLog: (log) => receiveLog(context, log),
  knownBy: (known) => knownBy(context.database, known),
  withdraw: async (sessionIds) => {
    await keepOut(context, sessionIds)
    let removed = 0
    for (const id of sessionIds) if ((await deleteSession(id)) !== undefined) removed += 1
    // A project's name is not kept for its own sake.
    if (removed > 0 && !(await isRestricted(context.database, context.database.dialect)))
      await removeOrphanNames(context, false)
    return removed
  },
})

/** How often a process looks whether days are over whose sums are still in shards. */
const FOLD_EVERY_MS = 3_600_000
const foldedAt = new WeakMap<StoreContext, number>()

/**
 * Puts sums of past days together, at most once an hour for each store. Errors of the store are passed over: the batch
 * before is kept, and this is no failure of it.
 */
const foldAtTimes = async (context: StoreContext, now: number): Promise<void> => {
  if (Math.abs(now - (foldedAt.get(context) ?? Number.NEGATIVE_INFINITY)) < FOLD_EVERY_MS) return
  foldedAt.set(context, now)
  try {
    await foldSums(context.database, now)
  } catch (error) {
    if (!CairnError.is(error)) throw error
  }
}

/**
 * Takes in a batch in one transaction, to disk. Returns the ids of sessions that were `withdrawn`, or are of `others`,
 * who use the database as another user: nothing of these is written, nor of a request that is another user's already.
 */
const receive = async (
  context: StoreContext,
  { machine, at, sessions, requests }: SyncBatch,
): ReturnType<SyncTarget['receive']> => {
  const { database, labels: cache } = context
  const [labels, left] = await database.transaction({ durability: 'synced' }, async (transaction) => {
    await holdWithdrawals(transaction, context)
    const labelsInUse = new Labels(transaction, cache, database.dialect)
    const machineId = await machineRow(transaction, machine, at)
    const { rows, ...out } = await receiveSessions(transaction, labelsInUse, {
      sessions,
      machineId,
      lockClause: rowLockClause(context),
    })
    const reports = requests.flatMap((request) => storedReport(request, rows) ?? [])
    const own = (await isRestricted(transaction, database.dialect)) ? await ownReports(transaction, reports) : reports
    await mergeRequests(transaction, database.dialect, labelsInUse, own, mergeCopies)
    return [labelsInUse, out] as const
  })
  labels.remember()
  return left
}

/**
 * The reports without the requests that are another user's in this store: who may not change their rows leaves them as
 * they are. The rows of the user's own sessions are locked.
 */
const ownReports = async (
  transaction: SqlTransaction,
  reports: readonly StoredReport[],
): Promise<readonly StoredReport[]> => {
  const stored = await transaction.lookup<{ call_hash: Uint8Array; session_id: number }>(
    tables.usage,
    { columns: ['call_hash', 'session_id'], key: 'call_hash' },
    reports.flatMap(({ digest }) => digest ?? []),
  )
  const sessions = [...new Set(stored.map(({ session_id: id }) => id))].sort((left, right) => left - right)
  if (sessions.length === 0) return reports
  const rows = await transaction.all<{ id: number }>(
    `SELECT id FROM session WHERE id IN (${sessions.map(() => '?').join(', ')}) ORDER BY id FOR UPDATE`,
    sessions,
  )
  const own = new Set(rows.map(({ id }) => id))
  const others = new Set(stored.filter(({ session_id: id }) => !own.has(id)).map((row) => hex(row.call_hash)))
  return reports.filter(({ digest }) => digest === undefined || !others.has(hex(digest)))
}

/**
 * Stores the project of each folder as a machine sends it, null for none; of two machines that differ, the one that was
 * heard last counts. Returns the paths of the folders that the store has, also of those that are not this user's to
 * change; of others nothing is stored.
 */
const receiveProjects = ({ database }: StoreContext, projects: readonly SyncProject[]): Promise<readonly string[]> =>
  database.transaction({ durability: 'synced' }, async (transaction) => {
    const had: string[] = []
    // In one order, so that two machines take locks in the same.
    for (const { workspace, project } of projects.toSorted((left, right) =>
      left.workspace < right.workspace ? -1 : 1,
    )) {
      const path = storableText(workspace)
      const remote = project === null ? null : storableText(project)
      const changed = await transaction.run('UPDATE workspace SET remote = ? WHERE "path" = ?', [remote, path])
      // One that others have, too, is there, and not this user's to change.
      const isThere =
        changed > 0 || (await transaction.all('SELECT 1 FROM workspace WHERE "path" = ?', [path])).length > 0
      if (isThere) had.push(workspace)
    }
    return had
  })

/**
 * Inserts the machine's row, or updates its names and time (`at`, ms); returns its id. The person is that of the
 * machine's last sync.
 */
const machineRow = async (
  transaction: SqlTransaction,
  { id, name, person, personId }: SyncBatch['machine'],
  at: number,
): Promise<number> => {
  await transaction.insert(
    tables.machine,
    ['key', 'name', 'person', 'person_key', 'synced_at'],
    [[storableText(id), storable(name), storable(person), storable(personId), at]],
    `ON CONFLICT ("key") DO UPDATE SET name = excluded.name, person = excluded.person, person_key = excluded.person_key,
       synced_at = excluded.synced_at`,
  )
  const [row] = await transaction.all<{ id: number }>('SELECT id FROM machine WHERE "key" = ?', [storableText(id)])
  return required(row, 'the row of a machine').id
}

const storable = (text: string | undefined): string | null => (text === undefined ? null : storableText(text))

/**
 * A request for the merge; undefined where its session was not taken in. `call` is hexadecimal. `rows`: the sessions
 * that were taken in.
 */
const storedReport = (
  { call, sessionId, fact, visibleCharacters }: SyncRequest,
  rows: ReadonlyMap<string, { readonly id: number; readonly agent: string }>,
): StoredReport | undefined => {
  const session = rows.get(sessionId)
  if (session === undefined) return undefined
  const { id: row, agent } = session
  return { sessionId, row, agent, fact, visibleCharacters, digest: Buffer.from(call, 'hex') }
}

/**
 * Adds entries to a session's log; false, with nothing written, where they do not begin at its end, or it was withdrawn
 * or never taken in. On disk when it resolves; the index follows. Rejects if an entry of it is in the log already, or
 * blocks go again and again.
 */
const receiveLog = async (context: StoreContext, { session, fromSeq, entries }: SyncLog): Promise<boolean> => {
  const { database, labels: cache, maintenance } = context
  const writes = entries.map((entry) => ({ entry }))
  for (let attempt = 1; ; attempt += 1) {
    const content = await prepareContent({ session, writes, runs: [] }, database, nothingPending)
    try {
      const written = await database.transaction({ durability: 'synced' }, async (transaction) => {
        await holdWithdrawals(transaction, context)
        if (await wasDeleted(transaction, session.id)) return undefined
        const row = await findSession(transaction, session.id, rowLockClause(context))
        if (row?.next_seq !== fromSeq) return undefined
        const labels = new Labels(transaction, cache, database.dialect)
        const { workspaceId, isNew } = await writeSession(transaction, labels, row, content)
        if (isNew.includes(false)) throw new Error(`an entry of ${session.id} is in its log already`)
        return { labels, workspaceId }
      })
      written?.labels.remember()
      if (written !== undefined) void maintenance.maintain(new Set([written.workspaceId]))
      return written !== undefined
    } catch (error) {
      // Somebody deleted a session whose blocks the content refers to.
      if (!(error instanceof BlockRemoved) || attempt === ATTEMPTS) throw error
    }
  }
}

/**
 * The user's store as what is sent to a team's. The row of a session counts the writes that were not sent and knows the
 * first request that is new or changed; both are written with the change itself, so that nothing is missed.
 */
import type { SessionStorage } from '@cairn/core'
import { projectsOf } from '@cairn/core/projects'
import type { ChangedProject, ChangedRequest, ChangedSession, SentSession, SyncSource } from '@cairn/core/sync'
import { assertRowsIntact } from '../sql/row-checksum.ts'
import { quoted, tables } from '../sql/schema.ts'
import { named } from '../sql/statements.ts'
import type { SqlReader, SqlTransaction } from '../sql/database.ts'
import { required } from '../sql/required.ts'
import type { StoreContext } from '../repository/store-context.ts'
import { storableText } from '../repository/labels.ts'
import { storedWorkspaces } from '../repository/projects.ts'
import type { StoredWorkspace } from '../repository/projects.ts'
import { factColumns, reportsOf } from '../repository/request-merge.ts'
import type { UsageFactRow } from '../repository/request-merge.ts'

/** Column `shared` of a session. */
const SENT = 1
const KEPT_OUT = 2

interface SessionRow {
  readonly id: number
  readonly key: string
  readonly external_id: string
  readonly agent: string | null
  readonly workspace: string | null
  readonly branch: string | null
  readonly title: string | null
  readonly forked_from: string | null
  readonly started_at: number | null
  readonly updated_at: number | null
  readonly next_seq: number
  readonly unsynced: number
  readonly unsynced_from: number | null
  readonly synced_entries: number
  readonly shared: number
}

/** The store of a context as the source of a sync. */
export const createSyncSource = (context: StoreContext, sessions: Pick<SessionStorage, 'read'>): SyncSource => ({
  ...reading(context, sessions),
  ...marking(context),
})

/**
 * What was told of projects may be gone with a folder's last session. '' is no project, so it is told once more; null would
 * be that nothing was told, and hide that a folder is a project of its own again.
 */
const TELL_ANEW = "UPDATE workspace SET sent_project = '' WHERE sent_project IS NOT NULL"

type Marks = Pick<SyncSource, 'announce' | 'confirm' | 'keepOut' | 'confirmWithdrawn' | 'confirmProjects' | 'sendAgain'>

/**
 * The part of the source that notes what was sent; such a note may be lost with the power, then it is sent once more,
 * but never that something may have left. `announce` is on disk when it resolves.
 */
const marking = ({ database }: StoreContext): Marks => {
  /** Such a write may be lost with the power: then it is sent once more. */
  const write = (work: (transaction: SqlTransaction) => Promise<void>): Promise<void> =>
    database.transaction({ durability: 'lazy', unmeasured: true }, work)
  return {
    // Synced: what may have left is never forgotten.
    announce: async (rows) => {
      if (rows.length === 0) return
      await database.transaction({ durability: 'synced', unmeasured: true }, async (transaction) => {
        for (const row of rows)
          await transaction.run('UPDATE session SET shared = ? WHERE id = ? AND shared = 0', [SENT, row])
      })
    },
    confirm: (sent) =>
      write(async (transaction) => {
        for (const session of sent) await confirm(transaction, session)
      }),
    keepOut: (sessionIds) =>
      write(async (transaction) => {
        for (const id of sessionIds)
          await transaction.run('UPDATE session SET shared = ? WHERE "key" = ?', [KEPT_OUT, storableText(id)])
        await transaction.run(TELL_ANEW)
      }),
    confirmWithdrawn: (sessionIds) =>
      write(async (transaction) => {
        for (const id of sessionIds)
          await transaction.run('UPDATE deleted_session SET withdraw = 0 WHERE "key" = ?', [storableText(id)])
        await transaction.run(TELL_ANEW)
      }),
    confirmProjects: (projects) =>
      write(async (transaction) => {
        for (const { row, project } of projects)
          await transaction.run('UPDATE workspace SET sent_project = ? WHERE id = ?', [project, row])
      }),
    sendAgain: ({ forget }) =>
      write(async (transaction) => {
        await transaction.run(forget ? 'UPDATE workspace SET sent_project = NULL' : TELL_ANEW)
        const unshared = forget
          ? `, shared = CASE shared WHEN ${KEPT_OUT} THEN ${KEPT_OUT} ELSE 0 END, synced_entries = 0`
          : ''
        await transaction.run(`UPDATE session SET unsynced = unsynced + 1, unsynced_from = 0${unshared}`)
        if (forget) await transaction.run('UPDATE deleted_session SET withdraw = 0 WHERE withdraw = 1')
      }),
  }
}

/**
 * The part of the source that reads what has changed. Rows and ids are in ascending order; damaged requests reject with
 * `storage-corrupt`.
 */
const reading = ({ database }: StoreContext, sessions: Pick<SessionStorage, 'read'>): Omit<SyncSource, keyof Marks> => {
  const rowsOf = async (condition: string): Promise<readonly number[]> => {
    const rows = await database.all<{ id: number }>(`SELECT id FROM session${condition}`)
    // Sorted here: the database would read all rows in their order.
    return rows.map(({ id }) => id).sort((left, right) => left - right)
  }
  return {
    changedSessions: () => rowsOf(' WHERE unsynced > 0'),
    allSessions: () => rowsOf(''),
    sessionsOfRequestsAfter: async (request) => {
      const [row] = await database.all<{ newest: number | null }>('SELECT max(id) AS newest FROM usage_fact')
      const newest = row?.newest ?? 0
      if (newest <= request) return { sessions: [], newest }
      const rows = await database.all<{ id: number }>('SELECT DISTINCT session_id AS id FROM usage_fact WHERE id > ?', [
        request,
      ])
      return { sessions: rows.map(({ id }) => id).sort((left, right) => left - right), newest }
    },
    sessions: async (rows) => {
      const found = await database.all<SessionRow>(
        `SELECT session.id, "key", external_id, agent.value AS agent, workspace."path" AS workspace, branch.value AS branch,
           title, forked_from, started_at, updated_at, next_seq, unsynced, unsynced_from, synced_entries, shared
         FROM session LEFT JOIN label AS agent ON agent.id = agent_id LEFT JOIN label AS branch ON branch.id = branch_id
         LEFT JOIN workspace ON workspace.id = workspace_id
         WHERE session.id IN (${rows.map(() => '?').join(', ')}) ORDER BY session.id`,
        rows,
      )
      return found.map(toChangedSession)
    },
    requests: async (sessionRow, from, limit) => {
      const facts = await database.all<UsageFactRow>(
        `SELECT ${quoted(factColumns)} FROM usage_fact WHERE session_id = ? AND id >= ? ORDER BY id LIMIT ?`,
        [sessionRow, from, limit],
      )
      assertRowsIntact(database.location, tables.usage, facts)
      const reports = await reportsOf(database, facts)
      return facts.map(({ id, call_hash: hash }, index): ChangedRequest => ({
        row: id,
        call: Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('hex'),
        ...required(reports[index], 'a stored request'),
      }))
    },
    entries: (sessionId, fromSeq, limit) => sessions.read(sessionId, { fromSeq, limit }),
    changedProjects: ({ all = false } = {}) => changedProjects(database, all),
    deletedSessions: async () =>
      (await database.all<{ key: string }>('SELECT "key" FROM deleted_session WHERE withdraw = 1 ORDER BY "key"')).map(
        ({ key }) => key,
      ),
  }
}

/** Folders that are asked about at once; a statement takes few more parameters. */
const FOLDERS_AT_ONCE = 1_000

/**
 * Those of these folders (ids) that a session is of, or has requests of, which is not kept out of the team's store.
 * Empty for none.
 */
const sharedAmong = async (database: SqlReader, folders: readonly number[]): Promise<ReadonlySet<number>> => {
  const shared = new Set<number>()
  for (let start = 0; start < folders.length; start += FOLDERS_AT_ONCE) {
    const ids = folders.slice(start, start + FOLDERS_AT_ONCE)
    const isAsked = `workspace_id IN (${ids.map(() => '?').join(', ')})`
    const rows = await database.all<{ id: number }>(
      `SELECT workspace_id AS id FROM session WHERE shared <> ${KEPT_OUT} AND ${isAsked}
       UNION SELECT usage_day.workspace_id FROM usage_day JOIN session ON session.id = session_id
         WHERE shared <> ${KEPT_OUT} AND usage_day.${isAsked}`,
      [...ids, ...ids],
    )
    for (const { id } of rows) shared.add(id)
  }
  return shared
}

/**
 * The folders whose project is not what the team's store was told last; with `all` also the others whose project is not
 * just their own. Only those with a session, or requests of one, that is not kept out.
 */
const changedProjects = async (database: SqlReader, all: boolean): Promise<readonly ChangedProject[]> => {
  const changed = toldProjects(await storedWorkspaces(database)).filter(
    ({ project, sent }) => project !== sent || (all && project !== null),
  )
  const shared = await sharedAmong(
    database,
    changed.map(({ row }) => row),
  )
  return changed.flatMap(({ sent: _sent, ...project }) => (shared.has(project.row) ? [project] : []))
}

/**
 * What the team's store is to be told of each folder, and what it was told last; null for a folder that is a project of
 * its own.
 */
const toldProjects = (
  workspaces: readonly StoredWorkspace[],
): readonly (ChangedProject & { readonly sent: string | null })[] => {
  const projects = projectsOf(workspaces)
  return workspaces.map(({ id, path, chosen, sent }) => {
    const project = projects.get(path) ?? path
    // One that is a project of its own by itself needs no word.
    return { row: id, workspace: path, project: project === path && chosen === undefined ? null : project, sent }
  })
}

/** A session of a stored row, with how far it was sent. What is null in the row is left out. */
const toChangedSession = (row: SessionRow): ChangedSession => ({
  row: row.id,
  session: {
    id: row.key,
    agent: row.agent ?? 'unknown',
    externalId: row.external_id,
    ...(row.workspace === null ? {} : { workspace: row.workspace }),
    ...(row.branch === null ? {} : { branch: row.branch }),
    ...(row.title === null ? {} : { title: row.title }),
    ...(row.forked_from === null ? {} : { forkedFrom: row.forked_from }),
    startedAt: row.started_at,
    updatedAt: row.updated_at,
  },
  writes: row.unsynced,
  fromRequest: row.unsynced_from,
  isShared: row.shared === SENT,
  isWithdrawn: row.shared === KEPT_OUT,
  entries: row.next_seq,
  sentEntries: row.synced_entries,
})

/**
 * Notes how far a session was sent, unless it was written to since it was read: then it is sent again. Undefined parts
 * stay as they are.
 */
const confirm = async (
  transaction: SqlTransaction,
  { row, writes, nextRequest, entries, isComplete }: SentSession,
): Promise<void> => {
  const changes = [
    ...(isComplete ? ['unsynced = 0'] : []),
    ...(nextRequest === undefined ? [] : ['unsynced_from = :next']),
    ...(entries === undefined ? [] : ['synced_entries = :entries']),
  ]
  if (changes.length === 0) return
  await transaction.run(
    ...named(`UPDATE session SET ${changes.join(', ')} WHERE id = :row AND unsynced = :writes`, {
      row,
      writes,
      ...(nextRequest === undefined ? {} : { next: nextRequest }),
      ...(entries === undefined ? {} : { entries }),
    }),
  )
}

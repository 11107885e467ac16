/**
 * Removes for real what a policy or a person asks for, and says what went, by kind of rows: all that a person's machines
 * sent to a team's store, sessions whose last activity is long past, or only their text. Sessions that were removed stay
 * out: neither a sync nor an import brings them back.
 */
import type { DeletionReport } from '@cairn/core'
import { removeOrphanNames } from '../cleanup/orphan-names.ts'
import type { StoreContext } from '../repository/store-context.ts'
import { machineRows, namesOfMachines } from '../repository/machines.ts'
import { excludeReceivers, keepOut } from '../repository/withdrawals.ts'
import type { SqlReader, SqlValue } from '../sql/database.ts'
import { removeText } from './remove-text.ts'
import type { SessionWithText } from './remove-text.ts'

/**
 * What is to go. `before`: sessions whose last activity was earlier than this, ms. `since`: but not earlier than that, as
 * another policy lets these go as a whole.
 */
export type ErasureScope =
  | { readonly by: 'person'; readonly person: string }
  | { readonly by: 'age'; readonly what: 'session' | 'text'; readonly before: number; readonly since?: number }

/** Rows by kind, and `bytes` of packed content. */
export interface ErasureReport {
  readonly sessions: number
  readonly entries: number
  readonly requests: number
  readonly failures: number
  readonly sourceLines: number
  readonly settings: number
  /** Machines of a team's store, with the names of who works on them. */
  readonly machines: number
  /** Names of projects, branches and models that nothing else has; a dry run can't tell, and says 0. */
  readonly names: number
  readonly bytes: number
}

export interface Erasure {
  /** The people whose machines have sent something, in order of their names; none in a user's own store. */
  people(): Promise<readonly string[]>
  /** Removes what is in the scope, or only counts it. Killed in the middle, it is run again. */
  run(scope: ErasureScope, options: { readonly dryRun: boolean }): Promise<ErasureReport>
}

export interface ErasureDeps {
  readonly deleteSession: (sessionId: string) => Promise<DeletionReport | undefined>
}

const NOTHING: ErasureReport = {
  sessions: 0,
  entries: 0,
  requests: 0,
  failures: 0,
  sourceLines: 0,
  settings: 0,
  machines: 0,
  names: 0,
  bytes: 0,
}

/** The erasure of a store. `people` lists the names of all machines' persons, sorted. */
export const createErasure = (context: StoreContext, deps: ErasureDeps): Erasure => ({
  people: async () => [...new Set(namesOfMachines('person', await machineRows(context.database)).values())].sort(),
  run: (scope, { dryRun }) =>
    scope.by === 'person' ? erasePerson(context, deps, scope.person, dryRun) : eraseOld(context, deps, scope, dryRun),
})

/**
 * Erases the sessions and machines of a person, by the exact name that reports show; machines that get a session
 * meanwhile stay. With `dryRun` only counts; all 0 for an unknown person. Each session is erased in a transaction of
 * its own.
 */
const erasePerson = async (
  context: StoreContext,
  deps: ErasureDeps,
  person: string,
  dryRun: boolean,
): Promise<ErasureReport> => {
  const { database } = context
  const names = namesOfMachines('person', await machineRows(database))
  const machines = [...names].flatMap(([id, name]) => (name === person ? [id] : []))
  if (machines.length === 0) return NOTHING
  const among = `machine_id IN (${machines.join(', ')})`
  let report: ErasureReport = { ...NOTHING, machines: dryRun ? machines.length : 0 }
  for (const session of await sessionsWhere(database, among))
    report = add(report, dryRun ? await countSession(database, session) : await eraseSession(context, deps, session))
  if (dryRun) return report
  const removed = await database.transaction({ durability: 'synced' }, async (transaction) => {
    // Who is taking in something that one of these machines sends has it in the table of sessions from here on.
    await excludeReceivers(transaction, context)
    return transaction.run(
      `DELETE FROM machine WHERE id IN (${machines.join(', ')})
         AND NOT EXISTS (SELECT 1 FROM session WHERE session.machine_id = machine.id)`,
    )
  })
  return finished(context, { ...report, machines: removed })
}

/** Sessions with something that was said: of those that only figures are known of, and whose text is gone, nothing is left to remove. */
const HAS_TEXT = '(next_seq > 1 OR message_count > 0 OR title IS NOT NULL)'

/**
 * Erases sessions, or only their texts, updated before a time (ms) and not before `since`. Those updated since they
 * were listed stay. With `dryRun` only counts.
 */
const eraseOld = async (
  context: StoreContext,
  deps: ErasureDeps,
  { what, before, since = 0 }: Extract<ErasureScope, { by: 'age' }>,
  dryRun: boolean,
): Promise<ErasureReport> => {
  const { database } = context
  const [isOld, parameters] = ['updated_at < ? AND updated_at >= ?', [before, since]]
  const condition = what === 'text' ? `${isOld} AND ${HAS_TEXT}` : isOld
  let report = NOTHING
  for (const session of await sessionsWhere(database, condition, parameters)) {
    const counts = withoutFigures(await countSession(database, session), what)
    if (dryRun) report = add(report, counts)
    else if (what === 'text') {
      if ((await removeText(context, session, before)) !== undefined) report = add(report, counts)
    }
    // Somebody may have gone on with it since the list was made.
    else if ((await sessionsWhere(database, `session.id = ? AND ${isOld}`, [session.id, ...parameters])).length > 0)
      report = add(report, await eraseSession(context, deps, session))
  }
  return dryRun || report.sessions === 0 ? report : finished(context, report)
}

/**
 * Removes the names that nothing has any more, and on PostgreSQL compacts the database, so that old versions of the
 * rows go, too. Gives the report with the number of these names.
 */
const finished = async (context: StoreContext, report: ErasureReport): Promise<ErasureReport> => {
  const names = (await removeOrphanNames(context, false)).reduce((sum, { removed }) => sum + removed, 0)
  if (context.database.dialect === 'postgresql') await context.database.compact()
  return { ...report, names }
}

/** A session whose text is removed keeps what it cost. */
const withoutFigures = (counts: ErasureReport, what: 'session' | 'text'): ErasureReport =>
  what === 'session' ? counts : { ...counts, requests: 0, failures: 0, settings: 0 }

/** The sessions that a condition of SQL holds for, oldest rows first; an agent that is not known is `unknown`. */
const sessionsWhere = (
  reader: SqlReader,
  condition: string,
  parameters: readonly SqlValue[] = [],
): Promise<readonly SessionWithText[]> =>
  reader.all<SessionWithText>(
    `SELECT session.id, session."key", session.external_id, COALESCE(label.value, 'unknown') AS agent
     FROM session LEFT JOIN label ON label.id = session.agent_id
     WHERE ${condition} ORDER BY session.id`,
    parameters,
  )

/**
 * Counts what a session has, then keeps it out, so that it is not taken in again, and removes it. All 0 if it was
 * removed meanwhile.
 */
const eraseSession = async (
  context: StoreContext,
  { deleteSession }: ErasureDeps,
  session: SessionWithText,
): Promise<ErasureReport> => {
  const counts = await countSession(context.database, session)
  await keepOut(context, [session.key])
  const removed = await deleteSession(session.key)
  if (removed === undefined) return NOTHING
  const { entries, requests, sourceLines, bytes } = removed
  return { ...counts, entries, requests, sourceLines, bytes }
}

/** Counts what a session has; its texts in bytes as stored, compressed. */
const countSession = async (reader: SqlReader, { id, key }: SessionWithText): Promise<ErasureReport> => {
  const [row] = await reader.all<
    Omit<ErasureReport, 'sessions' | 'machines' | 'names' | 'sourceLines'> & { lines: number }
  >(
    `SELECT (SELECT count(*) FROM entry WHERE session_id = ?) AS entries,
       (SELECT count(*) FROM usage_fact WHERE session_id = ?) AS requests,
       (SELECT count(*) FROM request_failure WHERE session_id = ?) AS failures,
       (SELECT COALESCE(sum(line_count), 0) FROM source_run WHERE session_id = ?) AS lines,
       (SELECT count(*) FROM state WHERE scope = ?) AS settings,
       (SELECT COALESCE(sum(length(data)), 0) FROM pack WHERE session_id = ?) AS bytes`,
    [id, id, id, id, `session:${key}`, id],
  )
  if (row === undefined) return NOTHING
  const { lines, ...counts } = row
  return { ...NOTHING, ...counts, sessions: 1, sourceLines: lines }
}

/** Both reports added up. */
const add = (left: ErasureReport, right: ErasureReport): ErasureReport => ({
  sessions: left.sessions + right.sessions,
  entries: left.entries + right.entries,
  requests: left.requests + right.requests,
  failures: left.failures + right.failures,
  sourceLines: left.sourceLines + right.sourceLines,
  settings: left.settings + right.settings,
  machines: left.machines + right.machines,
  names: left.names + right.names,
  bytes: left.bytes + right.bytes,
})

/** Reads sessions and their logs. Writing is in `appends` and `imports`. */
import type {
  AppendPosition,
  DeletionReport,
  EntryKind,
  EntryRange,
  EntryWrite,
  LogEntry,
  Result,
  SequenceConflict,
  SessionFacts,
  SessionPage,
  SessionQuery,
  SessionStorage,
  SessionSummary,
  SourceLine,
  StorageError,
} from '@cairn/core'
import { damagedStore } from '../sql/damaged.ts'
import type { SqlValue } from '../sql/database.ts'
import { assertRowsIntact, checkedColumns } from '../sql/row-checksum.ts'
import { tables } from '../sql/schema.ts'
import { decodeLines } from '../packs/source-lines.ts'
import type { StoreContext } from './store-context.ts'
import { kindCode } from './entry-codec.ts'
import { readEntries } from './entry-rows.ts'
import type { BodyRow } from './entry-rows.ts'
import { storableText } from './labels.ts'
import { likePattern, listFilter, listOrder } from './session-list.ts'
import { assertIndexesIntact, assertSessionsIntact } from './integrity.ts'

interface SummaryRow {
  readonly id: number
  readonly key: string
  readonly agent: string | null
  readonly external_id: string
  readonly workspace: string | null
  readonly branch: string | null
  readonly title: string | null
  readonly started_at: number | null
  readonly updated_at: number | null
  readonly next_seq: number
  readonly message_count: number
  readonly favourite: number
  readonly redactions: number
  readonly requests: number
  readonly cost_text: string
  readonly unpriced: number
  readonly missing_cost_text: string
  readonly forked_from: string | null
  readonly checksum: number | null
}

const SESSION_COLUMNS = checkedColumns(tables.session)
  .map((column) => `session."${column}"`)
  .join(', ')

const SUMMARY = `
  SELECT session.id, ${SESSION_COLUMNS}, agent.value AS agent, workspace."path" AS workspace, branch.value AS branch,
    session.requests, CAST(session.cost_nano AS TEXT) AS cost_text, session.unpriced, CAST(session.missing_output_nano AS TEXT) AS missing_cost_text
  FROM session
  LEFT JOIN label AS agent ON agent.id = session.agent_id
  LEFT JOIN workspace ON workspace.id = session.workspace_id
  LEFT JOIN label AS branch ON branch.id = session.branch_id`

const READ_PAGE = 500
const DEFAULT_LIMIT = 50

/** The methods that write, which a reader does not load. */
export type SessionWrites = Pick<SessionStorage, 'append' | 'delete'>

/** Sessions and their logs on SQLite or PostgreSQL. For its methods see {@link SessionStorage}. */
export class PrismaSessionStorage implements SessionStorage {
  readonly #context: Pick<StoreContext, 'database' | 'packs'>
  readonly #writes: SessionWrites

  constructor(context: Pick<StoreContext, 'database' | 'packs'>, writes: SessionWrites) {
    this.#context = context
    this.#writes = writes
  }

  /**
   * Appends entries together, to disk. A conflict is the result, and nothing is written, if the log is not
   * `expectedSeq` long, or, with `end`, there is no such session; 0 makes one that is missing. Rejects with
   * `invalid-input` for a repeated id.
   */
  append(
    session: SessionFacts,
    expectedSeq: AppendPosition,
    writes: readonly EntryWrite[],
  ): Promise<Result<{ readonly nextSeq: number }, SequenceConflict>> {
    return this.#writes.append(session, expectedSeq, writes)
  }

  /**
   * The entries of a range, by default all, in order; empty for an unknown session. `limit` counts entries of the
   * wanted kinds. Rejects with `storage-corrupt` if one can't be read or, without `kinds`, if one is missing between
   * them (without a `limit` at the end, too). Other work gets a turn between pages.
   */
  async read(sessionId: string, range: EntryRange = {}): Promise<readonly LogEntry[]> {
    const entries: LogEntry[] = []
    const { limit = Number.MAX_SAFE_INTEGER, kinds, fromSeq = 0 } = range
    let from = fromSeq
    // Read before the entries, so that concurrent appends do not count.
    const end = range.limit === undefined && kinds === undefined ? await this.#length(sessionId) : 0
    while (entries.length < limit) {
      const rows = await this.#context.database.all<BodyRow>(
        `SELECT seq, at, pack_id, "offset", length, body FROM entry
         WHERE session_id = (SELECT id FROM session WHERE "key" = ?) AND seq >= ?${kindCondition(kinds)} ORDER BY seq LIMIT ?`,
        [storableText(sessionId), from, Math.min(READ_PAGE, limit - entries.length)],
      )
      const last = rows.at(-1)
      if (last === undefined) break
      // Only damage to the table or its index leaves entries out.
      if (kinds === undefined && rows.some(({ seq }, index) => seq !== from + index)) throw this.#incomplete(sessionId)
      for (const entry of await readEntries(this.#context, rows)) entries.push(entry)
      from = last.seq + 1
      // A log of thousands of entries takes a second or more: others are answered in between.
      if (rows.length === READ_PAGE) await new Promise((resolve) => setImmediate(resolve))
    }
    // The session may have been deleted meanwhile.
    if (from < end && from < (await this.#length(sessionId))) throw this.#incomplete(sessionId)
    return entries
  }

  /** Those of the ids that entries of the session have; none for an unknown session. */
  async idsAmong(sessionId: string, externalIds: readonly string[]): Promise<ReadonlySet<string>> {
    const { database } = this.#context
    const [session] = await database.all<{ id: number }>('SELECT id FROM session WHERE "key" = ?', [
      storableText(sessionId),
    ])
    if (session === undefined || externalIds.length === 0) return new Set()
    const rows = await database.lookup<{ external_id: string }>(
      tables.entry,
      { columns: ['external_id'], key: 'external_id', scope: { column: 'session_id', value: session.id } },
      [...new Set(externalIds.map(storableText))],
    )
    const found = new Set(rows.map((row) => row.external_id))
    return new Set(externalIds.filter((id) => found.has(storableText(id))))
  }

  /** The length of a session's log; 0 if it is unknown. Or number of the next entry. */
  async #length(sessionId: string): Promise<number> {
    const rows = await this.#context.database.all<{ next_seq: number }>(
      'SELECT next_seq FROM session WHERE "key" = ?',
      [storableText(sessionId)],
    )
    return rows[0]?.next_seq ?? 0
  }

  #incomplete(sessionId: string): StorageError {
    return damagedStore(this.#context.database.location, `the log of ${sessionId} is not complete`)
  }

  async get(sessionId: string): Promise<SessionSummary | undefined> {
    return (await this.#summaries('WHERE session."key" = ?', [storableText(sessionId)]))[0]
  }

  /**
   * A page of sessions, by default the `DEFAULT_LIMIT` that were updated last, with the number of all that fit. Rejects
   * if a row of the page is damaged.
   */
  async list(query: SessionQuery): Promise<SessionPage> {
    const { sql, parameters } = await listFilter(this.#context.database, query)
    const order = listOrder(query.sort ?? 'updated', query.order ?? 'descending')
    const counted = await this.#context.database.all<{ total: number }>(
      `SELECT count(*) AS total FROM session ${sql}`,
      parameters,
    )
    // Filtered, sorted and cut in the index; only the rows of the page are read.
    const ids = `SELECT session.id FROM session ${sql} ORDER BY ${order} LIMIT ? OFFSET ?`
    const { limit = DEFAULT_LIMIT, offset = 0 } = query
    const sessions = await this.#summaries(`WHERE session.id IN (${ids}) ORDER BY ${order}`, [
      ...parameters,
      limit,
      offset,
    ])
    // A session that came between the two statements is one of both.
    const total = Math.max(counted[0]?.total ?? 0, sessions.length === 0 ? 0 : offset + sessions.length)
    // Deleted meanwhile, or lost to damage: only then is it worth checking the table.
    if (sessions.length < Math.min(limit, total - offset))
      await assertIndexesIntact(this.#context.database, ['session'])
    return { sessions, total }
  }

  /**
   * The sessions with this id, ours or the agent's (several if two agents use the same), whatever `limit` is; otherwise
   * those of which either id begins with it (on SQLite in any case), the last updated first, at most `limit`. Rejects
   * with `usage` for an overlong text.
   */
  async resolve(idOrPrefix: string, limit = 10): Promise<readonly SessionSummary[]> {
    const text = storableText(idOrPrefix)
    const exact = await this.#summaries('WHERE session."key" = ? OR session.external_id = ?', [text, text])
    if (exact.length > 0) return exact
    const pattern = `${likePattern(text)}%`
    return this.#summaries(
      "WHERE session.\"key\" LIKE ? ESCAPE '\\' OR session.external_id LIKE ? ESCAPE '\\' ORDER BY session.updated_at DESC LIMIT ?",
      [pattern, pattern, limit],
    )
  }

  /**
   * The imported lines of a session, read in parts, in the order they were imported. Files deleted meanwhile are left
   * out. Rejects with `storage-corrupt` for lines that can't be read.
   */
  async *sourceLines(sessionId: string): AsyncGenerator<SourceLine> {
    interface RunRow {
      readonly id: number
      readonly path: string
      readonly first_line: number
      readonly pack_id: number
      readonly offset: number
      readonly length: number
    }
    let after = 0
    for (;;) {
      const rows = await this.#context.database.all<RunRow>(
        `SELECT source_run.id, imported_file."path", source_run.first_line, source_run.pack_id, source_run."offset", source_run.length
         FROM source_run JOIN imported_file ON imported_file.id = source_run.file_id
         WHERE source_run.session_id = (SELECT id FROM session WHERE "key" = ?) AND source_run.id > ? ORDER BY source_run.id LIMIT 16`,
        [storableText(sessionId), after],
      )
      if (rows.length === 0) return
      const contents = await this.#context.packs.read(
        rows.map((row) => ({ packId: row.pack_id, offset: row.offset, length: row.length })),
      )
      for (const [index, row] of rows.entries()) {
        const content = contents[index]
        if (content === undefined) continue
        for (const [offset, bytes] of decodeLines(content.bytes, content.text).entries())
          yield { file: row.path, line: row.first_line + offset, bytes }
        after = row.id
      }
    }
  }

  delete(sessionId: string): Promise<DeletionReport | undefined> {
    return this.#writes.delete(sessionId)
  }

  /**
   * The sessions of a query's tail. Rejects if a row or a sum of one is damaged. `tail` is SQL behind the FROM clause.
   */
  async #summaries(tail: string, parameters: readonly SqlValue[]): Promise<readonly SessionSummary[]> {
    const { database } = this.#context
    const rows = await database.all<SummaryRow & { readonly id: number }>(`${SUMMARY} ${tail}`, parameters)
    assertRowsIntact(database.location, tables.session, rows)
    await assertSessionsIntact(
      database,
      rows.map(({ id }) => id),
    )
    return rows.map(toSummary)
  }
}

/** The condition that narrows a query to kinds of entries; '' for all. */
const kindCondition = (kinds: readonly EntryKind[] | undefined): string =>
  // An empty list of kinds matches no entry.
  kinds === undefined ? '' : ` AND kind IN (${kinds.length === 0 ? '-1' : kinds.map(kindCode).join(', ')})`

/** The summary of a stored row; an agent without a name is `unknown`. */
const toSummary = (row: SummaryRow): SessionSummary => ({
  id: row.key,
  agent: row.agent ?? 'unknown',
  externalId: row.external_id,
  workspace: row.workspace,
  branch: row.branch,
  title: row.title,
  startedAt: row.started_at,
  updatedAt: row.updated_at,
  entries: row.next_seq,
  messages: row.message_count,
  favourite: row.favourite === 1,
  redactions: row.redactions,
  requests: row.requests,
  costNano: BigInt(row.cost_text),
  unpricedRequests: row.unpriced,
  missingOutputCostNano: BigInt(row.missing_cost_text),
  ...(row.forked_from === null ? {} : { forkedFrom: row.forked_from }),
})

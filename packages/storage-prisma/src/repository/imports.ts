/** Import batches: content, the file's cursor and everything derived are written in one transaction. */
import type {
  ImportBatch,
  ImportCounts,
  ImportCursor,
  ImportedFile,
  ImportSkip,
  ImportStorage,
  MessageEntry,
} from '@cairn/core'
import { storedJson } from '../sql/damaged.ts'
import type { SqlTransaction } from '../sql/database.ts'
import { required } from '../sql/required.ts'
import { assertRowsIntact, checkedColumns, rowChecksum } from '../sql/row-checksum.ts'
import { quoted, tables } from '../sql/schema.ts'
import { insertRows, updateRow } from '../sql/statements.ts'
import type { RowValues } from '../sql/statements.ts'
import type { HashKey } from '../packs/pack-draft.ts'
import { rowLockClause } from './store-context.ts'
import type { StoreContext } from './store-context.ts'
import { readEntries } from './entry-rows.ts'
import type { BodyRow } from './entry-rows.ts'
import { removeKnownLines } from './known-lines.ts'
import { Labels, storableText } from './labels.ts'
import { nothingPending, prepareContent } from './prepared-content.ts'
import type { PendingBlocks, PreparedContent, SessionContent } from './prepared-content.ts'
import { mergeRequests } from './request-merge.ts'
import type { StoredReport } from './request-merge.ts'
import { BlockRemoved } from './pack-writer.ts'
import { openSession, wasDeleted } from './session-row.ts'
import { writeSession } from './session-writer.ts'

interface FileRow {
  readonly path: string
  readonly agent: string
  readonly version: number
  readonly identity: string
  readonly size: number
  readonly modified_at: number
  readonly offset: number
  readonly line: number
  readonly fingerprint: string
  readonly parser_state: Uint8Array
  readonly checksum: number | null
}

const FILE_COLUMNS = quoted(checkedColumns(tables.importedFile))
const decoder = new TextDecoder()
const encoder = new TextEncoder()

/**
 * Imported files, and commits of what was read from them, on SQLite or PostgreSQL. For its methods see {@link
 * ImportStorage}.
 */
export class PrismaImportStorage implements ImportStorage {
  readonly #context: StoreContext

  constructor(context: StoreContext) {
    this.#context = context
  }

  /** What is known of all imported files. Rejects if a row is damaged. In no particular order. */
  async files(): Promise<readonly ImportedFile[]> {
    const { database } = this.#context
    const rows = await database.all<FileRow>(`SELECT ${FILE_COLUMNS} FROM imported_file`)
    assertRowsIntact(database.location, tables.importedFile, rows)
    return rows.map(toImportedFile)
  }

  /** What is known of an imported file; undefined if it was never imported. Rejects if its row is damaged. */
  async file(path: string): Promise<ImportedFile | undefined> {
    const { database } = this.#context
    const rows = await database.all<FileRow>(`SELECT ${FILE_COLUMNS} FROM imported_file WHERE "path" = ?`, [
      storableText(path),
    ])
    assertRowsIntact(database.location, tables.importedFile, rows)
    return rows[0] === undefined ? undefined : toImportedFile(rows[0])
  }

  /**
   * Begins to prepare a batch: compressed, without known lines and blocks. `commit` writes it, and resolves with
   * undefined, nothing written, if another import wrote the file meanwhile; errors of preparing come then. Where blocks
   * that it counted on are gone, it is prepared again, once.
   */
  prepare(batch: ImportBatch): { commit(): Promise<ImportCounts | undefined> } {
    const { pending, maintenance } = this.#context
    const { segmentFrom } = maintenance
    // The caller may reuse its buffers.
    const source = batch.source.map((run) => ({
      ...run,
      lines: run.lines.map((line) => (typeof line === 'string' ? line : new Uint8Array(line))),
    }))
    const gathering = removeKnownLines(this.#context, batch.path, source).then((runs) =>
      contentsOf({ ...batch, source: runs }),
    )
    // Blocks that an earlier batch is about to store are left out of this one.
    const announced: HashKey[] = []
    const shared: PendingBlocks = {
      has: (key) => pending.has(key),
      firstSession: (key) => pending.get(key)?.firstSession,
      add: (key, firstSession) => {
        const known = pending.get(key)
        pending.set(key, { writes: (known?.writes ?? 0) + 1, firstSession: known?.firstSession ?? firstSession })
        announced.push(key)
      },
    }
    const preparing = gathering.then((contents) =>
      Promise.all(contents.map((content) => prepareContent(content, this.#context.database, shared, segmentFrom))),
    )
    // An error is reported when the batch is committed.
    preparing.catch(() => undefined)
    const withdraw = (): void => {
      for (const key of announced.splice(0)) {
        const known = pending.get(key)
        if (known === undefined || known.writes === 1) pending.delete(key)
        else pending.set(key, { ...known, writes: known.writes - 1 })
      }
    }
    return {
      commit: async () => {
        try {
          const prepared = await preparing
          try {
            return await this.#commit(batch, prepared)
          } catch (error) {
            if (!(error instanceof BlockRemoved)) throw error
            // An earlier batch was not stored after all, or a session was deleted meanwhile.
            return await this.#commit(
              batch,
              await Promise.all(
                (await gathering).map((content) =>
                  prepareContent(content, this.#context.database, nothingPending, segmentFrom),
                ),
              ),
            )
          }
        } finally {
          withdraw()
        }
      },
    }
  }

  /**
   * The stored messages of a session with these ids, by id; unknown ids are missing. Empty for an unknown session.
   * Entries that are no messages are left out. Rejects with `storage-corrupt` for a damaged row.
   */
  async messagesWith(sessionId: string, externalIds: readonly string[]): Promise<ReadonlyMap<string, MessageEntry>> {
    const { database } = this.#context
    const [session] = await database.all<{ id: number }>('SELECT id FROM session WHERE "key" = ?', [
      storableText(sessionId),
    ])
    if (session === undefined || externalIds.length === 0) return new Map()
    const given = new Map(externalIds.map((id) => [storableText(id), id]))
    const rows = await database.lookup<BodyRow & { external_id: string }>(
      tables.entry,
      {
        columns: ['external_id', 'seq', 'at', 'pack_id', 'offset', 'length', 'body'],
        key: 'external_id',
        scope: { column: 'session_id', value: session.id },
      },
      [...given.keys()],
    )
    const entries = await readEntries(this.#context, rows)
    return new Map(
      entries.flatMap((entry, index) => {
        const id = given.get(required(rows[index], 'the row of an entry').external_id)
        return entry.kind === 'message' && id !== undefined ? [[id, entry] as const] : []
      }),
    )
  }

  /**
   * What imports skipped, by file and line; those without a line come first in their file. Rejects if a row is damaged.
   */
  async skips(): Promise<readonly ImportSkip[]> {
    const { database } = this.#context
    const rows = await database.all<{
      path: string
      line: number | null
      reason: string
      count: number
      checksum: number | null
    }>('SELECT "path", line, reason, count, checksum FROM import_skip ORDER BY "path", line IS NOT NULL, line, id')
    assertRowsIntact(database.location, tables.importSkip, rows)
    return rows.map(({ path, line, reason, count }) => ({
      file: path,
      ...(line === null ? {} : { line }),
      reason,
      count,
    }))
  }

  /**
   * Writes a prepared batch in one transaction; undefined, with nothing written, if the file's version has changed.
   * Deleted sessions stay deleted. Waits for the index. A batch that rewrites a file replaces its skips.
   */
  async #commit(batch: ImportBatch, contents: readonly PreparedContent[]): Promise<ImportCounts | undefined> {
    const { database, labels: cache, maintenance } = this.#context
    const result = await database.transaction({ durability: 'lazy' }, async (transaction) => {
      const fileId = await claimFile(transaction, batch, rowLockClause(this.#context))
      if (fileId === undefined) return undefined
      const labels = new Labels(transaction, cache, database.dialect)
      const counts = { newSessions: 0, newMessages: 0, newRequests: 0 }
      const reports: StoredReport[] = []
      const runs: RunRow[] = []
      const workspaces = new Set<number>()
      for (const content of contents) {
        if (await wasDeleted(transaction, content.session.id)) continue
        const row = await openSession(transaction, labels, content.session, rowLockClause(this.#context))
        const written = await writeSession(transaction, labels, row, content)
        if (written.newMessages > 0) workspaces.add(written.workspaceId)
        counts.newSessions += row.isNew ? 1 : 0
        counts.newMessages += written.newMessages
        reports.push(...written.reports)
        runs.push(...runRows(fileId, row.id, content, written.packId))
      }
      counts.newRequests = await mergeRequests(transaction, database.dialect, labels, reports)
      await insertRows(transaction, tables.sourceRun, RUN_COLUMNS, runs)
      await writeSkips(transaction, batch)
      return { counts, labels, workspaces }
    })
    result?.labels.remember()
    // Awaited, so that an import does not outrun the index.
    if (result !== undefined) await maintenance.maintainDuringImport(result.workspaces)
    return result?.counts
  }
}

const RUN_COLUMNS = [
  'file_id',
  'session_id',
  'first_line',
  'line_count',
  'pack_id',
  'offset',
  'length',
  'bytes',
] as const satisfies readonly (keyof typeof tables.sourceRun.columns)[]
type RunRow = RowValues<(typeof RUN_COLUMNS)[number]>

/**
 * The runs of source lines: the slices of the pack after those of the entries' bodies. Throws an Error if the pack
 * lacks one.
 */
const runRows = (
  fileId: number,
  sessionId: number,
  { runs, writes, pack }: PreparedContent,
  packId: number | undefined,
): readonly RunRow[] =>
  runs.map((run, index) => {
    const { offset, length } = required(pack?.slices[writes.length + index], 'the content of source lines')
    return {
      file_id: fileId,
      session_id: sessionId,
      first_line: run.firstLine,
      line_count: run.lines.length,
      pack_id: required(packId, 'the pack of source lines'),
      offset,
      length,
      bytes: run.lines.reduce(
        (sum, line) => sum + (typeof line === 'string' ? Buffer.byteLength(line) : line.byteLength),
        0,
      ),
    }
  })

/**
 * The batch by session, in the order of their first coming: entries and source lines of a session share a pack. Facts
 * of a session that comes twice are joined, the later ones winning; runs of a session that the batch lacks are left
 * out.
 */
const contentsOf = (batch: ImportBatch): readonly SessionContent[] => {
  const byId = new Map<
    string,
    {
      session: SessionContent['session']
      writes: SessionContent['writes'][number][]
      runs: SessionContent['runs'][number][]
    }
  >()
  for (const { session, writes } of batch.sessions) {
    const known = byId.get(session.id)
    if (known === undefined) byId.set(session.id, { session, writes: [...writes], runs: [] })
    else {
      known.session = { ...known.session, ...session }
      known.writes.push(...writes)
    }
  }
  for (const run of batch.source) byId.get(run.sessionId)?.runs.push(run)
  return [...byId.values()]
}

const WRITTEN_COLUMNS = [
  'path',
  'agent',
  'version',
  'identity',
  'size',
  'modified_at',
  'offset',
  'line',
  'fingerprint',
  'parser_state',
  'checksum',
] as const

/** The row of a file with the batch's cursor, as this version. */
const fileRow = (
  { path, agent, cursor }: ImportBatch,
  version: number,
): RowValues<(typeof WRITTEN_COLUMNS)[number]> => {
  const row = {
    path: storableText(path),
    agent,
    version,
    identity: cursor.identity,
    size: cursor.size,
    modified_at: cursor.modifiedAt,
    offset: cursor.offset,
    line: cursor.line,
    fingerprint: cursor.fingerprint,
    parser_state: encoder.encode(JSON.stringify(cursor.parserState)),
  }
  return { ...row, checksum: rowChecksum(tables.importedFile, row) }
}

/**
 * Advances the file's cursor from the version that the batch builds on, 0 for a file that is not recorded yet.
 * @returns the file's row id; undefined, with nothing written, if another importer was faster
 */
const claimFile = async (
  transaction: SqlTransaction,
  batch: ImportBatch,
  lockClause: string,
): Promise<number | undefined> => {
  const path = storableText(batch.path)
  if (batch.baseVersion === 0) {
    const inserted = await insertRows(
      transaction,
      tables.importedFile,
      WRITTEN_COLUMNS,
      [fileRow(batch, 1)],
      'ON CONFLICT ("path") DO NOTHING',
    )
    if (inserted === 0) return undefined
  }
  const [file] = await transaction.all<{ id: number; version: number }>(
    `SELECT id, version FROM imported_file WHERE "path" = ?${lockClause}`,
    [path],
  )
  if (batch.baseVersion === 0) return required(file, 'the imported file').id
  if (file?.version !== batch.baseVersion) return undefined
  await updateRow(transaction, tables.importedFile, file.id, fileRow(batch, batch.baseVersion + 1))
  return file.id
}

/** Stores the batch's skips; where the file is read from its start, those of the former reading are deleted. */
const writeSkips = async (transaction: SqlTransaction, batch: ImportBatch): Promise<void> => {
  if (batch.restarted || batch.baseVersion === 0)
    await transaction.run('DELETE FROM import_skip WHERE "path" = ?', [storableText(batch.path)])
  await insertRows(
    transaction,
    tables.importSkip,
    ['path', 'line', 'reason', 'count', 'checksum'],
    batch.skips.map((skip) => {
      const row = {
        path: storableText(skip.file),
        line: skip.line ?? null,
        reason: storableText(skip.reason),
        count: skip.count,
      }
      return { ...row, checksum: rowChecksum(tables.importSkip, row) }
    }),
  )
}

/** What is known of an imported file; throws `storage-corrupt` where its state can't be read. */
const toImportedFile = (row: FileRow): ImportedFile => {
  const cursor: ImportCursor = {
    identity: row.identity,
    size: row.size,
    modifiedAt: row.modified_at,
    offset: row.offset,
    line: row.line,
    fingerprint: row.fingerprint,
    parserState: storedJson(decoder.decode(row.parser_state), `how far ${row.path} was read`),
  }
  return { path: row.path, agent: row.agent, version: row.version, cursor }
}

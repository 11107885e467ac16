/** Import batches: content, position in the file and everything derived in one transaction. */
import type {
  ImportBatch,
  ImportCounts,
  ImportCursor,
  ImportedFile,
  ImportSkip,
  ImportStorage,
  JsonValue,
  MessageEntry,
} from '@cairn/core'
import type { SqlTransaction, SqlValue } from '../sql/database.ts'
import { tables } from '../sql/schema.ts'
import type { HashKey } from '../packs/pack-draft.ts'
import { rowLock } from './context.ts'
import type { StoreContext } from './context.ts'
import { entriesOf } from './entry-rows.ts'
import type { BodyRow } from './entry-rows.ts'
import { withoutKnownLines } from './known-lines.ts'
import { Labels, storableText } from './labels.ts'
import { nothingPending, prepareContent } from './prepared-content.ts'
import type { PendingBlocks, PreparedContent, SessionContent } from './prepared-content.ts'
import { mergeRequests } from './request-merge.ts'
import type { StoredReport } from './request-merge.ts'
import { BlockGone, openSession, wasDeleted, writeSession } from './session-writer.ts'

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
}

const FILE_COLUMNS = '"path", agent, version, identity, size, modified_at, "offset", line, fingerprint, parser_state'
const decoder = new TextDecoder()
const encoder = new TextEncoder()

export class PrismaImportStorage implements ImportStorage {
  readonly #context: StoreContext

  constructor(context: StoreContext) {
    this.#context = context
  }

  async files(): Promise<readonly ImportedFile[]> {
    return (await this.#context.database.all<FileRow>(`SELECT ${FILE_COLUMNS} FROM imported_file`)).map(fileOf)
  }

  async file(path: string): Promise<ImportedFile | undefined> {
    const rows = await this.#context.database.all<FileRow>(
      `SELECT ${FILE_COLUMNS} FROM imported_file WHERE "path" = ?`,
      [storableText(path)],
    )
    return rows[0] === undefined ? undefined : fileOf(rows[0])
  }

  prepare(batch: ImportBatch): { commit(): Promise<ImportCounts | undefined> } {
    const { pending, maintenance } = this.#context
    const { segmentFrom } = maintenance
    // The caller may go on to reuse its buffers.
    const source = batch.source.map((run) => ({
      ...run,
      lines: run.lines.map((line) => (typeof line === 'string' ? line : new Uint8Array(line))),
    }))
    const gathering = withoutKnownLines(this.#context, batch.path, source).then((runs) =>
      contentsOf({ ...batch, source: runs }),
    )
    // Blocks that an earlier batch is about to store are left out of this one.
    const announced: HashKey[] = []
    const shared: PendingBlocks = {
      has: (key) => pending.has(key),
      saidIn: (key) => pending.get(key)?.saidIn,
      add: (key, saidIn) => {
        const known = pending.get(key)
        pending.set(key, { writes: (known?.writes ?? 0) + 1, saidIn: known?.saidIn ?? saidIn })
        announced.push(key)
      },
    }
    const preparing = gathering.then((contents) =>
      Promise.all(contents.map((content) => prepareContent(content, this.#context.database, shared, segmentFrom))),
    )
    // A failure shows when the batch is committed.
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
            if (!(error instanceof BlockGone)) throw error
            // A batch before this one was not stored after all, or a session was deleted meanwhile.
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
    const entries = await entriesOf(this.#context, rows)
    return new Map(
      entries.flatMap((entry, index) => {
        const id = given.get(rows[index]?.external_id ?? '')
        return entry.kind === 'message' && id !== undefined ? [[id, entry] as const] : []
      }),
    )
  }

  async skips(): Promise<readonly ImportSkip[]> {
    const rows = await this.#context.database.all<{ path: string; line: number | null; reason: string; count: number }>(
      'SELECT "path", line, reason, count FROM import_skip ORDER BY "path", line, id',
    )
    return rows.map(({ path, line, reason, count }) => ({
      file: path,
      ...(line === null ? {} : { line }),
      reason,
      count,
    }))
  }

  async #commit(batch: ImportBatch, contents: readonly PreparedContent[]): Promise<ImportCounts | undefined> {
    const { database, labels: cache, maintenance } = this.#context
    const result = await database.transaction({ durability: 'lazy' }, async (transaction) => {
      const fileId = await claimFile(transaction, batch, rowLock(this.#context))
      if (fileId === undefined) return undefined
      const labels = new Labels(transaction, cache)
      const counts = { newSessions: 0, newMessages: 0, newRequests: 0 }
      const reports: StoredReport[] = []
      const runs: SqlValue[][] = []
      const workspaces = new Set<number>()
      for (const content of contents) {
        if (await wasDeleted(transaction, content.session.id)) continue
        const row = await openSession(transaction, labels, content.session, rowLock(this.#context))
        const written = await writeSession(transaction, labels, row, content)
        if (written.newMessages > 0) workspaces.add(written.workspaceId)
        counts.newSessions += row.isNew ? 1 : 0
        counts.newMessages += written.newMessages
        reports.push(...written.reports)
        for (const [index, run] of content.runs.entries()) {
          const place = content.pack?.places[content.writes.length + index]
          const bytes = run.lines.reduce(
            (sum, line) => sum + (typeof line === 'string' ? Buffer.byteLength(line) : line.byteLength),
            0,
          )
          runs.push([
            fileId,
            row.id,
            run.firstLine,
            run.lines.length,
            written.packId ?? 0,
            place?.offset ?? 0,
            place?.length ?? 0,
            bytes,
          ])
        }
      }
      counts.newRequests = await mergeRequests(transaction, database.dialect, labels, reports)
      await transaction.insert(
        tables.sourceRun,
        ['file_id', 'session_id', 'first_line', 'line_count', 'pack_id', 'offset', 'length', 'bytes'],
        runs,
      )
      await writeSkips(transaction, batch)
      return { counts, labels, workspaces }
    })
    result?.labels.remember()
    // Awaited, so that an import does not outrun the index.
    if (result !== undefined) await maintenance.tendDuringImport(result.workspaces)
    return result?.counts
  }
}

/** The batch by session: entries and source lines of a session share a pack. */
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

/** Moves the file on from the version that the batch builds on; undefined if another importer was faster. */
const claimFile = async (
  transaction: SqlTransaction,
  batch: ImportBatch,
  lock: string,
): Promise<number | undefined> => {
  const path = storableText(batch.path)
  const { cursor } = batch
  const state = encoder.encode(JSON.stringify(cursor.parserState))
  if (batch.baseVersion === 0) {
    const made = await transaction.insert(
      tables.importedFile,
      ['path', 'agent', 'version', 'identity', 'size', 'modified_at', 'offset', 'line', 'fingerprint', 'parser_state'],
      [
        [
          path,
          batch.agent,
          1,
          cursor.identity,
          cursor.size,
          cursor.modifiedAt,
          cursor.offset,
          cursor.line,
          cursor.fingerprint,
          state,
        ],
      ],
      'ON CONFLICT ("path") DO NOTHING',
    )
    if (made === 0) return undefined
  } else {
    const known = await transaction.all<{ version: number }>(
      `SELECT version FROM imported_file WHERE "path" = ?${lock}`,
      [path],
    )
    if (known[0]?.version !== batch.baseVersion) return undefined
    await transaction.run(
      'UPDATE imported_file SET agent = ?, version = version + 1, identity = ?, size = ?, modified_at = ?, "offset" = ?, line = ?, fingerprint = ?, parser_state = ? WHERE "path" = ?',
      [
        batch.agent,
        cursor.identity,
        cursor.size,
        cursor.modifiedAt,
        cursor.offset,
        cursor.line,
        cursor.fingerprint,
        state,
        path,
      ],
    )
  }
  return (await transaction.all<{ id: number }>('SELECT id FROM imported_file WHERE "path" = ?', [path]))[0]?.id
}

/** A batch replaces what was reported for the lines that it read again. */
const writeSkips = async (transaction: SqlTransaction, batch: ImportBatch): Promise<void> => {
  if (batch.restarted || batch.baseVersion === 0)
    await transaction.run('DELETE FROM import_skip WHERE "path" = ?', [storableText(batch.path)])
  await transaction.insert(
    tables.importSkip,
    ['path', 'line', 'reason', 'count'],
    batch.skips.map((skip) => [storableText(skip.file), skip.line ?? null, storableText(skip.reason), skip.count]),
  )
}

const fileOf = (row: FileRow): ImportedFile => {
  const cursor: ImportCursor = {
    identity: row.identity,
    size: row.size,
    modifiedAt: row.modified_at,
    offset: row.offset,
    line: row.line,
    fingerprint: row.fingerprint,
    parserState: JSON.parse(decoder.decode(row.parser_state)) as JsonValue,
  }
  return { path: row.path, agent: row.agent, version: row.version, cursor }
}

/**
 * The store as the search sees it: a snapshot of the index, cached between queries. Queries run one at a time: a view's
 * buffers are reused for the next one.
 */
import { SegmentRemovedError, SizedCache, buildSegment, createView } from '@cairn/core'
import type {
  IndexedSession,
  MemoryBudget,
  MessageEntry,
  MessagePosition,
  RecallIndex,
  RecallScope,
  RecallSource,
  Segment,
  SegmentPart,
  SessionLabels,
  SessionStorage,
  View,
  SegmentWithPostings,
} from '@cairn/core'
import { assertIndexesIntact, assertNamesIntact } from '../repository/integrity.ts'
import { labelKind, storableText } from '../repository/labels.ts'
import type { SqlDatabase, SqlValue } from '../sql/database.ts'
import { required } from '../sql/required.ts'
import { assertRowsIntact, checkedColumns } from '../sql/row-checksum.ts'
import { tables } from '../sql/schema.ts'
import { damagedIndex, messageOfTail, postingsOfPage, segmentOfHead } from './decode-rows.ts'
import { CHECKSUM_BYTES } from '../sql/sealed.ts'
import { firstPageOf } from './index-rows.ts'

const MEGABYTE = 1024 * 1024
const PAGE_CACHE_BYTES = 12 * MEGABYTE
const HEAD_CACHE_BYTES = 64 * MEGABYTE
/** Of views: one of everything, and those of the workspaces that were searched last. */
const VIEW_CACHE_BYTES = 64 * MEGABYTE
/** How many pieces of the tail accumulate before they are put together. */
const TAIL_PIECES = 8
/** From this number of sessions on, the whole table is read. */
const MANY_LABELS = 2_000
/** From this number of messages of one session on, the whole range between them is read. */
const MANY = 20
/** How often a changing index is read again. */
const ATTEMPTS = 5

interface TailPiece {
  readonly ids: readonly number[]
  readonly whole: SegmentWithPostings
}

interface KnownView {
  readonly version: string
  readonly view: View
  readonly pieces: readonly TailPiece[]
  /** Sessions in it that have a workspace, which never changes; and those without one so far. */
  readonly settled: ReadonlySet<number>
  readonly unsettled: readonly number[]
}

interface ListRow {
  /** 0: a segment, 1: a message of the tail. */
  readonly kind: number
  readonly id: number
  readonly session_id: number
  readonly seq: number
  readonly workspace_id: number
}

interface LabelRow {
  readonly id: number
  readonly branch_id: number
  readonly title: string | null
}

interface SessionTextRow extends LabelRow {
  readonly key: string
  readonly workspace_id: number
  readonly checksum: number | null
}

/** Provides recall with the segments, tail and sessions of the store. For its methods see {@link RecallSource}. */
export class SearchSource implements RecallSource {
  readonly #database: SqlDatabase
  readonly #sessions: Pick<SessionStorage, 'read'>
  readonly #fill: () => Promise<void>
  readonly #pages: SizedCache<number, Uint8Array>
  /** Pages that were evicted, which the query that read them may still use. */
  #dropped: Uint8Array[] = []
  readonly #heads: SizedCache<number, Segment>
  readonly #views: SizedCache<string, KnownView>

  /** @param fill indexes entries of the log that the index lacks */
  constructor(
    database: SqlDatabase,
    sessions: Pick<SessionStorage, 'read'>,
    budget: MemoryBudget,
    fill: () => Promise<void>,
  ) {
    this.#database = database
    this.#sessions = sessions
    this.#fill = fill
    this.#pages = new SizedCache({
      name: 'search pages',
      budget,
      mostBytes: PAGE_CACHE_BYTES,
      sizeOf: (page) => page.byteLength + 128,
      onRemove: (page) => this.#dropped.push(page),
    })
    this.#heads = new SizedCache({
      name: 'search segments',
      budget,
      mostBytes: HEAD_CACHE_BYTES,
      sizeOf: (segment) => segment.at.buffer.byteLength + 1024,
    })
    this.#views = new SizedCache({ name: 'search views', budget, mostBytes: VIEW_CACHE_BYTES, sizeOf: bytesOfView })
  }

  /** Forgets all that is cached; to be called after the index was emptied. */
  clear(): void {
    this.#pages.clear()
    this.#heads.clear()
    this.#views.clear()
  }

  /** Gives the caches' memory back. */
  close(): void {
    for (const cache of [this.#pages, this.#heads, this.#views]) cache.close()
  }

  /**
   * The index for a scope. `sessions` and `onBranch` (those that were last on its branch) are row ids; undefined if the
   * scope does not limit them. First indexes what waits for it. Rejects if the index is damaged.
   */
  async open(scope: RecallScope): Promise<RecallIndex> {
    const onBranch =
      scope.branch === undefined
        ? undefined
        : await this.#numbers('branch_id IN (SELECT id FROM label WHERE kind = ? AND value = ?)', [
            labelKind.branch,
            storableText(scope.branch),
          ])
    const workspaces = await this.#workspacesOf(scope)
    const known = await this.#viewOf(workspaces)
    return {
      view: known.view,
      sessions: await this.#sessionsOf(scope, known, workspaces),
      onBranch,
      read: (ids) => this.#read(ids),
    }
  }

  /** Id and title of sessions by their numbers; unknown numbers are missing. */
  async sessions(numbers: readonly number[]): Promise<ReadonlyMap<number, IndexedSession>> {
    const rows = await this.#sessionRows(numbers)
    return new Map(rows.map(({ id, key, title }) => [id, { id: key, title }]))
  }

  /** The rows of sessions by their numbers, without deleted ones. Rejects if one is damaged. */
  async #sessionRows(numbers: readonly number[]): Promise<readonly SessionTextRow[]> {
    const columns = ['id', ...checkedColumns(tables.session)]
    const rows = await this.#database.lookup<SessionTextRow>(tables.session, { columns, key: 'id' }, numbers)
    assertRowsIntact(this.#database.location, tables.session, rows)
    // Deleted meanwhile, or lost to damage: only then is it worth checking the table.
    if (rows.length < new Set(numbers).size) await assertIndexesIntact(this.#database, ['session'])
    return rows
  }

  /**
   * The workspace of sessions by their numbers; null if it has none. Unknown numbers are missing. Rejects with
   * `storage-corrupt` for damaged rows.
   */
  async folders(numbers: readonly number[]): Promise<ReadonlyMap<number, string | null>> {
    await assertNamesIntact(this.#database)
    const rows = await this.#sessionRows(numbers)
    const workspaces = await this.#database.lookup<{ id: number; path: string }>(
      tables.workspace,
      { columns: ['id', 'path'], key: 'id' },
      [...new Set(rows.map(({ workspace_id }) => workspace_id))],
    )
    const paths = new Map(workspaces.map(({ id, path }) => [id, path]))
    return new Map(rows.map(({ id, workspace_id }) => [id, paths.get(workspace_id) ?? null]))
  }

  /**
   * The last branch and the title of the session of each number, in the same order; null if unknown. Rejects with
   * `storage-corrupt` for damaged rows; from `MANY_LABELS` sessions on only those of names are checked.
   */
  async labels(numbers: Uint32Array): Promise<readonly SessionLabels[]> {
    await assertNamesIntact(this.#database)
    const rows =
      numbers.length > MANY_LABELS
        ? await this.#database.all<LabelRow>('SELECT id, branch_id, title FROM session')
        : await this.#sessionRows([...numbers])
    const names = new Map(
      (
        await this.#database.all<{ id: number; value: string }>('SELECT id, value FROM label WHERE kind = ?', [
          labelKind.branch,
        ])
      ).map(({ id, value }) => [id, value]),
    )
    const known = new Map(rows.map((row) => [row.id, row]))
    return Array.from(numbers, (number) => {
      const row = known.get(number)
      return { branch: names.get(row?.branch_id ?? 0) ?? null, title: row?.title ?? null }
    })
  }

  /**
   * The message at each location, in the same order; undefined where there is none. What is no message counts as none.
   */
  async messages(locations: readonly MessagePosition[]): Promise<readonly (MessageEntry | undefined)[]> {
    const keys = await this.sessions([...new Set(locations.map(({ session }) => session))])
    const bySession = Map.groupBy(locations, ({ session }) => session)
    const found = new Map<string, MessageEntry>()
    const read = async (session: number, own: readonly MessagePosition[]): Promise<void> => {
      const key = keys.get(session)?.id
      if (key === undefined) return
      // Read one by one where they are few, so that what lies between is not decompressed.
      const ranges =
        own.length > MANY ? [rangeOf(own.map(({ seq }) => seq))] : own.map(({ seq }) => ({ fromSeq: seq, limit: 1 }))
      const entries = await Promise.all(ranges.map((range) => this.#sessions.read(key, range)))
      for (const entry of entries.flat()) if (entry.kind === 'message') found.set(`${session} ${entry.seq}`, entry)
    }
    if (bySession.size <= MANY) await Promise.all([...bySession].map(([session, own]) => read(session, own)))
    else for (const [session, own] of bySession) await read(session, own)
    return locations.map(({ session, seq }) => found.get(`${session} ${seq}`))
  }

  /**
   * The numbers of the sessions in a scope; undefined if all of the view are. A workspace is meant by its path or its
   * name. An empty set if none fits.
   */
  async #sessionsOf(
    { workspace, sessionId, sessionIds, agent }: RecallScope,
    known: KnownView,
    workspaces: readonly number[] | undefined,
  ): Promise<ReadonlySet<number> | undefined> {
    if (workspace !== undefined && sessionId === undefined && sessionIds === undefined && agent === undefined) {
      // The view holds no others.
      if (known.unsettled.length === 0) return undefined
      const rows = await this.#database.lookup<{ id: number; workspace_id: number }>(
        tables.session,
        { columns: ['id', 'workspace_id'], key: 'id' },
        known.unsettled,
      )
      return new Set([
        ...known.settled,
        ...rows
          .filter((row) => row.workspace_id !== 0 && workspaces?.includes(row.workspace_id) === true)
          .map(({ id }) => id),
      ])
    }
    const conditions: string[] = []
    const parameters: SqlValue[] = []
    const where = (sql: string, ...values: readonly SqlValue[]): void => {
      conditions.push(sql)
      parameters.push(...values)
    }
    if (workspace !== undefined)
      where(
        'workspace_id IN (SELECT id FROM workspace WHERE "path" = ? OR name = ?)',
        storableText(workspace),
        storableText(workspace),
      )
    if (sessionId !== undefined) where('"key" = ?', storableText(sessionId))
    if (sessionIds !== undefined)
      where(`"key" IN (${sessionIds.map(() => '?').join(', ') || 'NULL'})`, ...sessionIds.map((id) => storableText(id)))
    if (agent !== undefined)
      where('agent_id IN (SELECT id FROM label WHERE kind = ? AND value = ?)', labelKind.agent, storableText(agent))
    return conditions.length === 0 ? undefined : this.#numbers(conditions.join(' AND '), parameters)
  }

  /** The numbers of the sessions that fit a condition. The condition is SQL with `?`. */
  async #numbers(condition: string, parameters: readonly SqlValue[]): Promise<ReadonlySet<number>> {
    return new Set(
      (await this.#database.all<{ id: number }>(`SELECT id FROM session WHERE ${condition}`, parameters)).map(
        ({ id }) => id,
      ),
    )
  }

  /**
   * Parts of the index that hold the scope's messages, undefined for all; 0 holds what came before a session's
   * workspace was known. Ascending.
   */
  async #workspacesOf({ workspace, sessionId }: RecallScope): Promise<readonly number[] | undefined> {
    if (workspace === undefined && sessionId === undefined) return undefined
    const rows = await this.#database.all<{ id: number }>(
      workspace === undefined
        ? 'SELECT workspace_id AS id FROM session WHERE "key" = ?'
        : 'SELECT id FROM workspace WHERE "path" = ? OR name = ?',
      workspace === undefined ? [storableText(sessionId ?? '')] : [storableText(workspace), storableText(workspace)],
    )
    return [...new Set([0, ...rows.map(({ id }) => id)])].sort((left, right) => left - right)
  }

  /**
   * The view of these workspaces, all if undefined; made again only if segments or tail changed. What waits is indexed
   * first. Rejects with `storage-corrupt` if the index is damaged, or changes `ATTEMPTS` times while it is read.
   */
  async #viewOf(workspaces: readonly number[] | undefined): Promise<KnownView> {
    const key = workspaces?.join(' ') ?? 'all'
    const where = workspaces === undefined ? '' : `WHERE workspace_id IN (${workspaces.join(', ')})`
    for (let attempt = 1; ; attempt += 1) {
      const known = this.#views.get(key)
      const [state] = await this.#database.all<{ pending: number; version: string }>(
        `SELECT (SELECT count(*) FROM search_pending) AS pending, (${versionOf('id', `search_segment ${where}`)}) || '/' || (${versionOf('entry_id', `search_tail ${where}`)}) AS version`,
      )
      if ((state?.pending ?? 0) > 0) {
        await this.#fill()
        continue
      }
      if (known !== undefined && known.version === state?.version) return known
      try {
        const made = await this.#makeView(where, known)
        this.#views.set(key, made)
        return made
      } catch (error) {
        if (!(error instanceof SegmentRemovedError)) throw error
        if (attempt === ATTEMPTS) throw damagedIndex(error)
      }
    }
  }

  /**
   * Makes the view of the segments and of the tail. Both are listed in one statement, so that a message that moves from
   * the tail into a segment is seen once. `where` is SQL that limits the workspaces, or ''.
   * @throws SegmentRemovedError if one is gone by the time it is read
   */
  async #makeView(where: string, earlier: KnownView | undefined): Promise<KnownView> {
    const rows = await this.#database.all<ListRow>(
      `SELECT 0 AS kind, id, 0 AS session_id, 0 AS seq, workspace_id FROM search_segment ${where}
       UNION ALL SELECT 1 AS kind, entry_id AS id, session_id, seq, workspace_id FROM search_tail ${where}`,
    )
    const listed = rows.filter(({ kind }) => kind === 0)
    const segmentIds = listed.map(({ id }) => id)
    const tail = rows.filter(({ kind }) => kind === 1)
    const segments = await this.#segments(segmentIds)
    const parts: SegmentPart[] = segments.map((segment, index) => ({
      segment,
      firstPage: firstPageOf(required(segmentIds[index], 'the id of a segment')),
    }))
    const pieces = await this.#tailPieces(tail, earlier?.pieces ?? [])
    const sessionsIn = (isWanted: (workspace: number) => boolean): Set<number> =>
      new Set([
        ...segments.flatMap(({ runSession }, index) =>
          isWanted(required(listed[index], 'the row of a segment').workspace_id) ? [...runSession] : [],
        ),
        ...tail.filter((row) => isWanted(row.workspace_id)).map((row) => row.session_id),
      ])
    const settled = where === '' ? new Set<number>() : sessionsIn((workspace) => workspace !== 0)
    const unsettled =
      where === '' ? [] : [...sessionsIn((workspace) => workspace === 0)].filter((session) => !settled.has(session))
    const version = `${versionOfIds(segmentIds)}/${versionOfIds(tail.map(({ id }) => id))}`
    return {
      version,
      view: createView([...parts, ...pieces.map(({ whole }) => whole)], earlier?.view),
      pieces,
      settled,
      unsettled,
    }
  }

  /**
   * The segments with these ids, in the same order, from the cache or read. Rejects with `storage-corrupt` for a
   * damaged one.
   * @throws SegmentRemovedError if one was merged meanwhile
   */
  async #segments(ids: readonly number[]): Promise<readonly Segment[]> {
    // Held from here on: what is read next may take the place of some in the cache.
    const found = new Map<number, Segment>()
    for (const id of ids) {
      const segment = this.#heads.get(id)
      if (segment !== undefined) found.set(id, segment)
    }
    const missing = ids.filter((id) => !found.has(id))
    for (const { id, head } of await this.#database.lookup<{ id: number; head: Uint8Array }>(
      tables.searchSegment,
      { columns: ['id', 'head'], key: 'id', uncached: true },
      missing,
    )) {
      const segment = segmentOfHead(head)
      this.#heads.set(id, segment)
      found.set(id, segment)
    }
    return ids.map((id) => {
      const segment = found.get(id)
      if (segment === undefined) throw new SegmentRemovedError()
      return segment
    })
  }

  /**
   * The tail as segments in memory: earlier ones whose messages all still exist, and one of the new messages; from
   * `TAIL_PIECES` earlier ones on, one of all.
   * @throws SegmentRemovedError if a message left the tail meanwhile
   */
  async #tailPieces(tail: readonly ListRow[], earlier: readonly TailPiece[]): Promise<readonly TailPiece[]> {
    const present = new Set(tail.map(({ id }) => id))
    const intact = earlier.filter(({ ids }) => ids.every((id) => present.has(id)))
    const kept = intact.length >= TAIL_PIECES ? [] : intact
    const held = new Set(kept.flatMap(({ ids }) => ids))
    const fresh = tail.filter(({ id }) => !held.has(id))
    if (fresh.length === 0) return kept
    const rows = await this.#database.lookup<{ entry_id: number; data: Uint8Array }>(
      tables.searchTail,
      { columns: ['entry_id', 'data'], key: 'entry_id' },
      fresh.map(({ id }) => id),
    )
    const data = new Map(rows.map(({ entry_id: id, data: bytes }) => [id, bytes]))
    const messages = fresh.map(({ id, session_id: session, seq }) => {
      const bytes = data.get(id)
      if (bytes === undefined) throw new SegmentRemovedError()
      return { session, seq, ...messageOfTail(bytes) }
    })
    return [...kept, { ids: fresh.map(({ id }) => id), whole: buildSegment(messages) }]
  }

  /**
   * Reads pages of postings by their ids, from the cache or the store; missing ones are left out. The pages are valid
   * until the next call.
   */
  async #read(ids: readonly number[]): Promise<ReadonlyMap<number, Uint8Array>> {
    for (const page of this.#dropped.splice(0)) letGo(page)
    const pages = new Map<number, Uint8Array>()
    const missing: number[] = []
    for (const id of ids) {
      const page = this.#pages.get(id)
      if (page === undefined) missing.push(id)
      else pages.set(id, page)
    }
    for (const { id, data } of await this.#database.lookup<{ id: number; data: Uint8Array }>(
      tables.searchPage,
      { columns: ['id', 'data'], key: 'id', uncached: true },
      missing,
    )) {
      const page = postingsOfPage(data)
      this.#pages.set(id, page)
      pages.set(id, page)
    }
    return pages
  }
}

/**
 * Frees the memory at once: V8 lets 64 MB of such garbage accumulate. A page shares its memory with its checksum alone.
 */
const letGo = ({ buffer, byteOffset, byteLength }: Uint8Array): void => {
  if (buffer instanceof ArrayBuffer && byteOffset === 0 && buffer.byteLength === byteLength + CHECKSUM_BYTES)
    buffer.transfer(0)
}

/** Bytes that a view holds beside the segments, which are cached by themselves. */
const bytesOfView = ({ view, pieces }: KnownView): number =>
  [view.sessions, view.sessionStart, view.atPosition, view.position, view.sessionOf, view.passageTokens].reduce(
    (sum, { byteLength }) => sum + byteLength,
    pieces.reduce((sum, { whole }) => sum + whole.postings.byteLength + whole.segment.at.buffer.byteLength, 1024),
  )

/** The range from the lowest to the highest number; the list must not be empty. */
const rangeOf = (seqs: readonly number[]): { readonly fromSeq: number; readonly limit: number } => {
  const first = seqs.reduce((least, seq) => Math.min(least, seq), Infinity)
  return { fromSeq: first, limit: seqs.reduce((most, seq) => Math.max(most, seq), 0) - first + 1 }
}

/** Rows can become visible in another order than that of their ids: so their number and sum are part of it. */
const versionOf = (id: string, from: string): string =>
  `SELECT count(*) || ' ' || COALESCE(max(${id}), 0) || ' ' || COALESCE(sum(${id}), 0) FROM ${from}`
/** A text that changes when the list of ids does. */
const versionOfIds = (ids: readonly number[]): string =>
  `${ids.length} ${ids.reduce((most, id) => Math.max(most, id), 0)} ${ids.reduce((sum, id) => sum + id, 0)}`

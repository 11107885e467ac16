/** What the search sees of the store: the index as of one moment, kept at hand between questions. */
import { LRUCache } from 'lru-cache'
import { SegmentGone, buildSegment, createView, decodeHead, decodeMessage } from '@cairn/core'
import type { IndexedSession, MessageEntry, MessagePlace, RecallIndex, RecallScope, RecallSource, Segment, SegmentPart, SessionStorage, View, WholeSegment } from '@cairn/core'
import { labelKind, storableText } from '../repository/labels.ts'
import type { SqlDatabase, SqlValue } from '../sql/database.ts'
import { tables } from '../sql/schema.ts'
import { firstPageOf } from './index-rows.ts'

const MEGABYTE = 1024 * 1024
const PAGE_CACHE_BYTES = 48 * MEGABYTE
const HEAD_CACHE_BYTES = 64 * MEGABYTE
/** Views that are kept, by the messages that they are of. */
const VIEW_CACHE_MESSAGES = 2_000_000
/** Pieces of the tail, before they are put together. */
const TAIL_PIECES = 8
/** Times that a changing index is looked at again. */
const ATTEMPTS = 5

interface TailPiece {
  readonly ids: readonly number[]
  readonly whole: WholeSegment
}

interface KnownView {
  readonly version: string
  readonly view: View
  readonly pieces: readonly TailPiece[]
}

interface ListRow {
  /** 0: a segment, 1: a message of the tail. */
  readonly kind: number
  readonly id: number
  readonly session_id: number
  readonly seq: number
}

export class SearchSource implements RecallSource {
  readonly #database: SqlDatabase
  readonly #sessions: Pick<SessionStorage, 'read'>
  readonly #fill: () => Promise<void>
  readonly #pages = new LRUCache<number, Uint8Array>({ maxSize: PAGE_CACHE_BYTES, sizeCalculation: (page) => page.byteLength + 128 })
  readonly #heads = new LRUCache<number, Segment>({ maxSize: HEAD_CACHE_BYTES, sizeCalculation: (segment) => segment.at.buffer.byteLength + 1024 })
  readonly #views = new LRUCache<string, KnownView>({ maxSize: VIEW_CACHE_MESSAGES, sizeCalculation: ({ view }) => view.messages + 1 })

  /** `fill`: indexes what the log has and the index lacks. */
  constructor(database: SqlDatabase, sessions: Pick<SessionStorage, 'read'>, fill: () => Promise<void>) {
    this.#database = database
    this.#sessions = sessions
    this.#fill = fill
  }

  /** After the index was emptied. */
  clear(): void {
    this.#pages.clear()
    this.#heads.clear()
    this.#views.clear()
  }

  async open(scope: RecallScope): Promise<RecallIndex> {
    const sessions = await this.#sessionsOf(scope)
    const onBranch = scope.branch === undefined ? undefined : await this.#numbers('branch_id IN (SELECT id FROM label WHERE kind = ? AND value = ?)', [labelKind.branch, storableText(scope.branch)])
    const workspaces = sessions === undefined ? undefined : await this.#workspacesOf(scope)
    const { view } = await this.#viewOf(workspaces)
    return { view, sessions, onBranch, read: (ids) => this.#read(ids) }
  }

  async sessions(numbers: readonly number[]): Promise<ReadonlyMap<number, IndexedSession>> {
    const rows = await this.#database.lookup<{ id: number; key: string; branch_id: number }>(tables.session, { columns: ['id', 'key', 'branch_id'], key: 'id' }, numbers)
    const branches = new Map(
      (await this.#database.lookup<{ id: number; value: string }>(tables.label, { columns: ['id', 'value'], key: 'id' }, [...new Set(rows.map((row) => row.branch_id))])).map(({ id, value }) => [id, value]),
    )
    return new Map(rows.map(({ id, key, branch_id: branch }) => [id, { id: key, branch: branches.get(branch) ?? null }]))
  }

  async messages(places: readonly MessagePlace[]): Promise<readonly (MessageEntry | undefined)[]> {
    const keys = await this.sessions([...new Set(places.map(({ session }) => session))])
    return Promise.all(
      places.map(async ({ session, seq }) => {
        const key = keys.get(session)?.id
        const [entry] = key === undefined ? [] : await this.#sessions.read(key, { fromSeq: seq, limit: 1 })
        return entry?.kind === 'message' && entry.seq === seq ? entry : undefined
      }),
    )
  }

  async #sessionsOf({ workspace, sessionId, agent }: RecallScope): Promise<ReadonlySet<number> | undefined> {
    const conditions: string[] = []
    const parameters: SqlValue[] = []
    const where = (sql: string, ...values: readonly SqlValue[]): void => {
      conditions.push(sql)
      parameters.push(...values)
    }
    if (workspace !== undefined) where('workspace_id IN (SELECT id FROM workspace WHERE "path" = ? OR name = ?)', storableText(workspace), storableText(workspace))
    if (sessionId !== undefined) where('"key" = ?', storableText(sessionId))
    if (agent !== undefined) where('agent_id IN (SELECT id FROM label WHERE kind = ? AND value = ?)', labelKind.agent, storableText(agent))
    return conditions.length === 0 ? undefined : this.#numbers(conditions.join(' AND '), parameters)
  }

  async #numbers(condition: string, parameters: readonly SqlValue[]): Promise<ReadonlySet<number>> {
    return new Set((await this.#database.all<{ id: number }>(`SELECT id FROM session WHERE ${condition}`, parameters)).map(({ id }) => id))
  }

  /** Parts of the index that hold the scope's messages; 0 holds what came before a session's workspace was known. */
  async #workspacesOf({ workspace, sessionId }: RecallScope): Promise<readonly number[] | undefined> {
    if (workspace === undefined && sessionId === undefined) return undefined
    const rows = await this.#database.all<{ id: number }>(
      workspace === undefined ? 'SELECT workspace_id AS id FROM session WHERE "key" = ?' : 'SELECT id FROM workspace WHERE "path" = ? OR name = ?',
      workspace === undefined ? [storableText(sessionId ?? '')] : [storableText(workspace), storableText(workspace)],
    )
    return [...new Set([0, ...rows.map(({ id }) => id)])].sort((left, right) => left - right)
  }

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
        const made = await this.#makeView(where, known?.pieces ?? [])
        this.#views.set(key, made)
        return made
      } catch (error) {
        if (!(error instanceof SegmentGone) || attempt === ATTEMPTS) throw error
      }
    }
  }

  /** Of one statement, so that a message on its way from the tail into a segment is seen once. */
  async #makeView(where: string, earlier: readonly TailPiece[]): Promise<KnownView> {
    const rows = await this.#database.all<ListRow>(
      `SELECT 0 AS kind, id, 0 AS session_id, 0 AS seq FROM search_segment ${where} UNION ALL SELECT 1 AS kind, entry_id AS id, session_id, seq FROM search_tail ${where}`,
    )
    const segmentIds = rows.filter(({ kind }) => kind === 0).map(({ id }) => id)
    const tail = rows.filter(({ kind }) => kind === 1)
    const parts: SegmentPart[] = (await this.#segments(segmentIds)).map((segment, index) => ({ segment, firstPage: firstPageOf(segmentIds[index] ?? 0) }))
    const pieces = await this.#tailPieces(tail, earlier)
    const version = `${versionOfIds(segmentIds)}/${versionOfIds(tail.map(({ id }) => id))}`
    return { version, view: createView([...parts, ...pieces.map(({ whole }) => whole)]), pieces }
  }

  async #segments(ids: readonly number[]): Promise<readonly Segment[]> {
    const missing = ids.filter((id) => this.#heads.peek(id) === undefined)
    const found = new Map<number, Segment>()
    for (const { id, head } of await this.#database.lookup<{ id: number; head: Uint8Array }>(tables.searchSegment, { columns: ['id', 'head'], key: 'id', uncached: true }, missing)) {
      const segment = decodeHead(head)
      this.#heads.set(id, segment)
      found.set(id, segment)
    }
    return ids.map((id) => {
      const segment = found.get(id) ?? this.#heads.get(id)
      if (segment === undefined) throw new SegmentGone()
      return segment
    })
  }

  /** The tail as segments in memory: those made earlier of messages that are all still there, and one of what is new. */
  async #tailPieces(tail: readonly ListRow[], earlier: readonly TailPiece[]): Promise<readonly TailPiece[]> {
    const present = new Set(tail.map(({ id }) => id))
    const intact = earlier.filter(({ ids }) => ids.every((id) => present.has(id)))
    const kept = intact.length >= TAIL_PIECES ? [] : intact
    const held = new Set(kept.flatMap(({ ids }) => ids))
    const fresh = tail.filter(({ id }) => !held.has(id))
    if (fresh.length === 0) return kept
    const rows = await this.#database.lookup<{ entry_id: number; data: Uint8Array }>(tables.searchTail, { columns: ['entry_id', 'data'], key: 'entry_id' }, fresh.map(({ id }) => id))
    const data = new Map(rows.map(({ entry_id: id, data: bytes }) => [id, bytes]))
    const messages = fresh.map(({ id, session_id: session, seq }) => {
      const bytes = data.get(id)
      if (bytes === undefined) throw new SegmentGone()
      return { session, seq, ...decodeMessage(bytes) }
    })
    return [...kept, { ids: fresh.map(({ id }) => id), whole: buildSegment(messages) }]
  }

  async #read(ids: readonly number[]): Promise<ReadonlyMap<number, Uint8Array>> {
    const pages = new Map<number, Uint8Array>()
    const missing: number[] = []
    for (const id of ids) {
      const page = this.#pages.get(id)
      if (page === undefined) missing.push(id)
      else pages.set(id, page)
    }
    for (const { id, data } of await this.#database.lookup<{ id: number; data: Uint8Array }>(tables.searchPage, { columns: ['id', 'data'], key: 'id', uncached: true }, missing)) {
      this.#pages.set(id, data)
      pages.set(id, data)
    }
    return pages
  }
}

/** Rows can become visible in another order than that of their ids: their number and sum tell, too. */
const versionOf = (id: string, from: string): string => `SELECT count(*) || ' ' || COALESCE(max(${id}), 0) || ' ' || COALESCE(sum(${id}), 0) FROM ${from}`
const versionOfIds = (ids: readonly number[]): string => `${ids.length} ${ids.reduce((most, id) => Math.max(most, id), 0)} ${ids.reduce((sum, id) => sum + id, 0)}`

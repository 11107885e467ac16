/**
 * Index maintenance: builds segments from the tail of a workspace, and merges segments of a level into one of the next.
 * The new segment is built outside any lock, and replaces its sources only if they all still exist.
 */
import { buildSegment, mergeSegments } from '@cairn/core'
import type { SegmentWithPostings } from '@cairn/core'
import type { SqlDatabase, SqlReader } from '../sql/database.ts'
import { tables } from '../sql/schema.ts'
import { messageOfTail, postingsOfPage, segmentOfHead } from './decode-rows.ts'
import { IndexChanged, addSegment, firstPageOf, removeFromTail, removeSegments } from './index-rows.ts'
import { segmentFrom } from './index-sizes.ts'
import type { IndexSizes, TailSize } from './index-sizes.ts'

/** The most messages of a long tail that become one segment. */
const GATHER_MESSAGES = 4_096
const GATHER_BYTES = 4 * 1024 * 1024
const LONGEST_MERGE = 16
/** During an import, this many times more small segments accumulate before a merge: each is rewritten less often. */
const PATIENCE = 4
/** A tail is counted again when so much of what it can still take may have been added by this process: counting reads it. */
const COUNTED_AGAIN_AT = 1 / 8
/** An import counts as finished when no batch was committed for this long (ms). */
const IMPORT_PAUSE_MS = 250

interface SegmentRow {
  readonly id: number
  readonly level: number
  readonly bytes: number
}

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Reads segments with all their postings, in the order of `ids`; rejects with {@link IndexChanged} when one is gone,
 * and with `storage-corrupt` for a damaged one.
 */
export const readSegments = async (
  reader: SqlReader,
  ids: readonly number[],
): Promise<readonly SegmentWithPostings[]> => {
  const heads = await reader.lookup<{ id: number; head: Uint8Array }>(
    tables.searchSegment,
    { columns: ['id', 'head'], key: 'id', uncached: true },
    ids,
  )
  const byId = new Map(heads.map(({ id, head }) => [id, segmentOfHead(head)]))
  const whole: SegmentWithPostings[] = []
  for (const id of ids) {
    const segment = byId.get(id)
    if (segment === undefined) throw new IndexChanged()
    const postings = new Uint8Array(segment.postingBytes)
    const pages = Array.from(
      { length: Math.ceil(segment.postingBytes / segment.pageBytes) },
      (_, number) => firstPageOf(id) + number,
    )
    const rows = await reader.lookup<{ id: number; data: Uint8Array }>(
      tables.searchPage,
      { columns: ['id', 'data'], key: 'id', uncached: true },
      pages,
    )
    if (rows.length !== pages.length) throw new IndexChanged()
    for (const { id: page, data } of rows)
      postings.set(postingsOfPage(data), (page - firstPageOf(id)) * segment.pageBytes)
    whole.push({ segment, postings })
  }
  return whole
}

/**
 * Merges segments into one, in steps, so that the event loop is never blocked for long. @param without numbers of
 * sessions whose messages are left out
 */
export const mergeInSteps = async (
  segments: readonly SegmentWithPostings[],
  without?: ReadonlySet<number>,
): Promise<SegmentWithPostings> => {
  const steps = mergeSegments(segments, without)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await pause()
  }
}

/** Builds segments from the tail and merges small segments, in the background. */
export class IndexMaintenance {
  readonly #database: SqlDatabase
  readonly #sizes: IndexSizes
  readonly #waiting = new Set<number>()
  /** How many messages a workspace may get from this process before its tail is counted again. */
  readonly #uncounted = new Map<number, number>()
  /** Workspaces that received segments from imports, to be checked; and those of running imports. */
  readonly #imported = new Set<number>()
  readonly #importing = new Set<number>()
  #importEnd: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(database: SqlDatabase, sizes: IndexSizes) {
    this.#database = database
    this.#sizes = sizes
  }

  /** This much of one session becomes a segment during an import without passing through the tail. */
  get segmentFrom(): TailSize {
    return segmentFrom(this.#sizes)
  }

  /**
   * {@link maintain} where so many messages (`added`, by workspace) were appended since the tail was counted that it may
   * have become long; call it after they were committed. Resolves when done; never rejects.
   */
  maintainAfter(added: ReadonlyMap<number, number>): Promise<void> {
    const due: number[] = []
    for (const [workspace, messages] of added) {
      const left = (this.#uncounted.get(workspace) ?? 0) - messages
      this.#uncounted.set(workspace, left)
      if (left < 0) due.push(workspace)
    }
    return this.maintain(due)
  }

  /**
   * Builds and merges segments where these workspaces need it; call it after their messages were committed. Resolves
   * when done; never rejects. A workspace that waits already is not added twice.
   */
  maintain(workspaces: Iterable<number>): Promise<void> {
    for (const workspace of workspaces) {
      if (this.#waiting.has(workspace)) continue
      this.#waiting.add(workspace)
      this.#running = this.#running.then(async () => {
        this.#waiting.delete(workspace)
        try {
          const [isImported, isLarger] = [this.#imported.delete(workspace), await this.#gather(workspace)]
          if (isImported || isLarger) await this.#merge(workspace)
        } catch {
          // The index can be searched as it is; the next write tries again.
        }
      })
    }
    return this.#running
  }

  /**
   * {@link maintain} during an import, after which more is to come: leaves more segments for later, until `endImports`
   * or a pause. Resolves when done; never rejects.
   */
  maintainDuringImport(workspaces: Iterable<number>): Promise<void> {
    for (const workspace of workspaces) {
      this.#imported.add(workspace)
      this.#importing.add(workspace)
    }
    clearTimeout(this.#importEnd)
    this.#importEnd = setTimeout(() => void this.endImports(), IMPORT_PAUSE_MS).unref()
    return this.maintain(workspaces)
  }

  /**
   * Merges what running imports left for later, which then count as ended; called by itself after a pause, and before
   * the store is closed. Resolves when done; never rejects.
   */
  endImports(): Promise<void> {
    clearTimeout(this.#importEnd)
    const workspaces = [...this.#importing]
    this.#importing.clear()
    for (const workspace of workspaces) this.#imported.add(workspace)
    return workspaces.length === 0 ? Promise.resolve() : this.maintain(workspaces)
  }

  /** Resolves when nothing is running. */
  async idle(): Promise<void> {
    await this.#running
  }

  /**
   * Makes segments of the messages that wait, while there are enough for one; true when one was made. Where another
   * process does it, it leaves it to that.
   */
  async #gather(workspace: number): Promise<boolean> {
    const { tailMessages, tailBytes } = this.#sizes
    for (let made = 0; ; made += 1) {
      const [size] = await this.#database.all<{ messages: number; bytes: number | null }>(
        'SELECT count(*) AS messages, sum(length(data)) AS bytes FROM search_tail WHERE workspace_id = ?',
        [workspace],
      )
      const { messages = 0, bytes } = size ?? {}
      const average = (bytes ?? 0) / Math.max(messages, 1)
      const free = Math.min(tailMessages - messages, (tailBytes - (bytes ?? 0)) / Math.max(average, 1))
      this.#uncounted.set(workspace, Math.floor(free * COUNTED_AGAIN_AT))
      if (messages === 0 || free > 0) return made > 0
      const rows = await this.#tail(workspace)
      const whole = buildSegment(
        rows.map(({ session_id: session, seq, data }) => ({ session, seq, ...messageOfTail(data) })),
      )
      const isDone = await this.#replace(async (transaction) => {
        await removeFromTail(
          transaction,
          rows.map(({ entry_id: id }) => id),
        )
        await addSegment(transaction, workspace, this.#levelOf(rows.length), whole)
      })
      // Another process is doing it.
      if (!isDone) return made > 0
    }
  }

  /** The oldest messages that wait for the index, at least one, as many as fit into a segment's limits. */
  async #tail(workspace: number) {
    const rows = await this.#database.all<{ entry_id: number; session_id: number; seq: number; data: Uint8Array }>(
      'SELECT entry_id, session_id, seq, data FROM search_tail WHERE workspace_id = ? ORDER BY entry_id LIMIT ?',
      [workspace, GATHER_MESSAGES],
    )
    let bytes = 0
    const end = rows.findIndex(({ data }) => (bytes += data.byteLength) > GATHER_BYTES)
    return end === -1 ? rows : rows.slice(0, Math.max(end, 1))
  }

  /**
   * The level of a segment of so many messages, from 0: the one that as many merges of small segments would have
   * reached.
   */
  #levelOf(messages: number): number {
    let level = 0
    for (let size = this.#sizes.tailMessages * this.#sizes.merge; size <= messages; size *= this.#sizes.merge)
      level += 1
    return level
  }

  /**
   * Merges small segments of a workspace into larger ones, level by level, until too few are left; later during an
   * import. Ends if another process merges them.
   */
  async #merge(workspace: number): Promise<void> {
    const { merge, largestBytes } = this.#sizes
    const patience = this.#importing.has(workspace) ? PATIENCE : 1
    for (let level = 0; ; level += 1) {
      const least = level === 0 ? Math.min(merge * patience, LONGEST_MERGE) : merge
      const rows = await this.#database.all<SegmentRow>(
        'SELECT id, level, bytes FROM search_segment WHERE workspace_id = ? AND level >= ? ORDER BY level, bytes, id',
        [workspace, level],
      )
      if (rows.length < merge) return
      const chosen: SegmentRow[] = []
      let bytes = 0
      for (const row of rows) {
        if (row.level !== level || bytes + row.bytes > largestBytes || chosen.length === LONGEST_MERGE) continue
        chosen.push(row)
        bytes += row.bytes
      }
      if (chosen.length < least) continue
      // In the order of their creation, which is nearly that of the result.
      const ids = chosen.map(({ id }) => id).sort((left, right) => left - right)
      const isDone = await this.#replace(
        async (transaction, whole) => {
          await removeSegments(transaction, ids)
          await addSegment(transaction, workspace, Math.max(level + 1, this.#levelOf(whole.segment.messages)), whole)
        },
        async () => mergeInSteps(await readSegments(this.#database, ids)),
      )
      if (!isDone) return
    }
  }

  /**
   * Makes something outside of a transaction and writes it within one; false, with nothing written, when another
   * process was faster. Rejects for other faults.
   */
  async #replace<T>(
    write: (transaction: Parameters<Parameters<SqlDatabase['transaction']>[1]>[0], made: T) => Promise<void>,
    make: () => Promise<T> = () => Promise.resolve(undefined as T),
  ): Promise<boolean> {
    try {
      const made = await make()
      await this.#database.transaction({ durability: 'lazy' }, (transaction) => write(transaction, made))
      return true
    } catch (error) {
      if (error instanceof IndexChanged) return false
      throw error
    }
  }
}

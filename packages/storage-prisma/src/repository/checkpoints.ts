/** Records of checkpoints. */
import { isJsonObject } from '@cairn/core'
import type {
  CheckpointPage,
  CheckpointQuery,
  CheckpointRecord,
  CheckpointStorage,
  LeftOutSummary,
  SnapshotKind,
} from '@cairn/core'
import type { LazyClient } from '../prisma/client.ts'
import { assertRowsIntact, rowChecksum } from '../sql/row-checksum.ts'
import { tables } from '../sql/schema.ts'
import { storableText } from './labels.ts'

interface Row {
  readonly id: string
  readonly workspace: string
  readonly sessionId: string | null
  readonly at: bigint
  readonly commit: string
  readonly files: number
  readonly bytes: bigint
  readonly kind: string | null
  readonly label: string | null
  readonly leftOut: string | null
  readonly checksum: number | null
}

const KINDS: readonly SnapshotKind[] = ['manual', 'agent', 'before-restore']

/**
 * Reads a stored summary of what was left out; null where none was recorded, or it has another form. Named files
 * without a path or reason are dropped, the count stays. Throws a SyntaxError for what is no JSON.
 */
const leftOutIn = (text: string | null): LeftOutSummary | null => {
  if (text === null) return null
  const value: unknown = JSON.parse(text)
  if (!isJsonObject(value) || typeof value['count'] !== 'number' || !Array.isArray(value['named'])) return null
  const named = value['named'].flatMap((each): LeftOutSummary['named'] => {
    if (!isJsonObject(each)) return []
    const { path, isFolder, reason, size } = each
    if (typeof path !== 'string' || typeof reason !== 'string') return []
    return [{ path, isFolder: isFolder === true, reason, ...(typeof size === 'number' ? { size } : {}) }]
  })
  return { count: value['count'], named }
}

/** Newest first; of the same time, the later id. */
const NEWEST_FIRST: ({ readonly at: 'desc' } | { readonly id: 'desc' })[] = [{ at: 'desc' }, { id: 'desc' }]

/** What was set aside as damaged has this before its workspace; a workspace is an absolute path. */
const IS_WHOLE = { NOT: { workspace: { startsWith: 'damaged ' } } }

/** Records of checkpoints on SQLite or PostgreSQL. For its methods see {@link CheckpointStorage}. */
export class PrismaCheckpointStorage implements CheckpointStorage {
  readonly #location: string
  readonly #client: LazyClient

  /** @param location of the store, for people */
  constructor(location: string, client: LazyClient) {
    this.#location = location
    this.#client = client
  }

  /** A row as a record. Throws if it is damaged; a kind of a newer version is null. */
  #toCheckpoint({ checksum, ...row }: Row): CheckpointRecord {
    const stored = { ...row, session_id: row.sessionId, left_out: row.leftOut, checksum }
    assertRowsIntact(this.#location, tables.checkpoint, [stored])
    const kind = KINDS.find((known) => known === row.kind) ?? null
    return { ...row, at: Number(row.at), bytes: Number(row.bytes), kind, leftOut: leftOutIn(row.leftOut) }
  }

  /** Adds a checkpoint. Rejects if the id is taken. */
  async add(checkpoint: CheckpointRecord): Promise<void> {
    const row = {
      ...checkpoint,
      workspace: storableText(checkpoint.workspace),
      label: checkpoint.label === null ? null : storableText(checkpoint.label),
      leftOut: checkpoint.leftOut === null ? null : JSON.stringify(checkpoint.leftOut),
    }
    const checksum = rowChecksum(tables.checkpoint, { ...row, session_id: row.sessionId, left_out: row.leftOut })
    const data = { ...row, at: BigInt(row.at), bytes: BigInt(row.bytes), checksum }
    await this.#client.transaction((client) => client.checkpoint.create({ data }))
  }

  /**
   * The checkpoint with an id, also an unfinished one; undefined if there is none. Rejects with `storage-corrupt` for a
   * damaged row.
   */
  async get(id: string): Promise<CheckpointRecord | undefined> {
    const row = await (await this.#client.get()).checkpoint.findUnique({ where: { id } })
    return row === null ? undefined : this.#toCheckpoint(row)
  }

  /**
   * The checkpoints of a workspace, the newest first, unfinished ones too. Rejects with `storage-corrupt` for a damaged
   * row.
   */
  async list(workspace: string): Promise<readonly CheckpointRecord[]> {
    const client = await this.#client.get()
    const rows = await client.checkpoint.findMany({
      where: { workspace: storableText(workspace) },
      orderBy: NEWEST_FIRST,
    })
    return rows.map((row) => this.#toCheckpoint(row))
  }

  /**
   * A page of the checkpoints of a workspace, or session, or of all, the newest first, with the number of all that fit;
   * those set aside as damaged are left out. `offset` of them are passed over; without a limit all others come. Rejects
   * with `storage-corrupt` for a damaged row of the page.
   */
  async page({ workspace, sessionId, limit, offset = 0 }: CheckpointQuery): Promise<CheckpointPage> {
    const client = await this.#client.get()
    const where = {
      ...IS_WHOLE,
      ...(workspace === undefined ? {} : { workspace: storableText(workspace) }),
      ...(sessionId === undefined ? {} : { sessionId }),
    }
    const rows = await client.checkpoint.findMany({
      where,
      orderBy: NEWEST_FIRST,
      skip: offset,
      ...(limit === undefined ? {} : { take: limit }),
    })
    return { checkpoints: rows.map((row) => this.#toCheckpoint(row)), total: await client.checkpoint.count({ where }) }
  }

  /**
   * The workspaces that have checkpoints, sorted by path, each with how many; those set aside as damaged do not count.
   */
  async workspaces(): Promise<readonly { readonly workspace: string; readonly checkpoints: number }[]> {
    const client = await this.#client.get()
    const groups = await client.checkpoint.groupBy({ by: ['workspace'], _count: true, where: IS_WHOLE })
    return groups
      .map(({ workspace, _count }) => ({ workspace, checkpoints: _count }))
      .sort((left, right) => (left.workspace < right.workspace ? -1 : 1))
  }

  /** Deletes the record of a checkpoint; false if there is none. */
  async delete(id: string): Promise<boolean> {
    const { count } = await this.#client.transaction((client) => client.checkpoint.deleteMany({ where: { id } }))
    return count > 0
  }
}

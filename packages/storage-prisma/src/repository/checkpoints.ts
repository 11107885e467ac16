/** Records of checkpoints. */
import type { CheckpointRecord, CheckpointStorage } from '@cairn/core'
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
  readonly checksum: number | null
}

/** Records of checkpoints on SQLite or PostgreSQL. For its methods see {@link CheckpointStorage}. */
export class PrismaCheckpointStorage implements CheckpointStorage {
  readonly #location: string
  readonly #client: LazyClient

  /** @param location of the store, for people */
  constructor(location: string, client: LazyClient) {
    this.#location = location
    this.#client = client
  }

  #toCheckpoint({ checksum, ...row }: Row): CheckpointRecord {
    const stored = { ...row, session_id: row.sessionId, checksum }
    assertRowsIntact(this.#location, tables.checkpoint, [stored])
    return { ...row, at: Number(row.at), bytes: Number(row.bytes) }
  }

  async add(checkpoint: CheckpointRecord): Promise<void> {
    const row = { ...checkpoint, workspace: storableText(checkpoint.workspace) }
    const checksum = rowChecksum(tables.checkpoint, { ...row, session_id: row.sessionId })
    const data = { ...row, at: BigInt(row.at), bytes: BigInt(row.bytes), checksum }
    await this.#client.transaction((client) => client.checkpoint.create({ data }))
  }

  async get(id: string): Promise<CheckpointRecord | undefined> {
    const row = await (await this.#client.get()).checkpoint.findUnique({ where: { id } })
    return row === null ? undefined : this.#toCheckpoint(row)
  }

  async list(workspace: string): Promise<readonly CheckpointRecord[]> {
    const client = await this.#client.get()
    const rows = await client.checkpoint.findMany({
      where: { workspace: storableText(workspace) },
      orderBy: [{ at: 'desc' }, { id: 'desc' }],
    })
    return rows.map((row) => this.#toCheckpoint(row))
  }

  async delete(id: string): Promise<boolean> {
    const { count } = await this.#client.transaction((client) => client.checkpoint.deleteMany({ where: { id } }))
    return count > 0
  }
}

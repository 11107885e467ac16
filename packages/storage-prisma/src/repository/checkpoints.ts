/** The record of checkpoints. */
import type { CheckpointRecord, CheckpointStorage } from '@cairn/core'
import type { LazyClient } from '../prisma/client.ts'
import { storableText } from './labels.ts'

interface Row {
  readonly id: string
  readonly workspace: string
  readonly sessionId: string | null
  readonly at: bigint
  readonly commit: string
  readonly files: number
  readonly bytes: bigint
}

const toCheckpoint = (row: Row): CheckpointRecord => ({ ...row, at: Number(row.at), bytes: Number(row.bytes) })

export class PrismaCheckpointStorage implements CheckpointStorage {
  readonly #client: LazyClient

  constructor(client: LazyClient) {
    this.#client = client
  }

  async add(checkpoint: CheckpointRecord): Promise<void> {
    const client = await this.#client.get()
    const { workspace, at, bytes } = checkpoint
    await client.checkpoint.create({
      data: { ...checkpoint, workspace: storableText(workspace), at: BigInt(at), bytes: BigInt(bytes) },
    })
  }

  async get(id: string): Promise<CheckpointRecord | undefined> {
    const row = await (await this.#client.get()).checkpoint.findUnique({ where: { id } })
    return row === null ? undefined : toCheckpoint(row)
  }

  async list(workspace: string): Promise<readonly CheckpointRecord[]> {
    const client = await this.#client.get()
    const rows = await client.checkpoint.findMany({
      where: { workspace: storableText(workspace) },
      orderBy: [{ at: 'desc' }, { id: 'desc' }],
    })
    return rows.map(toCheckpoint)
  }

  async delete(id: string): Promise<boolean> {
    const { count } = await (await this.#client.get()).checkpoint.deleteMany({ where: { id } })
    return count > 0
  }
}

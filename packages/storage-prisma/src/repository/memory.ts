/** Long-term memory: every version of an entry stays, with the time in which it was current. */
import type { MemoryEntry, MemoryKind, MemoryStorage } from '@cairn/core'
import type { LazyClient } from '../prisma/client.ts'
import { decodedText, encodedText } from './labels.ts'

interface Row {
  readonly entryId: string
  readonly workspace: string
  readonly kind: string
  readonly text: string
  readonly confidence: number
  readonly examples: string
  readonly sessionId: string | null
  readonly messageId: string | null
  readonly firstSeenAt: bigint
  readonly lastConfirmedAt: bigint
  readonly applications: number
}

const entryOf = (row: Row): MemoryEntry => ({
  id: row.entryId,
  workspace: decodedText(row.workspace),
  kind: row.kind as MemoryKind,
  text: decodedText(row.text),
  confidence: row.confidence,
  examples: JSON.parse(row.examples) as readonly string[],
  sessionId: row.sessionId,
  messageId: row.messageId,
  firstSeenAt: Number(row.firstSeenAt),
  lastConfirmedAt: Number(row.lastConfirmedAt),
  applications: row.applications,
})

/** Versions that were current at a time, or are now. */
const current = (asOf: number | undefined) =>
  asOf === undefined ? { validTo: null } : { validFrom: { lte: BigInt(asOf) }, OR: [{ validTo: null }, { validTo: { gt: BigInt(asOf) } }] }

export class PrismaMemoryStorage implements MemoryStorage {
  readonly #client: LazyClient

  constructor(client: LazyClient) {
    this.#client = client
  }

  async put(entry: MemoryEntry, at: number): Promise<void> {
    const client = await this.#client.get()
    const validFrom = BigInt(at)
    await client.$transaction(async (transaction) => {
      // Writers of the same entry one after the other; SQLite has one writer anyway.
      if (this.#client.dialect === 'postgresql') await transaction.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${entry.id}, 0))`
      // Writers may come in another order than their times.
      const next = await transaction.memoryVersion.findFirst({ where: { entryId: entry.id, validFrom: { gt: validFrom } }, orderBy: { validFrom: 'asc' } })
      await transaction.memoryVersion.updateMany({ where: { entryId: entry.id, ...current(at) }, data: { validTo: validFrom } })
      await transaction.memoryVersion.create({
        data: {
          entryId: entry.id,
          workspace: encodedText(entry.workspace),
          kind: entry.kind,
          text: encodedText(entry.text),
          confidence: entry.confidence,
          examples: JSON.stringify(entry.examples),
          sessionId: entry.sessionId,
          messageId: entry.messageId,
          firstSeenAt: BigInt(entry.firstSeenAt),
          lastConfirmedAt: BigInt(entry.lastConfirmedAt),
          applications: entry.applications,
          validFrom,
          validTo: next?.validFrom ?? null,
        },
      })
    })
  }

  async get(id: string, asOf?: number): Promise<MemoryEntry | undefined> {
    const client = await this.#client.get()
    const row = await client.memoryVersion.findFirst({ where: { entryId: id, ...current(asOf) }, orderBy: { id: 'desc' } })
    return row === null ? undefined : entryOf(row)
  }

  async list(workspace: string, options: { readonly kind?: MemoryKind; readonly asOf?: number } = {}): Promise<readonly MemoryEntry[]> {
    const client = await this.#client.get()
    const rows = await client.memoryVersion.findMany({
      where: { workspace: encodedText(workspace), ...(options.kind === undefined ? {} : { kind: options.kind }), ...current(options.asOf) },
      orderBy: [{ lastConfirmedAt: 'desc' }, { id: 'desc' }],
    })
    return rows.map(entryOf)
  }

  async forget(id: string, at: number): Promise<boolean> {
    const client = await this.#client.get()
    const { count } = await client.memoryVersion.updateMany({ where: { entryId: id, validTo: null }, data: { validTo: BigInt(at) } })
    return count > 0
  }
}

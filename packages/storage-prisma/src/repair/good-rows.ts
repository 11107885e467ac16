/** Whether rows that were read of a damaged store are what was written, and which of two sources has a good one. */
import { hash } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import { decodeReferences } from '../packs/references.ts'
import { decodeInlineBody } from '../repository/entry-codec.ts'
import { checkedTables, isIntact } from '../sql/row-checksum.ts'
import { tables } from '../sql/schema.ts'
import type { Table } from '../sql/schema.ts'
import type { SalvagedRow } from './salvage-source.ts'

/** Proves rows of one store. Packs have to be asked about before what lies in them. */
export class RowProof {
  /** Contents of packs are kept no longer than the blocks of the same pack need them. */
  #last: { readonly id: unknown; readonly bytes: Buffer } | undefined
  readonly #packData: (id: unknown) => SalvagedRow | undefined

  /** @param packData gives the row of a pack */
  constructor(packData: (id: unknown) => SalvagedRow | undefined) {
    this.#packData = packData
  }

  /**
   * Whether the row is what was written; where nothing vouches for a row, it counts as good. Never throws: what can't
   * be checked is not good.
   */
  isGood(table: Table, row: SalvagedRow): boolean {
    try {
      if (table === tables.pack) return this.#unpacked(row) !== undefined
      if (table === tables.block) return this.#isGoodBlock(row)
      if (table === tables.entry && !isGoodEntry(row)) return false
      const isChecked = checkedTables.some((checked) => checked.table === table)
      // A store of an older version may lack the column.
      return !isChecked || isIntact(table, { ...row, checksum: (row['checksum'] ?? null) as number | null })
    } catch {
      return false
    }
  }

  /** The bytes of a pack; undefined if they are not as many as it says. Throws if it can't be unpacked. */
  #unpacked({ id, raw_size: size, refs, data }: SalvagedRow): Buffer | undefined {
    decodeReferences(refs as Uint8Array)
    const bytes = zstdDecompressSync(data as Uint8Array, { maxOutputLength: Math.max(Number(size), 1) })
    if (bytes.byteLength !== size) return undefined
    this.#last = { id, bytes }
    return bytes
  }

  /** Whether a block's bytes have its hash; false if its pack is damaged. */
  #isGoodBlock({ pack_id: packId, offset, length, hash: expected }: SalvagedRow): boolean {
    if (this.#last?.id !== packId) {
      const pack = this.#packData(packId)
      if (pack === undefined || this.#unpacked(pack) === undefined) return false
    }
    const bytes = this.#last?.bytes.subarray(Number(offset), Number(offset) + Number(length))
    return bytes !== undefined && hash('sha256', bytes, 'buffer').equals(expected as Uint8Array)
  }
}

/** Whether an entry's row holds an entry. Throws where its body can't be decoded. */
const isGoodEntry = ({ body, pack_id: packId, seq }: SalvagedRow): boolean => {
  if (!Number.isSafeInteger(seq) || Number(seq) < 0) return false
  if (body === null) return packId !== null
  decodeInlineBody(body as Uint8Array)
  return true
}

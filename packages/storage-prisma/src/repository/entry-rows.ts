/** Rows of the log with their content, wherever it is stored. */
import type { LogEntry } from '@cairn/core'
import { hydrateBody } from '../packs/dehydrate.ts'
import { damaged } from '../packs/pack-reader.ts'
import type { StoreContext } from './store-context.ts'
import { toLogEntry, decodeInlineBody } from './entry-codec.ts'

export interface BodyRow {
  readonly seq: number
  readonly at: number | null
  readonly pack_id: number | null
  readonly offset: number | null
  readonly length: number | null
  readonly body: Uint8Array | null
}

const decoder = new TextDecoder()

/**
 * The log entries of stored rows, in the rows' order, their texts unpacked; none for no rows. Rejects with
 * `storage-corrupt` where one can't be read.
 */
export const readEntries = async (
  { packs }: Pick<StoreContext, 'packs'>,
  rows: readonly BodyRow[],
): Promise<readonly LogEntry[]> => {
  const packed = rows.flatMap((row) => {
    const { pack_id: packId, offset, length } = row
    if (packId === null) return []
    if (offset === null || length === null) throw damaged(`entry ${row.seq}`)
    return [{ row, packId, offset, length }]
  })
  const contents = await packs.read(packed)
  const byRow = new Map(packed.map(({ row }, index) => [row, contents[index]]))
  return rows.map((row) => {
    const content = byRow.get(row)
    try {
      const body = content?.bytes ?? decodeInlineBody(row.body ?? new Uint8Array())
      return toLogEntry(row.seq, row.at, hydrateBody(decoder.decode(body), content?.text ?? (() => '')))
    } catch (error) {
      throw error instanceof SyntaxError || error instanceof RangeError ? damaged(`entry ${row.seq}`, error) : error
    }
  })
}

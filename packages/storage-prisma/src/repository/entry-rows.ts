/** Rows of the log with their content, wherever it is kept. */
import type { LogEntry } from '@cairn/core'
import { hydrateBody } from '../packs/dehydrate.ts'
import { damaged } from '../packs/pack-reader.ts'
import type { StoreContext } from './context.ts'
import { entryOf, jsonOfInline } from './entry-codec.ts'

export interface BodyRow {
  readonly seq: number
  readonly at: number | null
  readonly pack_id: number | null
  readonly offset: number | null
  readonly length: number | null
  readonly body: Uint8Array | null
}

const decoder = new TextDecoder()

/** The entries of the rows, in their order. */
export const entriesOf = async (
  { packs }: Pick<StoreContext, 'packs'>,
  rows: readonly BodyRow[],
): Promise<readonly LogEntry[]> => {
  const packed = rows.filter((row) => row.pack_id !== null)
  const contents = await packs.read(
    packed.map((row) => ({ packId: row.pack_id ?? 0, offset: row.offset ?? 0, length: row.length ?? 0 })),
  )
  const byRow = new Map(packed.map((row, index) => [row, contents[index]]))
  return rows.map((row) => {
    const content = byRow.get(row)
    try {
      const body = content?.bytes ?? jsonOfInline(row.body ?? new Uint8Array())
      return entryOf(row.seq, row.at, hydrateBody(decoder.decode(body), content?.text ?? (() => '')))
    } catch (error) {
      throw error instanceof SyntaxError || error instanceof RangeError ? damaged(`entry ${row.seq}`, error) : error
    }
  })
}

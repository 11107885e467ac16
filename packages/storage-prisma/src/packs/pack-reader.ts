/** Reads packed content: decompresses it, resolves references, holds what is read again. */
import { promisify } from 'node:util'
import { hash } from 'node:crypto'
import { constants, zstdDecompress, zstdDecompressSync } from 'node:zlib'
import { LoadingCache, StorageError } from '@cairn/core'
import type { MemoryBudget } from '@cairn/core'
import type { SqlReader } from '../sql/database.ts'
import { tables } from '../sql/schema.ts'
import { packCacheSizes } from './pack-cache-sizes.ts'
import type { PackCacheSizes } from './pack-cache-sizes.ts'
import { decodeReferences, referencesIn } from './references.ts'
import type { BlockReference } from './references.ts'

/** Smaller packs are decompressed in less time than a task of the thread pool takes. */
const UNPACKED_AT_ONCE = 64 * 1024

/** About what an object of a list of references takes. */
const BYTES_OF_REFERENCE = 48

interface OpenPack {
  readonly bytes: Buffer
  readonly references: readonly BlockReference[]
}

interface PackRow {
  readonly id: number
  readonly raw_size: number
  readonly refs: Uint8Array
  readonly data: Uint8Array
}

interface BlockRow {
  readonly id: number
  readonly hash: Uint8Array
  readonly pack_id: number
  readonly offset: number
  readonly length: number
}

/** A slice of a pack, with a function that gives the text of each of the pack's references. */
export interface Content {
  readonly bytes: Buffer
  readonly text: (reference: number) => string
}

const decompress = promisify(zstdDecompress)

/** Reads packed contents. Packs that are read again are held decompressed, within the budget. */
export class PackReader {
  readonly #database: SqlReader
  readonly #packs: LoadingCache<number, PackRow, OpenPack>

  constructor(database: SqlReader, budget: MemoryBudget, sizes: PackCacheSizes = packCacheSizes(budget)) {
    this.#database = database
    this.#packs = new LoadingCache({
      name: 'packs',
      budget,
      ...sizes,
      sizeOf: ({ bytes, references }) => bytes.byteLength + BYTES_OF_REFERENCE * references.length + 64,
      read: async (ids) => new Map((await this.#rows(ids)).map((row) => [row.id, row])),
      open: async (row) => ({ bytes: await unpack(row), references: referencesOf(row) }),
    })
  }

  /**
   * Slices of packs, in the order asked for. Rejects with `storage-corrupt` where a pack is missing or damaged. Their
   * `text` throws it for a number without a reference, and for a block of another pack that is missing or has another
   * hash.
   */
  async read(
    slices: readonly { readonly packId: number; readonly offset: number; readonly length: number }[],
  ): Promise<readonly Content[]> {
    const packs = await this.#packs.get(new Set(slices.map((slice) => slice.packId)))
    const parts = slices.map(({ packId, offset, length }) => {
      const pack = packs.get(packId)
      if (pack === undefined) throw damaged(`pack ${packId}`)
      return { pack, bytes: pack.bytes.subarray(offset, offset + length) }
    })
    const blockIds = new Set(parts.flatMap(blocksElsewhere))
    const blocks = new Map((await this.#blocks([...blockIds])).map((row) => [row.id, row]))
    const others = await this.#packs.get(new Set([...blocks.values()].map((block) => block.pack_id)))

    const textOf = (pack: OpenPack, reference: number): string => {
      const target = pack.references[reference]
      if (target === undefined) throw damaged(`reference ${reference}`)
      if (!('blockId' in target)) return pack.bytes.toString('utf8', target.offset, target.offset + target.length)
      const block = blocks.get(target.blockId)
      const other = block === undefined ? undefined : others.get(block.pack_id)
      if (block === undefined || other === undefined) throw damaged(`block ${target.blockId}`)
      const bytes = other.bytes.subarray(block.offset, block.offset + block.length)
      if (!hash('sha256', bytes, 'buffer').equals(block.hash)) throw damaged(`block ${target.blockId}`)
      return bytes.toString('utf8')
    }
    return parts.map(({ pack, bytes }) => ({ bytes, text: (reference) => textOf(pack, reference) }))
  }

  /** Clears the cache, after content was moved or removed. */
  clear(): void {
    this.#packs.clear()
  }

  /** Gives the cache's memory back. */
  close(): void {
    this.#packs.close()
  }

  #rows(ids: readonly number[]): Promise<readonly PackRow[]> {
    return this.#database.lookup(tables.pack, { columns: ['id', 'raw_size', 'refs', 'data'], key: 'id' }, ids)
  }

  /** The rows of blocks by their ids, in no particular order; unknown ids are missing. */
  async #blocks(ids: readonly number[]): Promise<readonly BlockRow[]> {
    if (ids.length === 0) return []
    const columns = ['id', 'hash', 'pack_id', 'offset', 'length']
    return this.#database.lookup(tables.block, { columns, key: 'id' }, ids)
  }
}

/**
 * The blocks of other packs that a part of a pack refers to: most of a pack's references are those of its other parts.
 * Empty if there are none.
 */
const blocksElsewhere = ({ pack, bytes }: { readonly pack: OpenPack; readonly bytes: Buffer }): readonly number[] =>
  pack.references.some((reference) => 'blockId' in reference)
    ? [...referencesIn(bytes)].flatMap((number) => {
        const reference = pack.references[number]
        return reference !== undefined && 'blockId' in reference ? [reference.blockId] : []
      })
    : []

/** A pack's content; rejects with `storage-corrupt` where it is damaged. */
const unpack = async (row: PackRow): Promise<Buffer> => {
  try {
    // One spare byte, so that the output fits into one chunk.
    const options = {
      maxOutputLength: Math.max(row.raw_size, 1),
      chunkSize: Math.max(row.raw_size + 1, constants.Z_MIN_CHUNK),
    }
    return row.raw_size <= UNPACKED_AT_ONCE
      ? zstdDecompressSync(row.data, options)
      : await decompress(row.data, options)
  } catch (error) {
    throw damaged(`pack ${row.id}`, error)
  }
}

/** The references of a pack; throws `storage-corrupt` where they are damaged. */
const referencesOf = ({ id, refs }: PackRow): readonly BlockReference[] => {
  try {
    return decodeReferences(refs)
  } catch (error) {
    throw damaged(`pack ${id}`, error)
  }
}

/** Makes (does not throw) the `storage-corrupt` error for content that is damaged or missing; `what` names it. */
export const damaged = (what: string, cause?: unknown): StorageError =>
  new StorageError(
    'storage-corrupt',
    `Content of the store is damaged or missing (${what}); the rest can be read. cairn doctor names the sessions that are concerned.`,
    { cause },
  )

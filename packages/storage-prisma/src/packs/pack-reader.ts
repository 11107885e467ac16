/** Reads packed content: decompresses it, resolves references, caches recent packs. */
import { promisify } from 'node:util'
import { hash } from 'node:crypto'
import { constants, zstdDecompress, zstdDecompressSync } from 'node:zlib'
import { SizedCache, StorageError } from '@cairn/core'
import type { MemoryBudget } from '@cairn/core'
import type { SqlReader } from '../sql/database.ts'
import { tables } from '../sql/schema.ts'
import { decodeReferences } from './references.ts'
import type { BlockReference } from './references.ts'

const CACHE_BYTES = 8 * 1024 * 1024

/** Smaller packs are decompressed in less time than a task of the thread pool takes. */
const UNPACKED_AT_ONCE = 64 * 1024

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

/** Reads packed contents, with a cache of recent packs. */
export class PackReader {
  readonly #database: SqlReader
  readonly #packs: SizedCache<number, OpenPack>

  constructor(database: SqlReader, budget: MemoryBudget) {
    this.#database = database
    this.#packs = new SizedCache({
      name: 'packs',
      budget,
      mostBytes: CACHE_BYTES,
      sizeOf: (pack) => pack.bytes.byteLength + 64,
    })
  }

  /** Slices of packs, in the order asked for. Content that is missing or damaged rejects with `storage-corrupt`. */
  async read(
    slices: readonly { readonly packId: number; readonly offset: number; readonly length: number }[],
  ): Promise<readonly Content[]> {
    const packs = await this.#open(new Set(slices.map((slice) => slice.packId)))
    const blockIds = new Set<number>()
    for (const pack of packs.values())
      for (const reference of pack.references) if ('blockId' in reference) blockIds.add(reference.blockId)
    const blocks = new Map(
      (
        await this.#database.lookup<BlockRow>(
          tables.block,
          { columns: ['id', 'hash', 'pack_id', 'offset', 'length'], key: 'id' },
          [...blockIds],
        )
      ).map((row) => [row.id, row]),
    )
    const others = await this.#open(new Set([...blocks.values()].map((block) => block.pack_id)))

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
    return slices.map(({ packId, offset, length }) => {
      const pack = packs.get(packId)
      if (pack === undefined) throw damaged(`pack ${packId}`)
      return { bytes: pack.bytes.subarray(offset, offset + length), text: (reference) => textOf(pack, reference) }
    })
  }

  /** Clears the cache, after content was moved or removed. */
  clear(): void {
    this.#packs.clear()
  }

  /** Gives the cache's memory back. */
  close(): void {
    this.#packs.close()
  }

  async #open(ids: ReadonlySet<number>): Promise<ReadonlyMap<number, OpenPack>> {
    const found = new Map<number, OpenPack>()
    const missing: number[] = []
    for (const id of ids) {
      const pack = this.#packs.get(id)
      if (pack === undefined) missing.push(id)
      else found.set(id, pack)
    }
    for (const row of await this.#database.lookup<PackRow>(
      tables.pack,
      { columns: ['id', 'raw_size', 'refs', 'data'], key: 'id' },
      missing,
    )) {
      const pack = { bytes: await unpack(row), references: referencesOf(row) }
      this.#packs.set(row.id, pack)
      found.set(row.id, pack)
    }
    return found
  }
}

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

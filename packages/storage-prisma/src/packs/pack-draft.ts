/**
 * Content that is written together for one session: new blocks, entry bodies and source lines, in one
 * zstd frame, so that what they have in common costs nothing. Built in two steps: the draft numbers and
 * hashes texts; `seal` leaves out the blocks that the store has already, and compresses.
 */
import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import { encodeReferences } from './references.ts'
import type { BlockReference } from './references.ts'

/** A block's SHA-256 as a map key. */
export type HashKey = string

/** A digest as a map key: a character for each byte. Equal bytes give equal keys. */
export const toHashKey = (digest: Uint8Array): HashKey =>
  Buffer.from(digest.buffer, digest.byteOffset, digest.byteLength).toString('latin1')

/** A text that is long enough to be a block. */
export interface DraftText {
  readonly text: string
  readonly digest: Uint8Array
  readonly key: HashKey
  /** An entry holds it; else only source lines do. */
  inEntry: boolean
}

interface Slice {
  readonly offset: number
  readonly length: number
}

export interface NewBlock extends Slice {
  readonly digest: Uint8Array
  readonly key: HashKey
  readonly inEntry: boolean
}

export interface SealedPack {
  readonly rawSize: number
  readonly data: Uint8Array
  readonly newBlocks: readonly NewBlock[]
  /** Positions of the parts, in the order given. */
  readonly slices: readonly Slice[]
  /** The reference list, once the ids of blocks elsewhere are known. */
  references(blockId: (key: HashKey) => number): Uint8Array
}

const compress = promisify(zstdCompress)
const compression = {
  // Most packs are compressed in one piece.
  chunkSize: 64 * 1024,
  params: {
    [constants.ZSTD_c_compressionLevel]: 3,
    // Damage to a pack is detected when it is read.
    [constants.ZSTD_c_checksumFlag]: 1,
  },
}

/** Chunks as bytes of the given size in all. `size` must be their exact number of bytes; texts are UTF-8. */
const joined = (chunks: readonly (string | Uint8Array)[], size: number): Uint8Array => {
  const bytes = Buffer.allocUnsafe(size)
  let slice = 0
  for (const chunk of chunks) {
    if (typeof chunk === 'string') slice += bytes.write(chunk, slice)
    else {
      bytes.set(chunk, slice)
      slice += chunk.byteLength
    }
  }
  return bytes
}

/** A pack that is being put together: its texts, each once. */
export class PackDraft {
  readonly #numbers = new Map<string, number>()
  readonly texts: DraftText[] = []

  /**
   * The number of a text in this pack, from 0 in the order of coming; the same for the same text. `inEntry`: an entry
   * holds it, not only a source line.
   */
  number(text: string, inEntry: boolean): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) {
      const draft = this.texts[known]
      if (inEntry && draft !== undefined) draft.inEntry = true
      return known
    }
    const digest = hash('sha256', text, 'buffer')
    const number = this.texts.push({ text, digest, key: toHashKey(digest), inEntry }) - 1
    this.#numbers.set(text, number)
    return number
  }

  /** What is noted of a text that has a number already; undefined for any other. Gives no number. */
  find(text: string): DraftText | undefined {
    const number = this.#numbers.get(text)
    return number === undefined ? undefined : this.texts[number]
  }

  /**
   * Compresses `parts` and the blocks that are not `elsewhere`. Runs on the thread pool. `slices` are those of `parts`,
   * in order; `newBlocks` are those that it holds.
   */
  async seal(parts: readonly Uint8Array[], elsewhere: (key: HashKey) => boolean): Promise<SealedPack> {
    const chunks: (string | Uint8Array)[] = []
    let size = 0
    const add = (chunk: string | Uint8Array): Slice => {
      const slice = { offset: size, length: Buffer.byteLength(chunk) }
      chunks.push(chunk)
      size += slice.length
      return slice
    }
    const newBlocks: NewBlock[] = []
    const here = new Map<HashKey, Slice>()
    for (const { text, digest, key, inEntry } of this.texts) {
      if (elsewhere(key)) continue
      const slice = add(text)
      here.set(key, slice)
      newBlocks.push({ ...slice, digest, key, inEntry })
    }
    const slices = parts.map(add)
    const data = await compress(joined(chunks, size), compression)
    const { texts } = this
    return {
      rawSize: size,
      data,
      newBlocks,
      slices,
      references: (blockId) =>
        encodeReferences(texts.map(({ key }): BlockReference => here.get(key) ?? { blockId: blockId(key) })),
    }
  }
}

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

/** A text that is long enough to be a block, by its hash. */
export interface TextFacts {
  readonly digest: Uint8Array
  readonly key: HashKey
  /** An entry holds it; else only source lines do. */
  readonly inEntry: boolean
}

interface DraftText extends TextFacts {
  readonly text: string
  inEntry: boolean
}

/** Where something lies in a pack, bytes. */
export interface Slice {
  readonly offset: number
  readonly length: number
}

export interface NewBlock extends Slice {
  readonly digest: Uint8Array
  readonly key: HashKey
  readonly inEntry: boolean
}

/** A compressed pack. */
export interface PackedContent {
  readonly rawSize: number
  readonly data: Uint8Array
  /** Positions of the blocks, in the order of the draft's texts; undefined for those that are elsewhere. */
  readonly blocks: readonly (Slice | undefined)[]
  /** Positions of the parts, in the order given. */
  readonly slices: readonly Slice[]
}

export interface SealedPack extends Omit<PackedContent, 'blocks'> {
  readonly newBlocks: readonly NewBlock[]
  /** The reference list, once the ids of blocks elsewhere are known. */
  references(blockId: (key: HashKey) => number): Uint8Array
}

/** The pack as what is written, with what is known of its texts, by number. */
export const sealedPack = (
  { blocks, rawSize, data, slices }: PackedContent,
  texts: readonly TextFacts[],
): SealedPack => ({
  rawSize,
  data,
  slices,
  newBlocks: texts.flatMap(({ digest, key, inEntry }, number) => {
    const slice = blocks[number]
    return slice === undefined ? [] : [{ ...slice, digest, key, inEntry }]
  }),
  references: (blockId) =>
    encodeReferences(texts.map(({ key }, number): BlockReference => blocks[number] ?? { blockId: blockId(key) })),
})

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

/** Chunks as bytes of the given size in all. */
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

  /** The number of a text that has one already; undefined for any other. Gives no number. */
  find(text: string): number | undefined {
    return this.#numbers.get(text)
  }

  /** Compresses `parts` and the blocks that are not `elsewhere`, by number. Runs on the thread pool. */
  async pack(parts: readonly Uint8Array[], elsewhere: (number: number) => boolean): Promise<PackedContent> {
    const chunks: (string | Uint8Array)[] = []
    let size = 0
    const add = (chunk: string | Uint8Array): Slice => {
      const slice = { offset: size, length: Buffer.byteLength(chunk) }
      chunks.push(chunk)
      size += slice.length
      return slice
    }
    const blocks = this.texts.map(({ text }, number) => (elsewhere(number) ? undefined : add(text)))
    const slices = parts.map(add)
    const data = await compress(joined(chunks, size), compression)
    return { rawSize: size, data, blocks, slices }
  }
}

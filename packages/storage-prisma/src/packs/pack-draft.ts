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

export const hashKeyOf = (digest: Uint8Array): HashKey =>
  Buffer.from(digest.buffer, digest.byteOffset, digest.byteLength).toString('latin1')

/** A text that is long enough to be a block. */
export interface DraftText {
  readonly text: string
  readonly digest: Uint8Array
  readonly key: HashKey
  /** An entry says it; else it stands only in source lines. */
  said: boolean
}

interface Place {
  readonly offset: number
  readonly length: number
}

export interface NewBlock extends Place {
  readonly digest: Uint8Array
  readonly key: HashKey
  readonly said: boolean
}

export interface SealedPack {
  readonly rawSize: number
  readonly data: Uint8Array
  readonly newBlocks: readonly NewBlock[]
  /** Places of the parts, in the order in which they were given. */
  readonly places: readonly Place[]
  /** The reference list, once the ids of blocks elsewhere are known. */
  references(blockId: (key: HashKey) => number): Uint8Array
}

const compress = promisify(zstdCompress)
const compression = {
  // Most packs are done in one piece.
  chunkSize: 64 * 1024,
  params: {
    [constants.ZSTD_c_compressionLevel]: 3,
    // A damaged pack is noticed when it is read.
    [constants.ZSTD_c_checksumFlag]: 1,
  },
}

const joined = (chunks: readonly (string | Uint8Array)[], size: number): Uint8Array => {
  const bytes = Buffer.allocUnsafe(size)
  let place = 0
  for (const chunk of chunks) {
    if (typeof chunk === 'string') place += bytes.write(chunk, place)
    else {
      bytes.set(chunk, place)
      place += chunk.byteLength
    }
  }
  return bytes
}

export class PackDraft {
  readonly #numbers = new Map<string, number>()
  readonly texts: DraftText[] = []

  /** The text's number in this pack. */
  number(text: string, said: boolean): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) {
      const draft = this.texts[known]
      if (said && draft !== undefined) draft.said = true
      return known
    }
    const digest = hash('sha256', text, 'buffer')
    const number = this.texts.push({ text, digest, key: hashKeyOf(digest), said }) - 1
    this.#numbers.set(text, number)
    return number
  }

  /** The block of a text that was numbered. */
  find(text: string): DraftText | undefined {
    const number = this.#numbers.get(text)
    return number === undefined ? undefined : this.texts[number]
  }

  /** Compresses `parts` with the blocks that are not `elsewhere`. Runs on the thread pool. */
  async seal(parts: readonly Uint8Array[], elsewhere: (key: HashKey) => boolean): Promise<SealedPack> {
    const chunks: (string | Uint8Array)[] = []
    let size = 0
    const add = (chunk: string | Uint8Array): Place => {
      const place = { offset: size, length: Buffer.byteLength(chunk) }
      chunks.push(chunk)
      size += place.length
      return place
    }
    const newBlocks: NewBlock[] = []
    const here = new Map<HashKey, Place>()
    for (const { text, digest, key, said } of this.texts) {
      if (elsewhere(key)) continue
      const place = add(text)
      here.set(key, place)
      newBlocks.push({ ...place, digest, key, said })
    }
    const places = parts.map(add)
    const data = await compress(joined(chunks, size), compression)
    const { texts } = this
    return {
      rawSize: size,
      data,
      newBlocks,
      places,
      references: (blockId) =>
        encodeReferences(texts.map(({ key }): BlockReference => here.get(key) ?? { blockId: blockId(key) })),
    }
  }
}

/** A copy of a request's body, bounded, so that what passes through is never waited for. */
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import { promisify } from 'node:util'

/** Bytes of a body, and of what it unpacks to, that are kept to be read: the APIs themselves take no more. */
export const LARGEST_COPY = 32 << 20

/** A body as text, or why it can't be read. */
export type BodyText = { readonly text: string } | { readonly unread: string }

/** Collects a body's bytes; one that grows too large is let go of. */
export class BodyCopy {
  #chunks: Uint8Array[] = []
  #bytes = 0

  /** How many bytes passed, whether kept or not. */
  get bytes(): number {
    return this.#bytes
  }

  take(chunk: Uint8Array): void {
    this.#bytes += chunk.length
    if (this.#bytes > LARGEST_COPY) this.#chunks = []
    else this.#chunks.push(chunk)
  }

  /** The body, unpacked by its content-encoding. Never rejects. */
  async text(encoding: string | undefined): Promise<BodyText> {
    if (this.#bytes > LARGEST_COPY) return { unread: `it is larger than ${LARGEST_COPY >> 20} MiB` }
    try {
      const bytes = await unpacked(Buffer.concat(this.#chunks), encoding)
      return bytes === undefined
        ? { unread: `its content-encoding, ${shown(encoding)}, is not known` }
        : { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
    } catch {
      return { unread: 'it is not valid UTF-8, or can not be unpacked' }
    }
  }
}

const shown = (encoding: string | undefined): string => (encoding ?? '').replace(/[^\w, -]/g, '?').slice(0, 40)

const UNPACKERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
} as const

/** Unpacks bytes; undefined for an encoding that is not known. Rejects for what is damaged or unpacks to too much. */
const unpacked = async (bytes: Buffer, encoding: string | undefined): Promise<Buffer | undefined> => {
  const name = encoding?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'identity') return bytes
  if (!Object.hasOwn(UNPACKERS, name)) return undefined
  return UNPACKERS[name as keyof typeof UNPACKERS](bytes, { maxOutputLength: LARGEST_COPY })
}

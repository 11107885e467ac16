/** A copy of a request's body, bounded, so that what passes through is never waited for. */
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { codeOf } from '../system-reason.ts'

/** Bytes of a body, and of what it unpacks to, that are kept to be read: the APIs themselves take no more. */
export const LARGEST_COPY = 32 << 20

const LARGEST = `${LARGEST_COPY >> 20} MiB`

/** A body as text, or why it can't be read, as the end of a sentence: "it is larger than 32 MiB". */
export type BodyText = { readonly text: string } | { readonly unread: string }

/**
 * A body that can't be read. `large`: it has, or unpacks to, more than `LARGEST_COPY`; `busy`: all copies together held
 * too much; `form`: its content-encoding is unknown, or it is damaged.
 */
interface UnreadBody {
  readonly unread: string
  readonly reason: 'large' | 'busy' | 'form'
}

/** An unpacked body, or why it can't be read. */
type BodyContent = { readonly content: Uint8Array } | UnreadBody

/** Bytes that all copies of a gateway may hold at once; beyond that a body is passed on and not kept. */
const MOST_COPIED = 256 << 20

/** What the copies of one gateway share. */
export interface CopyAllowance {
  /** Bytes that all copies together may still take; each gives its own back when it is read, released or dropped. */
  left: number
}

/** A new allowance for all copies of a gateway together, of which nothing is taken yet. */
export const newAllowance = (): CopyAllowance => ({ left: MOST_COPIED })

/**
 * Collects a body's bytes; a copy that grows too large is dropped. Read it once or `release` it: until then its bytes
 * are taken from the allowance.
 */
export class BodyCopy {
  #chunks: Uint8Array[] = []
  #bytes = 0
  /** Bytes that are kept. */
  #kept = 0
  #dropped: UnreadBody | undefined
  readonly #allowance: CopyAllowance

  constructor(allowance: CopyAllowance) {
    this.#allowance = allowance
  }

  /** How many bytes passed, whether kept or not. */
  get bytes(): number {
    return this.#bytes
  }

  /** Whether it was dropped because it, or all copies together, grew too large; not set by reading or `release`. */
  get isDropped(): boolean {
    return this.#dropped !== undefined
  }

  /**
   * Copies a chunk. Once the copy is too large, or all copies together are, it is dropped with the reason, and later
   * chunks only count.
   */
  take(chunk: Uint8Array): void {
    this.#bytes += chunk.length
    if (this.#dropped !== undefined) return
    if (this.#bytes > LARGEST_COPY) this.#drop({ unread: `it is larger than ${LARGEST}`, reason: 'large' })
    else if (chunk.length > this.#allowance.left)
      this.#drop({ unread: 'too many large requests were under way', reason: 'busy' })
    else {
      this.#chunks.push(chunk)
      this.#kept += chunk.length
      this.#allowance.left -= chunk.length
    }
  }

  /**
   * The body as text, unpacked by its content-encoding (undefined: as it came). `unread`, with the reason, if the copy
   * was dropped, the encoding is unknown (several at once are), or it is damaged, unpacks to too much or is not UTF-8.
   * Never rejects. Ask once: this releases the copy, and a second call finds an empty body.
   */
  async text(encoding: string | undefined): Promise<BodyText> {
    const content = await this.content(encoding)
    if ('unread' in content) return content
    try {
      return { text: new TextDecoder('utf-8', { fatal: true }).decode(content.content) }
    } catch {
      return { unread: 'it is not valid UTF-8' }
    }
  }

  /**
   * As `text`, but as bytes, whatever they are, and with the kind of the reason. Releases the copy, too: ask once.
   * @param encoding the body's content-encoding; undefined or `identity`: it is not packed
   */
  async content(encoding: string | undefined): Promise<BodyContent> {
    if (this.#dropped !== undefined) return this.#dropped
    try {
      const content = await unpacked(Buffer.concat(this.#chunks), encoding)
      return content === undefined
        ? { unread: `its content-encoding, ${shown(encoding)}, is not known`, reason: 'form' }
        : { content }
    } catch (error) {
      return codeOf(error) === 'ERR_BUFFER_TOO_LARGE'
        ? { unread: `it unpacks to more than ${LARGEST}`, reason: 'large' }
        : { unread: 'it can not be unpacked', reason: 'form' }
    } finally {
      this.release()
    }
  }

  /** Drops the copy for good, and keeps the reason for whoever asks for the body. */
  #drop(why: UnreadBody): void {
    this.#dropped = why
    this.release()
  }

  /** Lets the bytes go and gives them back to the allowance; for a copy that nobody will read. */
  release(): void {
    this.#allowance.left += this.#kept
    this.#kept = 0
    this.#chunks = []
  }
}

/** A body's bytes as they came. */
export interface ReadBody {
  readonly chunks: readonly Uint8Array[]
  /** False: it was larger than `LARGEST_COPY` and goes on in the stream, or it broke off. */
  readonly isWhole: boolean
}

/**
 * Reads a body to its end, or until it is larger than `LARGEST_COPY`; the stream is then paused, and the rest can still
 * be read from it. Never rejects: a stream that breaks off gives what came, one that was over before gives nothing.
 */
export const readWhole = (stream: Readable): Promise<ReadBody> =>
  new Promise((resolve) => {
    const chunks: Uint8Array[] = []
    let bytes = 0
    const finish = (isWhole: boolean): void => {
      stream.off('data', take).off('end', end).off('close', cut)
      resolve({ chunks, isWhole })
    }
    const take = (chunk: Uint8Array): void => {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes <= LARGEST_COPY) return
      stream.pause()
      finish(false)
    }
    const end = (): void => finish(true)
    const cut = (): void => finish(false)
    // It tells of its end only once.
    if (stream.destroyed || stream.readableEnded) {
      cut()
      return
    }
    stream.on('data', take).on('end', end).on('close', cut)
  })

/** An encoding as it may stand in a sentence: at most 40 characters, with `?` for unusual ones. */
const shown = (encoding: string | undefined): string => (encoding ?? '').replace(/[^\w, -]/g, '?').slice(0, 40)

const UNPACKERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
} as const

/** The bytes unpacked; undefined for an unknown encoding. Rejects for what is damaged or unpacks to too much. */
const unpacked = async (bytes: Buffer, encoding: string | undefined): Promise<Buffer | undefined> => {
  const name = encoding?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'identity') return bytes
  if (!Object.hasOwn(UNPACKERS, name)) return undefined
  return UNPACKERS[name as keyof typeof UNPACKERS](bytes, { maxOutputLength: LARGEST_COPY })
}

/**
 * Unpacks gzip member by member. What comes before damage is given out before the error is thrown, and bytes after the
 * last member that are no member are left out with a notice. (Node's own stream takes such bytes for a damaged member,
 * and then gives nothing of a small file.)
 */
import { crc32, createInflateRaw, type InflateRaw } from 'node:zlib'

/** Packed bytes that are unpacked at once: they may become a thousand times as many. */
const PIECE_BYTES = 8 * 1024
/** Most bytes of a name or comment in a member's head. */
const LONGEST_NAME = 64 * 1024
const HEAD_BYTES = 10
const TAIL_BYTES = 8
const FLAGS = { check: 2, extra: 4, name: 8, comment: 16, reserved: 0xe0 } as const
const NOTICE = 'what follows the compressed content is no gzip, and was left out'

/** Damage, named as zlib names it. */
class GzipError extends Error {
  readonly code: 'Z_DATA_ERROR' | 'Z_BUF_ERROR'

  constructor(code: 'Z_DATA_ERROR' | 'Z_BUF_ERROR') {
    super(code === 'Z_DATA_ERROR' ? 'the compressed content is damaged' : 'the compressed content ends too early')
    this.code = code
  }
}

/**
 * The unpacked content of a gzip file, which may be several, one after the other (members). Where something else
 * follows them, `onNotice` is told and reading ends. Throws errors with zlib's codes, also for what is no gzip or ends
 * too early.
 */
export async function* unpackedGzip(
  chunks: AsyncIterable<Uint8Array>,
  onNotice: (notice: string) => void = () => undefined,
): AsyncGenerator<Uint8Array> {
  const source = createSource(chunks)
  try {
    for (let members = 0; ; members++) {
      if (members > 0 && (await source.ahead(1)).length === 0) return
      const head = await headLength(source)
      if (typeof head === 'number') {
        source.skip(head)
        yield* memberContent(source)
      } else if (members === 0) throw head
      else {
        onNotice(NOTICE)
        return
      }
    }
  } finally {
    await source.end()
  }
}

/** Bytes of a stream that can be looked at before they are taken (`skip`). `end` lets go of the stream. */
const createSource = (chunks: AsyncIterable<Uint8Array>) => {
  const reader = chunks[Symbol.asyncIterator]()
  let held: Uint8Array = new Uint8Array(0)
  return {
    /** At least so many bytes, or all that are left. Valid until the next call. */
    ahead: async (count: number): Promise<Uint8Array> => {
      while (held.length < count) {
        const next = await reader.next()
        if (next.done === true) break
        held = held.length === 0 ? next.value : Buffer.concat([held, next.value])
      }
      return held
    },
    skip: (count: number): void => {
      held = held.subarray(count)
    },
    end: async (): Promise<void> => {
      await reader.return?.()
    },
  }
}

type Source = ReturnType<typeof createSource>

/** The length of the next member's head, bytes; where there is none, the error that says why, which is not thrown. */
const headLength = async (source: Source): Promise<number | GzipError> => {
  const fixed = await source.ahead(HEAD_BYTES)
  if (!isHead(fixed)) return new GzipError(fixed.length === 0 ? 'Z_BUF_ERROR' : 'Z_DATA_ERROR')
  const flags = fixed[3] ?? 0
  let length = HEAD_BYTES
  if ((flags & FLAGS.extra) !== 0) {
    const bytes = await source.ahead(length + 2)
    length += 2 + (bytes[length] ?? 0) + (bytes[length + 1] ?? 0) * 256
  }
  for (const text of [FLAGS.name, FLAGS.comment]) {
    if ((flags & text) === 0) continue
    const end = (await source.ahead(length + LONGEST_NAME)).indexOf(0, length)
    if (end === -1) return new GzipError('Z_DATA_ERROR')
    length = end + 1
  }
  if ((flags & FLAGS.check) !== 0) length += 2
  return (await source.ahead(length)).length < length ? new GzipError('Z_BUF_ERROR') : length
}

/** Whether bytes begin a member, or could with more bytes after them; false for none. */
const isHead = ([first, second = 0x8b, method = 8, flags = 0]: Uint8Array): boolean =>
  first === 0x1f && second === 0x8b && method === 8 && (flags & FLAGS.reserved) === 0

/**
 * The content of one member, piece by piece; its sum and length are checked only after the last one. Throws a GzipError
 * where these differ or it is cut off, zlib's error for damaged data.
 */
async function* memberContent(source: Source): AsyncGenerator<Uint8Array> {
  const inflater = createInflateRaw({ chunkSize: 1 << 18 })
  let given: Uint8Array[] = []
  inflater.on('data', (chunk: Uint8Array) => given.push(chunk))
  let [check, size] = [0, 0]
  try {
    for (let isWhole = false; !isWhole;) {
      const piece = (await source.ahead(1)).subarray(0, PIECE_BYTES)
      if (piece.length === 0) throw new GzipError('Z_BUF_ERROR')
      const taken = await inflate(inflater, piece)
      source.skip(taken)
      isWhole = taken < piece.length
      for (const chunk of given) {
        check = crc32(chunk, check)
        size = (size + chunk.length) % 2 ** 32
        yield chunk
      }
      given = []
    }
  } finally {
    inflater.destroy()
  }
  const tail = await source.ahead(TAIL_BYTES)
  if (tail.length < TAIL_BYTES) throw new GzipError('Z_BUF_ERROR')
  const view = new DataView(tail.buffer, tail.byteOffset, TAIL_BYTES)
  if (view.getUint32(0, true) !== check || view.getUint32(4, true) !== size) throw new GzipError('Z_DATA_ERROR')
  source.skip(TAIL_BYTES)
}

/**
 * Unpacks a piece. Resolves with how many of its bytes were taken: fewer than all where the compressed data ends among
 * them. Rejects with zlib's error for damaged data.
 */
const inflate = (inflater: InflateRaw, piece: Uint8Array): Promise<number> =>
  new Promise((resolve, reject) => {
    const before = inflater.bytesWritten
    // Damage is only told by the event.
    inflater.once('error', reject)
    inflater.write(piece, (error) => {
      if (error) {
        reject(error)
        return
      }
      inflater.off('error', reject)
      resolve(inflater.bytesWritten - before)
    })
  })

/**
 * Unpacks zstd, in which Codex keeps its older rollouts, frame by frame: Node's own stream ends with the first frame and
 * says nothing of what follows.
 */
import { createZstdDecompress } from 'node:zlib'

/** Bytes that are unpacked at once: they may become thousands of times as many. */
const PIECE_BYTES = 8 * 1024

/**
 * The unpacked content of a zstd file, which may be several, one after the other (frames). Throws errors with zlib's codes:
 * `Z_BUF_ERROR` where it ends too early, others for what is no frame.
 */
export async function* unpackedZstd(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let frame = startFrame()
  let frames = 1
  try {
    for await (const chunk of chunks) {
      for (let start = 0; start < chunk.length;) {
        const piece = chunk.subarray(start, start + PIECE_BYTES)
        const taken = await frame.write(piece)
        yield* frame.unpacked()
        start += taken
        if (taken === piece.length) continue
        // A frame ends before what was not taken.
        frame.close()
        frame = startFrame()
        frames++
      }
    }
    if (frames === 1 || frame.hasBytes()) await frame.end()
    yield* frame.unpacked()
  } finally {
    frame.close()
  }
}

/** Begins to unpack a frame; `unpacked` gives what has come since it was last asked. */
const startFrame = () => {
  const stream = createZstdDecompress()
  let given: Uint8Array[] = []
  let hasEnded = false
  stream.on('data', (chunk: Uint8Array) => given.push(chunk))
  stream.on('end', () => {
    hasEnded = true
  })
  /** A promise that also rejects for the stream's `error` event: damage is told by that alone. */
  const settled = <T>(begin: (resolve: (value: T) => void, reject: (error: Error) => void) => void): Promise<T> =>
    new Promise((resolve, reject) => {
      stream.once('error', reject)
      begin((value) => {
        stream.off('error', reject)
        resolve(value)
      }, reject)
    })
  return {
    /** How many of the bytes were taken: fewer than all where the frame ends among them, or ended before. */
    write: async (piece: Uint8Array): Promise<number> => {
      if (hasEnded) return 0
      const before = stream.bytesWritten
      return settled<number>((resolve, reject) =>
        stream.write(piece, (error) => (error ? reject(error) : resolve(stream.bytesWritten - before))),
      )
    },
    hasBytes: (): boolean => stream.bytesWritten > 0,
    /** Rejects where the frame is not whole. */
    end: async (): Promise<void> => {
      if (hasEnded) return
      await settled<undefined>((resolve) => {
        stream.once('end', () => resolve(undefined))
        stream.end()
      })
    },
    unpacked: (): readonly Uint8Array[] => {
      const chunks = given
      given = []
      return chunks
    },
    close: (): void => {
      stream.destroy()
    },
  }
}

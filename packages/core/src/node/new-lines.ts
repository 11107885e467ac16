/** Reads what was added to a file that somebody else is writing, by whole lines. */
import { open } from 'node:fs/promises'

export interface NewLines {
  /** Without their ends; empty ones are left out. */
  readonly lines: readonly string[]
  /** Where the next reading begins, bytes. */
  readonly offset: number
}

/**
 * The whole lines from an offset (bytes) on; a last line without its end is left for the next call. None, and the same
 * offset, for a file that is no longer than the offset, also one that was cut short. Rejects where it can't be read.
 */
export const readNewLines = async (path: string, offset: number): Promise<NewLines> => {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size <= offset) return { lines: [], offset }
    const bytes = Buffer.alloc(size - offset)
    const { bytesRead } = await file.read(bytes, 0, bytes.length, offset)
    const end = bytes.subarray(0, bytesRead).lastIndexOf(0x0a) + 1
    const lines = bytes.subarray(0, end).toString('utf8').split('\n')
    return { lines: lines.filter((line) => line !== ''), offset: offset + end }
  } finally {
    await file.close()
  }
}

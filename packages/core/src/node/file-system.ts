/**
 * The FileSystem port over `node:fs`. Plain files are read through two buffers that take turns, so a
 * file of any size costs two megabytes; compressed ones are unpacked on the way.
 */
import { lstat, open, readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CairnError } from '../errors.ts'
import type { FileFacts, FileSystem } from '../ports/file-system.ts'
import { appendText } from './append-text.ts'
import { readDatabaseFile } from './database-file.ts'
import { realPathOf } from './real-path.ts'
import { codeOf, systemReason } from './system-reason.ts'
import { unpackedGzip } from './unpack-gzip.ts'
import { unpackedZstd } from './unpack-zstd.ts'

const CHUNK_BYTES = 1 << 20
/** How many entries of a folder are looked at together. */
const STAT_BATCH = 64

/**
 * A file system on the disk. Where nothing is, `stat` and `readText` give undefined; for a link that leads nowhere
 * `stat` gives the kind `dangling-link`, `readText` undefined. Other errors, also those that `readDatabase`'s `read`
 * throws, become a CairnError `read-failed`, unless they are a CairnError already; an aborted `list` rejects with the
 * signal's reason, and `append` with what the system says. `realPath` never rejects.
 */
export const createFileSystem = (): FileSystem => ({
  /** The facts of what a path leads to; undefined where nothing is, not even a link. Rejects with `read-failed`. */
  stat: async (path) => {
    try {
      const facts = await factsOf(path)
      return facts.kind === 'dangling-link' && !(await isLink(path)) ? undefined : facts
    } catch (cause) {
      throw readFailed(path, cause)
    }
  },
  /** What is in a folder, sorted by name. Rejects with `read-failed`, once aborted with the signal's reason. */
  list: async (directory, signal) => {
    try {
      return await entriesOf(directory, signal)
    } catch (cause) {
      if (signal?.aborted === true) throw cause
      throw readFailed(directory, cause)
    }
  },
  read: (path, offset = 0, options) =>
    options?.unpack === undefined ? plain(path, offset) : unpacked(path, offset, options.unpack, options.onNotice),
  realPath: async (path) => realPathOf(path),
  /** A whole file as text, by UTF-8; undefined where nothing is. Rejects with `read-failed`. */
  readText: async (path) => {
    try {
      return await readFile(path, 'utf8')
    } catch (cause) {
      if (isMissing(cause)) return undefined
      throw readFailed(path, cause)
    }
  },
  append: async (path, text) => appendText(path, text),
  /** As `readDatabaseFile`; all errors that are no CairnError become `read-failed`. */
  readDatabase: async (path, read) => {
    try {
      return await readDatabaseFile(path, read)
    } catch (cause) {
      throw readFailed(path, cause)
    }
  },
})

/**
 * What is in a folder itself, sorted by name (code units), links followed. Rejects with the signal's reason when
 * aborted, and with the system's error where the folder can't be read.
 */
const entriesOf = async (directory: string, signal: AbortSignal | undefined): Promise<readonly FileFacts[]> => {
  const entries = (await readdir(directory, { withFileTypes: true })).sort((left, right) =>
    left.name < right.name ? -1 : left.name > right.name ? 1 : 0,
  )
  const found: FileFacts[] = []
  for (let start = 0; start < entries.length; start += STAT_BATCH) {
    signal?.throwIfAborted()
    const batch = entries.slice(start, start + STAT_BATCH).map(async (entry) => {
      const facts = await factsOf(join(directory, entry.name))
      return entry.isSymbolicLink() ? { ...facts, isLink: true } : facts
    })
    for (const facts of await Promise.all(batch)) found.push(facts)
  }
  return found
}

/**
 * The facts of what a path leads to, links followed. The kind is `dangling-link` also where nothing is at the path
 * itself, `circular-link` for links in a circle, `other` for pipes, devices and what may not be looked at. What can't
 * be looked at has size and time 0 and no identity. Rejects for the system's other errors.
 */
const factsOf = async (path: string): Promise<FileFacts> => {
  try {
    const found = await stat(path, { bigint: true })
    const kind = found.isFile() ? 'file' : found.isDirectory() ? 'directory' : 'other'
    const modifiedAt = Number(found.mtimeNs / 1_000_000n)
    return { path, kind, size: Number(found.size), modifiedAt, identity: `${found.dev}:${found.ino}` }
  } catch (cause) {
    const code = codeOf(cause)
    if (code === 'ENOENT' || code === 'ENOTDIR')
      return { path, kind: 'dangling-link', size: 0, modifiedAt: 0, identity: '' }
    if (code === 'ELOOP') return { path, kind: 'circular-link', size: 0, modifiedAt: 0, identity: '' }
    // What may not be looked at is shown as being there: opening it then says why it can't be read.
    if (code === 'EACCES' || code === 'EPERM') return { path, kind: 'other', size: 0, modifiedAt: 0, identity: '' }
    throw cause
  }
}

/** Whether the path itself is a link; false if it is missing. Rejects where it can't be looked at. */
const isLink = async (path: string): Promise<boolean> => {
  try {
    return (await lstat(path)).isSymbolicLink()
  } catch (cause) {
    if (isMissing(cause)) return false
    throw cause
  }
}

/**
 * The bytes of a file from an offset on; a chunk is valid until the one after the next is asked for. Throws
 * `read-failed`.
 */
async function* plain(path: string, offset: number): AsyncGenerator<Uint8Array> {
  let file: Awaited<ReturnType<typeof open>> | undefined
  try {
    file = await open(path, 'r')
    const buffers = [Buffer.allocUnsafeSlow(CHUNK_BYTES), Buffer.allocUnsafeSlow(CHUNK_BYTES)] as const
    let position = offset
    for (let turn = 0; ; turn++) {
      const buffer = turn % 2 === 0 ? buffers[0] : buffers[1]
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, position)
      if (bytesRead === 0) return
      position += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } catch (cause) {
    throw readFailed(path, cause)
  } finally {
    await file?.close()
  }
}

/**
 * The unpacked bytes of a file from an offset on, which counts unpacked bytes; all before it is unpacked, too. Throws
 * `read-failed`, also for damaged data. `onNotice` is told where other data follows gzip, which is not read.
 */
async function* unpacked(
  path: string,
  offset: number,
  unpack: 'gzip' | 'zstd',
  onNotice: ((notice: string) => void) | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    let toSkip = offset
    const packed = plain(path, 0)
    for await (const chunk of unpack === 'gzip' ? unpackedGzip(packed, onNotice) : unpackedZstd(packed)) {
      if (toSkip >= chunk.length) {
        toSkip -= chunk.length
        continue
      }
      yield toSkip > 0 ? chunk.subarray(toSkip) : chunk
      toSkip = 0
    }
  } catch (cause) {
    throw readFailed(path, cause)
  }
}

/** Whether an error says that there is no such file, or that a folder above it is none. */
const isMissing = (thrown: unknown): boolean => {
  const code = codeOf(thrown)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

/** Wraps a system error; one that already is a CairnError (a consumer's own, thrown into the loop) stays as it is. */
const readFailed = (path: string, cause: unknown): CairnError => {
  if (CairnError.is(cause)) return cause
  return new CairnError('read-failed', `${path}: ${systemReason(cause) ?? codeOf(cause) ?? 'it could not be read'}`, {
    cause,
  })
}

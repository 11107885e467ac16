/** The file operations that the engine needs. Paths are absolute; errors reject with a CairnError. */
import type { DatabaseSnapshot } from './database-file.ts'

export interface FileFacts {
  readonly path: string
  /** `circular-link`: a link on the way leads back to itself. */
  readonly kind: 'file' | 'directory' | 'dangling-link' | 'circular-link' | 'other'
  /** Bytes. */
  readonly size: number
  /** Time of the last change, whole ms since the epoch. */
  readonly modifiedAt: number
  /** Identifies the file on one machine, even after it was renamed (device and inode). */
  readonly identity: string
  /** Whether the path itself is a link; the other facts are those of its target. Set when a folder was listed. */
  readonly isLink?: boolean
}

export interface ReadOptions {
  /** The content is compressed: decompress it; offsets refer to the decompressed content. */
  readonly unpack?: 'gzip' | 'zstd'
  /** Receives a notice of what was skipped in a content that was otherwise read to its end. */
  readonly onNotice?: (notice: string) => void
}

export interface FileSystem {
  /** Follows links; undefined if nothing is there. */
  stat(path: string): Promise<FileFacts | undefined>
  /** A folder's entries, sorted by name; links are followed. Rejects with the signal's reason once it is aborted. */
  list(directory: string, signal?: AbortSignal): Promise<readonly FileFacts[]>
  /**
   * Reads from `offset` on, in chunks of about a megabyte; a chunk may be reused once the next one is requested. Throws
   * `read-failed`, also for a missing file and for damaged data.
   */
  read(path: string, offset?: number, options?: ReadOptions): AsyncIterable<Uint8Array>
  /** The path with all links resolved: where a read would really go. Also works for paths that do not exist (yet). */
  realPath(path: string): Promise<string>
  /** A small file as text; undefined if nothing is there. */
  readText(path: string): Promise<string | undefined>
  /**
   * Appends text to a file in one write, which is on disk when the promise resolves; a missing file and its folder are
   * created, accessible only to the user. Rejects if the file can't be written.
   */
  append(path: string, text: string): Promise<void>
  /**
   * Calls `read`, which must be synchronous, with a SQLite database and resolves with its result; if the file was
   * replaced in the meantime, `read` is called again. The file and its log are neither changed nor locked against their
   * program.
   */
  readDatabase<T>(path: string, read: (database: DatabaseSnapshot) => T): Promise<T>
}

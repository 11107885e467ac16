/** Files, as the engine needs them. Paths are absolute; errors reject with a CairnError. */
import type { DatabaseSnapshot } from './database-file.ts'

export interface FileFacts {
  readonly path: string
  /** `circular-link`: links on the way to it lead back to themselves. */
  readonly kind: 'file' | 'directory' | 'dangling-link' | 'circular-link' | 'other'
  /** Bytes. */
  readonly size: number
  /** Last change, whole ms since the epoch. */
  readonly modifiedAt: number
  /** Same file, same text, on one machine, even after it was renamed (device and inode). */
  readonly identity: string
  /** Whether the path itself is a link; all else tells of what it leads to. Known where a folder was listed. */
  readonly isLink?: boolean
}

export interface ReadOptions {
  /** The content is compressed: give it unpacked; offsets are those of the unpacked content. */
  readonly unpack?: 'gzip' | 'zstd'
  /** Is told what was left out of a content that was read to its end all the same. */
  readonly onNotice?: (notice: string) => void
}

export interface FileSystem {
  /** Follows links; undefined when nothing is there. */
  stat(path: string): Promise<FileFacts | undefined>
  /** A folder's entries, sorted by name; links are followed. Rejects with the signal's reason once it is aborted. */
  list(directory: string, signal?: AbortSignal): Promise<readonly FileFacts[]>
  /** Bytes from `offset` on, in chunks of about a megabyte; the chunk may be reused after the next one is asked for. */
  read(path: string, offset?: number, options?: ReadOptions): AsyncIterable<Uint8Array>
  /** The path with every link in it followed: where a read would really go. Also for what is not there (yet). */
  realPath(path: string): Promise<string>
  /** A small file as text; undefined when nothing is there. */
  readText(path: string): Promise<string | undefined>
  /**
   * Adds text at a file's end in one write, on disk when it resolves; a missing file and its folder are made for the user
   * alone. Rejects where it can't be written.
   */
  append(path: string, text: string): Promise<void>
  /**
   * Gives a SQLite database to `read`, which must not wait for anything, and then what it made of it; where the file was
   * replaced meanwhile, `read` is called again. The file, its log beside it included, is neither changed nor kept from
   * its program.
   */
  readDatabase<T>(path: string, read: (database: DatabaseSnapshot) => T): Promise<T>
}

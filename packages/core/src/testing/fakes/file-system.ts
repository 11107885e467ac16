/**
 * Files in memory. Paths are absolute and use `/`; a folder exists while something is in it. A file keeps its identity
 * when its content changes and when it is renamed, as on a disk.
 */
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { CairnError } from '../../errors.ts'
import type { FileFacts, FileSystem, ReadOptions } from '../../ports/file-system.ts'

const UNPACKERS = { gzip: gunzipSync, zstd: zstdDecompressSync }

const unpacked = (bytes: Uint8Array, unpack: ReadOptions['unpack']): Uint8Array =>
  unpack === undefined ? bytes : UNPACKERS[unpack](bytes)

export interface InMemoryFileSystem extends FileSystem {
  /** Makes or replaces a file's content; an existing file stays the same file. */
  write(path: string, content: string | Uint8Array, modifiedAt?: number): void
  /** Moves a file, over whatever was there. */
  rename(from: string, to: string): void
  /** A link that leads nowhere. */
  linkToNowhere(path: string): void
  /** A link to another path, of a file or of a folder; only `realPath` and reads follow it. */
  link(path: string, target: string): void
  remove(path: string): void
}

interface MemoryFile {
  bytes: Uint8Array
  modifiedAt: number
  readonly identity: string
  readonly isDangling: boolean
}

const toBytes = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content.slice()

const CHUNK_BYTES = 1 << 20

/**
 * A file system in memory that holds `contents`, by path. Texts are stored as UTF-8; it has no databases. A path that
 * is not absolute is refused with an Error.
 */
export const createInMemoryFileSystem = (
  contents: Readonly<Record<string, string | Uint8Array>> = {},
): InMemoryFileSystem => {
  const disk = new Disk()
  for (const [path, content] of Object.entries(contents)) disk.write(path, content)
  // Plain functions, because tests spread a file system to replace one of them.
  return {
    stat: async (path) => disk.factsOf(path),
    list: async (folder) => disk.list(folder),
    read: async function* (path, offset = 0, options) {
      const file = disk.file(path)
      if (file === undefined) throw new CairnError('read-failed', `'${path}' can't be read: there is no such file.`)
      const bytes = unpacked(file.bytes, options?.unpack)
      for (let start = offset; start < bytes.length; start += CHUNK_BYTES) yield bytes.slice(start, start + CHUNK_BYTES)
    },
    realPath: async (path) => disk.realPath(path),
    readText: async (path) => {
      const file = disk.file(path)
      return file === undefined ? undefined : new TextDecoder().decode(file.bytes)
    },
    readDatabase: (path) =>
      Promise.reject(new CairnError('read-failed', `'${path}' can't be read: files in memory are no databases.`)),
    write: (path, content, modifiedAt) => disk.write(path, content, modifiedAt),
    append: async (path, text) => disk.append(path, text),
    rename: (from, to) => disk.rename(from, to),
    linkToNowhere: (path) => disk.linkToNowhere(path),
    link: (path, target) => disk.link(path, target),
    remove: (path) => disk.remove(path),
  }
}

class Disk {
  readonly #files = new Map<string, MemoryFile>()
  readonly #links = new Map<string, string>()
  #identities = 0

  /**
   * Writes a file, or new content into one that is there; its identity stays. Throws for a path that is not absolute.
   */
  write(path: string, content: string | Uint8Array, modifiedAt = 0): void {
    if (!path.startsWith('/')) throw new Error(`not an absolute path: ${path}`)
    const known = this.#files.get(path)
    if (known !== undefined && !known.isDangling) Object.assign(known, { bytes: toBytes(content), modifiedAt })
    else this.#add(path, { bytes: toBytes(content), modifiedAt, isDangling: false })
  }

  /** Adds to a file's end; a missing one is made. Its time is 0 then. */
  append(path: string, content: string): void {
    const before = this.file(path)?.bytes ?? new Uint8Array()
    const added = toBytes(content)
    const bytes = new Uint8Array(before.length + added.length)
    bytes.set(before)
    bytes.set(added, before.length)
    this.write(path, bytes)
  }

  /** Renames a file, whose identity stays; another at the new path is lost. Throws if there is none. */
  rename(from: string, to: string): void {
    const file = this.#files.get(from)
    if (file === undefined) throw new Error(`no such file: ${from}`)
    this.#files.delete(from)
    this.#files.set(to, file)
  }

  linkToNowhere(path: string): void {
    this.#add(path, { bytes: new Uint8Array(), modifiedAt: 0, isDangling: true })
  }

  link(path: string, target: string): void {
    this.#links.set(path, target)
  }

  remove(path: string): void {
    this.#files.delete(path)
  }

  /** The file that a path leads to, links followed; undefined for none and for a link to nowhere. */
  file(path: string): MemoryFile | undefined {
    const file = this.#files.get(this.realPath(path))
    return file?.isDangling === true ? undefined : file
  }

  /** The facts of what a path leads to; undefined for nothing. A folder is there as long as something is in it. */
  factsOf(path: string): FileFacts | undefined {
    const file = this.#files.get(this.realPath(path))
    if (file !== undefined) {
      return {
        path,
        kind: file.isDangling ? 'dangling-link' : 'file',
        size: file.bytes.length,
        modifiedAt: file.modifiedAt,
        identity: file.identity,
      }
    }
    const inside = path === '/' ? path : `${path}/`
    const isFolder = [...this.#files.keys()].some((known) => known.startsWith(inside))
    return isFolder ? { path, kind: 'directory', size: 0, modifiedAt: 0, identity: `memory:${path}` } : undefined
  }

  /** What lies directly in a folder, sorted by name; empty if nothing does. */
  list(folder: string): readonly FileFacts[] {
    const inside = folder.endsWith('/') ? folder : `${folder}/`
    const names = new Set(
      [...this.#files.keys()]
        .filter((path) => path.startsWith(inside))
        .map((path) => path.slice(inside.length).split('/')[0] ?? ''),
    )
    return [...names].sort().flatMap((name) => this.factsOf(`${inside}${name}`) ?? [])
  }

  /**
   * Follows the longest link on the way to the path, then the links of what it leads to. After 40 links the path as it
   * is.
   */
  realPath(path: string, left = 40): string {
    const link = [...this.#links.keys()]
      .filter((from) => path === from || path.startsWith(`${from}/`))
      .sort((a, b) => b.length - a.length)[0]
    return link === undefined || left === 0
      ? path
      : this.realPath(`${this.#links.get(link) ?? ''}${path.slice(link.length)}`, left - 1)
  }

  /** Adds a file with an identity of its own. */
  #add(path: string, file: Omit<MemoryFile, 'identity'>): void {
    this.#identities += 1
    this.#files.set(path, { ...file, identity: `memory:${this.#identities}` })
  }
}

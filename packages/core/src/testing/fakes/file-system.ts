/**
 * Files in memory. Paths are absolute and use `/`; folders are there when something is in them. A file
 * keeps its identity while its content changes and when it is renamed, as on a disk.
 */
import { gunzipSync } from 'node:zlib'
import { CairnError } from '../../errors.ts'
import type { FileFacts, FileSystem } from '../../ports/file-system.ts'

export interface InMemoryFileSystem extends FileSystem {
  /** Makes or replaces a file's content; an existing file stays the same file. */
  write(path: string, content: string | Uint8Array, modifiedAt?: number): void
  append(path: string, content: string | Uint8Array, modifiedAt?: number): void
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

export const createInMemoryFileSystem = (
  contents: Readonly<Record<string, string | Uint8Array>> = {},
): InMemoryFileSystem => {
  const files = new Map<string, MemoryFile>()
  const links = new Map<string, string>()
  let made = 0

  /** The longest link on the way to the path is followed, and again what it leads to. */
  const followed = (path: string, left = 40): string => {
    const link = [...links.keys()]
      .filter((from) => path === from || path.startsWith(`${from}/`))
      .sort((a, b) => b.length - a.length)[0]
    return link === undefined || left === 0
      ? path
      : followed(`${links.get(link) ?? ''}${path.slice(link.length)}`, left - 1)
  }

  const newIdentity = (): string => {
    made += 1
    return `memory:${made}`
  }

  const write = (path: string, content: string | Uint8Array, modifiedAt = 0): void => {
    if (!path.startsWith('/')) throw new Error(`not an absolute path: ${path}`)
    const known = files.get(path)
    if (known !== undefined && !known.isDangling) Object.assign(known, { bytes: toBytes(content), modifiedAt })
    else files.set(path, { bytes: toBytes(content), modifiedAt, identity: newIdentity(), isDangling: false })
  }

  const factsOf = (path: string): FileFacts | undefined => {
    const file = files.get(followed(path))
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
    const isFolder = [...files.keys()].some((known) => known.startsWith(inside))
    return isFolder ? { path, kind: 'directory', size: 0, modifiedAt: 0, identity: `memory:${path}` } : undefined
  }

  const fileAt = (path: string): MemoryFile | undefined => {
    const file = files.get(followed(path))
    return file?.isDangling === true ? undefined : file
  }

  for (const [path, content] of Object.entries(contents)) write(path, content)

  return {
    stat: async (path) => factsOf(path),
    list: async (directory) => {
      const inside = directory.endsWith('/') ? directory : `${directory}/`
      const names = new Set(
        [...files.keys()]
          .filter((path) => path.startsWith(inside))
          .map((path) => path.slice(inside.length).split('/')[0] ?? ''),
      )
      return [...names].sort().flatMap((name) => factsOf(`${inside}${name}`) ?? [])
    },
    read: async function* (path, offset = 0, options) {
      const file = fileAt(path)
      if (file === undefined) throw new CairnError('read-failed', `'${path}' can't be read: there is no such file.`)
      const bytes = options?.unpack === 'gzip' ? gunzipSync(file.bytes) : file.bytes
      for (let start = offset; start < bytes.length; start += CHUNK_BYTES) yield bytes.slice(start, start + CHUNK_BYTES)
    },
    realPath: async (path) => followed(path),
    readText: async (path) => {
      const file = fileAt(path)
      return file === undefined ? undefined : new TextDecoder().decode(file.bytes)
    },
    write,
    append: (path, content, modifiedAt) => {
      const before = fileAt(path)?.bytes ?? new Uint8Array()
      const added = toBytes(content)
      const bytes = new Uint8Array(before.length + added.length)
      bytes.set(before)
      bytes.set(added, before.length)
      write(path, bytes, modifiedAt)
    },
    rename: (from, to) => {
      const file = files.get(from)
      if (file === undefined) throw new Error(`no such file: ${from}`)
      files.delete(from)
      files.set(to, file)
    },
    linkToNowhere: (path) =>
      void files.set(path, {
        bytes: new Uint8Array(),
        modifiedAt: 0,
        identity: newIdentity(),
        isDangling: true,
      }),
    link: (path, target) => void links.set(path, target),
    remove: (path) => void files.delete(path),
  }
}

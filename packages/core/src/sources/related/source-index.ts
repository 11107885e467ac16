/** The index of one workspace's source files: kept in the cache, changed by file, built in slices between other work. */
import type { SourceCache } from '../../ports/source-access.ts'
import type { WorkspaceFile, WorkspaceFiles } from '../../ports/workspace-files.ts'
import { analyseFile } from './file-terms.ts'
import { NO_TERMS } from './field-counts.ts'
import type { FileTerms } from './field-counts.ts'
import { decodeIndex, encodeIndex } from './index-file.ts'
import type { IndexedFile } from './index-file.ts'

/** Larger files are data and are found by their path alone. */
export const LARGEST_SOURCE_BYTES = 1_000_000
/** A file changed so shortly before it was read could change again without a new modification time. */
const UNCERTAIN_MS = 100
/** Of all files: after an answer the whole index is written only for at least so many. */
const SAVED_SHARE = 0.01

/**
 * A text that stays the same as long as a file's content does: git's blob id, otherwise size and modification time
 * (ms).
 */
const contentKey = ({ blobId, bytes, mtimeMs }: WorkspaceFile): string => blobId ?? `${bytes}:${mtimeMs}`

/** Whether the index has the terms of a file's current content. */
const isCurrent = (indexed: IndexedFile | undefined, file: WorkspaceFile): boolean =>
  indexed !== undefined && indexed.key === contentKey(file)

/** What an index is kept with. */
export interface SourceIndexDeps {
  readonly cache: SourceCache
  /** Of the cache's entry. */
  readonly name: string
  readonly now: () => number
}

/** The terms of a workspace's files, in memory and in a cache. */
export class SourceIndex {
  readonly #deps: SourceIndexDeps
  #files = new Map<string, IndexedFile>()
  /** By blob id, so that a file that was moved, or that another branch brings back, need not be read. */
  #byBlob = new Map<string, IndexedFile>()
  #version: string | undefined
  /** Files that the cache does not have as they are here. */
  #unsaved = 0

  constructor(deps: SourceIndexDeps) {
    this.#deps = deps
  }

  /**
   * Takes over what other processes wrote to the cache since the last call; what is known here of a file stays. Does
   * nothing if the cache is missing or unchanged.
   */
  async load(): Promise<void> {
    const { cache, name } = this.#deps
    const version = await cache.version(name)
    if (version === undefined || version === this.#version) return
    const cached = await cache.read(name)
    if (cached === undefined) return
    this.#version = cached.version
    for (const [path, file] of decodeIndex(cached.bytes)) if (!this.#files.has(path)) this.#keep(path, file)
  }

  /**
   * Returns the terms of a file; undefined if the index does not have its current content. A file of the same content
   * elsewhere gives its terms.
   */
  termsOf(file: WorkspaceFile): FileTerms | undefined {
    const indexed = this.#files.get(file.path)
    if (isCurrent(indexed, file)) return indexed?.terms
    const moved = file.blobId === undefined ? undefined : this.#byBlob.get(file.blobId)
    if (moved === undefined) return undefined
    this.#unsaved += 1
    this.#keep(file.path, moved)
    return moved.terms
  }

  /**
   * Reads a file, keeps its terms and returns them; a file that can't be read has none. One that was changed just now
   * is not kept.
   */
  async add(files: WorkspaceFiles, file: WorkspaceFile): Promise<FileTerms> {
    const startedAt = this.#deps.now()
    const read = await files.read(file.path, LARGEST_SOURCE_BYTES)
    const terms = 'content' in read ? analyseFile(new TextDecoder().decode(read.content)) : NO_TERMS
    const isCertain = file.blobId !== undefined || file.mtimeMs < startedAt - UNCERTAIN_MS
    if (isCertain) {
      this.#keep(file.path, { key: contentKey(file), terms })
      this.#unsaved += 1
    }
    return terms
  }

  /** Saves what many files came to since the last time; few are sooner read again than all others written. */
  async saveIfMany(files: readonly WorkspaceFile[]): Promise<void> {
    if (this.#unsaved >= files.length * SAVED_SHARE) await this.save(files)
  }

  /**
   * Puts the index into the cache, without files that are gone; where that fails, it stays in memory alone. Nothing is
   * written if nothing changed. Never rejects.
   */
  async save(files: readonly WorkspaceFile[]): Promise<void> {
    const paths = new Set(files.map(({ path }) => path))
    for (const path of this.#files.keys())
      if (!paths.has(path)) {
        this.#files.delete(path)
        this.#unsaved += 1
      }
    if (this.#unsaved === 0) return
    const { cache, name } = this.#deps
    this.#unsaved = 0
    this.#version = await cache.write(name, encodeIndex(this.#files))
  }

  /** Keeps a file's terms, by its blob's id, too, if it has one. */
  #keep(path: string, file: IndexedFile): void {
    this.#files.set(path, file)
    if (!file.key.includes(':')) this.#byBlob.set(file.key, file)
  }
}

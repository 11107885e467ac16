/** The system's watches of folders, as many as it grants; a folder without one has to be looked at more often. */
import type { FileFacts } from '../ports/file-system.ts'

/** The system's notices of changes. */
export interface Notices {
  /** A watch of a folder covers the folders below it, too. */
  readonly coversFoldersBelow: boolean
  /**
   * Watches a folder; `changed` is given the path of what changed, `ended` is called when the folder was removed or
   * renamed, and nothing more will be told of it. `refused`: the system grants no more watches. Undefined where the folder
   * can't be watched: it is gone, or may not be read.
   */
  watch(folder: string, changed: (path: string) => void, ended: () => void): FolderWatch | 'refused' | undefined
}

export interface FolderWatch {
  /** Ends the watch; nothing is told any more. */
  close(): void
}

export interface FolderWatchesDeps {
  readonly notices: Notices
  readonly changed: (path: string) => void
  /** The first time that the system grants no watch, or that there are too many. */
  readonly onRefused: () => void
}

/** Systems allow a limited number for all of a user's programs. */
const MOST_WATCHES = 8_000

/** A watch holds to the folder that it was made for, also when another takes that one's path. */
interface Held {
  readonly identity: string
  readonly watch: FolderWatch
}

/**
 * The watches on folders, by path, within the limit that systems set. `onRefused` of its parts is called once, with the
 * first watch that is refused.
 */
export class FolderWatches {
  readonly #deps: FolderWatchesDeps
  readonly #held = new Map<string, Held>()
  readonly #refused = new Set<string>()
  #isTold = false

  constructor(deps: FolderWatchesDeps) {
    this.#deps = deps
  }

  /** Whether no watch was refused; else changes are only found by looking through the folders. */
  get isComplete(): boolean {
    return this.#refused.size === 0
  }

  /** Whether this very folder is watched: one that was replaced under the same path is not. */
  has({ path, identity }: Pick<FileFacts, 'path' | 'identity'>): boolean {
    return this.#held.get(path)?.identity === identity
  }

  /**
   * Watches a folder, unless it is watched already; one that is gone or may not be read stays unwatched. Where the
   * system or our own limit refuses, `isComplete` becomes false.
   */
  add({ path, identity }: Pick<FileFacts, 'path' | 'identity'>): void {
    if (this.has({ path, identity })) return
    this.remove(path)
    const watch = this.#held.size < MOST_WATCHES ? this.#made(path) : 'refused'
    if (watch === undefined) return
    if (watch === 'refused') this.#refuse(path)
    else this.#held.set(path, { identity, watch })
  }

  /** Ends the watch of a folder, if there is one. */
  remove(path: string): void {
    this.#held.get(path)?.watch.close()
    this.#held.delete(path)
    this.#refused.delete(path)
  }

  /** Ends the watches of all folders but these. */
  keepOnly(folders: ReadonlySet<string>): void {
    for (const path of [...this.#held.keys(), ...this.#refused]) if (!folders.has(path)) this.remove(path)
  }

  /**
   * Watches a folder, and notes when it ends: then the folder is to be looked at again. 'refused' if the system has no
   * watch left, undefined if the folder is gone.
   */
  #made(path: string): FolderWatch | 'refused' | undefined {
    const { notices, changed } = this.#deps
    return notices.watch(path, changed, () => {
      this.remove(path)
      // Another folder may stand there by now.
      changed(path)
    })
  }

  /** Notes a folder that can't be watched; the first one is told. */
  #refuse(path: string): void {
    this.#refused.add(path)
    if (this.#isTold) return
    this.#isTold = true
    this.#deps.onRefused()
  }
}

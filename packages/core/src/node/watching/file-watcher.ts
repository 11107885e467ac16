/**
 * Watches single files with one chokidar: their folders, so that files that are replaced or come back are seen, and nothing below.
 * Events make it fast; since they may be lost or refused, every file is also looked at now and then by its facts alone.
 */
import { dirname } from 'node:path'
import type { FSWatcher } from 'chokidar'
import { codeOf } from '../system-reason.ts'
import { stampOf } from './look-at-file.ts'

export interface FileWatcherOptions {
  /** A watched file may have changed: it was written, replaced, removed or came back. */
  readonly onEvent: (path: string, noticedAt: number) => void
  /** The system allows no more watches: files are looked at by their facts from now on. */
  readonly onPolling?: (error: unknown) => void
  /** Files beyond this are only looked at by their facts. Default 2,000. */
  readonly mostWatched?: number
  /** How often watched files are looked at all the same, ms. Default 2,000. */
  readonly sweepMs?: number
  /** How often files are that no event tells of, ms. Default 500. */
  readonly pollMs?: number
  /** Makes the watcher; for tests of what the system refuses. */
  readonly createWatcher?: () => Promise<FSWatcher>
}

export interface FileWatcher {
  /** Watches a file, which need not be there. Once more does nothing. `stamp`: its state that is known. */
  add(path: string, stamp: string | undefined): Promise<void>
  remove(path: string): void
  /** Takes the file's state as known: no event of a look by its facts follows for it. */
  know(path: string, stamp: string | undefined): void
  /** How many files are watched with events, and how many are looked at only. */
  counts(): { readonly watched: number; readonly polled: number }
  /** Ends everything. No event comes after it was called. */
  close(): Promise<void>
}

const MOST_WATCHED = 2_000
const SWEEP_MS = 2_000
const POLL_MS = 500
/** Files that are looked at at once. */
const AT_ONCE = 64
/** What the system says where its watches or descriptors are used up. */
const USED_UP: ReadonlySet<unknown> = new Set(['ENOSPC', 'EMFILE', 'ENFILE'])

/** Watches files that it is given. Begins without any, and makes no watch before the first. */
export const createFileWatcher = (options: FileWatcherOptions): FileWatcher => new ChokidarFileWatcher(options)

class ChokidarFileWatcher implements FileWatcher {
  readonly #options: FileWatcherOptions
  readonly #stamps = new Map<string, string | undefined>()
  readonly #watched = new Set<string>()
  /** Folders of watched files. They stay until the end: chokidar would ignore all below one that it was told to leave. */
  readonly #folders = new Set<string>()
  #watcher: Promise<FSWatcher> | undefined
  #isPolling = false
  #isClosed = false
  #timers: NodeJS.Timeout[] = []
  readonly #sweeping = new Set<'watched' | 'polled'>()

  constructor(options: FileWatcherOptions) {
    this.#options = options
  }

  /**
   * Begins to watch a file; beyond `mostWatched`, or when polling, it is only looked at every `pollMs`. `stamp` is what
   * was last seen of it. Nothing after `close`, or for a file that is watched.
   */
  async add(path: string, stamp: string | undefined): Promise<void> {
    if (this.#isClosed || this.#stamps.has(path)) return
    this.#stamps.set(path, stamp)
    this.#startSweeps()
    if (this.#isPolling || this.#watched.size >= (this.#options.mostWatched ?? MOST_WATCHED)) return
    this.#watched.add(path)
    const folder = dirname(path)
    const isNew = !this.#folders.has(folder)
    this.#folders.add(folder)
    const watcher = await this.#started()
    // It may have been removed, or all ended, meanwhile.
    if (!this.#watched.has(path)) return
    watcher.add(isNew ? [folder, path] : path)
  }

  /** Ends watching a file; nothing if it is not watched. */
  remove(path: string): void {
    this.#stamps.delete(path)
    if (this.#watched.delete(path)) void this.#watcher?.then((watcher) => watcher.unwatch(path))
  }

  know(path: string, stamp: string | undefined): void {
    if (this.#stamps.has(path)) this.#stamps.set(path, stamp)
  }

  counts(): { readonly watched: number; readonly polled: number } {
    return { watched: this.#watched.size, polled: this.#stamps.size - this.#watched.size }
  }

  /** Ends all watching; later calls of `add` do nothing. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const timer of this.#timers) clearInterval(timer)
    this.#timers = []
    this.#stamps.clear()
    await this.#stopWatching()
  }

  /** Ends the watches; all files that are still known are then only looked at. Resolves when the watcher is closed. */
  async #stopWatching(): Promise<void> {
    const watcher = this.#watcher
    this.#watcher = undefined
    this.#watched.clear()
    this.#folders.clear()
    await (await watcher)?.close()
  }

  /** The watcher, started at the first call. */
  #started(): Promise<FSWatcher> {
    this.#watcher ??= this.#start()
    return this.#watcher
  }

  /** Starts the watcher. If the system's watches are used up, files are polled from then on. */
  async #start(): Promise<FSWatcher> {
    const watcher = await (this.#options.createWatcher ?? (() => this.#chokidar()))()
    watcher.on('all', (_event, path) => {
      if (!this.#isClosed && this.#watched.has(path)) this.#options.onEvent(path, Date.now())
    })
    watcher.on('error', (error) => {
      if (!this.#isClosed && USED_UP.has(codeOf(error))) this.#poll(error)
    })
    return watcher
  }

  /** Chokidar's watcher, loaded when it is asked for; it watches what is added, and no folder's other files. */
  async #chokidar(): Promise<FSWatcher> {
    const { watch } = await import('chokidar')
    return watch([], {
      atomic: false,
      depth: 0,
      ignoreInitial: true,
      ignorePermissionErrors: true,
      ignored: (path) => !this.#watched.has(path) && !this.#folders.has(path),
    })
  }

  /**
   * Goes over to polling for good, the first time that it is called, and tells `onPolling` why. All files are then only
   * looked at.
   */
  #poll(error: unknown): void {
    if (this.#isPolling) return
    this.#isPolling = true
    void this.#stopWatching()
    this.#options.onPolling?.(error)
  }

  /** Starts the two timers: files that are watched are compared every `sweepMs`, the others every `pollMs`. */
  #startSweeps(): void {
    if (this.#timers.length > 0) return
    const { sweepMs = SWEEP_MS, pollMs = POLL_MS } = this.#options
    this.#timers = [
      setInterval(() => void this.#sweep('watched'), sweepMs),
      setInterval(() => void this.#sweep('polled'), pollMs),
    ]
    for (const timer of this.#timers) timer.unref()
  }

  /**
   * Looks at files by their facts: those with events, or those that are only polled. A sweep that takes longer than its
   * interval is not begun a second time.
   */
  async #sweep(which: 'watched' | 'polled'): Promise<void> {
    if (this.#sweeping.has(which)) return
    this.#sweeping.add(which)
    try {
      const paths = [...this.#stamps.keys()].filter((path) => this.#watched.has(path) === (which === 'watched'))
      for (let start = 0; start < paths.length && !this.#isClosed; start += AT_ONCE)
        await Promise.all(paths.slice(start, start + AT_ONCE).map((path) => this.#compare(path)))
    } finally {
      this.#sweeping.delete(which)
    }
  }

  /** Tells of a change if the file differs from what was last seen, unless an event did so meanwhile. */
  async #compare(path: string): Promise<void> {
    const known = this.#stamps.get(path)
    const stamp = await stampOf(path)
    if (this.#isClosed || stamp === known || !this.#stamps.has(path) || this.#stamps.get(path) !== known) return
    this.#stamps.set(path, stamp)
    this.#options.onEvent(path, Date.now())
  }
}

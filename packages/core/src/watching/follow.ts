/**
 * Follows files in folders: each that is new or has changed is handed on. The system's notices say when to look; since
 * they may be lost, files that changed lately are looked at each second, and all folders now and then.
 */
import type { FileFacts, FileSystem } from '../ports/file-system.ts'
import { DueFiles } from './due-files.ts'
import { FolderWatches } from './folder-watches.ts'
import type { Notices } from './folder-watches.ts'

export interface FollowDeps {
  readonly fileSystem: Pick<FileSystem, 'stat' | 'list'>
  readonly notices: Notices
  /** ms; it must not jump when the clock is set. */
  readonly now: () => number
  /** Waits so many ms, or until `wake` is called. */
  readonly sleep: (ms: number) => Promise<void>
  readonly wake: () => void
}

/** What is left of files that were handed on. */
export interface Untaken {
  /** To be taken again shortly. */
  readonly again?: readonly string[]
  /** To be taken again with what has changed in a second. */
  readonly later?: readonly string[]
  /** Could not be read: they are taken again once something changes about them, or when all folders are looked at. */
  readonly unread?: readonly string[]
}

export interface FollowOptions {
  /** Files and folders, absolute; they may be missing as yet. */
  readonly roots: readonly string[]
  readonly isFollowedFile: (name: string) => boolean
  readonly isFollowedFolder: (name: string) => boolean
  /** Takes in all that is there; once, at the beginning. */
  readonly takeAll: () => Promise<Untaken>
  /** Takes in changed files. */
  readonly take: (paths: readonly string[]) => Promise<Untaken>
  /** Taking files in failed; they are tried again. */
  readonly onTrouble: (error: unknown) => void
  /** How many files are followed, whenever that has changed. */
  readonly onCount?: (files: number) => void
  /** The system grants no watch of some folder, which is looked at every few seconds instead. Called once. */
  readonly onUnwatched?: () => void
  readonly signal: AbortSignal
}

const TICK_MS = 1_000
/** Files that changed since are looked at in each tick: as many as that, the latest. */
const LATELY_MS = 10 * 60_000
const MOST_LATELY = 100
/** All folders are looked at so often, but never for more than a two-hundredth of the time. */
const LOOK_MS = 30_000
const LOOK_UNWATCHED_MS = 2_000
const LOOK_SHARE = 200
/** Files that are handed on together, the latest first: one that grows now must not wait for thousands that just came. */
const MOST_TAKEN = 24
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

/**
 * Follows the transcripts below the roots, and hands on files that have changed, until the signal is aborted; files
 * that are being taken in are waited for. Where taking in fails, it is tried again after a pause.
 */
export const follow = async (deps: FollowDeps, options: FollowOptions): Promise<void> => {
  const follower = new Follower(deps, options)
  try {
    await follower.run()
  } finally {
    follower.end()
  }
}

const nameOf = (path: string): string => path.split(/[/\\]/).at(-1) ?? path
const parentOf = (path: string): string => path.replace(/[/\\][^/\\]*$/, '')

/** What a file looked like when it was last handed on; one that was not touched looks the same. */
type FileState = Pick<FileFacts, 'identity' | 'size' | 'modifiedAt'>

const isSame = (left: FileState, right: FileState): boolean =>
  left.identity === right.identity && left.size === right.size && left.modifiedAt === right.modifiedAt

/** What a look through all folders has found. */
interface Seen {
  readonly files: Set<string>
  readonly folders: Set<string>
}

class Follower {
  readonly #deps: FollowDeps
  readonly #options: FollowOptions
  readonly #due = new DueFiles()
  readonly #states = new Map<string, FileState>()
  /** Files that changed lately, with the time of it. */
  readonly #lately = new Map<string, number>()
  readonly #watches: FolderWatches
  readonly #roots: ReadonlySet<string>
  /** Which folder was looked through at a root. */
  readonly #rootIdentities = new Map<string, string>()
  /** Files to be taken in. */
  readonly #waiting = new Set<string>()
  /** Files to be taken in from the next tick on. */
  readonly #later = new Set<string>()
  /** While all folders are looked through. */
  #seen: Seen | undefined
  #isStarted = false
  #count = -1
  #pauseMs = 0
  #takeAt = 0
  #tickAt = 0
  #lookAt = 0

  constructor(deps: FollowDeps, options: FollowOptions) {
    this.#deps = deps
    this.#options = options
    this.#roots = new Set(options.roots)
    this.#watches = new FolderWatches({
      notices: deps.notices,
      changed: (path) => this.#notice(path),
      onRefused: () => options.onUnwatched?.(),
    })
  }

  end(): void {
    this.#watches.keepOnly(new Set())
  }

  /** Follows files until aborted: takes in all, then what changes. Resolves when it is aborted. */
  async run(): Promise<void> {
    // Watched before all is taken in, so that nothing written meanwhile is missed.
    await this.#lookThrough()
    this.#waiting.clear()
    this.#isStarted = true
    this.#tellCount()
    await this.#takeAll()
    this.#lookAt = 0
    while (!this.#options.signal.aborted) {
      await this.#turn()
      await this.#deps.sleep(Math.max(0, this.#nextAt() - this.#deps.now()))
    }
  }

  /** Takes in everything, again after a pause until it succeeds or is aborted. Trouble is told meanwhile. */
  async #takeAll(): Promise<void> {
    while (!this.#options.signal.aborted) {
      let untaken: Untaken = {}
      const isDone = await this.#tried(async () => {
        untaken = await this.#options.takeAll()
      })
      if (isDone) {
        this.#keepUntaken(untaken)
        return
      }
      await this.#pause()
    }
  }

  /** Until taking in is tried again; notices don't make it shorter. */
  async #pause(): Promise<void> {
    for (let left = this.#pauseMs; left > 0 && !this.#options.signal.aborted; left = this.#takeAt - this.#deps.now())
      await this.#deps.sleep(left)
  }

  /** One turn: looks at what is due, and takes in the files that wait. Trouble is told, not thrown. */
  async #turn(): Promise<void> {
    const now = this.#deps.now()
    await this.#lookAtFiles(this.#due.take(now))
    if (now >= this.#tickAt) await this.#tick()
    if (now >= this.#lookAt) await this.#lookThrough()
    this.#tellCount()
    if (this.#waiting.size > 0 && now >= this.#takeAt) await this.#take()
  }

  /** When something is due next (ms). */
  #nextAt(): number {
    const times = [this.#tickAt, this.#lookAt, this.#due.nextAt ?? Infinity]
    return Math.min(...times, this.#waiting.size > 0 ? this.#takeAt : Infinity)
  }

  /** Takes in the files that wait, the latest changed first. Those that fail wait again. At most `MOST_TAKEN`. */
  async #take(): Promise<void> {
    const paths = this.#latestWaiting()
    for (const path of paths) this.#waiting.delete(path)
    let untaken: Untaken = { again: paths }
    const isDone = await this.#tried(async () => {
      untaken = await this.#options.take(paths)
    })
    this.#keepUntaken(untaken)
    if (isDone && (untaken.again ?? []).length > 0) this.#takeAt = this.#deps.now() + FIRST_PAUSE_MS
  }

  /** The files that wait, the latest changed first, at most `MOST_TAKEN`. */
  #latestWaiting(): readonly string[] {
    const timeOf = (path: string): number => this.#states.get(path)?.modifiedAt ?? 0
    return [...this.#waiting].sort((left, right) => timeOf(right) - timeOf(left)).slice(0, MOST_TAKEN)
  }

  /**
   * Keeps what was not taken in: `again` waits at once, `later` from the next tick on, `unread` is forgotten as if
   * never seen.
   */
  #keepUntaken({ again = [], later = [], unread = [] }: Untaken): void {
    for (const path of again) this.#waiting.add(path)
    for (const path of later) this.#later.add(path)
    // To the next look, whatever leads to it, they are new.
    for (const path of unread) this.#forget(path)
  }

  /** Whether an action worked. A failure is told as trouble, unless aborted; pauses become longer while it fails. */
  async #tried(action: () => Promise<void>): Promise<boolean> {
    try {
      await action()
      this.#pauseMs = 0
      return true
    } catch (error) {
      if (this.#options.signal.aborted) return false
      this.#options.onTrouble(error)
      this.#pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, this.#pauseMs * 2))
      this.#takeAt = this.#deps.now() + this.#pauseMs
      return false
    }
  }

  /** Tells how many files there are, if that changed. */
  #tellCount(): void {
    if (this.#states.size === this.#count) return
    this.#count = this.#states.size
    this.#options.onCount?.(this.#count)
  }

  /** Notes that something happened at a path, and wakes the follower. */
  #notice(path: string): void {
    this.#due.notice(path, this.#deps.now())
    this.#deps.wake()
  }

  #isFollowed(path: string): boolean {
    return this.#roots.has(path) || this.#options.isFollowedFile(nameOf(path))
  }

  /**
   * Looks at paths. Known files are looked at themselves; for others their folder is, which also shows whether they are
   * links.
   */
  async #lookAtFiles(paths: Iterable<string>): Promise<void> {
    const byFolder = new Map<string, Set<string>>()
    for (const path of paths) {
      if (this.#roots.has(path)) await this.#lookAtRoot(path)
      else if (!(await this.#isLookedAt(path))) {
        const folder = parentOf(path)
        byFolder.set(folder, (byFolder.get(folder) ?? new Set()).add(path))
      }
    }
    for (const [folder, meant] of byFolder) {
      const facts = this.#isWithin(folder) ? await this.#factsOf(folder) : undefined
      if (facts?.kind === 'directory') await this.#lookIn(facts, meant)
    }
  }

  /** Whether a folder is a root or below one; beside a file that is followed alone, nothing else is. */
  #isWithin(folder: string): boolean {
    for (const root of this.#roots)
      if (folder === root || folder.startsWith(`${root}/`) || folder.startsWith(`${root}\\`)) return true
    return false
  }

  /**
   * Looks at a known file, and forgets it if it is gone; false, without a look, for an unknown one, and when what has
   * its path now may be another file or a link to one.
   */
  async #isLookedAt(path: string): Promise<boolean> {
    const known = this.#states.get(path)
    if (known === undefined) return false
    const facts = await this.#factsOf(path)
    if (facts === undefined) this.#forget(path)
    else if (facts.kind === 'file' && facts.identity === known.identity) this.#compare(facts)
    else return false
    return true
  }

  /** Forgets what is known of a file. */
  #forget(path: string): void {
    this.#states.delete(path)
    this.#lately.delete(path)
  }

  /** The facts of a path; undefined if it is missing or can't be looked at. */
  async #factsOf(path: string): Promise<FileFacts | undefined> {
    try {
      return await this.#deps.fileSystem.stat(path)
    } catch {
      // It can't be looked at now; the next look may.
      return undefined
    }
  }

  /** Notes a file's facts; if they changed and it is not empty, it waits to be taken in. */
  #compare({ path, identity, size, modifiedAt }: FileFacts): void {
    this.#seen?.files.add(path)
    const known = this.#states.get(path)
    if (known !== undefined && isSame(known, { identity, size, modifiedAt })) return
    this.#states.set(path, { identity, size, modifiedAt })
    this.#lately.delete(path)
    // The clock by which files are dated may have been set since.
    this.#lately.set(path, this.#isStarted ? this.#deps.now() : Math.max(modifiedAt, 0))
    if (size > 0) this.#waiting.add(path)
  }

  /**
   * Looks at the files that changed in the last ten minutes, at most 100, the latest; at roots that are not what they
   * were; and lets files that were put off wait to be taken in. Plans the next tick.
   */
  async #tick(): Promise<void> {
    const since = this.#deps.now() - LATELY_MS
    const lately = [...this.#lately].filter(([, at]) => at >= since).sort(([, left], [, right]) => right - left)
    this.#lately.clear()
    for (const [path, at] of lately.slice(0, MOST_LATELY)) this.#lately.set(path, at)
    await this.#lookAtFiles([...this.#lately.keys()].filter((path) => !this.#roots.has(path)))
    for (const root of this.#roots) if (!(await this.#isUnchangedRoot(root))) await this.#lookAtRoot(root)
    for (const path of this.#later) this.#waiting.add(path)
    this.#later.clear()
    this.#tickAt = this.#deps.now() + TICK_MS
  }

  /** Whether a root is what it was: the same folder, a file with the same facts, or still missing. */
  async #isUnchangedRoot(root: string): Promise<boolean> {
    const facts = await this.#factsOf(root)
    if (facts?.kind === 'directory') return this.#rootIdentities.get(root) === facts.identity
    if (facts?.kind !== 'file') return !this.#states.has(root) && !this.#rootIdentities.has(root)
    const known = this.#states.get(root)
    return known !== undefined && isSame(known, facts)
  }

  /**
   * Looks through all roots: finds what notices missed, forgets what is gone, and watches the folders there are. The
   * next look is later if this one took long.
   */
  async #lookThrough(): Promise<void> {
    const from = this.#deps.now()
    const seen: Seen = { files: new Set(), folders: new Set() }
    this.#seen = seen
    for (const root of this.#roots) await this.#lookAtRoot(root)
    this.#seen = undefined
    if (!this.#options.signal.aborted) {
      for (const path of [...this.#states.keys()]) if (!seen.files.has(path)) this.#forget(path)
      this.#watches.keepOnly(seen.folders)
    }
    const now = this.#deps.now()
    const pause = this.#watches.isComplete ? LOOK_MS : LOOK_UNWATCHED_MS
    this.#lookAt = now + Math.max(pause, (now - from) * LOOK_SHARE)
  }

  /** Looks at a root, a folder or a single file; one that is gone is forgotten. */
  async #lookAtRoot(root: string): Promise<void> {
    const facts = await this.#factsOf(root)
    this.#rootIdentities.delete(root)
    if (facts?.kind === 'directory') {
      this.#rootIdentities.set(root, facts.identity)
      await this.#lookIn(facts)
    } else if (facts?.kind === 'file') {
      // A file that is replaced as a whole is another one to the system; its folder tells of both.
      const folder = await this.#factsOf(parentOf(root))
      if (folder !== undefined) this.#watch(folder)
      this.#compare(facts)
    } else {
      this.#watches.remove(root)
      this.#forget(root)
    }
  }

  /**
   * Looks at a folder and those below it; with `only` at what is named there, and at what is below that. Links are not
   * followed; what is named and gone is forgotten.
   */
  async #lookIn(first: FileFacts, only?: ReadonlySet<string>): Promise<void> {
    const folders = [first]
    const missing = new Set(only)
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      if (this.#options.signal.aborted) return
      // Watched before it is listed: what comes between shows in one of the two.
      if (!this.#deps.notices.coversFoldersBelow || this.#roots.has(folder.path)) this.#watch(folder)
      for (const facts of await this.#entriesOf(folder.path)) {
        const isMeant = folder !== first || only === undefined || only.has(facts.path)
        if (facts.isLink === true || !isMeant) continue
        missing.delete(facts.path)
        if (facts.kind === 'directory' && this.#options.isFollowedFolder(nameOf(facts.path))) folders.push(facts)
        else if (facts.kind === 'file' && this.#isFollowed(facts.path)) this.#compare(facts)
      }
    }
    // Gone, or a link by now.
    for (const path of missing) this.#forget(path)
  }

  /** What a folder holds; empty, and no longer watched, if it can't be read. */
  async #entriesOf(folder: string): Promise<readonly FileFacts[]> {
    try {
      return await this.#deps.fileSystem.list(folder, this.#options.signal)
    } catch {
      this.#watches.remove(folder)
      return []
    }
  }

  /** Watches a folder, and notes that it was seen. */
  #watch(folder: FileFacts): void {
    this.#seen?.folders.add(folder.path)
    this.#watches.add(folder)
  }
}

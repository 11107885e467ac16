/**
 * Follows files in folders: each that is new or has changed is handed on. The system's notices say when to look; since
 * they may be lost, files that changed lately are looked at each second, and all folders now and then.
 */
import type { FileFacts, FileSystem } from '../ports/file-system.ts'
import { DueFiles } from './due-files.ts'

/** The system's notices of changes. */
export interface Notices {
  /** A watch of a folder covers the folders below it, too. */
  readonly coversFoldersBelow: boolean
  /** Watches a folder; `changed` is given the path of what changed. Undefined where the system refuses. */
  watch(folder: string, changed: (path: string) => void): { close(): void } | undefined
}

export interface FollowDeps {
  readonly fileSystem: Pick<FileSystem, 'stat' | 'list'>
  readonly notices: Notices
  readonly now: () => number
  /** Waits so many ms, or until `wake` is called. */
  readonly sleep: (ms: number) => Promise<void>
  readonly wake: () => void
}

export interface FollowOptions {
  /** Files and folders, absolute; they may be missing as yet. */
  readonly roots: readonly string[]
  readonly isFollowedFile: (name: string) => boolean
  readonly isFollowedFolder: (name: string) => boolean
  /** Takes in all that is there; once, at the beginning. */
  readonly takeAll: () => Promise<void>
  /** Takes in changed files; gives those that have to be taken again. */
  readonly take: (paths: readonly string[]) => Promise<readonly string[]>
  /** Taking files in failed; they are tried again. */
  readonly onTrouble: (error: unknown) => void
  readonly signal: AbortSignal
}

const TICK_MS = 1_000
/** Files that changed since are looked at in each tick: as many as that, the latest. */
const LATELY_MS = 10 * 60_000
const MOST_LATELY = 100
/** All folders are looked at so often, but never for more than a two-hundredth of the time. */
const LOOK_MS = 30_000
const LOOK_SHARE = 200
/** Watches of folders: systems allow a limited number for all of a user's programs. */
const MOST_WATCHES = 8_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

/** Follows until the signal is aborted; files that are being taken in are waited for. */
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
/** A file that was not touched has the same. */
const stateOf = ({ identity, size, modifiedAt }: FileFacts): string => `${identity}:${size}:${modifiedAt}`

/** A watch holds to the folder that it was made for, also when another takes that one's place. */
interface Watch {
  readonly identity: string
  readonly close: () => void
}

class Follower {
  readonly #deps: FollowDeps
  readonly #options: FollowOptions
  readonly #due = new DueFiles()
  /** What files looked like when they were last handed on. */
  readonly #states = new Map<string, string>()
  /** Files that changed lately, with the time of it. */
  readonly #lately = new Map<string, number>()
  readonly #watches = new Map<string, Watch>()
  readonly #roots: ReadonlySet<string>
  /** Files to be taken in. */
  readonly #waiting = new Set<string>()
  #pauseMs = 0
  #takeAt = 0
  #tickAt = 0
  #lookAt = 0

  constructor(deps: FollowDeps, options: FollowOptions) {
    this.#deps = deps
    this.#options = options
    this.#roots = new Set(options.roots)
  }

  end(): void {
    for (const path of [...this.#watches.keys()]) this.#unwatch(path)
  }

  async run(): Promise<void> {
    // Watched before all is taken in, so that nothing written meanwhile is missed.
    await this.#lookThrough()
    this.#waiting.clear()
    await this.#takeAll()
    this.#lookAt = 0
    while (!this.#options.signal.aborted) {
      await this.#turn()
      await this.#deps.sleep(Math.max(0, this.#nextAt() - this.#deps.now()))
    }
  }

  async #takeAll(): Promise<void> {
    while (!this.#options.signal.aborted) {
      if (await this.#tried(() => this.#options.takeAll())) return
      await this.#deps.sleep(this.#pauseMs)
    }
  }

  async #turn(): Promise<void> {
    const now = this.#deps.now()
    await this.#lookAtFiles(this.#due.take(now))
    if (now >= this.#tickAt) await this.#tick()
    if (now >= this.#lookAt) await this.#lookThrough()
    if (this.#waiting.size > 0 && now >= this.#takeAt) await this.#take()
  }

  #nextAt(): number {
    const times = [this.#tickAt, this.#lookAt, this.#due.nextAt ?? Infinity]
    return Math.min(...times, this.#waiting.size > 0 ? this.#takeAt : Infinity)
  }

  async #take(): Promise<void> {
    const paths = [...this.#waiting].sort()
    this.#waiting.clear()
    let again: readonly string[] = paths
    const isDone = await this.#tried(async () => {
      again = await this.#options.take(paths)
    })
    for (const path of again) this.#waiting.add(path)
    if (isDone && again.length > 0) this.#takeAt = this.#deps.now() + FIRST_PAUSE_MS
  }

  /** Pauses become longer while it fails. */
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

  #notice(path: string): void {
    this.#due.notice(path, this.#deps.now())
    this.#deps.wake()
  }

  #isFollowed(path: string): boolean {
    return this.#roots.has(path) || this.#options.isFollowedFile(nameOf(path))
  }

  /** Known files are looked at themselves; for others their folder is, which also shows whether they are links. */
  async #lookAtFiles(paths: readonly string[]): Promise<void> {
    const folders = new Set<string>()
    for (const path of paths) {
      if (this.#states.has(path)) await this.#lookAtFile(path)
      else if (this.#roots.has(path)) await this.#lookAtRoot(path)
      else folders.add(parentOf(path))
    }
    for (const folder of folders) {
      const facts = this.#isWithin(folder) ? await this.#factsOf(folder) : undefined
      if (facts?.kind === 'directory') await this.#lookIn(facts, new Set(paths))
    }
  }

  /** Beside a file that is followed alone nothing else is. */
  #isWithin(folder: string): boolean {
    for (const root of this.#roots)
      if (folder === root || folder.startsWith(`${root}/`) || folder.startsWith(`${root}\\`)) return true
    return false
  }

  async #lookAtFile(path: string): Promise<void> {
    const facts = await this.#factsOf(path)
    if (facts?.kind === 'file') this.#compare(facts)
    else this.#forget(path)
  }

  #forget(path: string): void {
    this.#states.delete(path)
    this.#lately.delete(path)
  }

  async #factsOf(path: string): Promise<FileFacts | undefined> {
    try {
      return await this.#deps.fileSystem.stat(path)
    } catch {
      // It can't be looked at now; the next look may.
      return undefined
    }
  }

  #compare(facts: FileFacts): void {
    const state = stateOf(facts)
    if (this.#states.get(facts.path) === state) return
    this.#states.set(facts.path, state)
    this.#lately.delete(facts.path)
    this.#lately.set(facts.path, Math.max(facts.modifiedAt, 0))
    if (facts.size > 0) this.#waiting.add(facts.path)
  }

  /** Looks at files that changed lately, and at roots that were missing. */
  async #tick(): Promise<void> {
    const since = this.#deps.now() - LATELY_MS
    const lately = [...this.#lately].filter(([, at]) => at >= since).sort(([, left], [, right]) => right - left)
    this.#lately.clear()
    for (const [path, at] of lately.slice(0, MOST_LATELY)) this.#lately.set(path, at)
    for (const path of [...this.#lately.keys()]) await this.#lookAtFile(path)
    for (const root of this.#roots) if (!(await this.#isFollowedAlready(root))) await this.#lookAtRoot(root)
    this.#tickAt = this.#deps.now() + TICK_MS
  }

  async #isFollowedAlready(root: string): Promise<boolean> {
    const facts = await this.#factsOf(root)
    if (facts === undefined || facts.kind === 'file') return this.#lately.has(root)
    return this.#watches.get(root)?.identity === facts.identity
  }

  async #lookThrough(): Promise<void> {
    const from = this.#deps.now()
    for (const root of this.#roots) await this.#lookAtRoot(root)
    const now = this.#deps.now()
    this.#lookAt = now + Math.max(LOOK_MS, (now - from) * LOOK_SHARE)
  }

  async #lookAtRoot(root: string): Promise<void> {
    const facts = await this.#factsOf(root)
    if (facts?.kind === 'directory') await this.#lookIn(facts)
    else if (facts?.kind === 'file') {
      // A file that is replaced as a whole is another one to the system; its folder tells of both.
      const folder = await this.#factsOf(parentOf(root))
      if (folder !== undefined) this.#watch(folder)
      this.#compare(facts)
    } else this.#unwatch(root)
  }

  /** Looks at a folder and those below it; with `only` at what is named there, and at what is below that. */
  async #lookIn(first: FileFacts, only?: ReadonlySet<string>): Promise<void> {
    const folders = [first]
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      if (this.#options.signal.aborted) return
      // Watched before it is listed: what comes between shows in one of the two.
      if (!this.#deps.notices.coversFoldersBelow || this.#roots.has(folder.path)) this.#watch(folder)
      for (const facts of await this.#entriesOf(folder.path)) {
        const isMeant = folder !== first || only === undefined || only.has(facts.path)
        if (facts.isLink === true || !isMeant) continue
        if (facts.kind === 'directory' && this.#options.isFollowedFolder(nameOf(facts.path))) folders.push(facts)
        else if (facts.kind === 'file' && this.#isFollowed(facts.path)) this.#compare(facts)
      }
    }
  }

  async #entriesOf(folder: string): Promise<readonly FileFacts[]> {
    try {
      return await this.#deps.fileSystem.list(folder, this.#options.signal)
    } catch {
      this.#unwatch(folder)
      return []
    }
  }

  #watch({ path, identity }: FileFacts): void {
    if (this.#watches.get(path)?.identity === identity) return
    this.#unwatch(path)
    if (this.#watches.size >= MOST_WATCHES) return
    const watch = this.#deps.notices.watch(path, (changed) => this.#notice(changed))
    if (watch !== undefined) this.#watches.set(path, { identity, close: () => watch.close() })
  }

  #unwatch(path: string): void {
    this.#watches.get(path)?.close()
    this.#watches.delete(path)
  }
}

/**
 * Attribution of real files: looks at them when something may have happened, and tells who it was. What agents do through
 * it (`write`, `intend`, `during`) is known before it happens; all else is judged by content, a moment after the last event.
 */
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { CairnError } from '../../errors.ts'
import { createAttribution } from '../../watching/attribution.ts'
import type { Attribution, CommandSpan, FileVerdict } from '../../watching/attribution-types.ts'
import { realPathOf } from '../real-path.ts'
import { createFileWatcher } from './file-watcher.ts'
import type { FileWatcher, FileWatcherOptions } from './file-watcher.ts'
import { isKnownToGit } from './known-to-git.ts'
import { contentOf, lookAtFile } from './look-at-file.ts'
import type { FileSight } from './look-at-file.ts'

export interface AttributedChange extends FileVerdict {
  /** Where the same file is now, when it was renamed within its folder. */
  readonly renamedTo?: string
}

export interface FileAttributionOptions extends Omit<FileWatcherOptions, 'onEvent'> {
  /** Every change, in the order per file; `nothing` is not told. */
  readonly onChange: (change: AttributedChange) => void
  /** A file may have changed: its verdict follows once it has settled, if its content is another one. */
  readonly onEvent?: (path: string) => void
  /** How long after the last event a file is looked at, ms: a second change within 50 ms has no event. Default 90. */
  readonly settleMs?: number
}

/** Files whose changes are attributed. Paths are absolute. */
export interface FileAttribution {
  /** Watches a file, there or not, from how it is now on. */
  track(path: string): Promise<void>
  untrack(path: string): void
  /** Writes a file (null: removes it) as this agent. A missing folder is made. Rejects where it can't be written. */
  write(path: string, content: string | Uint8Array | null, agent: string): Promise<void>
  /** An agent that writes itself is about to write these bytes: call before each write. */
  intend(path: string, content: string | Uint8Array | null, agent: string): Promise<void>
  /** Runs what may change the files of `paths` by itself: a command of an agent, or git. */
  during<T>(span: Omit<CommandSpan, 'startedAt'>, run: () => Promise<T>): Promise<T>
  /** Looks at files now (default: all) and resolves when their changes were told. */
  settle(paths?: readonly string[]): Promise<void>
  /** How many files are watched with events, and how many are looked at only. */
  counts(): { readonly watched: number; readonly polled: number }
  /** Ends everything; nothing is told after it was called. */
  close(): Promise<void>
}

const SETTLE_MS = 90
/** A file that is written to all the time is looked at this often, ms. */
const LONGEST_WAIT_MS = 300
/** How long a file that is missing or empty is given to be written, ms. */
const SECOND_LOOK_MS = 120
const EMPTY = contentOf(new Uint8Array()).hash
/** How soon a file that could not be read whole is looked at again, ms. */
const RETRY_MS = 250

/** Tells which session changed a file. Begins without files; see the port for what its methods do. */
export const createFileAttribution = (options: FileAttributionOptions): FileAttribution =>
  new NodeFileAttribution(options)

interface Tracked {
  /** Settles when the first look is done and the file is watched. */
  begun: Promise<void>
  /** What concerns one file happens one after the other: looks, and writes. */
  queue: Promise<void>
  writes: Promise<void>
  timer: NodeJS.Timeout | undefined
  firstEventAt: number
  noticedAt: number | undefined
  identity: string | undefined
  /** Of the last look. */
  stamp: string | undefined
  real: string
}

class NodeFileAttribution implements FileAttribution {
  readonly #options: FileAttributionOptions
  readonly #ledger: Attribution = createAttribution()
  readonly #files = new Map<string, Tracked>()
  readonly #watcher: FileWatcher
  #isClosed = false

  constructor(options: FileAttributionOptions) {
    this.#options = options
    this.#watcher = createFileWatcher({ ...options, onEvent: (path, noticedAt) => this.#onEvent(path, noticedAt) })
  }

  /**
   * Begins to follow a file, which need not exist; one that is followed already is only waited for. A change since the
   * first look is noticed. Rejects with `invalid-input` for a relative path, or a file that can't be read; that is then
   * not followed.
   */
  async track(given: string): Promise<void> {
    const path = checkedPath(given)
    const known = this.#files.get(path)
    if (known !== undefined) return known.begun
    const file: Tracked = {
      begun: Promise.resolve(),
      queue: Promise.resolve(),
      writes: Promise.resolve(),
      timer: undefined,
      firstEventAt: 0,
      noticedAt: undefined,
      identity: undefined,
      stamp: undefined,
      real: path,
    }
    this.#files.set(path, file)
    file.begun = this.#begin(path, file)
    return file.begun
  }

  /** Looks at a file for the first time and watches it; where that fails it is not followed. Rejects as `track` does. */
  async #begin(path: string, file: Tracked): Promise<void> {
    try {
      await this.#queued(file, async () => {
        const sight = await this.#firstSight(path)
        file.identity = sight.identity
        file.stamp = sight.stamp
        file.real = realPathOf(path)
        await this.#watcher.add(path, sight.stamp)
      })
    } catch (error) {
      if (this.#files.get(path) === file) this.untrack(path)
      throw error
    }
    // Between the first look and the first event nobody watched.
    this.#onEvent(path, Date.now())
  }

  /** The first look at a file, which later ones are compared with. Rejects with `invalid-input` if it can't be read. */
  async #firstSight(path: string): Promise<FileSight> {
    const sight = await lookAtFile(path)
    if (sight === undefined)
      throw new CairnError(
        'invalid-input',
        `${path} can't be watched: it may not be read, or is being written to all the time.`,
      )
    this.#ledger.begin(sight)
    return sight
  }

  /** Ends following a file and forgets what was seen of it. Nothing if it is not followed. */
  untrack(given: string): void {
    const path = checkedPath(given)
    clearTimeout(this.#files.get(path)?.timer)
    this.#files.delete(path)
    this.#watcher.remove(path)
    this.#ledger.forget(path)
  }

  /**
   * Writes a file in the agent's name, or removes it if `content` is null, after earlier writes of the same file; it is
   * followed from then on. Resolves when the change was told. Rejects with the system's error; the intent is then
   * withdrawn.
   */
  async write(given: string, content: string | Uint8Array | null, agent: string): Promise<void> {
    const path = checkedPath(given)
    await this.track(path)
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    const file = this.#files.get(path)
    if (file === undefined) return this.#writeNow(path, bytes, agent)
    const done = file.writes.then(() => this.#writeNow(path, bytes, agent))
    file.writes = done.catch(() => undefined)
    return done
  }

  /**
   * Announces, makes and then looks at a write; null removes the file. Missing folders are made; what failed is
   * withdrawn, and rejects.
   */
  async #writeNow(path: string, bytes: Uint8Array | null, agent: string): Promise<void> {
    await this.intend(path, bytes, agent)
    try {
      if (bytes === null) await rm(path, { force: true })
      else {
        await mkdir(dirname(path), { recursive: true })
        await writeFile(path, bytes)
      }
    } catch (error) {
      for (const name of this.#namesOf(path)) this.#ledger.withdraw(name)
      throw error
    }
    await this.settle(this.#namesOf(path))
  }

  /**
   * Announces that the agent will write this content, null to remove the file, so that the next change to it is taken
   * for the agent's. Follows the file from now on, and first tells of changes made before. Rejects as `track` does.
   */
  async intend(given: string, content: string | Uint8Array | null, agent: string): Promise<void> {
    const path = checkedPath(given)
    await this.track(path)
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    const names = this.#namesOf(path)
    await this.settle(names)
    const expected = bytes === null ? null : contentOf(bytes)
    // A link that is removed leaves the file that it led to.
    for (const name of bytes === null ? [path] : names) this.#ledger.intend(name, expected, agent, Date.now())
  }

  /**
   * Runs something whose changes below the span's paths are then the command's. What changed before is looked at first.
   * Gives what `run` gives, and rejects as it does; the command has ended then, too.
   */
  async during<T>(span: Omit<CommandSpan, 'startedAt'>, run: () => Promise<T>): Promise<T> {
    const paths = span.paths.map(checkedPath)
    const inSpan = (): readonly string[] =>
      [...this.#files.keys()].filter((file) => paths.some((path) => file === path || file.startsWith(`${path}/`)))
    await this.settle(inSpan())
    const end = this.#ledger.command({ ...span, paths, startedAt: Date.now() })
    try {
      return await run()
    } finally {
      end(Date.now())
      await this.settle(inSpan())
    }
  }

  async settle(paths: readonly string[] = [...this.#files.keys()]): Promise<void> {
    await Promise.all(paths.map((path) => this.#look(resolve(path))))
  }

  counts(): { readonly watched: number; readonly polled: number } {
    return this.#watcher.counts()
  }

  /** Ends following all files, after the looks under way. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { timer } of this.#files.values()) clearTimeout(timer)
    const queues = [...this.#files.values()].map(({ queue }) => queue)
    this.#files.clear()
    await Promise.all([this.#watcher.close(), ...queues])
  }

  /** All tracked names of a file: links to it, and other links to its inode. The path itself is the first. */
  #namesOf(path: string): readonly string[] {
    const file = this.#files.get(path)
    const real = realPathOf(path)
    const others = [...this.#files].filter(
      ([name, other]) =>
        name !== path && (other.real === real || (other.identity !== undefined && other.identity === file?.identity)),
    )
    return [path, ...others.map(([name]) => name)]
  }

  /**
   * Tells `onEvent`, and plans a look at the file once its events have settled, at the latest 300 ms after the first.
   * Nothing for a file that is not followed.
   */
  #onEvent(path: string, noticedAt: number): void {
    const file = this.#files.get(path)
    if (file === undefined || this.#isClosed) return
    this.#options.onEvent?.(path)
    if (file.timer === undefined) file.firstEventAt = noticedAt
    clearTimeout(file.timer)
    file.noticedAt ??= noticedAt
    const { settleMs = SETTLE_MS } = this.#options
    const waitMs = Math.max(0, Math.min(settleMs, file.firstEventAt + LONGEST_WAIT_MS - noticedAt))
    file.timer = setTimeout(() => {
      file.timer = undefined
      void this.#look(path, true)
    }, waitMs)
  }

  /** Runs `work` after the file's earlier work; its failure does not stop later work. */
  #queued(file: Tracked, work: () => Promise<void>): Promise<void> {
    const done = file.queue.then(work)
    file.queue = done.catch(() => undefined)
    return done
  }

  /** Looks at a file after its earlier looks and writes; nothing if it is not followed. `isEvent`: see `#lookNow`. */
  #look(path: string, isEvent = false): Promise<void> {
    const file = this.#files.get(path)
    return file === undefined ? Promise.resolve() : this.#queued(file, () => this.#lookNow(path, file, isEvent))
  }

  /**
   * Looks at a file and tells `onChange` of a change, with who made it. Tried again in 250 ms while the file can't be
   * read. Nothing after `close`, and nothing for an event while git is at work: `during` looks when it has ended.
   */
  async #lookNow(path: string, file: Tracked, isEvent: boolean): Promise<void> {
    // Git removes a file and rebuilds it: what events tell meanwhile is looked at when it has ended.
    const isOver = (): boolean =>
      this.#isClosed || this.#files.get(path) !== file || (isEvent && this.#ledger.isAtWork(path, 'git'))
    if (isOver()) return
    const noticedAt = file.noticedAt
    file.noticedAt = undefined
    const sight = await this.#settledSight(path, noticedAt, file.identity)
    const hasContent = sight !== undefined && sight.content !== null
    const isGits = hasContent && this.#ledger.asksGit(path) ? await isKnownToGit(path) : undefined
    if (isOver()) return
    if (sight === undefined) {
      setTimeout(() => this.#onEvent(path, Date.now()), RETRY_MS).unref()
      return
    }
    this.#watcher.know(path, sight.stamp)
    const former = file.identity
    file.identity = sight.identity
    file.stamp = sight.stamp
    const change = this.#ledger.judge(isGits === undefined ? sight : { ...sight, isKnownToGit: isGits })
    if (change.verdict === 'nothing') return
    if (sight.content !== null) this.#options.onChange(change)
    else await this.#tellGone(change, former)
  }

  /**
   * A look at the file. One that has just become missing or empty, which nobody announced, may get another content soon,
   * as editors and git remove or truncate first: it is looked at once more. Undefined where it can't be read whole.
   */
  async #settledSight(
    path: string,
    noticedAt: number | undefined,
    identity: string | undefined,
  ): Promise<FileSight | undefined> {
    const sight = await lookAtFile(path, noticedAt)
    const isOnTheWay =
      sight !== undefined && (sight.content === null ? identity !== undefined : sight.content.hash === EMPTY)
    if (!isOnTheWay || sight.stamp === this.#files.get(path)?.stamp) return sight
    if (this.#ledger.isAtWork(path) || this.#ledger.isExpected(path, sight.content)) return sight
    await wait(SECOND_LOOK_MS)
    return lookAtFile(path, noticedAt)
  }

  /**
   * Tells of a file that is gone. Where the same file has another name in its folder now, `renamedTo` is told, and that
   * name is followed in its place, unless it was already.
   */
  async #tellGone(change: FileVerdict, identity: string | undefined): Promise<void> {
    const renamedTo = identity === undefined ? undefined : await nameOf(identity, dirname(change.path))
    if (this.#isClosed) return
    if (renamedTo !== undefined && !this.#files.has(renamedTo)) {
      const file = this.#files.get(change.path)
      if (file !== undefined) {
        this.#files.delete(change.path)
        this.#watcher.remove(change.path)
        this.#ledger.move(change.path, renamedTo)
        this.#files.set(renamedTo, { ...file, identity, real: realPathOf(renamedTo), queue: Promise.resolve() })
        const sight = await lookAtFile(renamedTo)
        await this.#watcher.add(renamedTo, sight?.stamp)
        this.#onEvent(renamedTo, Date.now())
      }
    }
    this.#options.onChange(renamedTo === undefined ? change : { ...change, renamedTo })
  }
}

/** The path without `.` and `..`; throws `invalid-input` for a relative one. */
const checkedPath = (path: string): string => {
  if (!isAbsolute(path))
    throw new CairnError('invalid-input', `A file to watch is named by an absolute path, not ${path}.`)
  return resolve(path)
}

/** Folders larger than this are not searched for a file's new name. */
const MOST_ENTRIES = 2_000

/** The path of the file with this identity in a folder; undefined if none of its first `MOST_ENTRIES` names has it. */
const nameOf = async (identity: string, folder: string): Promise<string | undefined> => {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.slice(0, MOST_ENTRIES)) {
    const facts = await stat(join(folder, name), { bigint: true }).catch(() => undefined)
    if (facts?.isFile() === true && `${facts.dev}:${facts.ino}` === identity) return join(folder, name)
  }
  return undefined
}

/** Follows agents' transcripts into a store: whoever holds the lease takes them in, others wait until they may. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, normalize } from 'node:path'
import type { Engine } from '../../engine.ts'
import { CairnError, messageOf } from '../../errors.ts'
import { isSearchedFolder, isTranscriptName, transcriptRoots } from '../../importers/index.ts'
import type { ImportOptions } from '../../importers/index.ts'
import { follow } from '../../watching/follow.ts'
import { LEASE_RENEWED_MS } from '../../watching/lease.ts'
import { createFileSystem } from '../file-system.ts'
import { createLeaseFile } from '../lease-file.ts'
import type { LeaseFile } from '../lease-file.ts'
import { createAlarm } from './alarm.ts'
import type { Alarm } from './alarm.ts'
import { createFolderNotices } from './notices.ts'
import type { WatchListener } from './watch-events.ts'
import { createWatchImports } from './watch-imports.ts'

/** An engine over a store that was opened for a watch. */
export interface WatchedEngine {
  readonly engine: Engine
  /** Rejects when the store is not any more what was opened; cheap enough for every few seconds. */
  readonly check: () => Promise<void>
}

export interface WatchOptions extends Pick<ImportOptions, 'from' | 'agent' | 'exclude' | 'environment'> {
  /** Where the lease lies, absolute. */
  readonly dataFolder: string
  /** The store's address: the lease is for one store. */
  readonly store: string
  /** Opens the store; again when it was replaced, or could not be written. The watch closes what it gives. */
  readonly open: () => Promise<WatchedEngine>
  /** What others are told that follows, such as `cairn watch`. */
  readonly program: string
  readonly listener: WatchListener
  readonly signal: AbortSignal
}

/** How often one that waits asks for the lease, ms. */
const STANDBY_MS = 1_000
/** How often it is looked at whether the store is still the one that was opened, ms. */
const CHECK_MS = 5_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 15_000

/**
 * Follows transcripts until the signal is aborted, and resolves then; it waits while another program holds the lease.
 * Each time it gets the lease it begins with one import of all that is there, so that nothing is missed that was
 * written while nobody watched. Rejects for an agent that is not supported, and with what the system says where the
 * lease can't be written at first; all later troubles are only told to the listener.
 */
export const watchTranscripts = async (options: WatchOptions): Promise<void> => {
  const roots = transcriptRoots(options).map((root) => normalize(root))
  const alarm = createAlarm()
  options.signal.addEventListener('abort', () => alarm.wake(), { once: true })
  const lease = createLeaseFile(leasePath(options), options.program)
  const watch = new Watch(options, alarm, roots)
  for (let isFirst = true; !options.signal.aborted; isFirst = false) {
    await watch.standBy(lease, isFirst)
    await watch.followAsOwner(lease)
  }
}

/**
 * The path of the lease: the same for watches of the same agents and folders into the same store, in whatever order.
 */
const leasePath = ({ dataFolder, store, from = [], agent, exclude = [] }: WatchOptions): string => {
  const excluded = exclude.length === 0 ? [] : [[...exclude].sort()]
  const what = JSON.stringify([store, [...from].sort(), agent ?? null, ...excluded])
  return join(dataFolder, 'watch', `${createHash('sha256').update(what).digest('hex').slice(0, 16)}.lock`)
}

/** Times compare with those of files, and do not jump when the clock is set. */
const START = Date.now() - performance.now()

/**
 * Renews the lease; false when it is another's by now. That it can't be written, as on a disk that is full for a
 * moment, counts as renewed.
 */
const isRenewed = (lease: LeaseFile): boolean => {
  try {
    return lease.renew()
  } catch {
    return true
  }
}

/**
 * Whether only another opening of the store can help: it was replaced, can't be written, or is damaged. False for a
 * store that is only busy, and for any other error.
 */
const isStoreFault = (error: unknown): boolean =>
  CairnError.is(error) && error.code.startsWith('storage-') && error.code !== 'storage-busy'

/** A controller that is aborted with another signal, until `letGo` is called. */
const linked = (signal: AbortSignal) => {
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  return { signal: controller.signal, abort, letGo: () => signal.removeEventListener('abort', abort) }
}

class Watch {
  readonly #options: WatchOptions
  readonly #alarm: Alarm
  readonly #roots: readonly string[]
  /** What failed last; undefined while nothing does. */
  #trouble: string | undefined
  #wasOpened = false
  /** After the next fault of the store, ms: opening it and looking at all again is not cheap. */
  #pauseMs = FIRST_PAUSE_MS

  constructor(options: WatchOptions, alarm: Alarm, roots: readonly string[]) {
    this.#options = options
    this.#alarm = alarm
    this.#roots = roots
  }

  /**
   * Waits for the lease. Rejects only the first time that it is asked for. Resolves when it is taken, or when the
   * signal is aborted; later errors are told as trouble.
   */
  async standBy(lease: LeaseFile, isFirst: boolean): Promise<void> {
    const { signal, listener } = this.#options
    let isTold = false
    for (let mayReject = isFirst; !signal.aborted; mayReject = false) {
      try {
        const outcome = lease.take()
        if (outcome.isTaken) return
        if (!isTold) listener({ type: 'standby', owner: outcome.owner })
        isTold = true
      } catch (error) {
        if (mayReject) throw error
        this.#tellTrouble(error)
      }
      await this.#alarm.sleep(STANDBY_MS)
    }
  }

  /** Follows until the signal is aborted, or the lease is found to be another's. The lease is let go in any case. */
  async followAsOwner(lease: LeaseFile): Promise<void> {
    const ended = linked(this.#options.signal)
    const renewal = setInterval(() => {
      if (isRenewed(lease)) return
      ended.abort()
      this.#alarm.wake()
    }, LEASE_RENEWED_MS)
    try {
      while (!ended.signal.aborted) {
        const opened = await this.#opened(ended.signal)
        if (opened !== undefined) await this.#followInto(opened, ended.signal)
      }
    } finally {
      clearInterval(renewal)
      ended.letGo()
      lease.release()
    }
  }

  /**
   * Opens the store, again and again until that works; undefined when the signal is aborted before. Pauses between
   * tries grow, up to `LONGEST_PAUSE_MS`.
   */
  async #opened(signal: AbortSignal): Promise<WatchedEngine | undefined> {
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
      try {
        if (this.#wasOpened) assertStillThere(this.#options.store)
        const opened = await this.#options.open()
        this.#wasOpened = true
        return opened
      } catch (error) {
        this.#tellTrouble(error)
      }
      await this.#alarm.sleep(pauseMs)
    }
    return undefined
  }

  /**
   * Follows until the signal is aborted, or the store has to be opened again, then after a pause that grows with each
   * fault; closes the engine in any case. Troubles are told to the listener.
   */
  async #followInto({ engine, check }: WatchedEngine, signal: AbortSignal): Promise<void> {
    const { listener } = this.#options
    const ended = linked(signal)
    const fail = (error: unknown): void => {
      this.#tellTrouble(error)
      if (!isStoreFault(error)) return
      ended.abort()
      this.#alarm.wake()
    }
    let isProven = false
    const checks = setInterval(() => {
      // What was just written was written to the store that is there; looking closely costs reading.
      if (!isProven) void check().catch(fail)
      isProven = false
    }, CHECK_MS)
    const imports = createWatchImports(engine, this.#options, listener, ended.signal)
    try {
      await follow(
        {
          fileSystem: createFileSystem(),
          notices: createFolderNotices(),
          now: () => performance.now() + START,
          ...this.#alarm,
        },
        {
          roots: this.#roots,
          isFollowedFile: isTranscriptName,
          isFollowedFolder: isSearchedFolder,
          takeAll: async () => {
            const { report, untaken } = await imports.all()
            this.#tellRecovered()
            listener({ type: 'following', report, roots: this.#roots })
            return untaken
          },
          take: async (paths) => {
            const untaken = await imports.changed(paths)
            isProven = true
            this.#tellRecovered()
            return untaken
          },
          onTrouble: fail,
          onCount: (count) => listener({ type: 'transcripts', count }),
          onUnwatched: () => listener({ type: 'unwatched' }),
          signal: ended.signal,
        },
      )
    } finally {
      clearInterval(checks)
      ended.letGo()
      await closed(engine)
    }
    if (signal.aborted) return
    await this.#alarm.sleep(this.#pauseMs)
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2)
  }

  /** Tells the listener of a trouble; not of the same again before watching works, or something else fails. */
  #tellTrouble(error: unknown): void {
    const text = messageOf(error)
    if (text === this.#trouble) return
    this.#trouble = text
    this.#options.listener({ type: 'trouble', error })
  }

  /** Tells that watching works again, if trouble was told; the pause before a retry is short again. */
  #tellRecovered(): void {
    this.#pauseMs = FIRST_PAUSE_MS
    if (this.#trouble === undefined) return
    this.#trouble = undefined
    this.#options.listener({ type: 'recovered' })
  }
}

/**
 * Asserts that the store's file is there: one that was must not silently be followed by a new, empty one. Nothing for
 * an address that is no file.
 * @throws CairnError `storage-unavailable`
 */
const assertStillThere = (address: string): void => {
  const path = address.startsWith('file:') ? address.slice('file:'.length) : undefined
  if (path !== undefined && !existsSync(path))
    throw new CairnError(
      'storage-unavailable',
      `The store ${path} is gone: it was deleted or moved. Transcripts are taken in again once it is there.`,
    )
}

/**
 * Closes the engine. Errors count for nothing: of a store that was lost or damaged the end does not matter any more.
 */
const closed = async (engine: Engine): Promise<void> => {
  try {
    await engine.close()
  } catch {
    // What was written is written; the next opening says what is wrong.
  }
}

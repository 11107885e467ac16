/**
 * Replays that are under way or were made lately. Pages that ask for the same share one; it is given up when all of
 * them have left. Only a few run at a time: the machine has other work.
 */
import type { Progress } from './progress.ts'
import type { ReplayOutcome } from './replay-session.ts'

/** A replay that is asked for. */
export interface WantedReplay {
  /** Session and settings. */
  readonly key: string
  /** Differs when the log has grown or changed. */
  readonly version: string
  readonly run: (onProgress: (progress: Progress) => void, signal: AbortSignal) => Promise<ReplayOutcome>
}

/** A finished replay, and of which version of the log. */
export interface KeptReplay {
  readonly version: string
  readonly outcome: ReplayOutcome
}

/** A replay that runs or is kept. */
interface Replay {
  readonly version: string
  readonly result: Promise<KeptReplay>
  readonly controller: AbortController
  progress: Progress | undefined
  waiting: number
  /** When it was done, ms; undefined while it is under way. */
  doneAt: number | undefined
}

/** See {@link createReplays}. */
interface ReplaysOptions {
  readonly now: () => number
  /** How many are kept. */
  readonly kept?: number
  readonly atOnce?: number
  /** A session that goes on is not replayed again before the last one is so old, ms. */
  readonly freshFor?: number
}

/** Replays that are shared by all who ask for the same one. */
export interface Replays {
  /** Rejects with the signal's reason when it is aborted. */
  get(wanted: WantedReplay, signal: AbortSignal | undefined): Promise<KeptReplay>
  /** How far it is; undefined where none is under way, or it has not begun. */
  progress(key: string): Progress | undefined
}

/**
 * Returns replays that are shared: each is made once for all who ask, and some finished ones are kept. `get` rejects as
 * the replay does, and with the signal's reason; a replay that nobody waits for any more is stopped.
 * @param kept how many are kept
 * @param atOnce how many run at the same time
 * @param freshFor ms for which one is still used although the log has grown
 */
export const createReplays = ({ now, kept = 6, atOnce = 2, freshFor = 10_000 }: ReplaysOptions): Replays => {
  /** The one asked for longest ago first. */
  const known = new Map<string, Replay>()
  const inTurn = createGate(atOnce)

  const start = ({ key, version, run }: WantedReplay): Replay => {
    const controller = new AbortController()
    const result = inTurn(async () => {
      controller.signal.throwIfAborted()
      const outcome = await run((progress) => {
        replay.progress = progress
      }, controller.signal)
      return { version, outcome }
    })
    const replay: Replay = { version, result, controller, progress: undefined, waiting: 0, doneAt: undefined }
    result.then(
      () => {
        replay.doneAt = now()
      },
      () => {
        if (known.get(key) === replay) known.delete(key)
      },
    )
    return replay
  }

  const find = (wanted: WantedReplay): Replay => {
    const found = known.get(wanted.key)
    const isGood =
      found !== undefined &&
      (found.version === wanted.version || found.doneAt === undefined || now() - found.doneAt < freshFor)
    const replay = isGood ? found : start(wanted)
    known.delete(wanted.key)
    known.set(wanted.key, replay)
    for (const [key, { doneAt }] of known) {
      if (known.size <= kept) break
      if (doneAt !== undefined) known.delete(key)
    }
    return replay
  }

  return {
    get: async (wanted, signal) => {
      signal?.throwIfAborted()
      const replay = find(wanted)
      replay.waiting += 1
      try {
        return await untilAborted(replay.result, signal)
      } finally {
        replay.waiting -= 1
        if (replay.waiting === 0 && replay.doneAt === undefined) {
          // Whoever asks again starts again and does not get what is being given up.
          if (known.get(wanted.key) === replay) known.delete(wanted.key)
          replay.controller.abort()
        }
      }
    },
    progress: (key) => {
      const replay = known.get(key)
      return replay?.doneAt === undefined ? replay?.progress : undefined
    },
  }
}

/**
 * Returns the result, or rejects as soon as the signal is aborted; the work continues. Without a signal it is the
 * result alone.
 */
const untilAborted = <T>(result: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  if (signal === undefined) return result
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('the asker has left'))
    signal.addEventListener('abort', leave, { once: true })
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

/**
 * Returns a function that runs at most so much work at a time; the rest waits in the order in which it came. Work that
 * rejects makes room as well.
 */
const createGate = (most: number): (<T>(work: () => Promise<T>) => Promise<T>) => {
  const queue: (() => void)[] = []
  let free = most
  return async (work) => {
    if (free === 0) await new Promise<void>((resolve) => queue.push(resolve))
    else free -= 1
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}

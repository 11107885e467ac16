/** Outlines of a store's sessions; of a log that was read before, only what is new is read again. */
import { assertName } from '../input.ts'
import type { Clock } from '../ports/clock.ts'
import type { PriceBook } from '../ports/price-book.ts'
import type { SessionStorage } from '../ports/session-storage.ts'
import type { UsageStorage } from '../ports/usage-storage.ts'
import type { EntryKind } from '../session-log.ts'
import { createOutlineLogFold, type OutlineLogFold } from './outline-log.ts'
import type { SessionOutline } from './outline.ts'
import { sessionOutline } from './session-outline.ts'

const KINDS: readonly EntryKind[] = ['message', 'compaction', 'rewrite', 'truncation']

/** Entries that are held at once. */
const AT_ONCE = 500
/** Logs of which the fold stays in memory. */
const MOST_FOLDS = 16

interface KnownLog {
  readonly fold: OutlineLogFold
  /** The entry to go on with. */
  nextSeq: number
  /** Reads of one log come one after another. */
  reading: Promise<void>
}

export interface OutlineDeps {
  readonly sessions: Pick<SessionStorage, 'get' | 'read'>
  readonly usage: Pick<UsageStorage, 'requests'>
  readonly priceBook: () => Promise<PriceBook>
  readonly clock: Clock
}

/**
 * A function that gives the outline of a session (its whole id); an empty one of a session that is not stored. It
 * reads on where its last call for the session ended. Rejects as the store does, and with `invalid-input` for no
 * name.
 */
export const createOutlines = (deps: OutlineDeps): ((id: string) => Promise<SessionOutline>) => {
  const { sessions, usage, priceBook, clock } = deps
  const known = new Map<string, KnownLog>()

  const readOn = async (id: string, log: KnownLog): Promise<void> => {
    for (;;) {
      const entries = await sessions.read(id, { fromSeq: log.nextSeq, limit: AT_ONCE, kinds: KINDS })
      for (const entry of entries) {
        log.fold.step(entry)
        log.nextSeq = entry.seq + 1
      }
      if (entries.length < AT_ONCE) return
    }
  }
  const logOf = async (id: string): Promise<OutlineLogFold> => {
    const entries = (await sessions.get(id))?.entries ?? 0
    let log = known.get(id)
    // A session that was deleted and begun anew is shorter.
    if (log === undefined || log.nextSeq > entries)
      log = { fold: createOutlineLogFold(), nextSeq: 0, reading: Promise.resolve() }
    known.delete(id)
    known.set(id, log)
    const oldest = known.keys().next().value
    if (known.size > MOST_FOLDS && oldest !== undefined) known.delete(oldest)
    const current = log
    current.reading = current.reading.then(() => readOn(id, current))
    try {
      await current.reading
    } catch (error) {
      known.delete(id)
      throw error
    }
    return current.fold
  }
  return async (id) => {
    assertName(id, 'The session that an outline is of')
    const { log } = await logOf(id)
    return sessionOutline(log, await usage.requests(id), await priceBook(), clock.now())
  }
}

/** Outlines of a store's sessions; of a session that was read before, only what is new is read again. */
import { assertName } from '../input.ts'
import type { Clock } from '../ports/clock.ts'
import type { PriceBook } from '../ports/price-book.ts'
import type { SessionStorage, SessionSummary } from '../ports/session-storage.ts'
import type { StoredRequest, UsageStorage } from '../ports/usage-storage.ts'
import type { EntryKind } from '../session-log.ts'
import { createOutlineLogFold, type OutlineLogFold } from './outline-log.ts'
import type { SessionOutline } from './outline.ts'
import { sessionOutline } from './session-outline.ts'
import { sessionRequests } from './session-requests.ts'

const KINDS: readonly EntryKind[] = ['message', 'model', 'compaction', 'rewrite', 'truncation']

/** Entries that are held at once. */
const AT_ONCE = 500
/** Sessions of which fold and requests stay in memory. */
const MOST_KNOWN = 16

interface KnownSession {
  fold: OutlineLogFold
  /** The entry to go on with. */
  nextSeq: number
  requests: readonly StoredRequest[]
  /** The last outline, and what it was made for. */
  outline: { readonly facts: string; readonly made: SessionOutline } | undefined
  /** Outlines of one session are made one after another. */
  making: Promise<unknown>
}

export interface OutlineDeps {
  readonly sessions: Pick<SessionStorage, 'get' | 'read'>
  readonly usage: Pick<UsageStorage, 'requests'>
  readonly priceBook: () => Promise<PriceBook>
  readonly clock: Clock
}

/** A text that changes when anything does that an outline follows from. */
const factsOf = ({ entries, requests, costNano, unpricedRequests, missingOutputCostNano }: SessionSummary): string =>
  [entries, requests, costNano, unpricedRequests, missingOutputCostNano].join(' ')

/** What is known of a session before anything was read. */
const nothingRead = (): Omit<KnownSession, 'making'> => ({
  fold: createOutlineLogFold(),
  nextSeq: 0,
  requests: [],
  outline: undefined,
})

/**
 * A function that gives the outline of a session (its whole id); an empty one of a session that is not stored. It
 * reads on where its last call for the session ended. Rejects as the store does, and with `invalid-input` for no
 * name.
 */
export const createOutlines = (deps: OutlineDeps): ((id: string) => Promise<SessionOutline>) => {
  const { sessions, usage, priceBook, clock } = deps
  /** In the order of their use. */
  const known = new Map<string, KnownSession>()

  /** Gives the fold all entries that it does not have yet, in parts. */
  const readOn = async (id: string, session: KnownSession): Promise<void> => {
    for (;;) {
      const entries = await sessions.read(id, { fromSeq: session.nextSeq, limit: AT_ONCE, kinds: KINDS })
      for (const entry of entries) {
        session.fold.step(entry)
        session.nextSeq = entry.seq + 1
      }
      if (entries.length < AT_ONCE) return
    }
  }
  /** The outline of a session, the last one if nothing changed; else reads on in its log and asks for its requests. */
  const make = async (id: string, session: KnownSession): Promise<SessionOutline> => {
    const summary = await sessions.get(id)
    // A session that was deleted and begun again is shorter.
    if (session.nextSeq > (summary?.entries ?? 0)) Object.assign(session, nothingRead())
    const facts = summary === undefined ? undefined : factsOf(summary)
    if (session.outline !== undefined && session.outline.facts === facts) return session.outline.made
    await readOn(id, session)
    session.requests =
      summary === undefined ? await usage.requests(id) : await sessionRequests(usage, summary, session.requests)
    const made = sessionOutline(session.fold.log, session.requests, await priceBook(), clock.now())
    session.outline = facts === undefined ? undefined : { facts, made }
    return made
  }
  /**
   * What is in memory of a session, as the one used last; empty for a new one. The one used longest ago goes where
   * there are too many.
   */
  const knownSession = (id: string): KnownSession => {
    const session = known.get(id) ?? { ...nothingRead(), making: Promise.resolve() }
    known.delete(id)
    known.set(id, session)
    const oldest = known.keys().next().value
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest)
    return session
  }
  return async (id) => {
    assertName(id, 'The session that an outline is of')
    const session = knownSession(id)
    // Whether the call before failed is for its caller.
    const making = session.making.catch(() => undefined).then(() => make(id, session))
    session.making = making
    try {
      return await making
    } catch (error) {
      known.delete(id)
      throw error
    }
  }
}

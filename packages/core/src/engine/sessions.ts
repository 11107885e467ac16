/** The engine's part that finds, reads and writes sessions. */
import type { SessionArchive } from '../archive/archive.ts'
import type { AsOfSources, SessionAsOf } from '../archive/as-of.ts'
import type { DigestTarget, SessionDigest } from '../archive/session-digest.ts'
import { CairnError } from '../errors.ts'
import { assertBound, assertName, shownValue } from '../input.ts'
import type { Clock } from '../ports/clock.ts'
import type {
  AppendPosition,
  EntryWrite,
  SequenceConflict,
  SessionFacts,
  SessionSummary,
} from '../ports/session-storage.ts'
import type { Store } from '../ports/store.ts'
import type { TrajectorySource } from '../replay/trajectory.ts'
import type { Result } from '../result.ts'
import type { LogEntry } from '../session-log.ts'
import { assertAppend } from '../session/append-input.ts'
import { createDisplayStream } from '../session/display-stream.ts'
import type { DisplayStream } from '../session/display-stream.ts'
import { planRewind } from '../session/rewind.ts'
import type { RewindPlan, RewindTo } from '../session/rewind.ts'
import { createTimeIndex, entriesAt } from '../session/time-index.ts'
import { withoutSecrets } from './redacted-writes.ts'
import type { SessionLease } from './session-lease.ts'

/** Methods about one session reject with `not-found` if there is no such session. Times are in ms. */
export interface EngineSessions {
  /**
   * The session with this id, or the only one whose id starts with the text. Rejects with `not-found` or `ambiguous`.
   */
  find(idOrPrefix: string): Promise<SessionSummary>
  /** The session's entries in order, as of `at` (ms) if given. Rejects with `not-found`. */
  log(sessionId: string, at?: number): Promise<readonly LogEntry[]>
  /**
   * Appends entries to a session, with secrets redacted. See `SessionStorage.append`. Rejects with `invalid-input`,
   * naming the entry and its field, for an invalid entry.
   */
  append(
    session: SessionFacts,
    expectedSeq: AppendPosition,
    writes: readonly EntryWrite[],
  ): Promise<Result<{ readonly nextSeq: number }, SequenceConflict>>
  /**
   * Acquires the lease of the session for this process, until it is released. Rejects with `not-found`, and with
   * `sequence-conflict` while another run has it.
   */
  lease(sessionId: string): Promise<SessionLease>
  /**
   * Rewinds a session to an earlier message, entry or time, by appending one entry to its log, which keeps everything.
   * Rejects with `not-found` or `ambiguous` for an invalid target, and with `sequence-conflict` if someone else wrote
   * in the meantime.
   */
  rewind(sessionId: string, to: RewindTo): Promise<RewindPlan>
  /**
   * What a person sees of a session: messages, tool calls and markers in order, as of `at` (ms) if given. Rejects with
   * `not-found`.
   */
  displayStream(sessionId: string, at?: number): Promise<DisplayStream>
  /** A session's threads and their summaries, as of `at` (ms) if given. Rejects with `not-found`. */
  archive(sessionId: string, at?: number): Promise<SessionArchive>
  /**
   * A short version of a session, made without a model: its summary, and its conversation within a size (tokens, or a
   * share of the conversation's size), as of `at` if given.
   */
  digest(sessionId: string, target: DigestTarget, at?: number): Promise<SessionDigest>
  /** A session as of a time: log, files, and the memory and notes of its workspace. */
  asOf(sessionId: string, at: number): Promise<SessionAsOf>
  /** A session and the outputs recorded for its requests, as input for `trajectoryOf`. */
  replaySource(sessionId: string, charactersPerToken: number): Promise<TrajectorySource>
}

/** Maximum number of candidates listed for an ambiguous id. */
const NAMED_CANDIDATES = 5

/**
 * Creates the engine's part for sessions. It rejects with `not-found` for an unknown session and `ambiguous` for a
 * shared id prefix; `append` to a new session creates it. `remembered` is the store including the memory that answers
 * may use; entries are written to `store`, and `lease` acquires a lease.
 */
export const createEngineSessions = (
  store: Store,
  remembered: AsOfSources,
  clock: Clock,
  lease: EngineSessions['lease'],
): EngineSessions => {
  /**
   * A session's entries, with `at` (ms) only those of that time and before. Rejects with `not-found` for an unknown
   * session, `invalid-input` for an argument that can't be used.
   */
  const log = async (sessionId: string, at?: number): Promise<readonly LogEntry[]> => {
    assertName(sessionId, "The session's id")
    assertBound(at, 'The time')
    const entries = await store.sessions.read(sessionId)
    // Only a log without entries may be that of no session.
    if (entries.length === 0 && (await store.sessions.get(sessionId)) === undefined) throw unknownSession(sessionId)
    return at === undefined ? entries : entriesAt(createTimeIndex(entries).index, at)
  }
  return {
    find: async (idOrPrefix) => {
      assertName(idOrPrefix, "The session's id, or the beginning of it,")
      return onlyOne(idOrPrefix, await store.sessions.resolve(idOrPrefix, NAMED_CANDIDATES + 1))
    },
    log,
    append: async (session, expectedSeq, writes) => {
      assertAppend(session, expectedSeq, writes)
      return store.sessions.append(session, expectedSeq, writes.map(withoutSecrets))
    },
    lease: async (sessionId) => {
      assertName(sessionId, "The session's id")
      if ((await store.sessions.get(sessionId)) === undefined) throw unknownSession(sessionId)
      return lease(sessionId)
    },
    rewind: (sessionId, to) => rewind({ store, log, clock }, sessionId, to),
    displayStream: async (sessionId, at) => {
      const stream = createDisplayStream()
      for (const entry of await log(sessionId, at)) stream.step(entry)
      return stream
    },
    archive: async (sessionId, at) => {
      const [entries, { sessionArchive }] = await Promise.all([
        log(sessionId, at),
        import('../archive/session-archive.ts'),
      ])
      return sessionArchive(entries, sessionId)
    },
    digest: async (sessionId, target, at) => digestOf(store, sessionId, await log(sessionId, at), target, at),
    asOf: async (sessionId, at) => (await import('../archive/as-of.ts')).sessionAsOf(remembered, sessionId, at),
    replaySource: async (sessionId, charactersPerToken) => {
      const [entries, requests] = await Promise.all([log(sessionId), store.usage.requests(sessionId)])
      const main = requests.filter(({ subagent }) => subagent === null)
      return { session: sessionId, entries, requestsByTime: main, paid: main, charactersPerToken }
    },
  }
}

/**
 * Appends a rewind, and returns its plan; nothing is written if there is nothing to rewind. Rejects with `not-found`
 * for the session or the target, with `ambiguous` for the target, or with `sequence-conflict` if the log grew
 * meanwhile.
 */
const rewind = async (
  { store, log, clock }: { readonly store: Store; readonly log: EngineSessions['log']; readonly clock: Clock },
  sessionId: string,
  to: RewindTo,
): Promise<RewindPlan> => {
  assertName(sessionId, "The session's id")
  const session = await store.sessions.get(sessionId)
  if (session === undefined) throw unknownSession(sessionId)
  const plan = planRewind(to, await log(sessionId), clock.now())
  if (plan.entry === undefined) return plan
  const { id, agent, externalId } = session
  const appended = await store.sessions.append({ id, agent, externalId }, plan.expectedSeq, [{ entry: plan.entry }])
  if (!appended.ok)
    throw new CairnError(
      'sequence-conflict',
      `Somebody wrote to the session ${sessionId} meanwhile; nothing was rewound. Try again.`,
    )
  return plan
}

/**
 * The digest of a log as of `at`, sized for a target with the session's ratio of characters per token. @throws
 * CairnError `usage` for a target below one token
 */
const digestOf = async (
  store: Store,
  sessionId: string,
  entries: readonly LogEntry[],
  target: DigestTarget,
  at: number | undefined,
): Promise<SessionDigest> => {
  const [requests, { sessionDigest }, { ratioOfSession }, { sessionModel }, { createModelCatalog }] = await Promise.all(
    [
      store.usage.requests(sessionId),
      import('../archive/session-digest.ts'),
      import('../context/learned-ratio.ts'),
      import('../context/session-model.ts'),
      import('../models/model-catalog.ts'),
    ],
  )
  const facts = (await createModelCatalog()).facts(sessionModel(entries, requests, at).model ?? '')
  const { charsPerToken } = await ratioOfSession(store, { sessionId, entries, requests, facts, at })
  return sessionDigest(entries, sessionId, { target, charsPerToken })
}

const unknownSession = (sessionId: string): CairnError =>
  new CairnError('not-found', `There is no session with the id ${shownValue(sessionId)}.`)

/**
 * The only session found. `found` has at most one more than `NAMED_CANDIDATES`.
 * @throws CairnError `not-found` or `ambiguous`, naming up to `NAMED_CANDIDATES`
 */
const onlyOne = (idOrPrefix: string, found: readonly SessionSummary[]): SessionSummary => {
  const [first, ...others] = found
  if (first === undefined)
    throw new CairnError('not-found', `There is no session whose id is, or starts with, "${idOrPrefix}".`)
  if (others.length === 0) return first
  const ids = found.slice(0, NAMED_CANDIDATES).map(({ id }) => id)
  const more = found.length > NAMED_CANDIDATES ? ', …' : ''
  throw new CairnError(
    'ambiguous',
    `"${idOrPrefix}" could be several sessions; give more of the id: ${ids.join(', ')}${more}.`,
  )
}

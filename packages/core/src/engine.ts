/**
 * The engine: puts a store, a file system and the price list together into what every way in (command
 * line, editor, dashboard, library) uses. Composition only: what is decided here is decided below.
 */
import type { SessionArchive } from './archive/archive.ts'
import type { SessionAsOf } from './archive/as-of.ts'
import type { DigestTarget, SessionDigest } from './archive/session-digest.ts'
import type { SessionContext, SessionContextInput } from './context/session-context.ts'
import { CairnError } from './errors.ts'
import type { EngineListener } from './events.ts'
import type { Graph } from './graph/graph.ts'
import type { ImportOptions, ImportReport } from './importers/run.ts'
import { assertBound, assertName, assertObject, assertTextOrAbsent, assertTimeOrAbsent, shownValue } from './input.ts'
import type { Memory } from './memory/memory.ts'
import type { Profile } from './memory/profile.ts'
import {
  EMPTY_PROFILE_SECTION,
  EMPTY_SECTION,
  NOTHING_REMEMBERED,
  disabledMemory,
  disabledProfile,
} from './memory/disabled.ts'
import type { Notes } from './notes/notes.ts'
import type { Clock } from './ports/clock.ts'
import type { Embedder } from './ports/embedder.ts'
import type { FileSystem } from './ports/file-system.ts'
import type { Hasher } from './ports/hasher.ts'
import type { Ids } from './ports/ids.ts'
import type { PriceBook } from './ports/price-book.ts'
import type { SearchHit, SearchQuery, SessionHit, SessionSearchQuery } from './ports/search-index.ts'
import type {
  AppendPosition,
  EntryWrite,
  SequenceConflict,
  SessionFacts,
  SessionSummary,
} from './ports/session-storage.ts'
import type { Store } from './ports/store.ts'
import type { UsageQuery, UsageReport } from './ports/usage-storage.ts'
import { redact } from './redaction/index.ts'
import type { TrajectorySource } from './replay/trajectory.ts'
import type { Result } from './result.ts'
import type { LogEntry, NewLogEntry } from './session-log.ts'
import { assertAppend, entryJson } from './session/append-input.ts'
import { createDisplayStream } from './session/display-stream.ts'
import type { DisplayStream } from './session/display-stream.ts'
import { modelHistory } from './session/model-history.ts'
import type { ModelMessage } from './session/model-history.ts'
import { createTimeIndex, entriesAt } from './session/time-index.ts'
import { planRewind } from './session/rewind.ts'
import type { RewindPlan, RewindTo } from './session/rewind.ts'
import type { SessionStart, SessionStartInput } from './session-start/session-start.ts'
import { checkBudget } from './usage/budget.ts'
import type { BudgetCheck } from './usage/budget.ts'
import type { PriceOverride } from './usage/price-book.ts'
import { assertUsageQuery } from './usage/usage-query.ts'

/** What an engine may know of earlier sessions, and keep for later ones. */
export interface Privacy {
  /**
   * Nothing of earlier sessions is known, and nothing is kept: the store has to be an ephemeral one. Everything works,
   * and is gone when the engine is closed. Default false.
   */
  readonly incognito?: boolean
  /** False: sessions are kept, but memory and profile are refused, and a session starts with nothing of earlier ones. Default true. */
  readonly longTermMemory?: boolean
}

export interface EngineDeps {
  readonly store: Store
  readonly fileSystem: FileSystem
  readonly hasher: Hasher
  readonly clock: Clock
  readonly ids: Ids
  readonly privacy?: Privacy
  /** Re-ranks the best 50 messages of a recall by how near their meaning is to the query's. Default: none, the index decides. */
  readonly embedder?: Embedder
  /** What "yesterday" means in a memory entry, an IANA name; default the machine's. */
  readonly timeZone?: string
  /** Default: the price list that comes with Cairn. */
  readonly priceBook?: PriceBook
  /** The user's own prices, by model; they come before the list's. Ignored when `priceBook` is given. */
  readonly prices?: Readonly<Record<string, PriceOverride>>
}

/** How a session would go on; what is left out is taken from the session. */
export interface ContextSetting extends Pick<SessionContextInput, 'policy' | 'preset' | 'window' | 'prefixTokens'> {
  /** As the session was at this time, ms; default now. */
  readonly at?: number
  /** Instead of the one that the session used last. */
  readonly model?: string
}

export interface Engine {
  readonly store: Store
  readonly privacy: Readonly<Required<Privacy>>
  /** What was learnt about workspaces. Without long-term memory every call rejects with `unsupported`, and the section is empty. */
  readonly memory: Memory
  /** A few lines about the user, for all workspaces. Without long-term memory as `memory`. */
  readonly profile: Profile
  readonly notes: Notes
  /** What is linked with what. */
  readonly graph: Graph
  /**
   * Imports other agents' transcripts. Rejects for an agent that is not supported, when the store fails, and
   * when `signal` is aborted (then with its reason; batches written before stay).
   */
  importTranscripts(options: ImportOptions, listener?: EngineListener, signal?: AbortSignal): Promise<ImportReport>
  /**
   * Adds entries to a session, without their secrets. See `SessionStorage.append`. Rejects with `invalid-input`, naming the
   * entry and its field, for what is no entry of a log.
   */
  append(
    session: SessionFacts,
    expectedSeq: AppendPosition,
    writes: readonly EntryWrite[],
  ): Promise<Result<{ readonly nextSeq: number }, SequenceConflict>>
  /** Usage in rows and their total; with `maximumUsd`, also whether the total stays within it. */
  usage(query: UsageQuery, maximumUsd?: number): Promise<UsageReport & { readonly budget?: BudgetCheck }>
  /** The session of an id or of the beginning of one. Rejects with `not-found` or `ambiguous`. */
  session(idOrPrefix: string): Promise<SessionSummary>
  /** Searches everything that was ever said, best first. */
  recall(query: SearchQuery): Promise<readonly SearchHit[]>
  /** Which past sessions matter for a request, the one that matters most first. */
  recallSessions(query: SessionSearchQuery): Promise<readonly SessionHit[]>
  /**
   * What a session is given before its first message: profile, memory, past sessions that matter. Made once a session;
   * with the same `at` it is the same again. Empty when incognito, and without long-term memory.
   */
  sessionStart(input: SessionStartInput): Promise<SessionStart>
  /** A session's threads and summaries, as of a time (ms) where one is given. */
  archive(sessionId: string, at?: number): Promise<SessionArchive>
  /**
   * A session in few words, made without a model: its summary, and its conversation within a size (tokens, or a share of what
   * the conversation takes), as of a time (ms) where one is given.
   */
  digest(sessionId: string, target: DigestTarget, at?: number): Promise<SessionDigest>
  /** A session, its files, and what was remembered and noted beside it, as of a time (ms). Rejects with `not-found`. */
  asOf(sessionId: string, at: number): Promise<SessionAsOf>
  /** Takes a session back. Nothing is removed from its log. Rejects with `sequence-conflict` when somebody wrote meanwhile. */
  rewind(sessionId: string, to: RewindTo): Promise<RewindPlan>
  /** A session's log, as it was at a time (ms) where one is given. Like all that is asked of one session it rejects with `not-found` for one that is not there. */
  log(sessionId: string, at?: number): Promise<readonly LogEntry[]>
  /** What a person sees of a session. */
  displayStream(sessionId: string, at?: number): Promise<DisplayStream>
  /** What the model would be sent of a session. */
  modelHistory(sessionId: string, at?: number): Promise<readonly ModelMessage[]>
  /**
   * What the next request of a session would be sent with, block by block, and why. Writes nothing. Rejects with
   * `invalid-input` when the window has no room for messages.
   */
  context(sessionId: string, setting?: ContextSetting): Promise<SessionContext>
  /** A session as `trajectoryOf` takes it, with the outputs that its requests recorded. */
  replaySource(sessionId: string, charactersPerToken: number): Promise<TrajectorySource>
  /** Prices the requests that had no price with what is known now; costs that were recorded or computed stay. */
  reprice(): Promise<{ readonly priced: number }>
  /** Waits for writes under way and lets go of the store. */
  close(): Promise<void>
}

/** How many sessions a prefix may match before naming them helps nobody. */
const NAMED_CANDIDATES = 5

/** Makes an engine over a store that is open. @throws CairnError `invalid-input` when a part is missing, or an incognito engine's store is kept. */
export const createEngine = (deps: EngineDeps): Engine => {
  assertObject(deps, 'What an engine is made of')
  for (const part of ['store', 'fileSystem', 'hasher', 'clock', 'ids'] as const)
    assertObject(deps[part], `The engine's ${part}`)
  const { store, clock } = deps
  const { incognito = false, longTermMemory = true } = deps.privacy ?? {}
  if (incognito && store.isEphemeral !== true)
    throw new CairnError(
      'invalid-input',
      'An incognito engine needs an ephemeral store; this one is kept. Nothing was read or written.',
    )
  /** What may know of earlier sessions. */
  const remembers = longTermMemory && !incognito

  let listed: Promise<PriceBook> | undefined
  /** The list is large and only imports that find something need it. */
  const priceBook = async (): Promise<PriceBook> => {
    if (deps.priceBook !== undefined) return deps.priceBook
    listed ??= import('./usage/price-book.ts').then(({ createPriceBook }) =>
      createPriceBook({ overrides: deps.prices ?? {} }),
    )
    return listed
  }

  const log = async (sessionId: string, at?: number): Promise<readonly LogEntry[]> => {
    assertName(sessionId, "The session's id")
    assertBound(at, 'The time')
    const entries = await store.sessions.read(sessionId)
    // Only a log without entries may be that of no session.
    if (entries.length === 0 && (await store.sessions.get(sessionId)) === undefined) throw unknownSession(sessionId)
    return at === undefined ? entries : entriesAt(createTimeIndex(entries).index, at)
  }

  const memory = !longTermMemory
    ? disabledMemory()
    : incognito
      ? { ...lateMemory(deps), section: async () => EMPTY_SECTION }
      : lateMemory(deps)
  const profile = !longTermMemory
    ? disabledProfile()
    : incognito
      ? { ...lateProfile(deps), section: async () => EMPTY_PROFILE_SECTION }
      : lateProfile(deps)

  /** The store for answers to which the memory only adds. */
  const remembered = longTermMemory ? store : { ...store, memory: NOTHING_REMEMBERED }

  return {
    store,
    privacy: { incognito, longTermMemory },
    memory,
    profile,
    notes: lateNotes(deps),
    graph: {
      about: async (what, query) =>
        (await import('./graph/create-graph.ts')).createGraph(remembered).about(what, query),
    },
    importTranscripts: async (options, listener, signal) => {
      const { runImport } = await import('./importers/run.ts')
      const { fileSystem, hasher } = deps
      return runImport(
        {
          storage: store.imports,
          sessions: store.sessions,
          fileSystem,
          hasher,
          clock,
          priceBook,
          redact,
          listener,
          signal,
        },
        options,
      )
    },
    reprice: async () => ({ priced: await store.reprice(await priceBook()) }),
    append: async (session, expectedSeq, writes) => {
      assertAppend(session, expectedSeq, writes)
      return store.sessions.append(session, expectedSeq, writes.map(withoutSecrets))
    },
    usage: async (query, maximumUsd) => {
      assertUsageQuery(query)
      const report = await store.usage.report(query)
      return maximumUsd === undefined ? report : { ...report, budget: checkBudget(report.total, maximumUsd) }
    },
    session: async (idOrPrefix) => {
      assertName(idOrPrefix, "The session's id, or the beginning of it,")
      return onlyOne(idOrPrefix, await store.sessions.resolve(idOrPrefix, NAMED_CANDIDATES + 1))
    },
    recall: async (query) => {
      if (deps.embedder === undefined) return store.search.search(query)
      return (await import('./recall/rerank.ts')).rerankedSearch(store.search, deps.embedder, query)
    },
    recallSessions: (query) => store.search.sessions(query),
    sessionStart: async (input) => {
      const { EMPTY_START, sessionStart } = await import('./session-start/session-start.ts')
      return remembers
        ? sessionStart({ profile, memory, search: store.search, sessions: store.sessions, clock }, input)
        : EMPTY_START
    },
    archive: async (sessionId, at) => {
      const [entries, { sessionArchive }] = await Promise.all([
        log(sessionId, at),
        import('./archive/session-archive.ts'),
      ])
      return sessionArchive(entries, sessionId)
    },
    digest: async (sessionId, target, at) => {
      const [entries, requests] = await Promise.all([log(sessionId, at), store.usage.requests(sessionId)])
      const [{ sessionDigest }, { ratioOfSession }, { sessionModel }, { createModelCatalog }] = await Promise.all([
        import('./archive/session-digest.ts'),
        import('./context/learned-ratio.ts'),
        import('./context/session-model.ts'),
        import('./models/model-catalog.ts'),
      ])
      const facts = (await createModelCatalog()).facts(sessionModel(entries, requests, at).model ?? '')
      const { charsPerToken } = await ratioOfSession(store, { sessionId, entries, requests, facts, at })
      return sessionDigest(entries, sessionId, { target, charsPerToken })
    },
    asOf: async (sessionId, at) => (await import('./archive/as-of.ts')).sessionAsOf(remembered, sessionId, at),
    rewind: async (sessionId, to) => {
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
    },
    log,
    displayStream: async (sessionId, at) => {
      const stream = createDisplayStream()
      for (const entry of await log(sessionId, at)) stream.step(entry)
      return stream
    },
    modelHistory: async (sessionId, at) => modelHistory(await log(sessionId, at)),
    context: async (sessionId, { at, model: chosen, ...setting } = {}) => {
      assertTimeOrAbsent(at, 'The time')
      assertTextOrAbsent(chosen, 'The model')
      const [entries, requests] = await Promise.all([log(sessionId, at), store.usage.requests(sessionId)])
      const [{ sessionContext }, { ratioOfSession }, { sessionModel }, { createModelCatalog }, { pricesFrom }] =
        await Promise.all([
          import('./context/session-context.ts'),
          import('./context/learned-ratio.ts'),
          import('./context/session-model.ts'),
          import('./models/model-catalog.ts'),
          import('./replay/prices.ts'),
        ])
      const { model = '', newest, largestInput } = sessionModel(entries, requests, at)
      const facts = (await createModelCatalog()).facts(chosen ?? model)
      const ratio = await ratioOfSession(store, { sessionId, entries, requests, facts, at })
      const now = at ?? clock.now()
      const prices =
        facts.id === '' ? undefined : pricesFrom(await priceBook(), facts.id, now, facts.cacheLifetimeSeconds)
      return sessionContext({
        ...setting,
        entries,
        newest,
        largestInput: facts.id === model ? largestInput : 0,
        facts,
        ratio,
        prices,
        now,
      })
    },
    replaySource: async (sessionId, charactersPerToken) => {
      const [entries, requests] = await Promise.all([log(sessionId), store.usage.requests(sessionId)])
      const main = requests.filter(({ subagent }) => subagent === null)
      return { session: sessionId, entries, requestsByTime: main, paid: main, charactersPerToken }
    },
    close: () => store.close(),
  }
}

/** The memory's modules are loaded when something is asked of it. */
const lateMemory = ({ store, clock, ids, hasher, fileSystem, timeZone }: EngineDeps): Memory => {
  const load = once(async () =>
    (await import('./memory/create-memory.ts')).createMemory({
      storage: store.memory,
      clock,
      ids,
      hasher,
      fileSystem,
      redact,
      ...(timeZone === undefined ? {} : { timeZone }),
    }),
  )
  return {
    add: async (...given) => (await load()).add(...given),
    get: async (...given) => (await load()).get(...given),
    list: async (...given) => (await load()).list(...given),
    search: async (...given) => (await load()).search(...given),
    confirm: async (...given) => (await load()).confirm(...given),
    contradict: async (...given) => (await load()).contradict(...given),
    update: async (...given) => (await load()).update(...given),
    forget: async (...given) => (await load()).forget(...given),
    history: async (...given) => (await load()).history(...given),
    stats: async (...given) => (await load()).stats(...given),
    prune: async (...given) => (await load()).prune(...given),
    consolidate: async (...given) => (await load()).consolidate(...given),
    section: async (...given) => (await load()).section(...given),
    check: async (...given) => (await load()).check(...given),
    exportText: async (...given) => (await load()).exportText(...given),
    importText: async (...given) => (await load()).importText(...given),
  }
}

const lateProfile = ({ store: { state }, clock }: EngineDeps): Profile => {
  const load = once(async () => (await import('./memory/create-profile.ts')).createProfile({ state, clock, redact }))
  return {
    show: async () => (await load()).show(),
    set: async (...given) => (await load()).set(...given),
    enable: async (...given) => (await load()).enable(...given),
    section: async () => (await load()).section(),
  }
}

const lateNotes = ({ store: { notes: storage }, clock }: EngineDeps): Notes => {
  const load = once(async () => (await import('./notes/create-notes.ts')).createNotes({ storage, clock, redact }))
  return {
    set: async (...given) => (await load()).set(...given),
    get: async (...given) => (await load()).get(...given),
    list: async (...given) => (await load()).list(...given),
    search: async (...given) => (await load()).search(...given),
    delete: async (...given) => (await load()).delete(...given),
  }
}

const once = <T>(load: () => Promise<T>): (() => Promise<T>) => {
  let loaded: Promise<T> | undefined
  return () => (loaded ??= load())
}

/** Placeholders hold nothing that JSON escapes, so an entry's JSON stays well-formed. */
const withoutSecrets = (write: EntryWrite, index: number): EntryWrite => {
  const { text, count } = redact(entryJson(write, index))
  if (count === 0) return write
  return { ...write, entry: JSON.parse(text) as NewLogEntry, redactions: (write.redactions ?? 0) + count }
}

const unknownSession = (sessionId: string): CairnError =>
  new CairnError('not-found', `There is no session with the id ${shownValue(sessionId)}.`)

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

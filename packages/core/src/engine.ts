/**
 * The engine: puts a store, a file system and the price list together into what every way in (command
 * line, editor, dashboard, library) uses. Composition only: what is decided here is decided below.
 */
import type { SessionContext, SessionContextInput } from './context/session-context.ts'
import { CairnError } from './errors.ts'
import type { EngineListener } from './events.ts'
import type { ImportOptions, ImportReport } from './importers/run.ts'
import type { Clock } from './ports/clock.ts'
import type { FileSystem } from './ports/file-system.ts'
import type { Hasher } from './ports/hasher.ts'
import type { PriceBook } from './ports/price-book.ts'
import type { SearchHit, SearchQuery } from './ports/search-index.ts'
import type { EntryWrite, SequenceConflict, SessionFacts, SessionSummary } from './ports/session-storage.ts'
import type { Store } from './ports/store.ts'
import type { UsageQuery, UsageReport } from './ports/usage-storage.ts'
import { redact } from './redaction/index.ts'
import type { TrajectorySource } from './replay/trajectory.ts'
import type { Result } from './result.ts'
import type { LogEntry, NewLogEntry } from './session-log.ts'
import { createDisplayStream } from './session/display-stream.ts'
import type { DisplayStream } from './session/display-stream.ts'
import { modelHistory } from './session/model-history.ts'
import type { ModelMessage } from './session/model-history.ts'
import { createTimeIndex, entriesAt } from './session/replay.ts'
import { checkBudget } from './usage/budget.ts'
import type { BudgetCheck } from './usage/budget.ts'
import type { PriceOverride } from './usage/price-book.ts'

export interface EngineDeps {
  readonly store: Store
  readonly fileSystem: FileSystem
  readonly hasher: Hasher
  readonly clock: Clock
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
  /**
   * Imports other agents' transcripts. Rejects for an agent that is not supported, when the store fails, and
   * when `signal` is aborted (then with its reason; batches written before stay).
   */
  importTranscripts(options: ImportOptions, listener?: EngineListener, signal?: AbortSignal): Promise<ImportReport>
  /** Adds entries to a session, without their secrets. See `SessionStorage.append`. */
  append(session: SessionFacts, expectedSeq: number, writes: readonly EntryWrite[]): Promise<Result<{ readonly nextSeq: number }, SequenceConflict>>
  /** Usage in rows and their total; with `maximumUsd`, also whether the total stays within it. */
  usage(query: UsageQuery, maximumUsd?: number): Promise<UsageReport & { readonly budget?: BudgetCheck }>
  /** The session of an id or of the beginning of one. Rejects with `not-found` or `ambiguous`. */
  session(idOrPrefix: string): Promise<SessionSummary>
  /** Searches everything that was ever said, best first. */
  recall(query: SearchQuery): Promise<readonly SearchHit[]>
  /** A session's log, as it was at a time (ms) where one is given. */
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

/** Makes an engine over a store that is open. */
export const createEngine = (deps: EngineDeps): Engine => {
  const { store } = deps

  let listed: Promise<PriceBook> | undefined
  /** The list is large and only imports that find something need it. */
  const priceBook = async (): Promise<PriceBook> => {
    if (deps.priceBook !== undefined) return deps.priceBook
    listed ??= import('./usage/price-book.ts').then(({ createPriceBook }) => createPriceBook({ overrides: deps.prices ?? {} }))
    return listed
  }

  const log = async (sessionId: string, at?: number): Promise<readonly LogEntry[]> => {
    const entries = await store.sessions.read(sessionId)
    return at === undefined ? entries : entriesAt(createTimeIndex(entries).index, at)
  }

  return {
    store,
    importTranscripts: async (options, listener, signal) => {
      const { runImport } = await import('./importers/run.ts')
      const { fileSystem, hasher, clock } = deps
      return runImport({ storage: store.imports, fileSystem, hasher, clock, priceBook, redact, listener, signal }, options)
    },
    reprice: async () => ({ priced: await store.reprice(await priceBook()) }),
    append: (session, expectedSeq, writes) => store.sessions.append(session, expectedSeq, writes.map(withoutSecrets)),
    usage: async (query, maximumUsd) => {
      const report = await store.usage.report(query)
      return maximumUsd === undefined ? report : { ...report, budget: checkBudget(report.total, maximumUsd) }
    },
    session: async (idOrPrefix) => onlyOne(idOrPrefix, await store.sessions.resolve(idOrPrefix, NAMED_CANDIDATES + 1)),
    recall: (query) => store.search.search(query),
    log,
    displayStream: async (sessionId, at) => {
      const stream = createDisplayStream()
      for (const entry of await log(sessionId, at)) stream.step(entry)
      return stream
    },
    modelHistory: async (sessionId, at) => modelHistory(await log(sessionId, at)),
    context: async (sessionId, { at, model: chosen, ...setting } = {}) => {
      const [entries, requests] = await Promise.all([log(sessionId, at), store.usage.requests(sessionId)])
      const [{ sessionContext }, { sessionModel }, { createModelCatalog }, { pricesFrom }] = await Promise.all([
        import('./context/session-context.ts'),
        import('./context/session-model.ts'),
        import('./models/model-catalog.ts'),
        import('./replay/prices.ts'),
      ])
      const { model = '', newest, largestInput } = sessionModel(entries, requests, at)
      const facts = (await createModelCatalog()).facts(chosen ?? model)
      const now = at ?? deps.clock.now()
      const prices = facts.id === '' ? undefined : pricesFrom(await priceBook(), facts.id, now, facts.cacheLifetimeSeconds)
      return sessionContext({ ...setting, entries, newest, largestInput: facts.id === model ? largestInput : 0, facts, prices, now })
    },
    replaySource: async (sessionId, charactersPerToken) => {
      const [entries, requests] = await Promise.all([log(sessionId), store.usage.requests(sessionId)])
      return { session: sessionId, entries, requestsByTime: requests.filter(({ subagent }) => subagent === null), charactersPerToken }
    },
    close: () => store.close(),
  }
}

/** Placeholders hold nothing that JSON escapes, so an entry's JSON stays well-formed. */
const withoutSecrets = (write: EntryWrite): EntryWrite => {
  const { text, count } = redact(JSON.stringify(write.entry))
  if (count === 0) return write
  return { ...write, entry: JSON.parse(text) as NewLogEntry, redactions: (write.redactions ?? 0) + count }
}

const onlyOne = (idOrPrefix: string, found: readonly SessionSummary[]): SessionSummary => {
  const [first, ...others] = found
  if (first === undefined) throw new CairnError('not-found', `There is no session whose id is, or starts with, "${idOrPrefix}".`)
  if (others.length === 0) return first
  const ids = found.slice(0, NAMED_CANDIDATES).map(({ id }) => id)
  const more = found.length > NAMED_CANDIDATES ? ', …' : ''
  throw new CairnError('ambiguous', `"${idOrPrefix}" could be several sessions; give more of the id: ${ids.join(', ')}${more}.`)
}

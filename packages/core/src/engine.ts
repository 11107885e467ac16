/**
 * The engine: puts a store, a file system and the price list together into what command line, editor, dashboard and
 * library use, grouped by what a caller wants. Composition only: rules are in the folders below.
 */
import type { Checkpoints } from './checkpoints/checkpoints.ts'
import type { BesideTheStore, EngineCleanUp } from './engine/clean-up.ts'
import { createEngineContext, type EngineContext } from './engine/context.ts'
import type { EngineFiles } from './engine/files.ts'
import type { EngineHealth } from './engine/health.ts'
import { engineInsights } from './engine/insights.ts'
import { lazy, once } from './engine/lazy.ts'
import type { EngineMentions } from './engine/mentions.ts'
import type { EngineDocuments } from './engine/documents.ts'
import type { EngineRelatedFiles } from './engine/related-files.ts'
import type { EngineRules } from './engine/rules.ts'
import { createEngineSessions } from './engine/sessions.ts'
import type { EngineSessions } from './engine/sessions.ts'
import { createWorkspaceFocus } from './context/workspace-focus.ts'
import type { WorkspaceFocus } from './context/workspace-focus.ts'
import { CairnError } from './errors.ts'
import type { EngineListener } from './events.ts'
import type { Graph } from './graph/graph.ts'
import type { ImportOptions, ImportReport } from './importers/run.ts'
import { assertObject } from './input.ts'
import type { Insights } from './insights/insights.ts'
import {
  EMPTY_PROFILE_SECTION,
  EMPTY_SECTION,
  NOTHING_REMEMBERED,
  disabledMemory,
  disabledProfile,
  refuse,
} from './memory/disabled.ts'
import type { Memory } from './memory/memory.ts'
import type { Profile } from './memory/profile.ts'
import type { Notes } from './notes/notes.ts'
import type { Clock } from './ports/clock.ts'
import type { Embedder } from './ports/embedder.ts'
import type { FileSystem } from './ports/file-system.ts'
import type { GitRecords } from './ports/git-records.ts'
import type { Hasher } from './ports/hasher.ts'
import type { Ids } from './ports/ids.ts'
import type { PriceBook } from './ports/price-book.ts'
import type { Processes } from './ports/processes.ts'
import type { SearchHit, SearchIndex, SearchQuery, SessionHit, SessionSearchQuery } from './ports/search-index.ts'
import type { SnapshotRepository } from './ports/snapshot-repository.ts'
import type { SourceAccess } from './ports/source-access.ts'
import type { Store } from './ports/store.ts'
import type { Timer } from './ports/timer.ts'
import type { UsageQuery, UsageReport } from './ports/usage-storage.ts'
import { redact } from './redaction/index.ts'
import type { Requests } from './requests/send.ts'
import type { StoredSettings } from './state/stored-settings.ts'
import { checkBudget } from './usage/budget.ts'
import type { BudgetCheck } from './usage/budget.ts'
import type { Suggestions } from './suggestions/suggestions.ts'
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
  /** Loads what keeps checkpoints of files. Default: nothing does, and every call of `checkpoints` rejects with `unsupported`. */
  readonly snapshots?: () => Promise<SnapshotRepository>
  /** Loads what git repositories tell of their files. Default: no change of a file is put down to git. */
  readonly git?: () => Promise<GitRecords>
  /** Loads what related files are found from. Default: nothing, and every call of `related` rejects with `unsupported`. */
  readonly sources?: () => Promise<SourceAccess>
  /** Loads what can be left behind beside the store, for the clean-up. Default: nothing. */
  readonly beside?: () => Promise<BesideTheStore>
  /** Re-ranks the best 50 messages of a recall by how near their meaning is to the query's. Default: none, the index decides. */
  readonly embedder?: Embedder
  /** Tells which process works on a session. Default: a session's lease is given to everybody. */
  readonly processes?: Processes
  /** Renews leases. Default: none is renewed. */
  readonly timer?: Timer
  /** What "yesterday" means in a memory entry, an IANA name; default the machine's. */
  readonly timeZone?: string
  /** Default: the price list that comes with Cairn. */
  readonly priceBook?: PriceBook
  /** The user's own prices, by model; they come before the list's. Ignored when `priceBook` is given. */
  readonly prices?: Readonly<Record<string, PriceOverride>>
}

export interface EngineUsage {
  /** Usage in rows and their total; with `maximumUsd`, also whether the total stays within it. */
  report(query: UsageQuery, maximumUsd?: number): Promise<UsageReport & { readonly budget?: BudgetCheck }>
  /** Prices the requests that had no price with what is known now; costs that were recorded or computed stay. */
  reprice(): Promise<{ readonly priced: number }>
}

export interface EngineRecall extends Pick<SearchIndex, 'correct'> {
  /** Searches the messages of all sessions, best first. */
  messages(query: SearchQuery): Promise<readonly SearchHit[]>
  /** The past sessions that matter for a request, best first. */
  sessions(query: SessionSearchQuery): Promise<readonly SessionHit[]>
}

export interface EngineImports {
  /**
   * Imports other agents' transcripts. Rejects for an agent that is not supported, when the store fails, and
   * when `signal` is aborted (then with its reason; batches written before stay).
   */
  run(options: ImportOptions, listener?: EngineListener, signal?: AbortSignal): Promise<ImportReport>
}

export interface Engine {
  readonly store: Store
  readonly privacy: Readonly<Required<Privacy>>
  readonly sessions: EngineSessions
  /** The files of sessions' contexts, and who changed them since. */
  readonly files: EngineFiles
  readonly context: EngineContext
  /** What `@file`, `@git`, `@session` and others in a text stand for. */
  readonly mentions: EngineMentions
  /** Requests to models, recorded with their messages. */
  readonly requests: Requests
  readonly usage: EngineUsage
  /** Where the money goes that need not. */
  readonly insights: Insights
  readonly recall: EngineRecall
  readonly imports: EngineImports
  /** What was learnt about workspaces. Without long-term memory every call rejects with `unsupported`, and the section is empty. */
  readonly memory: Memory
  /** What the last sessions of a project have in common, offered for its memory. Without long-term memory every call rejects with `unsupported`. */
  readonly suggestions: Suggestions
  /** A few lines about the user, for all workspaces. Without long-term memory as `memory`. */
  readonly profile: Profile
  readonly notes: Notes
  /** The settings that lie in the store: for all projects, for one, for a session. */
  readonly settings: StoredSettings
  /** Rules files of workspaces, and which of them count. */
  readonly rules: EngineRules
  /** What the user has the work on a workspace look at: it stands in every request. */
  readonly focus: WorkspaceFocus
  /** What is linked with what. */
  readonly graph: Graph
  /** Which files of a workspace belong to a text. */
  readonly related: EngineRelatedFiles
  /** The files of a "memory bank": what is known of a project, for agents that read it at the start of a task. */
  readonly documents: EngineDocuments
  /** Files as they were, to compare and to give back. */
  readonly checkpoints: Checkpoints
  /** Finds and removes what killed processes and deletions left behind. */
  readonly cleanUp: EngineCleanUp
  /** How the store fared lately. */
  readonly health: EngineHealth
  /** Waits for writes under way and closes the store. */
  close(): Promise<void>
}

/** Makes an engine over an open store. @throws CairnError `invalid-input` when a part is missing, or when an incognito engine's store is not ephemeral. */
export const createEngine = (deps: EngineDeps): Engine => {
  const { incognito, longTermMemory } = checkedPrivacy(deps)
  const { store, clock } = deps
  const priceBook = once(() => loadPriceBook(deps))
  const memory = memoryFor(deps, { incognito, longTermMemory })
  const profile = profileFor(deps, { incognito, longTermMemory })
  /** The store for answers to which the memory only adds. */
  const remembered = longTermMemory ? store : { ...store, memory: NOTHING_REMEMBERED }
  const sessions = createEngineSessions(store, remembered, clock, leaseOf(deps))
  const requests = requestsFor(deps, priceBook)
  const files = filesFor(deps)
  const checkpoints = checkpointsFor(deps, files)
  const settings = settingsFor(deps)
  return {
    store,
    privacy: { incognito, longTermMemory },
    sessions,
    files,
    context: createEngineContext({
      store,
      clock,
      priceBook,
      sessions,
      requests,
      sessionStart: async (input) => {
        const { EMPTY_START, sessionStart } = await import('./session-start/session-start.ts')
        return longTermMemory && !incognito
          ? sessionStart({ profile, memory, search: store.search, sessions: store.sessions, clock }, input)
          : EMPTY_START
      },
    }),
    mentions: mentionsFor(store, sessions, memory),
    requests,
    usage: usageFor(deps, priceBook),
    insights: engineInsights(store, clock, priceBook),
    recall: recallFor(deps),
    imports: importsFor(deps, priceBook, files),
    memory,
    suggestions: suggestionsFor(deps, memory, longTermMemory),
    profile,
    notes: lazy<Notes>({ set: true, get: true, list: true, search: true, delete: true }, async () =>
      (await import('./notes/create-notes.ts')).createNotes({ storage: store.notes, clock, redact }),
    ),
    settings,
    rules: rulesFor(settings, deps),
    focus: createWorkspaceFocus(store.state),
    graph: lazy<Graph>({ about: true }, async () => (await import('./graph/create-graph.ts')).createGraph(remembered)),
    related: relatedFor(deps),
    documents: documentsFor(deps, memory),
    checkpoints,
    cleanUp: cleanUpFor(deps, checkpoints),
    health: healthFor(deps),
    close: () => store.close(),
  }
}

/** The privacy with defaults: not incognito, memory on. Throws CairnError `invalid-input` as `createEngine`. */
const checkedPrivacy = (deps: EngineDeps): Required<Privacy> => {
  assertObject(deps, 'What an engine is made of')
  for (const part of ['store', 'fileSystem', 'hasher', 'clock', 'ids'] as const)
    assertObject(deps[part], `The engine's ${part}`)
  const { incognito = false, longTermMemory = true } = deps.privacy ?? {}
  if (incognito && deps.store.isEphemeral !== true)
    throw new CairnError(
      'invalid-input',
      'An incognito engine needs an ephemeral store; this one is kept. Nothing was read or written.',
    )
  return { incognito, longTermMemory }
}

/** Takes the lease of a session; without `processes` everybody is given one. */
const leaseOf =
  ({ store, clock, ids, processes, timer = NEVER }: EngineDeps): EngineSessions['lease'] =>
  async (sessionId) =>
    processes === undefined
      ? { release: async () => undefined }
      : (await import('./engine/session-lease.ts')).takeSessionLease(
          { state: store.state, clock, ids, processes, timer },
          sessionId,
        )

/** The list is large, and only imports and prices need it. */
const loadPriceBook = async ({ priceBook, prices = {} }: EngineDeps): Promise<PriceBook> =>
  priceBook ?? (await import('./usage/price-book.ts')).createPriceBook({ overrides: prices })

/** The memory, loaded at its first call. Switched off, every call rejects; incognito, sessions are given none of it. */
const memoryFor = (deps: EngineDeps, { incognito, longTermMemory }: Required<Privacy>): Memory => {
  if (!longTermMemory) return disabledMemory()
  const { store, clock, ids, hasher, fileSystem, timeZone } = deps
  const memory = lazy<Memory>(
    {
      add: true,
      get: true,
      list: true,
      search: true,
      confirm: true,
      contradict: true,
      update: true,
      forget: true,
      history: true,
      ended: true,
      stats: true,
      prune: true,
      consolidate: true,
      section: true,
      check: true,
      exportText: true,
      importText: true,
    },
    async () =>
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
  return incognito ? { ...memory, section: async () => EMPTY_SECTION } : memory
}

/** The suggestions, loaded at the first call; with long-term memory off every call rejects. */
const suggestionsFor = (
  { store, fileSystem, hasher, clock }: EngineDeps,
  memory: Memory,
  longTermMemory: boolean,
): Suggestions => {
  if (!longTermMemory) return { list: refuse, find: refuse, accept: refuse, dismiss: refuse }
  return lazy<Suggestions>({ list: true, find: true, accept: true, dismiss: true }, async () => {
    const { createSuggestions } = await import('./suggestions/create-suggestions.ts')
    const { sessions, memory: entries, state } = store
    return createSuggestions({ sessions, entries, memory, state, fileSystem, hasher, clock })
  })
}

/** The user's profile, loaded at its first call. Switched off, every call rejects; incognito, sessions get none of it. */
const profileFor = ({ store, clock }: EngineDeps, { incognito, longTermMemory }: Required<Privacy>): Profile => {
  if (!longTermMemory) return disabledProfile()
  const profile = lazy<Profile>({ show: true, set: true, enable: true, section: true }, async () =>
    (await import('./memory/create-profile.ts')).createProfile({ state: store.state, clock, redact }),
  )
  return incognito ? { ...profile, section: async () => EMPTY_PROFILE_SECTION } : profile
}

const requestsFor = ({ store, clock, ids, hasher }: EngineDeps, priceBook: () => Promise<PriceBook>): Requests =>
  lazy<Requests>({ send: true, recordedModel: true }, async () => {
    const [{ createRequests }, { createModelCatalog }, { pricesFrom }, { withoutSecrets }] = await Promise.all([
      import('./requests/send.ts'),
      import('./models/model-catalog.ts'),
      import('./replay/prices.ts'),
      import('./engine/redacted-writes.ts'),
    ])
    const catalog = await createModelCatalog()
    return createRequests({
      store,
      clock,
      ids,
      hasher,
      priceBook,
      pricesOf: pricesFrom,
      factsOf: (model, provider) => catalog.facts(model, provider),
      redactWrite: withoutSecrets,
    })
  })

const filesFor = (deps: EngineDeps): EngineFiles =>
  lazy<EngineFiles>(
    {
      inContext: true,
      activity: true,
      lastKnown: true,
      editedSince: true,
      warn: true,
      warnings: true,
      acknowledge: true,
      observe: true,
    },
    async () => (await import('./engine/files.ts')).createEngineFiles(deps),
  )

/** Reports of usage (`invalid-input` for a wrong query; with a budget if `maximumUsd` is given), and later pricing. */
const usageFor = ({ store }: EngineDeps, priceBook: () => Promise<PriceBook>): EngineUsage => ({
  report: async (query, maximumUsd) => {
    assertUsageQuery(query)
    const report = await store.usage.report(query)
    return maximumUsd === undefined ? report : { ...report, budget: checkBudget(report.total, maximumUsd) }
  },
  reprice: async () => ({ priced: await store.reprice(await priceBook()) }),
})

const recallFor = ({ store, embedder }: EngineDeps): EngineRecall => ({
  messages: async (query) => {
    if (embedder === undefined) return store.search.search(query)
    return (await import('./recall/rerank.ts')).rerankedSearch(store.search, embedder, query)
  },
  sessions: (query) => store.search.sessions(query),
  correct: (query) => store.search.correct(query),
})

const importsFor = (
  { store, fileSystem, hasher, clock }: EngineDeps,
  priceBook: () => Promise<PriceBook>,
  files: EngineFiles,
): EngineImports => ({
  run: async (options, listener, signal) => {
    const [{ runImport }, { createImportedSessions }] = await Promise.all([
      import('./importers/run.ts'),
      import('./engine/imported-sessions.ts'),
    ])
    const imported = createImportedSessions({ store, clock, files, fileSystem })
    const report = await runImport(
      {
        storage: store.imports,
        sessions: store.sessions,
        fileSystem,
        hasher,
        clock,
        priceBook,
        redact,
        listener: (event) => {
          imported.listen(event)
          listener?.(event)
        },
        signal,
      },
      options,
    )
    await imported.observe()
    return report
  },
})

/** Every change is stored before it is acknowledged, so that nothing has to be written later. */
const NEVER: Timer = { after: () => () => undefined }

/** The stored settings, loaded at the first call; a value that looks like a secret is refused. */
const settingsFor = ({ store, clock }: EngineDeps): StoredSettings =>
  lazy<StoredSettings>(
    { list: true, get: true, set: true, switchFile: true, unset: true, takeOver: true, aside: true },
    async () =>
      (await import('./state/create-settings.ts')).createSettings({
        storage: store.state,
        timer: NEVER,
        now: () => clock.now(),
        isSecret: (text) => redact(text).count > 0,
      }),
  )

const mentionsFor = (store: Store, sessions: EngineSessions, memory: Memory): EngineMentions =>
  lazy<EngineMentions>({ expand: true }, async () =>
    (await import('./engine/mentions.ts')).createEngineMentions({ store, sessions, memory }),
  )

const rulesFor = (settings: StoredSettings, { fileSystem }: EngineDeps): EngineRules =>
  lazy<EngineRules>({ list: true, section: true, switchFile: true }, async () =>
    (await import('./engine/rules.ts')).createEngineRules({ settings, fileSystem }),
  )

const healthFor = ({ store, clock }: EngineDeps): EngineHealth =>
  lazy<EngineHealth>({ report: true }, async () =>
    (await import('./engine/health.ts')).createEngineHealth(store, clock),
  )

const documentsFor = ({ store, hasher }: EngineDeps, memory: Memory): EngineDocuments =>
  lazy<EngineDocuments>({ layout: true, keepLayout: true, plan: true }, async () =>
    (await import('./engine/documents.ts')).createEngineDocuments({ store, memory, hasher }),
  )

/** The search for related files, loaded at the first call; without access to sources that rejects with `unsupported`. */
const relatedFor = ({ store, sources, hasher, clock }: EngineDeps): EngineRelatedFiles =>
  lazy<EngineRelatedFiles>({ find: true, index: true }, async () => {
    if (sources === undefined)
      throw new CairnError('unsupported', 'This engine was made without access to source files; nothing was read.')
    const { createEngineRelatedFiles } = await import('./engine/related-files.ts')
    const { search, sessions, state } = store
    return createEngineRelatedFiles({ access: await sources(), search, sessions, state, hasher, clock })
  })

/** The checkpoints, loaded at the first call, which rejects with `unsupported` if the engine has no folder for them. */
const checkpointsFor = ({ store, snapshots, clock, ids }: EngineDeps, files: EngineFiles): Checkpoints =>
  lazy<Checkpoints>(
    {
      create: true,
      createAll: true,
      list: true,
      find: true,
      leftOut: true,
      diff: true,
      changeCounts: true,
      content: true,
      preview: true,
      restore: true,
      lastUndo: true,
      resume: true,
      prune: true,
      erase: true,
      roots: true,
      verify: true,
    },
    async () => {
      if (snapshots === undefined)
        throw new CairnError(
          'unsupported',
          'This engine was made without a folder for checkpoints; nothing was changed.',
        )
      const { createCheckpoints } = await import('./checkpoints/create-checkpoints.ts')
      const { checkpoints: records, sessions, search } = store
      return createCheckpoints({
        snapshots: await snapshots(),
        records,
        sessions,
        search,
        warn: (id, warning) => files.warn(id, warning),
        clock,
        ids,
      })
    },
  )

const cleanUpFor = (
  { store, clock, snapshots, beside = async () => ({ sources: [] }) }: EngineDeps,
  checkpoints: Checkpoints,
): EngineCleanUp =>
  lazy<EngineCleanUp>({ run: true, atStart: true, last: true }, async () =>
    (await import('./engine/clean-up.ts')).createCleanUp({
      store,
      clock,
      beside,
      checkpoints: snapshots === undefined ? undefined : checkpoints,
    }),
  )

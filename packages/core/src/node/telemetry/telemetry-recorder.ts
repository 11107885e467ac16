/** Writes the requests that agents told of to the store, each once, under the id that an import would give it. */
import { setTimeout as wait } from 'node:timers/promises'
import { withoutSecrets } from '../../engine/redacted-writes.ts'
import { CairnError } from '../../errors.ts'
import { createIncognitoCheck, type IncognitoCheck } from '../../importers/incognito-check.ts'
import type { ImportEnvironment } from '../../importers/importer.ts'
import type { Clock } from '../../ports/clock.ts'
import type { FileSystem } from '../../ports/file-system.ts'
import type { Hasher } from '../../ports/hasher.ts'
import { TOKEN_CLASSES, type PriceBook } from '../../ports/price-book.ts'
import type { EntryWrite, SessionFacts } from '../../ports/session-storage.ts'
import type { Store } from '../../ports/store.ts'
import type { RequestFact } from '../../ports/usage-storage.ts'
import { createSessionWriter } from '../../requests/session-writer.ts'
import { assertAppend } from '../../session/append-input.ts'
import { createPriceBook, type PriceOverride } from '../../usage/price-book.ts'
import { pricedRequest } from '../../usage/priced-request.ts'
import { createCodexCalls, type CodexCalls } from '../gateway/codex-calls.ts'
import { createOwnTranscripts, type OwnTranscripts } from '../gateway/own-transcripts.ts'
import { readEvent, type ToldRequest } from './agent-events.ts'
import { withLifetime } from './cache-lifetime.ts'
import { createClaudeCalls, type ClaudeCalls } from './claude-calls.ts'
import type { OtlpLogRecord } from './otlp-logs.ts'

export interface TelemetryRecorderDeps {
  readonly store: Pick<Store, 'sessions'>
  readonly clock: Clock
  readonly hasher: Hasher
  readonly fileSystem: FileSystem
  /** The user's own prices, by model. */
  readonly prices: Readonly<Record<string, PriceOverride>>
  /** Where agents keep transcripts, and where the record of incognito sessions is. */
  readonly environment: ImportEnvironment
  /** The project of sessions whose transcript is not on this machine; undefined: not known. */
  readonly workspace: string | undefined
}

export interface RecordedRequest {
  readonly sessionId: string
  readonly fact: RequestFact
  /** `again`: this event was recorded before; `incognito`: nothing was kept. */
  readonly kept: 'recorded' | 'again' | 'incognito'
}

/** What became of an export. */
export interface RecordedExport {
  /** The requests that it told of, in its order. */
  readonly requests: readonly RecordedRequest[]
  /** Why others could not be used, a sentence each. */
  readonly refused: readonly string[]
}

export interface TelemetryRecorder {
  /**
   * Takes what agents tell of requests out of an export; other records are ignored. Resolves when all is on disk. Rejects
   * where the store does; what was written by then stays, and counts once when it comes again.
   */
  record(records: readonly OtlpLogRecord[]): Promise<RecordedExport>
  /** Nothing waits for an agent's file any more. */
  end(): void
}

/** How long an agent may take to write down a request that it has told of, ms; for all of an export together. */
const WRITTEN_MS = 2_000
const BETWEEN_LOOKS_MS = 100
/** Log records that are taken in together; then other exports have their turn. */
const BATCH = 200

/**
 * Makes what writes told requests to the store, in batches of 200 one after the other. `record` returns those that were
 * read, with what became of each, and why others were refused; for all of an export it waits for the agents' files no
 * longer than 2 s together. Rejects as the store does; batches before that stay written.
 */
export const createTelemetryRecorder = (deps: TelemetryRecorderDeps): TelemetryRecorder => {
  const ending = new AbortController()
  const recorder = new TelemetryWriter(deps, ending.signal)
  return {
    /** Records an export batch by batch, in order; what became of each request, and why others were refused. */
    record: async (records) => {
      const until = performance.now() + WRITTEN_MS
      const requests: RecordedRequest[] = []
      const refused: string[] = []
      for (let from = 0; from < records.length; from += BATCH) {
        const batch = records.slice(from, from + BATCH)
        const events = batch.flatMap((record) => readEvent(record, deps.clock.now()) ?? [])
        refused.push(...events.flatMap((event) => ('refused' in event ? [event.refused] : [])))
        const told = events.flatMap((event) => ('told' in event ? [event.told] : []))
        if (told.length > 0) requests.push(...(await recorder.record(told, until)))
      }
      return { requests, refused }
    },
    end: () => ending.abort(),
  }
}

class TelemetryWriter {
  readonly #deps: TelemetryRecorderDeps
  readonly #signal: AbortSignal
  readonly #priceBook: PriceBook
  readonly #transcripts: OwnTranscripts
  readonly #claudeCalls: ClaudeCalls
  readonly #codexCalls: CodexCalls
  /** What Codex's rollouts gave, which give it once, by the ids of entries that are not written yet. */
  readonly #given = new Map<string, string>()
  /** Batches are written one after the other. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(deps: TelemetryRecorderDeps, signal: AbortSignal) {
    this.#deps = deps
    this.#signal = signal
    this.#priceBook = createPriceBook({ overrides: deps.prices })
    this.#transcripts = createOwnTranscripts(deps.environment, signal)
    this.#claudeCalls = createClaudeCalls(deps.hasher)
    this.#codexCalls = createCodexCalls(deps.hasher, signal)
  }

  /** Writes a batch. `until`: how long the agents' files are waited for, as `performance.now()` counts. */
  record(batch: readonly ToldRequest[], until: number): Promise<readonly RecordedRequest[]> {
    const recording = this.#last.then(() => this.#recordBatch(batch, until))
    this.#last = recording.catch(() => undefined)
    return recording
  }

  /** Records the requests of a batch, session by session; returns those recorded, in the batch's order. */
  async #recordBatch(batch: readonly ToldRequest[], until: number): Promise<readonly RecordedRequest[]> {
    const { store, environment } = this.#deps
    const check = await createIncognitoCheck({ ...this.#deps, sessions: store.sessions }, environment)
    const recorded = new Map<ToldRequest, RecordedRequest>()
    for (const requests of Map.groupBy(batch, (told) => sessionOf(told).id).values())
      for (const [told, request] of await this.#recordSession(requests, check, until)) recorded.set(told, request)
    return batch.flatMap((told) => recorded.get(told) ?? [])
  }

  /**
   * Writes what is new of one session's requests, which are all of that session. By request: a new one is `recorded`,
   * one that was there `again`, one of an incognito session `incognito`, and not written.
   */
  async #recordSession(
    requests: readonly ToldRequest[],
    check: IncognitoCheck,
    until: number,
  ): Promise<ReadonlyMap<ToldRequest, RecordedRequest>> {
    const recorded = new Map<ToldRequest, RecordedRequest>()
    const [first] = requests
    if (first === undefined) return recorded
    const { sessions } = this.#deps.store
    const session = sessionOf(first)
    const stored = await sessions.get(session.id)
    const storedIn = stored?.workspace ?? undefined
    const known = new Set(await sessions.idsAmong(session.id, requests.map(entryIdOf)))
    const { path: transcript } = await this.#transcripts.now(session.agent, session.externalId)
    const writes: EntryWrite[] = []
    for (const told of requests) {
      const id = entryIdOf(told)
      const isNew = !known.has(id)
      known.add(id)
      const found = isNew ? await this.#written(told, transcript, until) : undefined
      const fact = inFolder(this.#factOf(told, found), storedIn ?? this.#deps.workspace)
      const isIncognito = check.covers(session) || (await check.isSetFor(session, fact.workspace))
      const kept = isIncognito ? 'incognito' : isNew ? 'recorded' : 'again'
      if (kept === 'recorded') writes.push(writeOf(id, fact))
      recorded.set(told, { sessionId: session.id, fact, kept })
    }
    await this.#append(sessionIn(session, storedIn, writes), writes, stored?.entries ?? 0)
    for (const told of requests) this.#given.delete(entryIdOf(told))
    return recorded
  }

  /**
   * The request with its price, under the id that an import counts it by. `found`: what the agent's transcript says of
   * it, undefined for nothing. A cost that the agent told stays.
   */
  #factOf(told: ToldRequest, found: Partial<RequestFact> | undefined): RequestFact {
    const { tokens, at, model, provider, subagent, costNano } = told
    const fact: RequestFact = {
      callId: entryIdOf(told),
      at,
      model,
      provider,
      ...tokens,
      ...(subagent === undefined ? {} : { subagent }),
      costNano,
      costState: costNano === null ? 'unpriced' : 'recorded',
    }
    const known = found === undefined ? withLifetime(fact, this.#priceBook) : asWritten(fact, found)
    return pricedRequest(known, this.#priceBook, at)
  }

  /**
   * What the transcript says of a request (of Codex only its id), which may be written a moment after it was told of;
   * undefined if it is not there by `until`, as `performance.now()` counts. Tried again until then, unless the recorder
   * is ended.
   */
  async #written(
    told: ToldRequest,
    transcript: string | undefined,
    until: number,
  ): Promise<Partial<RequestFact> | undefined> {
    const { agent, requestId, tokens } = told
    if (transcript === undefined) return undefined
    if (agent === 'codex') {
      const id = entryIdOf(told)
      const callId = this.#given.get(id) ?? (await this.#codexCalls.idOf(transcript, undefined, tokens, until))
      if (callId === undefined) return undefined
      this.#given.set(id, callId)
      return { callId }
    }
    if (requestId === undefined) return undefined
    for (;;) {
      const found = await this.#claudeCalls.find(transcript, requestId)
      if (found !== undefined || this.#signal.aborted || performance.now() > until) return found
      await wait(BETWEEN_LOOKS_MS, undefined, { signal: this.#signal }).catch(() => undefined)
    }
  }

  /**
   * Appends entries to the session's log, of which `seq` are there. If another process has added some of them
   * meanwhile, only the others are appended. Rejects if none of them is there already, and as the store does.
   */
  async #append(session: SessionFacts, writes: readonly EntryWrite[], seq: number): Promise<void> {
    if (writes.length === 0) return
    assertAppend(session, 'end', writes)
    const { sessions } = this.#deps.store
    try {
      await createSessionWriter(session, sessions, withoutSecrets).writeFrom(() => writes, seq)
    } catch (error) {
      if (!CairnError.is(error) || error.code !== 'invalid-input') throw error
      // Another process may have been told the same meanwhile.
      const ids = writes.flatMap(({ externalId }) => externalId ?? [])
      const there = await sessions.idsAmong(session.id, ids)
      if (there.size === 0) throw error
      const others = writes.filter(({ externalId }) => externalId === undefined || !there.has(externalId))
      await this.#append(session, others, seq)
    }
  }
}

/** The session of a told request, without its project. */
const sessionOf = ({ agent, session }: ToldRequest): SessionFacts => ({
  id: `${agent}:${session}`,
  agent,
  externalId: session,
})

/** Of a request's entry: the same when the event comes again, whatever the transcript had of it. */
const entryIdOf = ({ requestId, eventId }: ToldRequest): string => `telemetry:${requestId ?? eventId}`

/** The session with its project: what the store knows, else that of the first entry, if any. */
const sessionIn = (session: SessionFacts, stored: string | undefined, writes: readonly EntryWrite[]): SessionFacts => {
  const workspace = stored ?? writes[0]?.request?.workspace
  return workspace === undefined ? session : { ...session, workspace }
}

/** The request with this folder as its project, where no transcript told one. */
const inFolder = (fact: RequestFact, folder: string | undefined): RequestFact =>
  fact.workspace !== undefined || folder === undefined ? fact : { ...fact, workspace: folder }

/**
 * The entry that carries a request whose messages are recorded elsewhere, if at all: a notice for a subagent's, a
 * change of model for any other.
 */
const writeOf = (externalId: string, fact: RequestFact): EntryWrite => {
  const { at, model, provider, subagent } = fact
  return {
    entry:
      subagent === undefined
        ? { kind: 'model', at, model, ...(provider === undefined ? {} : { provider }) }
        : { kind: 'notice', at, level: 'info', text: `A request to ${model} (${subagent}).` },
    externalId,
    request: fact,
    visibleCharacters: 0,
  }
}

/**
 * What was told, with the id, mode, project, branch and lifetimes of cache writes from the transcript, where it has
 * them; the subagent is the transcript's alone. All else, the output too, is as told: transcripts may hold only its
 * beginning.
 */
const asWritten = (told: RequestFact, written: Partial<RequestFact>): RequestFact => {
  const { callId = told.callId, mode, subagent, workspace, branch } = written
  const isSplit = writes(written) > 0 && writes(written) === writes(told)
  const { subagent: _source, ...fact } = told
  return {
    ...fact,
    callId,
    ...(isSplit
      ? { cacheWrite5mTokens: written.cacheWrite5mTokens ?? 0, cacheWrite1hTokens: written.cacheWrite1hTokens ?? 0 }
      : {}),
    ...(mode === undefined ? {} : { mode }),
    ...(subagent === undefined ? {} : { subagent }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(branch === undefined ? {} : { branch }),
  }
}

const WRITES = TOKEN_CLASSES.filter(({ costPart }) => costPart === 'cacheWriteNano')
const writes = (fact: Partial<RequestFact>): number => WRITES.reduce((sum, { field }) => sum + (fact[field] ?? 0), 0)

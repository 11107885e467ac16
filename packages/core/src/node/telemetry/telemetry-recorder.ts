/** Writes the requests that agents told of to the store, each once, under the id that an import would give it. */
import { setTimeout as wait } from 'node:timers/promises'
import { withoutSecrets } from '../../engine/redacted-writes.ts'
import { CairnError } from '../../errors.ts'
import { createIncognitoCheck } from '../../importers/incognito-check.ts'
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
   * Takes what agents tell of requests out of an export; other records are passed over. Resolves when all is on disk. Rejects
   * where the store does; what was written by then stays, and counts once when it comes again.
   */
  record(records: readonly OtlpLogRecord[]): Promise<RecordedExport>
  /** Nothing waits for an agent's file any more. */
  end(): void
}

/** How long an agent may take to write down a request that it has told of, ms; for all of an export together. */
const WRITTEN_MS = 2_000
const BETWEEN_LOOKS_MS = 100

export const createTelemetryRecorder = (deps: TelemetryRecorderDeps): TelemetryRecorder => {
  const ending = new AbortController()
  const recorder = new TelemetryWriter(deps, ending.signal)
  return {
    record: async (records) => {
      const events = records.flatMap((record) => readEvent(record, deps.clock.now()) ?? [])
      const refused = events.flatMap((event) => ('refused' in event ? [event.refused] : []))
      const told = events.flatMap((event) => ('told' in event ? [event.told] : []))
      return { requests: await recorder.record(told), refused }
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
  /** Exports are written one after the other. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(deps: TelemetryRecorderDeps, signal: AbortSignal) {
    this.#deps = deps
    this.#signal = signal
    this.#priceBook = createPriceBook({ overrides: deps.prices })
    this.#transcripts = createOwnTranscripts(deps.environment, signal)
    this.#claudeCalls = createClaudeCalls(deps.hasher)
    this.#codexCalls = createCodexCalls(deps.hasher, signal)
  }

  record(requests: readonly ToldRequest[]): Promise<readonly RecordedRequest[]> {
    const recording = this.#last.then(() => this.#recordAll(requests))
    this.#last = recording.catch(() => undefined)
    return recording
  }

  async #recordAll(requests: readonly ToldRequest[]): Promise<readonly RecordedRequest[]> {
    const { store, environment } = this.#deps
    const check = await createIncognitoCheck({ ...this.#deps, sessions: store.sessions }, environment)
    const until = performance.now() + WRITTEN_MS
    const recorded: RecordedRequest[] = []
    for (const told of requests) {
      const session = sessionOf(told)
      const fact = await this.#factOf(told, until)
      const folder = fact.workspace ?? this.#deps.workspace
      const isIncognito = check.covers(session) || (await check.isSetFor(session, folder))
      const kept = isIncognito ? 'incognito' : await this.#write(session, fact)
      recorded.push({ sessionId: session.id, fact, kept })
    }
    return recorded
  }

  /** The request under the id that an import counts it by, with what only the agent's transcript tells of it. */
  async #factOf(told: ToldRequest, until: number): Promise<RequestFact> {
    const { agent, session, requestId, eventId, tokens, at, model, provider, subagent, costNano } = told
    const fact: RequestFact = {
      callId: `telemetry:${requestId ?? eventId}`,
      at,
      model,
      provider,
      ...tokens,
      ...(subagent === undefined ? {} : { subagent }),
      costNano,
      costState: costNano === null ? 'unpriced' : 'recorded',
    }
    const { path: transcript } = await this.#transcripts.now(agent, session)
    const found = transcript === undefined ? undefined : await this.#written(told, transcript, until)
    const known = found === undefined ? withLifetime(fact, this.#priceBook) : asWritten(fact, found)
    return pricedRequest(known, this.#priceBook, at)
  }

  /** What the transcript says of a request, which may be written a moment after it was told of. */
  async #written(
    { agent, requestId, tokens }: ToldRequest,
    transcript: string,
    until: number,
  ): Promise<Partial<RequestFact> | undefined> {
    if (agent === 'codex') {
      const callId = await this.#codexCalls.idOf(transcript, undefined, tokens)
      return callId === undefined ? undefined : { callId }
    }
    if (requestId === undefined) return undefined
    for (;;) {
      const found = await this.#claudeCalls.find(transcript, requestId)
      if (found !== undefined || this.#signal.aborted || performance.now() > until) return found
      await wait(BETWEEN_LOOKS_MS, undefined, { signal: this.#signal }).catch(() => undefined)
    }
  }

  async #write(session: SessionFacts, fact: RequestFact): Promise<'recorded' | 'again'> {
    const { sessions } = this.#deps.store
    const stored = await sessions.get(session.id)
    const workspace = stored?.workspace ?? fact.workspace ?? this.#deps.workspace
    const facts = workspace === undefined ? session : { ...session, workspace }
    const writes = [writeOf(fact)]
    assertAppend(facts, 'end', writes)
    try {
      await createSessionWriter(facts, sessions, withoutSecrets).writeFrom(() => writes, stored?.entries ?? 0)
      return 'recorded'
    } catch (error) {
      // What can be stored is refused only where an entry of its id is there: the event has come before.
      if (CairnError.is(error) && error.code === 'invalid-input') return 'again'
      throw error
    }
  }
}

const sessionOf = ({ agent, session }: ToldRequest): SessionFacts => ({
  id: `${agent}:${session}`,
  agent,
  externalId: session,
})

/** The entry of a request whose messages are recorded elsewhere, if at all. */
const writeOf = (fact: RequestFact): EntryWrite => {
  const { at, model, provider, subagent } = fact
  return {
    entry:
      subagent === undefined
        ? { kind: 'model', at, model, ...(provider === undefined ? {} : { provider }) }
        : { kind: 'notice', at, level: 'info', text: `A request to ${model} (${subagent}).` },
    externalId: `telemetry:${fact.callId}`,
    request: fact,
    visibleCharacters: 0,
  }
}

/**
 * What was told, with the id, the project and the lifetimes of cache writes from the transcript. The output is the told one:
 * transcripts may hold only its beginning.
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

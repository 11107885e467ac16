/**
 * Records exchanges when they are over: which session they belong to, what was said for the first time, what it cost. One
 * after the other in each session, beside what passes through; nothing here is waited for by a client.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { CairnError, messageOf, type ModelErrorCode } from '../../errors.ts'
import { withoutSecrets } from '../../engine/redacted-writes.ts'
import { createIncognitoCheck } from '../../importers/incognito-check.ts'
import type { ImportEnvironment } from '../../importers/importer.ts'
import { titleFrom } from '../../importers/line-values.ts'
import { createWorkspaceResolver } from '../../importers/workspace.ts'
import type { Clock } from '../../ports/clock.ts'
import type { FileSystem } from '../../ports/file-system.ts'
import type { Hasher } from '../../ports/hasher.ts'
import type { Ids } from '../../ports/ids.ts'
import type { EntryWrite, SessionFacts } from '../../ports/session-storage.ts'
import type { Store } from '../../ports/store.ts'
import type { RequestFact } from '../../ports/usage-storage.ts'
import { redact } from '../../redaction/index.ts'
import { createSessionWriter } from '../../requests/session-writer.ts'
import { createPriceBook, type PriceOverride } from '../../usage/price-book.ts'
import type { PriceBook } from '../../ports/price-book.ts'
import { userAuthoredText } from '../../user-words/user-words.ts'
import type { BodyText } from './body-copy.ts'
import { clientSession, GATEWAY_AGENT, type ClientSession } from './client-session.ts'
import { createCodexCalls, type CodexCalls } from './codex-calls.ts'
import { createConversations, type Conversations } from './conversations.ts'
import { billOf, billWrite, brokenReplyWrites, messageWrites, replyWrite } from './exchange-writes.ts'
import { headerOf } from './headers.ts'
import { GATEWAY_MESSAGE, identified, type IdentifiedMessage } from './message-ids.ts'
import { createOwnTranscripts, type OwnTranscripts } from './own-transcripts.ts'
import { readRequest, type ReadRequest } from './read-request.ts'
import type { CopiedReply } from './reply-copy.ts'
import type { Wire } from './routes.ts'

export interface RecorderDeps {
  /** Undefined: nothing is kept. */
  readonly store: Pick<Store, 'sessions' | 'usage'> | undefined
  readonly clock: Clock
  readonly hasher: Hasher
  readonly ids: Ids
  readonly fileSystem: FileSystem
  /** The user's own prices, by model. */
  readonly prices: Readonly<Record<string, PriceOverride>>
  /** Where agents keep transcripts, and where the record of incognito sessions is. */
  readonly environment: ImportEnvironment
  /** The project of clients that don't say where they work. */
  readonly folder: string
}

/** An exchange that is over. */
export interface FinishedExchange {
  readonly wire: Wire
  readonly headers: IncomingHttpHeaders
  readonly request: BodyText
  /** Bytes of the request's body. */
  readonly requestBytes: number
  readonly reply: CopiedReply
  /** ms */
  readonly at: number
  /** What was found and done before it was sent; absent for a request that only passed. */
  readonly begun?: PassedBy | undefined
}

/** What a policy did with a request before it was sent. */
export interface PassedBy {
  readonly session: SessionFacts
  /** Estimated tokens fewer than the client sent. */
  readonly leftOutTokens: number
}

/** A request that is about to be sent, read. */
interface RequestToBegin {
  readonly headers: IncomingHttpHeaders
  readonly read: ReadRequest
  /** ms */
  readonly at: number
}

/** What is known of a request that is about to be sent, once what it says is in its session's log. */
export interface BegunRequest {
  readonly session: SessionFacts
  /** `bill`: its messages come with an import of `transcript`. */
  readonly kept: 'messages' | 'bill'
  /** Who asks beside the main conversation. */
  readonly subagent: string | undefined
  readonly transcript: string | undefined
  /** When the conversation's newest reply was recorded, ms; null where that is not known. */
  readonly lastReplyAt: number | null
}

/** What became of an exchange. */
export interface RecordedExchange {
  readonly sessionId: string
  /** Undefined for a request that failed and was not billed. */
  readonly bill: RequestFact | undefined
  /** `messages`: what was new, too; `bill`: a transcript has the messages; `unread`: unreadable; `incognito`: nothing. */
  readonly kept: 'messages' | 'bill' | 'unread' | 'incognito'
  /** Messages that were new. */
  readonly messages: number
  /** Estimated tokens that a policy left out of the request; absent where none did. */
  readonly leftOutTokens?: number
  /** Why there is no whole reply; undefined where there is one. */
  readonly error: ModelErrorCode | undefined
}

/** An exchange that is being written. */
export interface Recording {
  /** What it cost; undefined for a request that failed and was not billed. */
  readonly bill: RequestFact | undefined
  /** On disk when it resolves. Rejects where the store does. */
  readonly written: Promise<RecordedExchange>
}

export interface Recorder {
  /** Reads an exchange, and begins to write what is new in it. Never throws. */
  record(exchange: FinishedExchange): Recording
  /** Finds the session of a request before it is sent, and writes what is new in it. Undefined where nothing of it is kept,
   * or it is not known yet whether its agent keeps a transcript. Rejects where the store does. */
  begin(request: RequestToBegin): Promise<BegunRequest | undefined>
  /** Resolves when all that was given is written, or has failed. Nothing waits for an agent's file any more. */
  end(): Promise<void>
}

const PROVIDERS: Readonly<Record<Wire, string>> = { anthropic: 'anthropic', responses: 'openai', chat: 'openai' }
const UNREAD = 'unread'
/** Sessions whose message ids are remembered. */
const MOST_SESSIONS = 500
/** How long a request waits for the reply before it to be recorded, ms. */
const REPLY_PATIENCE_MS = 2_000
const BETWEEN_LOOKS_MS = 5

/** What is known of a session's log. */
interface KnownSession {
  /** Ids of its messages, and when they were recorded, ms. */
  readonly messages: Map<string, number | null>
  /** An import has written messages of it: the agent's transcript is the better source. */
  readonly isImported: boolean
}

/** A request and whose it is. */
interface ReadClient {
  readonly headers: IncomingHttpHeaders
  readonly read: ReadRequest | undefined
  readonly client: ClientSession
  readonly messages: readonly IdentifiedMessage[]
}

/** An exchange and what was read of it. */
interface Reading extends ReadClient {
  readonly exchange: FinishedExchange
  readonly bill: RequestFact | undefined
  readonly replyId: string
}

/** Makes what records the exchanges of one gateway. Without a store only bills are computed and nothing is kept. */
export const createRecorder = (deps: RecorderDeps): Recorder => {
  const ending = new AbortController()
  const { store } = deps
  const priceBook = createPriceBook({ overrides: deps.prices })
  const read = (exchange: FinishedExchange): Reading => readExchange(exchange, deps, priceBook)
  if (store === undefined) {
    const nothing = { sessionId: '', kept: 'incognito', messages: 0 } as const
    return {
      record: (exchange) => {
        const { bill } = read(exchange)
        return { bill, written: Promise.resolve({ ...nothing, bill, error: exchange.reply.error?.code }) }
      },
      begin: () => Promise.resolve(undefined),
      end: () => Promise.resolve(),
    }
  }
  const recorder = new ExchangeRecorder({ ...deps, store }, ending.signal)
  return {
    record: (exchange) => {
      const reading = read(exchange)
      return { bill: reading.bill, written: recorder.record(reading) }
    },
    begin: (request) => recorder.begin(request),
    end: async () => {
      ending.abort()
      await recorder.settled()
    },
  }
}

/** Reads an exchange without writing; `read` is undefined if the request's body was not kept. */
const readExchange = (
  exchange: FinishedExchange,
  { hasher, ids }: Pick<RecorderDeps, 'hasher' | 'ids'>,
  priceBook: PriceBook,
): Reading => {
  const { wire, headers, request, reply, at } = exchange
  const read = 'text' in request ? readRequest(wire, request.text) : undefined
  const client = clientSession(headers, read)
  const conversation = identified(read?.messages ?? [], hasher)
  const bill = billOf({
    reply,
    newId: () => ids.next(),
    model: read?.model ?? 'unknown',
    provider: PROVIDERS[wire],
    at,
    subagent: client.subagent,
    priceBook,
  })
  const replyId = conversation.idOfReply(reply.attempt.blocks)
  return { exchange, headers, read, client, bill, messages: conversation.messages, replyId }
}

type StoringDeps = RecorderDeps & { readonly store: NonNullable<RecorderDeps['store']> }

class ExchangeRecorder {
  readonly #deps: StoringDeps
  readonly #transcripts: OwnTranscripts
  readonly #codexCalls: CodexCalls
  readonly #conversations: Conversations
  readonly #workspaceOf: (folder: string) => Promise<string>
  readonly #known = new Map<string, KnownSession>()
  /** The last write of each session that has one under way. */
  readonly #writing = new Map<string, Promise<unknown>>()
  /** How many requests of a session were begun and are not recorded yet. */
  readonly #open = new Map<string, number>()
  /** Finding the session goes in the order in which exchanges end. */
  #finding: Promise<unknown> = Promise.resolve()

  constructor(deps: StoringDeps, signal: AbortSignal) {
    this.#deps = deps
    this.#transcripts = createOwnTranscripts(deps.environment, signal)
    this.#codexCalls = createCodexCalls(deps.hasher, signal)
    this.#conversations = createConversations(deps.store.sessions, () => deps.ids.next().replaceAll('-', '').slice(-12))
    this.#workspaceOf = createWorkspaceResolver(deps.fileSystem)
  }

  /** Resolves when all that was under way is written, or has failed. */
  async settled(): Promise<void> {
    await this.#finding
    while (this.#writing.size > 0) await Promise.allSettled(this.#writing.values())
  }

  /** Writes an exchange to its session, after earlier ones of that session. */
  async record(reading: Reading): Promise<RecordedExchange> {
    const session = await this.#inTurn(() => this.#answeredSession(reading))
    try {
      return await this.#afterOthers(session.id, () => this.#write(session, reading))
    } finally {
      this.#countOpen(session.id, -1)
    }
  }

  #countOpen(sessionId: string, change: 1 | -1): void {
    const open = (this.#open.get(sessionId) ?? 0) + change
    if (open > 0) this.#open.set(sessionId, open)
    else this.#open.delete(sessionId)
  }

  /** Writes a request's messages before its reply. Undefined if nothing may be kept, or its transcript may come. */
  async begin({ headers, read, at }: RequestToBegin): Promise<BegunRequest | undefined> {
    const client = clientSession(headers, read)
    const { messages } = identified(read.messages, this.#deps.hasher)
    const request = { headers, read, client, messages }
    const found = await this.#inTurn(() => this.#sessionOf(request))
    await this.#untilReplied(found.id, messages)
    const begun = await this.#afterOthers(found.id, () => this.#begin(found, request, at))
    if (begun !== undefined) this.#countOpen(found.id, 1)
    return begun
  }

  /** Finds a session after all finds before it, also those that failed; rejects as `find` does. */
  #inTurn(find: () => Promise<SessionFacts>): Promise<SessionFacts> {
    const finding = this.#finding.then(find)
    this.#finding = finding.catch(() => undefined)
    return finding
  }

  /** Runs what writes to a session behind all that is being written to it, failed or not; rejects as `write` does. */
  async #afterOthers<T>(sessionId: string, write: () => Promise<T>): Promise<T> {
    const before = this.#writing.get(sessionId) ?? Promise.resolve()
    const writing = before.catch(() => undefined).then(write)
    this.#writing.set(sessionId, writing)
    try {
      return await writing
    } finally {
      if (this.#writing.get(sessionId) === writing) this.#writing.delete(sessionId)
    }
  }

  /** The session of a request: the one the client names, or the one whose messages it continues. */
  async #sessionOf({ client, read, messages }: Omit<ReadClient, 'headers'>): Promise<SessionFacts> {
    const { agent } = client
    const externalId =
      client.externalId ??
      (read === undefined ? UNREAD : await this.#conversations.sessionOf(messages, read.previousResponse))
    return { id: `${agent}:${externalId}`, agent, externalId }
  }

  /** The session of an exchange that is over; a reply is remembered with it. */
  async #answeredSession(reading: Reading): Promise<SessionFacts> {
    const { exchange, replyId } = reading
    const session = exchange.begun?.session ?? (await this.#sessionOf(reading))
    if (session.agent === GATEWAY_AGENT && exchange.reply.error === undefined)
      this.#conversations.replied(session.externalId, replyId, exchange.reply.responseId)
    return session
  }

  /** Waits up to `REPLY_PATIENCE_MS` for the newest reply, if still under way, to be recorded: its client may be faster. */
  async #untilReplied(sessionId: string, messages: readonly IdentifiedMessage[]): Promise<void> {
    const newest = messages.findLast(({ role }) => role === 'assistant')
    const known = this.#known.get(sessionId)
    if (newest === undefined || known === undefined || known.isImported) return
    const until = performance.now() + REPLY_PATIENCE_MS
    while (!known.messages.has(newest.id) && this.#open.has(sessionId) && performance.now() < until)
      await wait(BETWEEN_LOOKS_MS)
  }

  /** As `begin`: undefined, with nothing written, if it is incognito, unread, or its transcript may still come. */
  async #begin(found: SessionFacts, request: ReadClient, at: number): Promise<BegunRequest | undefined> {
    const { client, messages } = request
    if (await this.#isIncognito(found, request)) return undefined
    const { path: transcript, mayCome } = await this.#transcripts.now(found.agent, found.externalId)
    if (mayCome) return undefined
    const stored = await this.#deps.store.sessions.get(found.id)
    const known = await this.#knownOf(found.id)
    const kept = whatIsKept(request, known, transcript)
    if (kept === 'unread') return undefined
    const { subagent } = client
    if (kept === 'bill')
      return { session: found, kept, subagent, transcript, lastReplyAt: await this.#lastRequestAt(found.id) }
    const session = { ...found, ...(await this.#factsOf(request, stored?.workspace ?? undefined)) }
    const writes = messageWrites(messages, known.messages, at, subagent)
    await this.#append(session, known, stored?.entries ?? 0, () => writes)
    const newest = messages.findLast(({ role }) => role === 'assistant')
    const lastReplyAt = newest === undefined ? null : (known.messages.get(newest.id) ?? null)
    return { session: found, kept, subagent, transcript, lastReplyAt }
  }

  async #lastRequestAt(sessionId: string): Promise<number | null> {
    const requests = await this.#deps.store.usage.requests(sessionId)
    return requests.reduce<number | null>((newest, { at }) => Math.max(newest ?? 0, at ?? 0), null)
  }

  /** Whether nothing of a request may be kept: by its header, for its session, or for its folder. */
  async #isIncognito(
    found: SessionFacts,
    { headers, client }: Pick<ReadClient, 'headers' | 'client'>,
  ): Promise<boolean> {
    const check = await createIncognitoCheck(
      { ...this.#deps, sessions: this.#deps.store.sessions },
      this.#deps.environment,
    )
    const isMarked = headerOf(headers, 'x-cairn-incognito') !== undefined || check.covers(found)
    return isMarked || (await check.isSetFor(found, client.folder ?? this.#deps.folder))
  }

  /** Writes what is not yet known of an exchange: messages, bill and failure. Nothing if it is incognito. */
  async #write(found: SessionFacts, reading: Reading): Promise<RecordedExchange> {
    const { exchange } = reading
    const error = exchange.reply.error?.code
    const leftOut = exchange.begun === undefined ? {} : { leftOutTokens: exchange.begun.leftOutTokens }
    if (await this.#isIncognito(found, reading))
      return { sessionId: found.id, bill: reading.bill, kept: 'incognito', messages: 0, error }

    const stored = await this.#deps.store.sessions.get(found.id)
    const session = { ...found, ...(await this.#factsOf(reading, stored?.workspace ?? undefined)) }
    const known = await this.#knownOf(session.id)
    const transcript = await this.#transcripts.find(session.agent, session.externalId)
    const bill = await this.#importedBill(reading, transcript)
    const kept = whatIsKept(reading, known, transcript)
    const writes = await this.#append(session, known, stored?.entries ?? 0, (seq) =>
      this.#writesOf({ ...reading, bill }, kept, known, seq),
    )
    await this.#addFailure(session.id, reading)
    const messages = writes.filter(({ entry }) => entry.kind === 'message').length
    return { sessionId: session.id, bill, kept, messages, ...leftOut, error }
  }

  /** Writes what is new, and remembers its messages. Gives what was written; nothing without anything new. */
  async #append(
    session: SessionFacts,
    known: KnownSession,
    from: number,
    plan: (seq: number) => readonly EntryWrite[],
  ): Promise<readonly EntryWrite[]> {
    let writes = plan(from)
    if (writes.length === 0) return writes
    const writer = createSessionWriter(session, this.#deps.store.sessions, withoutSecrets)
    await writer.writeFrom((seq) => (writes = plan(seq)), from)
    for (const { externalId, entry } of writes) if (externalId !== undefined) known.messages.set(externalId, entry.at)
    return writes
  }

  /** The bill, with the id that an import of the agent's transcript would count the request by, if it has one. */
  async #importedBill(
    { bill, client, exchange }: Reading,
    transcript: string | undefined,
  ): Promise<RequestFact | undefined> {
    if (bill === undefined || client.agent !== 'codex' || transcript === undefined) return bill
    const callId = await this.#codexCalls.idOf(transcript, exchange.reply.responseId, bill)
    return callId === undefined ? bill : { ...bill, callId }
  }

  /** What to append from `seq` on; a reply that broke off gets its truncation, a known one adds only its bill. */
  #writesOf(
    { exchange, bill, client, messages, replyId }: Reading,
    kept: 'messages' | 'bill' | 'unread',
    known: KnownSession,
    seq: number,
  ): readonly EntryWrite[] {
    const { reply, at } = exchange
    const { subagent } = client
    if (kept === 'unread') return this.#unreadWrites(exchange, bill)
    if (kept === 'bill') return bill === undefined ? [] : [billWrite({ reply, bill, at, subagent })]
    const fresh = messageWrites(messages, known.messages, at, subagent)
    if (bill === undefined) return fresh
    const input = { reply, bill, at, subagent }
    if (reply.error !== undefined)
      return [...fresh, ...brokenReplyWrites(input, reply.error, this.#deps.ids.next(), seq + fresh.length)]
    // The same answer to the same conversation, or one without words.
    const isKnown = known.messages.has(replyId) || reply.attempt.blocks.length === 0
    return [...fresh, isKnown ? billWrite(input) : replyWrite(input, replyId)]
  }

  /** A notice that a request's messages were not recorded, and why, with its bill if it has one. */
  #unreadWrites({ request, requestBytes, reply, at }: FinishedExchange, bill: RequestFact | undefined): EntryWrite[] {
    const why = 'unread' in request ? request.unread : 'it is no JSON object'
    const text = `A request of ${requestBytes} bytes was passed on, and its messages were not recorded: ${why}.`
    const notice = { entry: { kind: 'notice', at, level: 'warning', text } as const }
    return bill === undefined
      ? [notice]
      : [{ ...notice, request: bill, visibleCharacters: reply.attempt.visibleCharacters }]
  }

  /** Counts a request that failed without a bill, and no other; its session has to be there. */
  async #addFailure(sessionId: string, { exchange: { reply, wire, at }, read, bill }: Reading): Promise<void> {
    const { error, attempt } = reply
    if (error === undefined || bill !== undefined) return
    if ((await this.#deps.store.sessions.get(sessionId)) === undefined) return
    await this.#deps.store.usage.addFailure(sessionId, {
      id: this.#deps.ids.next(),
      at,
      model: read?.model ?? 'unknown',
      provider: PROVIDERS[wire],
      code: error.code,
      attempt: 1,
      totalMs: Math.max(0, Math.round(at - attempt.startedAt)),
    })
  }

  /** The project, as the store knows it if it does, and a title without secrets where nobody else names the session. */
  async #factsOf(
    { client, read, messages }: ReadClient,
    stored: string | undefined,
  ): Promise<Pick<SessionFacts, 'workspace' | 'title'>> {
    const folder = client.folder ?? (stored === undefined ? this.#deps.folder : undefined)
    const workspace = stored ?? (folder === undefined ? undefined : await this.#workspaceOf(folder))
    const words = messages.map(userAuthoredText).find((text) => text !== undefined)
    const isUnread = read === undefined && client.externalId === undefined
    const told = isUnread ? UNREAD_TITLE : words === undefined ? undefined : titleFrom(redact(words).text)
    const title = client.agent === GATEWAY_AGENT ? told : undefined
    return { ...(workspace === undefined ? {} : { workspace }), ...(title === undefined ? {} : { title }) }
  }

  /** Messages that the gateway wrote, with their times; read once, of an imported session each time, as it grows. */
  async #knownOf(sessionId: string): Promise<KnownSession> {
    const before = this.#known.get(sessionId)
    if (before !== undefined && !before.isImported) return before
    const entries = await this.#deps.store.sessions.read(sessionId, { kinds: ['message'] })
    const ids = entries.flatMap((entry) => (entry.kind === 'message' ? [entry.id] : []))
    const known = {
      messages: new Map(
        entries.flatMap((entry) =>
          entry.kind === 'message' && entry.id.startsWith(GATEWAY_MESSAGE) ? [[entry.id, entry.at]] : [],
        ),
      ),
      isImported: ids.length > 0 && !ids.some((id) => id.startsWith(GATEWAY_MESSAGE)),
    }
    this.#known.set(sessionId, known)
    for (const id of this.#known.keys()) {
      if (this.#known.size <= MOST_SESSIONS) break
      this.#known.delete(id)
    }
    return known
  }
}

/** What is kept: `unread` of one not read; the bill alone where an agent's transcript has the messages; else those. */
const whatIsKept = (
  { read, client }: Pick<ReadClient, 'read' | 'client'>,
  known: KnownSession,
  transcript: string | undefined,
): 'messages' | 'bill' | 'unread' => {
  if (read === undefined) return 'unread'
  return client.agent !== GATEWAY_AGENT && (known.isImported || transcript !== undefined) ? 'bill' : 'messages'
}

const UNREAD_TITLE = 'Requests that could not be read'

/** The sentence for a record that could not be written. */
export const notRecorded = (error: unknown): string =>
  `A request was passed on and could not be recorded: ${CairnError.is(error) ? error.message : messageOf(error)}`

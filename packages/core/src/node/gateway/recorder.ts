/**
 * Records exchanges when they are over: which session they belong to, what was said for the first time, what it cost. One
 * after the other in each session, beside what passes through; nothing here is waited for by a client.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { CairnError, messageOf } from '../../errors.ts'
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
}

/** What became of an exchange. */
export interface RecordedExchange {
  readonly sessionId: string
  /** Undefined for a request that failed and was not billed. */
  readonly bill: RequestFact | undefined
  /** `messages`: with what was said for the first time; `bill`: the agent's transcript has the messages; `unread`: the
   * request could not be read; `incognito`: nothing was kept. */
  readonly kept: 'messages' | 'bill' | 'unread' | 'incognito'
  /** Messages that were new. */
  readonly messages: number
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
  /** Resolves when all that was given is written, or has failed. Nothing waits for an agent's file any more. */
  end(): Promise<void>
}

const PROVIDERS: Readonly<Record<Wire, string>> = { anthropic: 'anthropic', responses: 'openai', chat: 'openai' }
const UNREAD = 'unread'
/** Sessions whose message ids are remembered. */
const MOST_SESSIONS = 500

/** What is known of a session's log. */
interface KnownSession {
  readonly messages: Set<string>
  /** An import has written messages of it: the agent's transcript is the better source. */
  readonly isImported: boolean
}

/** An exchange and what was read of it. */
interface Reading {
  readonly exchange: FinishedExchange
  readonly read: ReadRequest | undefined
  readonly client: ClientSession
  readonly bill: RequestFact | undefined
  readonly messages: readonly IdentifiedMessage[]
  readonly replyId: string
}

/** Makes what records the exchanges of one gateway. */
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
        return { bill, written: Promise.resolve({ ...nothing, bill }) }
      },
      end: () => Promise.resolve(),
    }
  }
  const recorder = new ExchangeRecorder({ ...deps, store }, ending.signal)
  return {
    record: (exchange) => {
      const reading = read(exchange)
      return { bill: reading.bill, written: recorder.record(reading) }
    },
    end: async () => {
      ending.abort()
      await recorder.settled()
    },
  }
}

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
  return { exchange, read, client, bill, messages: conversation.messages, replyId }
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
  /** Finding the session goes in the order in which exchanges end. */
  #finding: Promise<unknown> = Promise.resolve()

  constructor(deps: StoringDeps, signal: AbortSignal) {
    this.#deps = deps
    this.#transcripts = createOwnTranscripts(deps.environment, signal)
    this.#codexCalls = createCodexCalls(deps.hasher, signal)
    this.#conversations = createConversations(deps.store.sessions, () => deps.ids.next().replaceAll('-', '').slice(-12))
    this.#workspaceOf = createWorkspaceResolver(deps.fileSystem)
  }

  async settled(): Promise<void> {
    await this.#finding
    while (this.#writing.size > 0) await Promise.allSettled(this.#writing.values())
  }

  async record(reading: Reading): Promise<RecordedExchange> {
    const finding = this.#finding.then(() => this.#sessionOf(reading))
    this.#finding = finding.catch(() => undefined)
    const session = await finding
    const before = this.#writing.get(session.id) ?? Promise.resolve()
    const writing = before.catch(() => undefined).then(() => this.#write(session, reading))
    this.#writing.set(session.id, writing)
    try {
      return await writing
    } finally {
      if (this.#writing.get(session.id) === writing) this.#writing.delete(session.id)
    }
  }

  async #sessionOf({ client, read, messages, replyId, exchange }: Reading): Promise<SessionFacts> {
    const { agent } = client
    const externalId =
      client.externalId ??
      (read === undefined ? UNREAD : await this.#conversations.sessionOf(messages, read.previousResponse))
    const isReplied = exchange.reply.error === undefined
    if (agent === GATEWAY_AGENT && isReplied)
      this.#conversations.replied(externalId, replyId, exchange.reply.responseId)
    return { id: `${agent}:${externalId}`, agent, externalId }
  }

  async #write(found: SessionFacts, reading: Reading): Promise<RecordedExchange> {
    const { client, exchange } = reading
    const check = await createIncognitoCheck(
      { ...this.#deps, sessions: this.#deps.store.sessions },
      this.#deps.environment,
    )
    const isMarked = headerOf(exchange.headers, 'x-cairn-incognito') !== undefined || check.covers(found)
    if (isMarked || (await check.isSetFor(found, client.folder ?? this.#deps.folder)))
      return { sessionId: found.id, bill: reading.bill, kept: 'incognito', messages: 0 }

    const stored = await this.#deps.store.sessions.get(found.id)
    const session = { ...found, ...(await this.#factsOf(reading, stored?.workspace ?? undefined)) }
    const known = await this.#knownOf(session.id)
    const transcript = await this.#transcripts.find(session.agent, session.externalId)
    const bill = await this.#importedBill(reading, transcript)
    const kept = whatIsKept(reading, known, transcript)
    let writes: readonly EntryWrite[] = []
    const plan = (seq: number): readonly EntryWrite[] => {
      writes = this.#writesOf({ ...reading, bill }, kept, known, seq)
      return writes
    }
    if (plan(stored?.entries ?? 0).length > 0) {
      const writer = createSessionWriter(session, this.#deps.store.sessions, withoutSecrets)
      await writer.writeFrom(plan, stored?.entries ?? 0)
    }
    for (const { externalId } of writes) if (externalId !== undefined) known.messages.add(externalId)
    await this.#addFailure(session.id, reading)
    return {
      sessionId: session.id,
      bill,
      kept,
      messages: writes.filter(({ entry }) => entry.kind === 'message').length,
    }
  }

  /** The bill with the id under which an import of the agent's transcript counts the request. */
  async #importedBill(
    { bill, client, exchange }: Reading,
    transcript: string | undefined,
  ): Promise<RequestFact | undefined> {
    if (bill === undefined || client.agent !== 'codex' || transcript === undefined) return bill
    const callId = await this.#codexCalls.idOf(transcript, exchange.reply.responseId, bill)
    return callId === undefined ? bill : { ...bill, callId }
  }

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

  #unreadWrites({ request, requestBytes, reply, at }: FinishedExchange, bill: RequestFact | undefined): EntryWrite[] {
    const why = 'unread' in request ? request.unread : 'it is no JSON object'
    const text = `A request of ${requestBytes} bytes was passed on, and its messages were not recorded: ${why}.`
    const notice = { entry: { kind: 'notice', at, level: 'warning', text } as const }
    return bill === undefined
      ? [notice]
      : [{ ...notice, request: bill, visibleCharacters: reply.attempt.visibleCharacters }]
  }

  /** Counts a request that failed without a bill; its session has to be there. */
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
      attempt: attempt.number,
      totalMs: Math.max(0, Math.round(at - attempt.startedAt)),
    })
  }

  /** The project, and for a session that nobody names otherwise a title. What the store knows of its project stays. */
  async #factsOf(
    { client, read, messages }: Reading,
    stored: string | undefined,
  ): Promise<Pick<SessionFacts, 'workspace' | 'title'>> {
    const folder = client.folder ?? (stored === undefined ? this.#deps.folder : undefined)
    const workspace = stored ?? (folder === undefined ? undefined : await this.#workspaceOf(folder))
    const first = messages.find((message) => userAuthoredText(message) !== undefined)
    const words = client.agent !== GATEWAY_AGENT || first === undefined ? undefined : userAuthoredText(first)
    const title = read === undefined ? UNREAD_TITLE : words === undefined ? undefined : titleFrom(redact(words).text)
    return { ...(workspace === undefined ? {} : { workspace }), ...(title === undefined ? {} : { title }) }
  }

  async #knownOf(sessionId: string): Promise<KnownSession> {
    const before = this.#known.get(sessionId)
    if (before !== undefined && !before.isImported) return before
    const entries = await this.#deps.store.sessions.read(sessionId, { kinds: ['message'] })
    const ids = entries.flatMap((entry) => (entry.kind === 'message' ? [entry.id] : []))
    const known = {
      messages: new Set(ids.filter((id) => id.startsWith(GATEWAY_MESSAGE))),
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

const whatIsKept = (
  { read, client }: Reading,
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

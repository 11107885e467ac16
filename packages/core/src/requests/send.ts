/**
 * Sends requests of sessions. What a request is sent with is on disk before it goes out; its reply and its bill are
 * written together, before anybody hears that it is done. The context is made of what the log holds and of nothing else.
 */
import type { ContextPrices } from '../context/policy.ts'
import type { RewriteReport } from '../context/rewrite-report.ts'
import { CairnError } from '../errors.ts'
import { assertName } from '../input.ts'
import type { ToolCallBlock } from '../messages.ts'
import type { ModelFacts } from '../models/model-facts.ts'
import type { Clock } from '../ports/clock.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { Ids } from '../ports/ids.ts'
import { ModelError, type LanguageModel } from '../ports/language-model.ts'
import type { PriceBook } from '../ports/price-book.ts'
import type { EntryWrite } from '../ports/session-storage.ts'
import type { Store } from '../ports/store.ts'
import { focusOf } from '../context/workspace-focus.ts'
import { ConversationCache } from './conversation-cache.ts'
import { openConversation, type Conversation } from './conversation.ts'
import { inputWrites } from './input-writes.ts'
import { prepareRequest, type PreparedRequest, type RequestMoment } from './prepare-request.ts'
import { createRecordedModel, type RecordedModelOptions } from './recorded-model.ts'
import { withoutRefusedReasoning } from './refused-reasoning.ts'
import { createReplyRecorder, type RecordedReply } from './reply-recorder.ts'
import { assertSendInput, type SendInput, type SentRequest } from './send-input.ts'
import { createSessionWriter, storedEntries, type RedactWrite, type SessionWriter } from './session-writer.ts'
import { sessionFor } from './stored-session.ts'
import { watchAttempts } from './watch-attempts.ts'

export interface RequestsDeps {
  readonly store: Pick<Store, 'sessions' | 'usage' | 'state'>
  readonly clock: Clock
  readonly ids: Ids
  readonly hasher: Hasher
  readonly priceBook: () => Promise<PriceBook>
  /** A model's prices at a time (ms) for a cache that lives so many seconds. */
  readonly pricesOf: (book: PriceBook, model: string, at: number, cacheLifetime: number) => ContextPrices | undefined
  readonly factsOf: (model: string, provider: string) => ModelFacts
  readonly redactWrite: RedactWrite
}

export interface Requests {
  /**
   * Sends one request of a session and waits for its reply. The input is stored first; the reply is stored with its bill
   * (tokens by class, cost, provider, model, mode, attempt, latency) in one transaction.
   *
   * Failed attempts that cost nothing are counted (`store.usage.failures`). One that was billed is a request of its own
   * (partial), and what can be read of it stays in the log, out of the model's view. After a failure the input stays:
   * send again without a message to ask again.
   *
   * Rejects with `not-found` for a session that is not there; `invalid-input`; `sequence-conflict` when another program
   * wrote to the session meanwhile (nothing was sent); `context-overflow` when it can't be made to fit (nothing was
   * written, unless the provider said so); and with whatever the model fails with, `cancelled` included.
   */
  send(input: SendInput): Promise<SentRequest>
  /**
   * A model whose requests are no part of a session's conversation, and are billed to it: for a summary or a title. Each
   * bill stands in the log with a notice. Rejects with `not-found`.
   */
  recordedModel(languageModel: LanguageModel, options: RecordedModelOptions): Promise<LanguageModel>
}

/** The provider counts otherwise than we estimate: so often a request that it refused as too long is made shorter. */
const MOST_REFUSALS = 4
/** How often others may write between a refusal and what is decided then. */
const MOST_CONFLICTS = 5
/** Hex digits: enough to tell sessions apart, and nothing of their names. */
const CACHE_KEY_LENGTH = 32

/**
 * Makes the part of the engine that sends requests. `send` rejects with `invalid-input` before anything is read, with
 * `not-found` for a session that is not stored, and with a ModelError where the request failed. Conversations are kept
 * for the next request while nobody else writes to them.
 */
export const createRequests = (deps: RequestsDeps): Requests => {
  const cache = new ConversationCache()
  return {
    send: async (input) => {
      assertSendInput(input)
      const session = await sessionFor(input.session, deps)
      const facts = deps.factsOf(input.model, input.languageModel.provider)
      const open = (): Promise<Conversation> => openConversation(deps.store, session.facts, facts, input)
      const conversation = (await cache.take(input, session, deps.store.sessions)) ?? (await open())
      const sending = new Sending(deps, input, conversation, open)
      const sent = await sending.run()
      if (!sending.isOvertaken) cache.keep(input, sending.conversation)
      return sent
    },
    recordedModel: async (languageModel, options) => {
      assertName(options.sessionId, "The session's id")
      const { facts } = await sessionFor(options.sessionId, deps)
      const writer = createSessionWriter(facts, deps.store.sessions, deps.redactWrite)
      return createRecordedModel(languageModel, options, { ...deps, writer, priceBook: await deps.priceBook() })
    },
  }
}

/** One request on its way. */
class Sending {
  conversation: Conversation
  /** Others wrote while it ran: the conversation does not hold all of the log. */
  isOvertaken = false
  readonly #deps: RequestsDeps
  readonly #input: SendInput
  readonly #open: () => Promise<Conversation>
  readonly #writer: SessionWriter
  readonly #decisions: RewriteReport[] = []
  #redactions = 0
  #attempts = 0
  /** How often the provider found the request too long, and the estimated tokens of the last such one. */
  #refusals = 0
  #refusedTokens: number | undefined
  /** What the user has the work look at, as it was when the request began. */
  #focus: string | undefined
  /** The input is in the log. */
  #isStored = false
  #conflicts = 0

  constructor(deps: RequestsDeps, input: SendInput, conversation: Conversation, open: () => Promise<Conversation>) {
    this.conversation = conversation
    this.#deps = deps
    this.#input = input
    this.#open = open
    this.#writer = createSessionWriter(conversation.session, deps.store.sessions, deps.redactWrite)
  }

  /**
   * Sends the request and records everything. It is sent again where it was refused as too long and the policy can
   * shorten it, or for its reasoning, which is then left out; any other failure rejects.
   */
  async run(): Promise<SentRequest> {
    const priceBook = await this.#deps.priceBook()
    this.#focus = await focusOf(this.#deps.store.state, this.conversation.session.workspace)
    let writes = this.#inputWrites()
    for (;;) {
      const prepared = await this.#stored(writes, this.#moment(priceBook))
      try {
        return this.#sent(await this.#ask(prepared, priceBook))
      } catch (error) {
        const again = ModelError.is(error) ? await this.#afterRefusal(error, prepared) : undefined
        if (again === undefined) throw error
        writes = again
      }
    }
  }

  /**
   * What is written before the request is made again after this error; undefined where it is not made again. Too long
   * (at most 4 times, under a policy that keeps the window): nothing, as the next decision makes it shorter. Reasoning
   * refused: a rewrite that leaves it out, which the conversation has taken then.
   */
  async #afterRefusal(error: ModelError, { prepared }: PreparedRequest): Promise<readonly EntryWrite[] | undefined> {
    if (error.code === 'context-overflow') {
      if (this.#refusals >= MOST_REFUSALS || !this.conversation.policy.keepsWindow) return undefined
      this.#refusals += 1
      this.#refusedTokens = prepared.tokens
      if (this.isOvertaken) await this.#reopen()
      return []
    }
    const { policy, context } = this.conversation
    const rewrite = withoutRefusedReasoning(error, context.view, policy.name, this.#deps.clock.now())
    if (rewrite === undefined) return undefined
    const writes: readonly EntryWrite[] = [{ entry: rewrite }]
    this.conversation.step(storedEntries(writes, context.view.nextSeq))
    return writes
  }

  /** The input without its secrets; from now on it is part of the conversation. Its secrets are counted. */
  #inputWrites(): readonly EntryWrite[] {
    const { conversation } = this
    const { clock, ids } = this.#deps
    const writes = this.#writer.redacted(inputWrites(this.#input, conversation, clock.now(), ids))
    conversation.step(storedEntries(writes, conversation.context.view.nextSeq))
    this.#redactions += redactionsIn(writes)
    return writes
  }

  /**
   * What a request depends on now: time in ms, prices, refusals so far, focus. The cache key is the same for all of a
   * session.
   */
  #moment(priceBook: PriceBook): RequestMoment {
    const { clock, hasher, pricesOf } = this.#deps
    const { facts, session } = this.conversation
    const now = clock.now()
    return {
      now,
      prices: pricesOf(priceBook, facts.id, now, facts.cacheLifetimeSeconds),
      cacheKey: hasher.sha256(session.id).slice(0, CACHE_KEY_LENGTH),
      refusals: this.#refusals,
      focus: this.#focus,
      signal: this.#input.signal,
      ...(this.#refusedTokens === undefined ? {} : { refusedTokens: this.#refusedTokens }),
    }
  }

  /**
   * Decides on the request, writes the input with what was decided, then tells `onEvent`. What it gives is made of what
   * is on disk: where others wrote first, or a decision held a secret, the session is read and decided again.
   */
  async #stored(input: readonly EntryWrite[], moment: RequestMoment): Promise<PreparedRequest> {
    const seq = this.conversation.context.view.nextSeq - input.length
    const prepared = prepareRequest(this.conversation, this.#input, moment)
    const rewrites = this.#writer.redacted(
      prepared.prepared.entriesToAppend.map(({ seq: _seq, ...entry }) => ({ entry })),
    )
    this.#decisions.push(...prepared.prepared.reports)
    const writes = [...input, ...rewrites]
    const isWritten = writes.length === 0 || (await this.#written(writes, seq))
    // Others wrote, or a policy put a secret in: what is sent is what the log holds now.
    if (!isWritten || redactionsIn(rewrites) > 0) {
      await this.#reopen()
      return this.#stored([], moment)
    }
    this.#isStored = true
    await this.#input.onEvent?.({
      type: 'stored',
      sessionId: this.conversation.session.id,
      tokens: prepared.prepared.tokens,
      availableTokens: prepared.availableTokens,
      decisions: prepared.prepared.reports,
    })
    return prepared
  }

  /**
   * Writes entries at `seq`; false where others wrote first while the input was in the log already. Rejects with
   * `sequence-conflict` if it was not, or at the sixth such conflict, and with any other error of the store.
   */
  async #written(writes: readonly EntryWrite[], seq: number): Promise<boolean> {
    try {
      await this.#writer.writeAt(writes, seq)
      return true
    } catch (error) {
      this.#conflicts += 1
      const isConflict = CairnError.is(error) && error.code === 'sequence-conflict'
      if (!isConflict || !this.#isStored || this.#conflicts > MOST_CONFLICTS) throw error
      return false
    }
  }

  /** Reads the conversation anew. */
  async #reopen(): Promise<void> {
    this.conversation = await this.#open()
    this.isOvertaken = false
  }

  /**
   * Streams the reply, and records how each attempt ends. Rejects with a ModelError if none is whole, and with what the
   * store or `onEvent` throws. `onEvent` is waited for.
   */
  async #ask({ request }: PreparedRequest, priceBook: PriceBook): Promise<RecordedReply> {
    const { languageModel, model, mode, onEvent } = this.#input
    const recorder = createReplyRecorder({
      ...this.#deps,
      writer: this.#writer,
      billing: { model, provider: languageModel.provider, mode, priceBook },
      conversation: this.conversation,
    })
    const options = { clock: this.#deps.clock, recorder, madeBefore: this.#attempts }
    try {
      for await (const event of watchAttempts(languageModel, request, options)) {
        const waited = onEvent?.(event)
        if (waited !== undefined) await waited
      }
    } finally {
      this.#attempts = recorder.attempts
      this.#redactions += recorder.redactions
      this.isOvertaken = recorder.isOvertaken
    }
    if (recorder.reply === undefined) throw new ModelError('cut-off', 'The reply broke off before its end: ask again.')
    return recorder.reply
  }

  /** What the caller is told of a whole reply. */
  #sent({ attempt, done, fact, messageId }: RecordedReply): SentRequest {
    const { stopReason, providerReason, usage, isUsagePartial = false } = done
    const { costNano, costState, model, latency } = fact
    return {
      sessionId: this.conversation.session.id,
      messageId,
      content: attempt.blocks,
      toolCalls: attempt.blocks.filter((block): block is ToolCallBlock => block.type === 'tool_call'),
      stopReason,
      providerReason,
      model,
      provider: this.#input.languageModel.provider,
      usage,
      isUsagePartial,
      costNano,
      costState,
      attempt: attempt.number,
      ...(latency === undefined ? {} : { latency }),
      decisions: this.#decisions,
      redactions: this.#redactions,
    }
  }
}

const redactionsIn = (writes: readonly EntryWrite[]): number =>
  writes.reduce((sum, { redactions = 0 }) => sum + redactions, 0)

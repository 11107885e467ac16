/**
 * A context policy on the way to the provider: decides by what the client sends and by what was decided before, keeps each
 * decision in the session's log before it is sent, and changes in the body what was decided and nothing else. A request that
 * is not understood, or that can't be recorded, passes as it came.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Policy } from '../../../context/policy.ts'
import { policyOf, type PolicyName } from '../../../context/policies/registry.ts'
import type { CacheAwarePreset } from '../../../context/policies/cache-aware/settings.ts'
import { withoutSecrets } from '../../../engine/redacted-writes.ts'
import { CairnError, messageOf } from '../../../errors.ts'
import { isJsonObject, parseJson, stringOf, type JsonObject } from '../../../json.ts'
import { modelFacts, type ModelFacts } from '../../../models/model-facts.ts'
import type { Hasher } from '../../../ports/hasher.ts'
import type { PriceBook } from '../../../ports/price-book.ts'
import type { Store } from '../../../ports/store.ts'
import { createSessionWriter, storedEntries } from '../../../requests/session-writer.ts'
import type { NewLogEntry, RewriteEntry } from '../../../session-log.ts'
import { createPriceBook, type PriceOverride } from '../../../usage/price-book.ts'
import { identified } from '../message-ids.ts'
import { readBody, type ReadRequest } from '../read-request.ts'
import type { BegunRequest, PassedBy, Recorder } from '../recorder.ts'
import type { Wire } from '../routes.ts'
import { withMarks } from './cache-marks.ts'
import { changedItems, withItems } from './changed-body.ts'
import { isUnknown, spokenOf, type Spoken } from './conversation-log.ts'
import { decisionEntry, decisionIn, lasting, type Decision } from './decisions.ts'
import { LiveConversation, type RewrittenRange } from './live-conversation.ts'
import { withRecallNote } from './recall-note.ts'
import { shownChanges } from './shown-changes.ts'
import { situationFor } from './situation.ts'
import { PIN_KINDS, userPins } from './user-pins.ts'
import { viewChanges } from './view-changes.ts'

export interface RequestPolicyDeps {
  readonly policy: PolicyName
  readonly preset?: CacheAwarePreset | undefined
  readonly recorder: Pick<Recorder, 'begin'>
  readonly store: Pick<Store, 'sessions'>
  readonly hasher: Hasher
  /** The user's own prices, by model. */
  readonly prices: Readonly<Record<string, PriceOverride>>
  readonly facts?: (model: string) => ModelFacts
  /** Takes an agent's own transcript into the store, so that what leaves the request can be recalled. */
  readonly importTranscript: (agent: string, path: string) => Promise<void>
  /** Told why a request passed as it came; the same sentence may come again. */
  readonly tell: (sentence: string) => void
  /** ms */
  readonly now: () => number
}

/** A request as it came. */
export interface ClientRequest {
  readonly wire: Wire
  readonly headers: IncomingHttpHeaders
  /** The unpacked body, or why it can't be read. */
  readonly body: { readonly text: string } | { readonly unread: string }
}

export interface AppliedPolicy {
  /** What to send instead; undefined: what came. */
  readonly body: string | undefined
  /** Undefined where nothing was recorded before sending. */
  readonly begun: PassedBy | undefined
}

export interface RequestPolicy {
  /** What becomes of a request. Never rejects. */
  apply(request: ClientRequest): Promise<AppliedPolicy>
}

/** Conversations that are kept in memory; others are read again from what the client sends. */
const MOST_LIVE = 24

/** Makes what applies a policy to the requests of one gateway. */
export const createRequestPolicy = (deps: RequestPolicyDeps): RequestPolicy => new PolicyOfRequests(deps)

const AS_IT_CAME: AppliedPolicy = { body: undefined, begun: undefined }

interface Asked {
  readonly wire: Wire
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: JsonObject
  readonly read: ReadRequest
  readonly spoken: readonly Spoken[]
}

class PolicyOfRequests implements RequestPolicy {
  readonly #deps: RequestPolicyDeps
  readonly #priceBook: PriceBook
  /** Decisions of each session, in the order of its log. */
  readonly #decisions = new Map<string, Decision[]>()
  /** Conversations by session, newest last. */
  readonly #live = new Map<string, LiveConversation[]>()
  /** The last request of each session: they are decided one after the other. */
  readonly #deciding = new Map<string, Promise<unknown>>()

  constructor(deps: RequestPolicyDeps) {
    this.#deps = deps
    this.#priceBook = createPriceBook({ overrides: deps.prices })
  }

  /**
   * Applies the policy to a request, recording it as begun. Without a `body` it goes on as it came; that is so for any
   * failure, which is told, and for a request that no policy can be applied to. Never rejects.
   */
  async apply(request: ClientRequest): Promise<AppliedPolicy> {
    let begun: BegunRequest | undefined
    try {
      const asked = this.#read(request)
      if (asked === undefined) return AS_IT_CAME
      const { headers, read } = asked
      begun = await this.#deps.recorder.begin({ headers, read, at: this.#deps.now() })
      return begun === undefined ? AS_IT_CAME : await this.#afterOthers(begun, asked)
    } catch (error) {
      this.#deps.tell(
        `${PASSED} the policy could not be applied: ${CairnError.is(error) ? error.message : messageOf(error)}`,
      )
      return begun === undefined ? AS_IT_CAME : unchanged(begun)
    }
  }

  /**
   * Reads the request's conversation; undefined, which is told, if a policy can't be applied to it. Also undefined,
   * untold, with fewer than two messages.
   */
  #read({ wire, headers, body }: ClientRequest): Asked | undefined {
    const { hasher, tell } = this.#deps
    if ('unread' in body) {
      tell(`${PASSED} ${body.unread}.`)
      return undefined
    }
    const parsed = parseJson(body.text)?.value
    if (!isJsonObject(parsed)) {
      tell(`${PASSED} it is no JSON object.`)
      return undefined
    }
    const read = readBody(wire, parsed)
    if (read.previousResponse !== undefined || isKeptByProvider(parsed)) {
      tell(`${PASSED} the provider keeps its conversation, and a policy needs all of it.`)
      return undefined
    }
    // There is nothing yet that could have left.
    if (read.messages.length < 2) return undefined
    const spoken = spokenOf(identified(read.messages, hasher).messages, hasher)
    this.#tellUnknown(spoken)
    return { wire, headers, text: body.text, body: parsed, read, spoken }
  }

  /** Tells of every type of block that the policy does not know. */
  #tellUnknown(spoken: readonly Spoken[]): void {
    for (const { content } of spoken)
      for (const block of content)
        if (isUnknown(block) && block.type === 'other') {
          const type = isJsonObject(block.value) ? stringOf(block.value.type) : undefined
          this.#deps.tell(
            `The policy leaves blocks of the type "${type ?? 'unknown'}" as they are: it does not know them.`,
          )
        }
  }

  /** Decides after earlier requests of the same session have been decided, whether or not that succeeded. */
  async #afterOthers(begun: BegunRequest, asked: Asked): Promise<AppliedPolicy> {
    const { id } = begun.session
    const before = this.#deciding.get(id) ?? Promise.resolve()
    const deciding = before.catch(() => undefined).then(() => this.#decide(begun, asked))
    this.#deciding.set(id, deciding)
    try {
      return await deciding
    } finally {
      if (this.#deciding.get(id) === deciding) this.#deciding.delete(id)
    }
  }

  /**
   * Applies stored decisions, then makes and stores a new one if it is due; the conversation is then remembered for the
   * next request. If storing fails only the earlier ones hold, which is told. If the new one was stored without secrets
   * that it held, all is decided again by what is stored. With a reply's beginning at the end nothing new is decided.
   */
  async #decide(begun: BegunRequest, asked: Asked): Promise<AppliedPolicy> {
    const { spoken, read } = asked
    const decisions = await this.#decisionsOf(begun.session.id)
    const facts = (this.#deps.facts ?? modelFacts)(read.model)
    const situation = situationFor(asked, facts, this.#priceBook, this.#deps.now())
    const { policy, live } = this.#follow(begun.session.id, spoken, facts)
    live.take(spoken, decisions, begun.lastReplyAt)
    const { view } = live.context
    view.ask(situation)
    // The beginning of a reply has to go on as it stands: nothing new is decided, as texts may be put in at the end.
    if (spoken.at(-1)?.role === 'assistant') return this.#changed(begun, asked, live)
    try {
      await this.#takePins(begun, spoken, live)
    } catch (error) {
      return this.#withoutNew(begun, asked, policy, facts, error)
    }
    const lastUsed = view.requests === 0 ? 0 : situation.prefix + view.tokens()
    const prepared = live.prepare({ ...situation, lastUsed })
    const { entriesToAppend } = prepared
    if (entriesToAppend.length > 0) {
      try {
        const kept = await this.#keep(begun, spoken, live, entriesToAppend)
        if (kept === 'as-decided') this.#remember(begun.session.id, live)
        else return await this.#decide(begun, asked)
      } catch (error) {
        return this.#withoutNew(begun, asked, policy, facts, error)
      }
    } else this.#remember(begun.session.id, live)
    return this.#changed(begun, asked, live)
  }

  /**
   * Takes in what the user has pinned or dropped in the session since, and stores from which request on it holds;
   * nothing for a subagent's request, or without new pins. Rejects as the store does.
   */
  async #takePins(begun: BegunRequest, spoken: readonly Spoken[], live: LiveConversation): Promise<void> {
    const { sessions } = this.#deps.store
    const { id } = begun.session
    const told = await sessions.read(id, { kinds: PIN_KINDS })
    if (begun.subagent !== undefined || told.length === live.pinEntries) return
    const log = await sessions.read(id, { kinds: ['message', ...PIN_KINDS] })
    const pins = live.pinsToTake(userPins(log, live.spokenBySeq))
    live.pinEntries = told.length
    if (pins.length === 0) return
    const at = this.#deps.now()
    const { nextSeq: seq } = live.context.view
    const rewrite: RewriteEntry = { kind: 'rewrite', seq, at, policy: 'user', trigger: 'pin', changes: [] }
    const decision = { mark: spoken.at(-1)?.mark ?? '', rewrite, thinking: [], pins }
    await this.#write(begun, () => [decisionEntry(decision, { changes: [] })])
    live.takePins(pins, at)
  }

  /**
   * The request with only what was decided before, and tells why: what is new could not be kept, or not be recalled. A
   * conversation of its own is made for it, and not remembered.
   */
  #withoutNew(begun: BegunRequest, asked: Asked, policy: Policy, facts: ModelFacts, error: unknown): AppliedPolicy {
    this.#deps.tell(`The policy leaves nothing more out: ${CairnError.is(error) ? error.message : messageOf(error)}`)
    const live = new LiveConversation(policy, facts.charsPerToken)
    live.take(asked.spoken, this.#decisions.get(begun.session.id) ?? [], begun.lastReplyAt)
    return this.#changed(begun, asked, live)
  }

  /**
   * Keeps decisions in the session's log; where the log holds only the bill, its transcript is imported first, so that
   * what leaves can be recalled. Returns whether they are kept as decided or without the secrets that they held.
   * Rejects if either fails.
   */
  async #keep(
    begun: BegunRequest,
    spoken: readonly Spoken[],
    live: LiveConversation,
    rewrites: readonly RewriteEntry[],
  ): Promise<'as-decided' | 'without-secrets'> {
    const { store, importTranscript } = this.#deps
    const { session, kept, subagent, transcript } = begun
    if (kept === 'bill' && transcript !== undefined) await importTranscript(session.agent, transcript)
    const mark = spoken.at(-1)?.mark ?? ''
    // Rewrites of a session's log are of its main conversation.
    const isShown = kept === 'messages' && subagent === undefined
    const log = isShown ? await store.sessions.read(session.id, { kinds: ['message'] }) : []
    const decided = rewrites.map((rewrite) => ({ mark, ...lasting(rewrite, live.spokenBySeq) }))
    const { made, isRedacted } = await this.#write(begun, (from) =>
      decided.map((decision, index) => {
        const own = rewrites[index]
        const shown = own === undefined ? { changes: [] } : shownChanges(own, log, live, rewrites, from)
        return decisionEntry(decision, shown)
      }),
    )
    for (const decision of made) live.kept(decision)
    return isRedacted ? 'without-secrets' : 'as-decided'
  }

  /**
   * Writes decisions to the session's log, and remembers them as they are there. Gives the decisions as they were
   * stored, and whether a secret was taken out. Rejects as the store does.
   */
  async #write(
    { session }: BegunRequest,
    plan: (from: number) => readonly NewLogEntry[],
  ): Promise<{ readonly made: readonly Decision[]; readonly isRedacted: boolean }> {
    const { sessions } = this.#deps.store
    const stored = await sessions.get(session.id)
    const { seq, writes } = await createSessionWriter(session, sessions, withoutSecrets).writeFrom(
      (from) => plan(from).map((entry) => ({ entry })),
      stored?.entries ?? 0,
    )
    const made = storedEntries(writes, seq).flatMap((entry) => decisionIn(entry) ?? [])
    this.#decisions.get(session.id)?.push(...made)
    return { made, isRedacted: writes.some(({ redactions }) => (redactions ?? 0) > 0) }
  }

  /**
   * The request's text with all changes; `body` is undefined, so that it goes on as it came, if there are none, or if
   * they can't be made in its form, which is told.
   */
  #changed(begun: BegunRequest, { wire, text, body, read, spoken }: Asked, live: LiveConversation): AppliedPolicy {
    const list = body[read.list]
    const changes = viewChanges(spoken, live)
    if (changes.fates.size === 0 && changes.putIn.length === 0) return unchanged(begun)
    const items = changedItems(wire, list, changes)
    if (items === undefined || items.length === 0) return this.#notUnderstood(begun)
    const marked =
      wire === 'anthropic' ? withMarks(body, items, rewrittenItems(live, spoken), expectedItem(live, spoken)) : items
    const sent = withItems(text, read.list, list, marked)
    if (sent === undefined) return this.#notUnderstood(begun)
    const leftOutTokens = live.leftOutTokens()
    return { body: sent, begun: { session: begun.session, leftOutTokens } }
  }

  /** Tells that the messages are in no known form; the request goes on as it came. */
  #notUnderstood(begun: BegunRequest): AppliedPolicy {
    this.#deps.tell(`${PASSED} its messages are not in a form that is known.`)
    return unchanged(begun)
  }

  /**
   * The policy and the conversation of the session that these messages continue, as it was followed until now, else a
   * new one. The followed one is no longer kept until `#remember`.
   */
  #follow(
    sessionId: string,
    spoken: readonly Spoken[],
    facts: ModelFacts,
  ): { readonly policy: Policy; readonly live: LiveConversation } {
    const policy = withRecallNote(policyOf(this.#deps.policy, this.#deps.preset), sessionId)
    const followed = this.#live.get(sessionId) ?? []
    const found = followed.findLast(
      (live) => live.charactersPerToken === facts.charsPerToken && live.isContinuedBy(spoken),
    )
    if (found === undefined) return { policy, live: new LiveConversation(policy, facts.charsPerToken) }
    // Taken out until what is decided is kept: after a failure it would know more than the log.
    this.#live.set(
      sessionId,
      followed.filter((live) => live !== found),
    )
    return { policy, live: found }
  }

  /**
   * Keeps a conversation for the session's next request; of one session the newest 6. The sessions used longest ago are
   * forgotten beyond `MOST_LIVE` conversations.
   */
  #remember(sessionId: string, live: LiveConversation): void {
    const followed = this.#live.get(sessionId) ?? []
    this.#live.delete(sessionId)
    this.#live.set(sessionId, [...followed.slice(-(MOST_OF_A_SESSION - 1)), live])
    let count = [...this.#live.values()].reduce((sum, { length }) => sum + length, 0)
    for (const [id, { length }] of this.#live) {
      if (count <= MOST_LIVE) break
      count -= length
      this.#live.delete(id)
    }
    for (const id of this.#decisions.keys()) if (!this.#live.has(id)) this.#decisions.delete(id)
  }

  /** The decisions for a session, in order, read from its log at first. */
  async #decisionsOf(sessionId: string): Promise<readonly Decision[]> {
    const known = this.#decisions.get(sessionId)
    if (known !== undefined) return known
    const entries = await this.#deps.store.sessions.read(sessionId, { kinds: ['rewrite'] })
    const decisions = entries.flatMap((entry) => decisionIn(entry) ?? [])
    this.#decisions.set(sessionId, decisions)
    return decisions
  }
}

/** A session has several where subagents speak in it, too. */
const MOST_OF_A_SESSION = 6
const PASSED = 'A request was passed on whole:'

/** The request goes on as it came, and is recorded as begun. */
const unchanged = ({ session }: BegunRequest): AppliedPolicy => ({
  body: undefined,
  begun: { session, leftOutTokens: 0 },
})

/**
 * Whether the provider holds a part of the conversation: the request names a conversation, or has references in place
 * of items.
 */
const isKeptByProvider = ({ conversation, input }: JsonObject): boolean =>
  (conversation !== undefined && conversation !== null) ||
  (Array.isArray(input) && input.some((item) => isJsonObject(item) && item.type === 'item_reference'))

/** The index in the body of the item at which the next rewrite is expected to begin; undefined if none is expected. */
const expectedItem = (live: LiveConversation, spoken: readonly Spoken[]): number | undefined => {
  const position = live.expectedCut()
  return position === undefined ? undefined : spoken[position]?.positions.at(0)?.item
}

/** What rewrites changed, by the index of items in the body; -1 if a message is no longer there. */
const rewrittenItems = (live: LiveConversation, spoken: readonly Spoken[]): readonly RewrittenRange[] => {
  const itemOf = (position: number): number => spoken[position]?.positions.at(-1)?.item ?? -1
  return live
    .rewritten()
    .map(({ first, last, newest }) => ({ first: itemOf(first), last: itemOf(last), newest: itemOf(newest) }))
}

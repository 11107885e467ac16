/**
 * The context of one conversation, live: takes the log's entries as they come, and prepares each request.
 * What a policy decides is applied at once and given back for the log; the cost of a request grows with
 * what is new and what is visible, never with the length of the log.
 */
import { CairnError } from '../errors.ts'
import type { ContentBlock, Message } from '../messages.ts'
import type { LogEntry, RewriteEntry } from '../session-log.ts'
import type { ModelMessage } from '../session/model-history.ts'
import { cacheBreakpoints } from './breakpoints.ts'
import { createDraft } from './draft.ts'
import { focusReserve, focusRewrite, lacksFocus } from './focus.ts'
import { estimateOfMessages, type ViewBlock } from './view-block.ts'
import { OPENING, soundExchange, type MessageRepair } from './messages/sound-exchange.ts'
import { overflowOf, type ContextOverflowError } from './overflow.ts'
import { isCold, type Policy, type Situation } from './policy.ts'
import { reportOf, type RewriteReport } from './rewrite-report.ts'
import { makeFit } from './steps/make-fit.ts'
import { isWithheldThinking, type WithheldThinking } from './thinking.ts'
import { lacksTodo, todoReserve, todoRewrite } from './todo-list.ts'
import { ARRIVAL, createContextView, type ContextView } from './view.ts'

/** How a block stands in a request: as it was said, cut or noted, or made up. */
export type BlockState = 'full' | 'stub' | 'digest'

export interface PreparedBlock {
  /** In JSON its `seq`, `block`, `messageId` and `kind` stand in its place. */
  readonly block: ViewBlock
  readonly state: BlockState
  readonly tokens: number
  readonly content: ContentBlock
}

export interface Prepared {
  /** Valid for a provider: the user's turn first, every call with its result and the reverse. */
  readonly messages: readonly Message[]
  /** The same block by block; made when it is first asked for, which must be before the next step. */
  readonly blocks: readonly PreparedBlock[]
  /** Estimated tokens of the messages, with what was added to make calls and results whole. */
  readonly tokens: number
  /** Whether the messages fit the available tokens. */
  readonly fits: boolean
  /** Why they don't and nothing more can be done; also for a policy that does not keep the window. */
  readonly overflow: ContextOverflowError | undefined
  /** Indexes in `messages` after which the provider should be told to keep its cache; at most three. */
  readonly cacheBreakpoints: readonly number[]
  /** The number (`seq`) of the entry at which the next rewrite will most likely begin, where the policy can tell. */
  readonly expectedCut: number | undefined
  /** What was decided for this request, in order; already applied here. Append it to the log before the reply. */
  readonly entriesToAppend: readonly RewriteEntry[]
  /** What was decided, explained; like the blocks, ask before the next step. */
  readonly reports: readonly RewriteReport[]
  /** What was added so that a provider takes the messages: a result for each call that has none, and why. */
  readonly repairs: readonly MessageRepair[]
  /**
   * Reasoning that this model would refuse, whatever the policy: none of it is in the messages. Ask before the next
   * step.
   */
  readonly withheld: readonly WithheldBlock[]
}

/** A block of reasoning that is not sent. */
export interface WithheldBlock {
  readonly seq: number
  readonly block: number
  readonly messageId: string
  readonly why: WithheldThinking
  readonly tokens: number
}

export interface Context {
  readonly view: ContextView
  /** Takes new entries of the log, in order. Entries that were decided here may be given again: they are known. */
  step(entries: readonly LogEntry[]): void
  /**
   * Decides what the next request holds, and applies its own decisions to the view; the caller appends
   * `entriesToAppend` to the log. Asked again with nothing new at the same `now`, it decides nothing more. Does not
   * throw for messages that don't fit: see `fits` and `overflow`.
   */
  prepare(situation: Situation): Prepared
}

/** A policy that decides again and again on one request would never end. */
const MAX_DECISIONS = 8
/** After each refusal a request may take this share of what the one before could. */
const AFTER_REFUSAL = 0.5

/**
 * The context of a conversation under a policy, empty; feed it the log from its beginning. `step` passes over entries
 * that it has had already. `prepare` never throws for a request that does not fit: see `fits` and `overflow`.
 * @throws CairnError `invalid-input` for what is no policy, and a ratio that is not above 0
 */
export const createContext = (policy: Policy, charactersPerToken: number): Context => {
  if (typeof (policy as Partial<Policy> | null)?.start !== 'function')
    throw new CairnError('invalid-input', "createContext needs a policy, such as policyOf('cache-aware').")
  if (!(charactersPerToken > 0))
    throw new CairnError(
      'invalid-input',
      `Characters per token must be a number above 0, not ${String(charactersPerToken)}.`,
    )
  const view = createContextView(charactersPerToken)
  const checked = createMessageCheck(charactersPerToken)

  const decide = createDecisions(policy, view, checked)

  return {
    view,
    step: (entries) => {
      for (const entry of entries) if (entry.seq >= view.nextSeq) view.step(entry)
    },
    /**
     * Decides on the next request, applies that to the view, and gives the messages, valid for a provider. `blocks`,
     * `reports` and `withheld` are made from the view when they are first read. Does not throw where nothing fits.
     */
    prepare: (situation) => {
      view.ask(situation)
      const { entries, reports, expectedCut } = decide(situation)
      const availableTokens = availableTokensFor(situation)
      const { messages, addedTokens, repairs } = checked(view.history.messages())
      const tokens = view.tokens() + addedTokens
      const fits =
        tokens <= availableTokens && (situation.refusals === 0 || tokens < (situation.refusedTokens ?? Infinity))
      let overflow: ContextOverflowError | undefined
      let blocks: readonly PreparedBlock[] | undefined
      let told: readonly RewriteReport[] | undefined
      let kept: readonly WithheldBlock[] | undefined
      return {
        messages,
        get blocks() {
          return (blocks ??= view.blocks().map((block) => preparedBlock(block, view)))
        },
        tokens,
        fits,
        get overflow() {
          return fits ? undefined : (overflow ??= overflowOf(view, tokens, availableTokens))
        },
        cacheBreakpoints: cacheBreakpoints(messages, messageFrom(view, messages, newCut(view) ?? expectedCut)),
        expectedCut,
        entriesToAppend: entries,
        get reports() {
          return (told ??= reports.map((report) => report()))
        },
        repairs,
        get withheld() {
          return (kept ??= withheldIn(view, messages))
        },
      }
    },
  }
}

/** What was decided for a request: entries for the log, and how to explain each of them. */
interface Decisions {
  readonly entries: readonly RewriteEntry[]
  readonly reports: readonly (() => RewriteReport)[]
  readonly expectedCut: number | undefined
}

/**
 * Decides on requests, one after the other, and applies each decision to the view: the policy's (at most 8), then what
 * makes the messages fit where the policy keeps the window, then the todo list's and the focus's. The policy is not
 * asked where the log ends with decisions for this request already.
 */
const createDecisions = (
  policy: Policy,
  view: ContextView,
  checked: MessageCheck,
): ((situation: Situation) => Decisions) => {
  const run = policy.start(view)
  return (situation) => {
    const entries: RewriteEntry[] = []
    const reports: (() => RewriteReport)[] = []
    const isWarm = !isCold(view, situation)
    const availableTokens = availableTokensFor(situation)
    // The list and the focus may have to be put in after what told them left.
    const kept = todoReserve(view) + focusReserve(view, situation.focus)
    const limit = (): number => availableTokens - checked(view.history.messages()).addedTokens - kept
    const isKnown = isDecided(view.lastEntry, availableTokens)
    if (isKnown && !lacksTodo(view) && !lacksFocus(view, situation.focus))
      return { entries, reports, expectedCut: beginOf(run.expectedCut) }
    const asked =
      kept === 0 ? situation : { ...situation, availableTokens: Math.max(0, situation.availableTokens - kept) }
    /** Takes a decision: the view follows it at once, its report is made later. */
    const take = (decided: Omit<RewriteEntry, 'seq'>): void => {
      const entry: RewriteEntry = { ...decided, seq: view.nextSeq, room: availableTokens }
      // What was shortened before took less than it says of itself; all else took what it is.
      const sent = new Map<ViewBlock, number>()
      for (const { seq, block } of entry.changes) {
        const changed = view.block(seq, block)
        if (changed?.source.replacement !== undefined) sent.set(changed, view.tokensSent(changed))
      }
      view.step(entry)
      entries.push(entry)
      reports.push(() => reportOf(entry, view, sent, situation, isWarm))
    }
    while (!isKnown && entries.length < MAX_DECISIONS) {
      const decided = run.decide(asked)
      if (decided === undefined) break
      take(decided)
    }
    if (policy.keepsWindow && view.tokens() > limit()) {
      const draft = createDraft(view)
      makeFit(draft, limit())
      const decided = draft.build(policy.name, situation.refusals > 0 ? 'refused' : 'window', situation.now)
      if (decided !== undefined) take(decided)
    }
    const withTodo = todoRewrite(view, entries, situation.now)
    if (withTodo !== undefined) take(withTodo)
    const withFocus = focusRewrite(view, situation.focus, situation.now)
    if (withFocus !== undefined) take(withFocus)
    return { entries, reports, expectedCut: beginOf(run.expectedCut) }
  }
}

/** The entry from which on a change of a block changes what is sent: a call is shortened with its result. */
const beginOf = (block: ViewBlock | undefined): number | undefined =>
  block === undefined ? undefined : Math.min(block.source.seq, block.partner?.source.seq ?? Infinity)

/**
 * The number (`seq`) of the first entry that the rewrites at the log's end, which are new in the next request, change
 * or put a text before; undefined where there is none. Rewrites on arrival (`ARRIVAL`) do not count. They need not have
 * been decided now: a request that is prepared again has them in its log already.
 */
const newCut = (view: ContextView): number | undefined => {
  let first = Infinity
  for (let index = view.rewrites.length - 1, seq = view.nextSeq - 1; index >= 0; index--, seq--) {
    const rewrite = view.rewrites[index]
    if (rewrite === undefined || rewrite.seq !== seq) break
    const { trigger, changes, insertions = [] } = rewrite
    if (trigger === ARRIVAL) continue
    for (const change of changes) first = Math.min(first, change.seq)
    for (const { before } of insertions) first = Math.min(first, before ?? Infinity)
  }
  return first === Infinity ? undefined : first
}

/**
 * The index of the first message that holds anything of an entry or a later one; undefined where none does. Texts
 * inserted by rewrites don't count.
 */
const messageFrom = (view: ContextView, messages: readonly Message[], seq: number | undefined): number | undefined => {
  if (seq === undefined) return undefined
  const block = view.blocks().find(({ kind, source }) => kind !== 'inserted' && source.seq >= seq)?.source
  if (block === undefined) return undefined
  const content = block.seen ?? block.original
  const index = messages.findIndex((message) => message.content.includes(content))
  return index === -1 ? undefined : index
}

/**
 * The available tokens for this try. As the provider knows better than our estimate, they are halved once for each
 * refusal, and are at most half of what was refused.
 */
const availableTokensFor = ({ availableTokens, refusals, refusedTokens = availableTokens }: Situation): number =>
  refusals === 0
    ? availableTokens
    : Math.floor(Math.min(availableTokens * AFTER_REFUSAL ** refusals, refusedTokens * AFTER_REFUSAL))

/**
 * Whether the log ends with decisions for this very request (its last entry is a rewrite made by `prepare`), made for
 * no more available tokens than there are.
 */
const isDecided = (last: LogEntry | undefined, availableTokens: number): boolean =>
  last?.kind === 'rewrite' && last.room !== undefined && last.room <= availableTokens

/** The reasoning blocks that are not sent although no rewrite removed them, with the reason. */
const withheldIn = (view: ContextView, messages: readonly Message[]): readonly WithheldBlock[] => {
  const all = view.thinking()
  const sent = new Set(all.length === 0 ? [] : messages.flatMap(({ content }) => content))
  return all.flatMap(({ source, tokens }): readonly WithheldBlock[] => {
    const { seq, block, entry, seen } = source
    const why = source.withheld ?? (seen === null || sent.has(seen) ? undefined : 'last-thinking')
    return isWithheldThinking(why) ? [{ seq, block, messageId: entry.id, why, tokens }] : []
  })
}

/** A block as it is sent: inserted texts and summaries are a `digest`, a changed one is a `stub`, any other `full`. */
const preparedBlock = (block: ViewBlock, view: ContextView): PreparedBlock => {
  const { source } = block
  const content = source.seen ?? source.original
  const state: BlockState =
    block.kind === 'inserted' || block.kind === 'summary' ? 'digest' : content === source.original ? 'full' : 'stub'
  return new SentBlock(block, content, view.tokensSent(block), state)
}

/** A class, because a replay makes one for every block of every request: `toJSON` is on the prototype. */
class SentBlock implements PreparedBlock {
  readonly block: ViewBlock
  readonly content: ContentBlock
  readonly tokens: number
  readonly state: BlockState

  constructor(block: ViewBlock, content: ContentBlock, tokens: number, state: BlockState) {
    this.block = block
    this.content = content
    this.tokens = tokens
    this.state = state
  }

  /** The block refers to its message and its call, and these to it: JSON has what identifies it instead. */
  toJSON(): object {
    const { block, content, tokens, state } = this
    const { source, kind } = block
    return { seq: source.seq, block: source.block, messageId: source.entry.id, kind, content, tokens, state }
  }
}

/**
 * Makes a check that repairs what a provider would refuse, exchange by exchange (a reply and what follows it up to the
 * next). It gives sound messages, the tokens that were added and the repairs, for the whole conversation each time; it
 * remembers the messages it had last, so that an exchange that has not changed is not looked at again.
 */
const createMessageCheck = (charactersPerToken: number): MessageCheck => {
  let before: readonly ModelMessage[] = []
  /** Where each exchange ends, among the messages given and among the sound ones, and what was added up to there. */
  const ends: {
    readonly given: number
    readonly sound: number
    readonly addedTokens: number
    readonly repairs: readonly MessageRepair[]
  }[] = []
  let sound: readonly Message[] = []
  const openingTokens = estimateOfMessages([OPENING], charactersPerToken)

  /**
   * The sound messages so far, with a message of the user before them if the first one that is no system message is
   * another role's.
   */
  const opened = (): SoundMessages => {
    const { addedTokens, repairs } = ends.at(-1) ?? NOTHING_ADDED
    const first = sound.findIndex(({ role }) => role !== 'system')
    if (first === -1 || sound[first]?.role === 'user') return { messages: sound, addedTokens, repairs }
    return {
      messages: [...sound.slice(0, first), OPENING, ...sound.slice(first)],
      addedTokens: addedTokens + openingTokens,
      repairs,
    }
  }

  /**
   * Takes the exchange that begins at index `from` of the messages: its sound messages are added to `next`, what was
   * added and repaired to `ends`. Returns the index behind it.
   */
  const takeExchange = (messages: readonly ModelMessage[], from: number, next: Message[]): number => {
    const to = endOfExchange(messages, from)
    const given = messages.slice(from, to)
    const { messages: exchange, repairs } = soundExchange(given, to === messages.length)
    const last = ends.at(-1) ?? NOTHING_ADDED
    for (const message of exchange) next.push(message)
    ends.push({
      given: to,
      sound: next.length,
      addedTokens: last.addedTokens + addedIn(exchange, given, charactersPerToken),
      repairs: repairs.length === 0 ? last.repairs : [...last.repairs, ...repairs],
    })
    return to
  }

  return (messages) => {
    if (messages === before) return opened()
    let same = 0
    while (same < messages.length && messages[same] === before[same]) same += 1
    // The last exchange may go on, so it is always looked at again.
    ends.pop()
    // Nor does one end where it did when another message stands after it.
    while ((ends.at(-1)?.given ?? -1) >= same) ends.pop()
    const next = sound.slice(0, ends.at(-1)?.sound ?? 0)
    for (let from = ends.at(-1)?.given ?? 0; from < messages.length;) from = takeExchange(messages, from, next)
    before = messages
    sound = next
    return opened()
  }
}

/** The index behind an exchange: of the next message of the assistant after its first one, or of the end. */
const endOfExchange = (messages: readonly ModelMessage[], from: number): number => {
  let to = from + 1
  while (to < messages.length && messages[to]?.role !== 'assistant') to += 1
  return to
}

/** Tokens that an exchange has more than the messages that it was made of; the same ones have none. */
const addedIn = (exchange: readonly Message[], given: readonly Message[], charactersPerToken: number): number =>
  exchange.length === given.length && exchange.every((message, index) => message === given[index])
    ? 0
    : Math.max(0, estimateOfMessages(exchange, charactersPerToken) - estimateOfMessages(given, charactersPerToken))

type MessageCheck = (messages: readonly ModelMessage[]) => SoundMessages

interface SoundMessages {
  readonly messages: readonly Message[]
  readonly addedTokens: number
  readonly repairs: readonly MessageRepair[]
}

const NOTHING_ADDED: Omit<SoundMessages, 'messages'> = { addedTokens: 0, repairs: [] }

/** Tracks, in a live conversation, which of the model's reasoning can be sent and which has to be sent. */
import type { ContentBlock } from '../messages.ts'
import type { LogEntry, MessageEntry } from '../session-log.ts'
import { isSound } from './messages/sound-block.ts'
import type { ViewBlock } from './view-block.ts'
import {
  BOUND_THINKING,
  isSignedThinking,
  isThinking,
  withheldAlways,
  type AskedModel,
  type ThinkingMaker,
  type WithheldThinking,
} from './thinking.ts'

/** What is known of the conversation's reasoning. */
export interface ThinkingRecord {
  /** The model that is asked from now on. */
  asked: AskedModel
  /** Why a block of a new entry can't be sent; undefined where it can, and for what is no reasoning. */
  withheld(block: ContentBlock, entry: MessageEntry): WithheldThinking | undefined
  /** Why a block that was added can't be sent to the model that is asked now; undefined where it can. */
  withheldNow(block: ViewBlock): WithheldThinking | undefined
  /** Whether a block is reasoning that is never sent again: it has no signature, or something before it has changed. */
  isGone(block: ViewBlock): boolean
  /** Takes the log's next entry, before its blocks. */
  step(entry: LogEntry): void
  /** A new request's reply has begun. */
  reply(request: number): void
  /**
   * Takes a block of the reply. False when it is reasoning that can't be sent because an earlier block of the same
   * reply is not sent as the model made it: the signature covers that block too.
   */
  add(block: ViewBlock): boolean
  /**
   * Another's message has come: the newest reply is over. Returns the reasoning that it ended with, which a provider
   * refuses and which is not sent from now on.
   */
  endReply(): readonly ViewBlock[]
  /** All reasoning of the conversation, sent or not, in the order of the log; empty without any. */
  blocks(): readonly ViewBlock[]
  /**
   * Takes note that the conversation was changed at this order (a block's position in the log). Returns the reasoning
   * behind it that can no longer be sent; none unless the model's signatures are bound to the conversation.
   */
  change(order: number): readonly ViewBlock[]
  /** Whether a block is visible, signed reasoning of the running turn: its replies each called a tool. */
  isRunning(block: ViewBlock): boolean
  /** All reasoning of the newest turn, sent or not, in the order of the log; empty where the model gave none. */
  ofTurn(): readonly ViewBlock[]
  /** Requests of the turn that has just ended, given the requests made in all; 0 while a turn runs. */
  endedTurn(requests: number): number
  /** Whether a request's reply has reasoning that has to be sent back with its calls. */
  holds(request: number): boolean
  /**
   * Forgets all blocks, for when the log is fed again from its beginning (after a rewind). The model that is asked
   * stays.
   */
  reset(): void
}

/** Whether a block of a reply is sent back as the model made it. */
const isSentAsMade = (block: ContentBlock): boolean => isSound(block) && (!isThinking(block) || isSignedThinking(block))

/** A record of a log's reasoning, empty, of a model whose signatures are good for a turn. */
export const createThinkingRecord = (): ThinkingRecord => new ReasoningOfLog()

class ReasoningOfLog implements ThinkingRecord {
  asked: AskedModel = {}
  /** All reasoning with the model that made it, in the order in which it came. */
  #made = new Map<ViewBlock, ThinkingMaker>()
  #byRequest = new Map<number, ViewBlock[]>()
  /** Reasoning behind no change, in the order in which it came. */
  #intact: ViewBlock[] = []
  #changed = new Set<ViewBlock>()
  /** Reasoning that a reply ended with. */
  #last = new Set<ViewBlock>()
  /** The model that the log named last. */
  #current: ThinkingMaker = {}
  #turn: ViewBlock[] = []
  #turnStart = 0
  #hasCalls = false
  /** Blocks of the newest reply. */
  #reply: ViewBlock[] = []
  /** The entry of the newest reply, and the turn as it was before it. */
  #replySeq = -1
  #before = { turn: this.#turn, turnStart: 0, hasCalls: false }

  /**
   * Why a block of the log's reasoning may never be sent to the model asked; undefined if it may, or is no reasoning.
   */
  withheld(block: ContentBlock, entry: MessageEntry): WithheldThinking | undefined {
    if (!isThinking(block)) return undefined
    // Only the assistant's reasoning is signed, whatever an entry of another role claims.
    return entry.role === 'assistant' ? withheldAlways(block, this.#makerOf(entry), this.asked) : 'unsigned-thinking'
  }

  /** Why a block is not to be sent to the model asked now, given all changes so far; undefined if it may be. */
  withheldNow(block: ViewBlock): WithheldThinking | undefined {
    const always = withheldAlways(block.source.original, this.#made.get(block) ?? {}, this.asked)
    if (always !== undefined) return always
    if (this.#isBound() && this.#changed.has(block)) return BOUND_THINKING
    return this.#last.has(block) ? 'last-thinking' : undefined
  }

  /**
   * Whether reasoning can't be sent any more: what it was signed behind has changed, or it has no valid signature.
   * False for any other block.
   */
  isGone(block: ViewBlock): boolean {
    const { original } = block.source
    return isThinking(original) && (this.#changed.has(block) || !isSignedThinking(original))
  }

  /** Follows the log's entries for the model that replies are from, and for replies that were taken back. */
  step(entry: LogEntry): void {
    if (entry.kind === 'message' && entry.role === 'assistant' && entry.subagent === undefined)
      this.#replySeq = entry.seq
    // A reply that broke off was taken out at once: the turn goes on as if it had not come.
    if (entry.kind === 'truncation' && entry.fromSeq === this.#replySeq && entry.toSeq === this.#replySeq)
      this.#takeBackReply()
    if (entry.kind !== 'model') return
    this.#current = { model: entry.model, ...(entry.provider === undefined ? {} : { provider: entry.provider }) }
  }

  /** Begins a reply; a turn begins with it if the reply before it had no calls. */
  reply(request: number): void {
    this.#before = { turn: this.#turn, turnStart: this.#turnStart, hasCalls: this.#hasCalls }
    if (!this.#hasCalls) {
      this.#turnStart = request
      this.#turn = []
    }
    this.#hasCalls = false
    this.#reply = []
  }

  /**
   * Takes the next block of the reply. False only for reasoning behind a block of the reply that is not sent as it was
   * signed, and where signatures are bound to the conversation: it may not be sent then.
   */
  add(block: ViewBlock): boolean {
    const { original, entry } = block.source
    const isReasoning = isThinking(original)
    const isAsSigned = !isReasoning || this.#reply.every(({ source }) => isSentAsMade(source.original))
    this.#reply.push(block)
    if (original.type === 'tool_call') this.#hasCalls = true
    if (!isReasoning) return true
    this.#made.set(block, this.#makerOf(entry))
    const ofRequest = this.#byRequest.get(block.request)
    if (ofRequest === undefined) this.#byRequest.set(block.request, [block])
    else ofRequest.push(block)
    if (isAsSigned) this.#intact.push(block)
    else this.#changed.add(block)
    this.#turn.push(block)
    return isAsSigned || !this.#isBound()
  }

  /**
   * Ends a reply, and returns the reasoning at its end, which may not be sent; a reply of nothing else counts as not
   * made.
   */
  endReply(): readonly ViewBlock[] {
    const spoken = this.#reply.findLastIndex(({ source }) => !isThinking(source.original))
    const last = this.#reply.slice(spoken + 1).filter((block) => !this.#last.has(block))
    for (const block of last) this.#last.add(block)
    // One that broke off while the model was thinking is never sent: the turn goes on as if it had not come.
    if (spoken === -1 && this.#reply.length > 0) this.#takeBackReply()
    return last
  }

  blocks(): readonly ViewBlock[] {
    return [...this.#made.keys()]
  }

  /**
   * Takes a change at a position of the view. Returns the reasoning behind it that may no longer be sent: empty for
   * models whose reasoning is not bound to what comes before.
   */
  change(order: number): readonly ViewBlock[] {
    const behind = this.#intact.filter(({ source }) => source.order > order)
    if (behind.length === 0) return behind
    this.#intact = this.#intact.filter(({ source }) => source.order <= order)
    for (const block of behind) this.#changed.add(block)
    return this.#isBound() ? behind : []
  }

  /** Whether a block is visible, signed reasoning of a turn whose newest reply has calls. */
  isRunning(block: ViewBlock): boolean {
    const { seen, original } = block.source
    return this.#hasCalls && block.request >= this.#turnStart && seen !== null && isSignedThinking(original)
  }

  ofTurn(): readonly ViewBlock[] {
    return this.#turn
  }

  endedTurn(requests: number): number {
    return this.#hasCalls ? 0 : requests - this.#turnStart + 1
  }

  holds(request: number): boolean {
    return !this.#isBound() && (this.#byRequest.get(request)?.some((block) => this.isRunning(block)) ?? false)
  }

  /** Forgets everything but the model that is asked, as before the log's first entry. */
  reset(): void {
    this.#made = new Map()
    this.#byRequest = new Map()
    this.#intact = []
    this.#changed = new Set()
    this.#last = new Set()
    this.#current = {}
    this.#turn = []
    this.#turnStart = 0
    this.#hasCalls = false
    this.#reply = []
    this.#replySeq = -1
    this.#before = { turn: this.#turn, turnStart: 0, hasCalls: false }
  }

  /** Puts back the turn and its calls as they were before the last reply. */
  #takeBackReply(): void {
    this.#turn = this.#before.turn
    this.#turnStart = this.#before.turnStart
    this.#hasCalls = this.#before.hasCalls
  }

  #makerOf({ model }: MessageEntry): ThinkingMaker {
    return model === undefined ? { ...this.#current } : { ...this.#current, model }
  }

  #isBound(): boolean {
    return this.asked.thinkingSignature === 'bound-to-conversation'
  }
}

/** Keeps, for a conversation that goes on, which of the model's reasoning can be sent, and what of it has to be. */
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

export interface ThinkingRecord {
  /** Who is asked from now on. */
  asked: AskedModel
  /** Why a block of a new entry can't be sent. */
  withheld(block: ContentBlock, entry: MessageEntry): WithheldThinking | undefined
  /** Why a block that was added can't be sent, as things stand. */
  withheldNow(block: ViewBlock): WithheldThinking | undefined
  /** Whether it is reasoning that is never sent again: it has no signature, or what stood before it has changed. */
  isGone(block: ViewBlock): boolean
  /** Takes the log's next entry, before its blocks. */
  step(entry: LogEntry): void
  /** A new request's reply has begun. */
  reply(request: number): void
  /**
   * Takes a block of the reply. False when it is reasoning that can't be sent because of what stands before it in its
   * own reply: the model signed it behind that, and some of it is sent otherwise than the model made it.
   */
  add(block: ViewBlock): boolean
  /** All reasoning, in the order in which it came. */
  blocks(): readonly ViewBlock[]
  /** What stands behind this order was made for a conversation that is no more; tells what it concerns. */
  change(order: number): readonly ViewBlock[]
  /** Of the reply that answers now, and of those before it as far as each called a tool. */
  isRunning(block: ViewBlock): boolean
  /** All reasoning of the newest turn, in the order in which it came, sent or not. */
  ofTurn(): readonly ViewBlock[]
  /** Requests of the turn that has just ended, when so many were made in all; 0 while one runs. */
  endedTurn(requests: number): number
  /** Whether a request's reply has reasoning that has to come back with its calls. */
  holds(request: number): boolean
  reset(): void
}

/** Whether a block of a reply is sent back as the model made it. */
const isSentAsMade = (block: ContentBlock): boolean => isSound(block) && (!isThinking(block) || isSignedThinking(block))

/** An empty record, of a model whose signatures are good for a turn. */
export const createThinkingRecord = (): ThinkingRecord => new ReasoningOfLog()

class ReasoningOfLog implements ThinkingRecord {
  asked: AskedModel = {}
  /** All reasoning with the model that made it, in the order in which it came. */
  #made = new Map<ViewBlock, ThinkingMaker>()
  #byRequest = new Map<number, ViewBlock[]>()
  /** Reasoning behind no change, in the order in which it came. */
  #intact: ViewBlock[] = []
  #changed = new Set<ViewBlock>()
  /** The model that the log named last. */
  #current: ThinkingMaker = {}
  #turn: ViewBlock[] = []
  #turnStart = 0
  #hasCalls = false
  /** Blocks of the newest reply. */
  #reply: ViewBlock[] = []

  withheld(block: ContentBlock, entry: MessageEntry): WithheldThinking | undefined {
    if (!isThinking(block)) return undefined
    // Only the assistant's reasoning is signed, whatever an entry of another role claims.
    return entry.role === 'assistant' ? withheldAlways(block, this.#makerOf(entry), this.asked) : 'unsigned-thinking'
  }

  withheldNow(block: ViewBlock): WithheldThinking | undefined {
    const always = withheldAlways(block.source.original, this.#made.get(block) ?? {}, this.asked)
    return always ?? (this.#isBound() && this.#changed.has(block) ? BOUND_THINKING : undefined)
  }

  isGone(block: ViewBlock): boolean {
    const { original } = block.source
    return isThinking(original) && (this.#changed.has(block) || !isSignedThinking(original))
  }

  step(entry: LogEntry): void {
    if (entry.kind !== 'model') return
    this.#current = { model: entry.model, ...(entry.provider === undefined ? {} : { provider: entry.provider }) }
  }

  reply(request: number): void {
    if (!this.#hasCalls) {
      this.#turnStart = request
      this.#turn = []
    }
    this.#hasCalls = false
    this.#reply = []
  }

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

  blocks(): readonly ViewBlock[] {
    return [...this.#made.keys()]
  }

  change(order: number): readonly ViewBlock[] {
    const behind = this.#intact.filter(({ source }) => source.order > order)
    if (behind.length === 0) return behind
    this.#intact = this.#intact.filter(({ source }) => source.order <= order)
    for (const block of behind) this.#changed.add(block)
    return this.#isBound() ? behind : []
  }

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

  reset(): void {
    this.#made = new Map()
    this.#byRequest = new Map()
    this.#intact = []
    this.#changed = new Set()
    this.#current = {}
    this.#turn = []
    this.#turnStart = 0
    this.#hasCalls = false
    this.#reply = []
  }

  #makerOf({ model }: MessageEntry): ThinkingMaker {
    return model === undefined ? { ...this.#current } : { ...this.#current, model }
  }

  #isBound(): boolean {
    return this.asked.thinkingSignature === 'bound-to-conversation'
  }
}

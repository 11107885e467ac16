/**
 * What policies decide on: the blocks that the model sees, with facts about each, and where the conversation stands.
 * A reducer over the log. A step takes time in proportion to what is new, asking for the blocks to what is visible.
 */
import { classifySpeech, type Speech } from '../user-words/user-words.ts'
import { createPendingCalls, type PendingCalls } from '../pending-calls.ts'
import type { LogEntry, MessageEntry, RewindEntry, RewriteEntry, TodoItem } from '../session-log.ts'
import { createLiveEntries } from '../session/live-entries.ts'
import { createModelHistory, type HistoryBlock, type ModelHistory } from '../session/model-history.ts'
import { createViewBlock, tokensOf, type ViewBlock } from './view-block.ts'
import type { AskedModel } from './thinking.ts'
import { createRequestCount, type RequestCount } from './request-count.ts'
import { createThinkingRecord } from './thinking-record.ts'
import { TODO_LIST, createTodoInView, type TodoInView } from './todo-in-view.ts'

/** The blocks that the model sees, and where the conversation stands. */
export interface ContextView {
  /** Takes the log's next entry. */
  step(entry: LogEntry): void
  /** Sets the model that is asked next. Reasoning that it would refuse is no longer visible. */
  ask(asked: AskedModel): void
  readonly asked: AskedModel
  readonly history: Pick<ModelHistory, 'messages' | 'block' | 'blockOf' | 'blocksOf' | 'blocks' | 'orderOf'>
  /** Visible blocks in order. The array is valid until the next step. */
  blocks(): readonly ViewBlock[]
  /** Every block that no rewind took back, visible or not, in the order of the log. */
  all(): readonly ViewBlock[]
  /**
   * A block by its entry's number and its index in that entry's content, visible or not; undefined when there is none
   * or a rewind took it back.
   */
  block(seq: number, block: number): ViewBlock | undefined
  /** Estimated tokens that a block is sent with; 0 when it left the view. */
  tokensSent(block: ViewBlock): number
  /** Estimated tokens of everything visible. */
  tokens(): number
  /** Requests made so far, and when the last one was (ms). */
  readonly requests: number
  readonly lastRequestAt: number | null
  /** Requests made when the last rewrite of what had been sent was decided; undefined before the first. */
  readonly lastRewriteRequest: number | undefined
  readonly rewrites: readonly RewriteEntry[]
  /** The log's last entry; after a rewind, the last one that it kept. */
  readonly lastEntry: LogEntry | undefined
  /** The newest message that a person wrote; what the agent's program put in the user's turn does not count. */
  readonly newestUser: MessageEntry | undefined
  /** The newest message of a person that asks for something: an older one when `newestUser` only says "go on". */
  readonly task: MessageEntry | undefined
  readonly todo: readonly TodoItem[] | undefined
  /** Where the list stands among the blocks. */
  readonly todoInView: TodoInView
  /** All reasoning of the conversation in the order of the log, sent or not. */
  thinking(): readonly ViewBlock[]
  /** Whether a block is visible reasoning of the running turn, which begins after the last reply without tool calls. */
  isRunningThinking(block: ViewBlock): boolean
  /** All reasoning of the newest turn, sent or not. The array is valid until the next step. */
  thinkingOfTurn(): readonly ViewBlock[]
  /** How many requests the last turn took, once it has ended (its last reply called no tool); 0 while a turn runs. */
  endedTurn(): number
  /**
   * Whether a block has to stay because of the running turn's reasoning: the reasoning itself, unchanged, and the calls
   * and results that follow from it, which may be shortened. Always false for a model that refuses reasoning after any
   * change anyway.
   */
  isHeld(block: ViewBlock): boolean
  /** The number (`seq`) of the log's next entry. */
  readonly nextSeq: number
  readonly charactersPerToken: number
  /**
   * Has the listener called for every block added from now on; blocks already there are not announced. Returns a
   * function that ends the subscription.
   */
  subscribe(listener: ViewListener): () => void
}

/** Hears of new blocks, for what is derived from them. */
export interface ViewListener {
  /** Takes each new block, in the order of the log. */
  readonly onBlock?: (block: ViewBlock) => void
  /** A rewind took entries back: all remaining blocks follow, from the first on. */
  readonly onReset?: () => void
}

/** The trigger of rewrites that only change blocks that were never sent: the provider's cache is not affected. */
export const ARRIVAL = 'arrival'

/**
 * An empty view, to be fed a log from its beginning; `charactersPerToken` (above 0) is what tokens are estimated
 * with.
 */
export const createContextView = (charactersPerToken: number): ContextView => new LogView(charactersPerToken)

/** What a rewind makes again. */
interface ViewState {
  readonly history: ModelHistory
  readonly blocks: Map<HistoryBlock, ViewBlock>
  /** All blocks, in the order in which they came. */
  readonly sequence: ViewBlock[]
  /** Tool calls, for their results. */
  readonly calls: PendingCalls<ViewBlock>
  readonly count: RequestCount
  readonly todo: TodoInView
  readonly rewrites: RewriteEntry[]
  lastRewriteRequest: number | undefined
  lastEntry: LogEntry | undefined
  newestUser: MessageEntry | undefined
  task: MessageEntry | undefined
}

/** The state before the first entry, over a history. */
const emptyState = (history: ModelHistory): ViewState => ({
  history,
  blocks: new Map(),
  sequence: [],
  calls: createPendingCalls({ keepsAnswered: true }),
  count: createRequestCount(),
  todo: createTodoInView(),
  rewrites: [],
  lastRewriteRequest: undefined,
  lastEntry: undefined,
  newestUser: undefined,
  task: undefined,
})

class LogView implements ContextView {
  readonly charactersPerToken: number
  nextSeq = 0
  readonly #thinking = createThinkingRecord()
  /** Every entry but rewinds: a rewind reads again those that it leaves in force. */
  readonly #log: LogEntry[] = []
  readonly #live = createLiveEntries()
  readonly #listeners = new Set<ViewListener>()
  #state: ViewState
  /** The visible blocks and their tokens; undefined until they are asked for. */
  #visible: ViewBlock[] | undefined
  #total: number | undefined

  constructor(charactersPerToken: number) {
    this.charactersPerToken = charactersPerToken
    this.#state = this.#newState()
  }

  get asked(): AskedModel {
    return this.#thinking.asked
  }

  get history(): ModelHistory {
    return this.#state.history
  }

  get requests(): number {
    return this.#state.count.requests
  }

  get lastRequestAt(): number | null {
    return this.#state.count.lastAt
  }

  get lastRewriteRequest(): number | undefined {
    return this.#state.lastRewriteRequest
  }

  get rewrites(): readonly RewriteEntry[] {
    return this.#state.rewrites
  }

  get lastEntry(): LogEntry | undefined {
    return this.#state.lastEntry
  }

  get newestUser(): MessageEntry | undefined {
    return this.#state.newestUser
  }

  get task(): MessageEntry | undefined {
    return this.#state.task
  }

  get todo(): readonly TodoItem[] | undefined {
    return this.#state.todo.items()
  }

  get todoInView(): TodoInView {
    return this.#state.todo
  }

  /**
   * Takes the log's next entry. A rewind builds the view again from the entries that stay, after telling the listeners
   * `onReset`.
   */
  step(entry: LogEntry): void {
    this.nextSeq = entry.seq + 1
    if (entry.kind !== 'message') this.#forgetVisible()
    if (entry.kind === 'rewind') {
      this.#rewind(entry)
      return
    }
    this.#log.push(entry)
    this.#take(entry)
  }

  /**
   * Sets the model that will be asked, and withholds or brings back reasoning accordingly. Nothing changes if it is the
   * one already asked.
   */
  ask(asked: AskedModel): void {
    const thinking = this.#thinking
    const { model, provider, thinkingSignature } = thinking.asked
    if (model === asked.model && provider === asked.provider && thinkingSignature === asked.thinkingSignature) return
    thinking.asked = { model: asked.model, provider: asked.provider, thinkingSignature: asked.thinkingSignature }
    for (const block of thinking.blocks())
      if (block.source.withheld !== thinking.withheldNow(block)) this.#withhold(block)
  }

  /** The blocks in the context, in the order they are sent. The same list until the next change. */
  blocks(): readonly ViewBlock[] {
    if (this.#visible !== undefined) return this.#visible
    const { history, blocks } = this.#state
    const visible: ViewBlock[] = []
    for (const source of history.blocks()) {
      const block = blocks.get(source)
      if (block !== undefined) visible.push(block)
    }
    this.#visible = visible
    return visible
  }

  all(): readonly ViewBlock[] {
    return this.#state.sequence
  }

  /** A block by its entry's number and its index in it, sent or not; undefined if there is none. */
  block(seq: number, block: number): ViewBlock | undefined {
    const source = this.#state.history.block(seq, block)
    return source === undefined ? undefined : this.#state.blocks.get(source)
  }

  /** The block's tokens as it is sent now: 0 if it is left out. Remembered in the block. */
  tokensSent(block: ViewBlock): number {
    const { seen, original } = block.source
    if (block.sent.seen !== seen) {
      const tokens = seen === null ? 0 : seen === original ? block.tokens : tokensOf(seen, this.charactersPerToken)
      block.sent = { seen, tokens }
    }
    return block.sent.tokens
  }

  /** The tokens of all blocks sent, without system prompt and tools. Kept until the next change. */
  tokens(): number {
    if (this.#total !== undefined) return this.#total
    let total = 0
    for (const block of this.blocks()) total += this.tokensSent(block)
    this.#total = total
    return total
  }

  thinking(): readonly ViewBlock[] {
    return this.#thinking.blocks()
  }

  isRunningThinking(block: ViewBlock): boolean {
    return this.#thinking.isRunning(block)
  }

  thinkingOfTurn(): readonly ViewBlock[] {
    return this.#thinking.ofTurn()
  }

  endedTurn(): number {
    return this.#thinking.endedTurn(this.requests)
  }

  /** Whether a block must stay because the running turn's reasoning depends on it. */
  isHeld(block: ViewBlock): boolean {
    if (!this.#thinking.holds(block.request)) return false
    const { type } = block.source.original
    return type === 'tool_call' || type === 'tool_result' || this.#thinking.isRunning(block)
  }

  /** Calls the listener with every later block and reset; returns what ends that. */
  subscribe(listener: ViewListener): () => void {
    // An object of its own in the set: the same listener may subscribe twice.
    const subscription = { ...listener }
    this.#listeners.add(subscription)
    return () => void this.#listeners.delete(subscription)
  }

  /** An empty state whose history asks the record of thinking what is withheld. */
  #newState(): ViewState {
    const thinking = this.#thinking
    const state = emptyState(
      createModelHistory({
        withheld: (block, entry) => thinking.withheld(block, entry),
        isGone: (source) => {
          const block = state.blocks.get(source)
          return block !== undefined && thinking.isGone(block)
        },
      }),
    )
    return state
  }

  /** Builds the state again without the rewound entries. The rewind itself is no last entry. */
  #rewind(rewind: RewindEntry): void {
    this.#live.step(rewind)
    this.#thinking.reset()
    this.#state = this.#newState()
    for (const { onReset } of this.#listeners) onReset?.()
    for (const entry of this.#log) if (this.#live.has(entry.seq)) this.#take(entry)
  }

  /**
   * Takes an entry that is no rewind into history, blocks, todo list and rewrites. A message that is not the model's
   * ends the reply: reasoning at its end is withheld, as is reasoning behind what the entry changed.
   */
  #take(entry: LogEntry): void {
    const state = this.#state
    state.lastEntry = entry
    if (entry.kind === 'message' && entry.role !== 'assistant' && entry.subagent === undefined)
      for (const block of this.#thinking.endReply()) this.#withhold(block)
    this.#thinking.step(entry)
    state.history.step(entry)
    const changedFrom = state.history.takeFirstChange()
    if (changedFrom !== Infinity) this.#refuseBehind(changedFrom)
    if (entry.kind === 'message') this.#takeMessage(entry)
    else if (entry.kind === 'todo') state.todo.takeTodo(entry)
    else if (entry.kind === 'rewrite') this.#takeRewrite(entry)
  }

  /**
   * Adds a message's blocks and notes whether it is the task or the newest message of the user's. Those of subagents
   * are no part of the view.
   */
  #takeMessage(entry: MessageEntry): void {
    if (entry.subagent !== undefined) return
    const state = this.#state
    state.calls.begin(entry.role)
    if (state.count.take(entry)) this.#thinking.reply(state.count.requests)
    const speech = classifySpeech(entry)
    if (speech === 'task' || speech === 'assent') state.newestUser = entry
    if (speech === 'task') state.task = entry
    for (const source of state.history.blocksOf(entry.seq)) this.#addBlock(source, speech)
  }

  /**
   * Takes a rewrite's insertions; its changes are applied by the history. The shortening of arrivals doesn't count as
   * the last rewrite.
   */
  #takeRewrite(entry: RewriteEntry): void {
    const { rewrites, history, todo } = this.#state
    rewrites.push(entry)
    if (entry.trigger !== ARRIVAL) this.#state.lastRewriteRequest = this.requests
    for (const [index, insertion] of (entry.insertions ?? []).entries()) {
      const source = history.block(entry.seq, index)
      if (source === undefined) continue
      const block = this.#addBlock(source, 'none')
      if (insertion.why === TODO_LIST) todo.takeBlock(block)
    }
  }

  /**
   * Adds a block of the newest entry; `speech` is what its message is as the user's. Reasoning that would be refused is
   * withheld; a result becomes its call's partner.
   */
  #addBlock(source: HistoryBlock, speech: Speech): ViewBlock {
    const { blocks, sequence, calls } = this.#state
    const { requests, charactersPerToken } = this
    const { original } = source
    const call = original.type === 'tool_result' ? calls.answer(original.callId) : undefined
    const block = createViewBlock(source, { requests, speech, call, charactersPerToken })
    if (original.type === 'tool_call') calls.add(original.id, block)
    if (call !== undefined) call.partner ??= block
    blocks.set(source, block)
    sequence.push(block)
    if (source.entry.role === 'assistant' && !this.#thinking.add(block)) this.#withhold(block)
    // Replies have come since the call: until now it was sent with a note that its result is missing.
    if (call !== undefined && call.request < requests) this.#refuseBehind(call.source.order)
    if (source.seen !== null) this.#addVisible(block)
    for (const { onBlock } of this.#listeners) onBlock?.(block)
    return block
  }

  /**
   * Blocks nearly always come at the end; a block of a response that others stand behind makes the list be read again.
   * Adds a visible block to the cached list, if there is one.
   */
  #addVisible(block: ViewBlock): void {
    if (this.#visible === undefined || this.#total === undefined) return
    const last = this.#visible.at(-1)
    if (last !== undefined && last.source.order > block.source.order) {
      this.#forgetVisible()
      return
    }
    this.#visible.push(block)
    this.#total += this.tokensSent(block)
  }

  /** Has the list of blocks and their tokens computed anew when asked for. */
  #forgetVisible(): void {
    this.#visible = undefined
    this.#total = undefined
  }

  /**
   * Takes note of a change at a block's `order`; withholds the reasoning behind it where signatures hold only for an
   * unchanged conversation.
   */
  #refuseBehind(order: number): void {
    for (const block of this.#thinking.change(order)) this.#withhold(block)
  }

  /** Withholds a block, or sends it again, as the record of thinking says now. */
  #withhold(block: ViewBlock): void {
    const { seq, block: index } = block.source
    this.#state.history.withhold(seq, index, this.#thinking.withheldNow(block))
    this.#forgetVisible()
  }
}

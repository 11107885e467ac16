/**
 * What decisions about the context are made on: the blocks in the model's view with their facts, and where
 * the conversation stands. A reducer over the log: a step costs what is new, asking for the blocks what is visible.
 */
import { classifySpeech, type Speech } from '../user-words/user-words.ts'
import type { LogEntry, MessageEntry, RewriteEntry, TodoItem } from '../session-log.ts'
import { createLiveEntries } from '../session/live-entries.ts'
import { createModelHistory, type HistoryBlock, type ModelHistory } from '../session/model-history.ts'
import { createViewBlock, tokensOf, type ViewBlock } from './view-block.ts'
import type { AskedModel } from './thinking.ts'
import { createThinkingRecord } from './thinking-record.ts'
import { TODO_LIST, createTodoInView, type TodoInView } from './todo-in-view.ts'

export interface ContextView {
  /** Takes the log's next entry. */
  step(entry: LogEntry): void
  /** Says who is asked next: reasoning that this model would refuse is not visible from here on. */
  ask(asked: AskedModel): void
  readonly asked: AskedModel
  readonly history: Pick<ModelHistory, 'messages' | 'block' | 'blockOf' | 'blocksOf' | 'blocks' | 'orderOf'>
  /** Visible blocks in order; the array is good until the next step. */
  blocks(): readonly ViewBlock[]
  /** Every block of the log that was not taken back, in the order in which they came. */
  all(): readonly ViewBlock[]
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
  /** The log's last entry; after a rewind, the last that it left. */
  readonly lastEntry: LogEntry | undefined
  /** The newest message of a person; what the agent's program wrote in the user's name is none. */
  readonly newestUser: MessageEntry | undefined
  /** The newest message of a person that asks for something: the same, or an older one when that says "go on". */
  readonly task: MessageEntry | undefined
  readonly todo: readonly TodoItem[] | undefined
  /** Where the list stands among the blocks. */
  readonly todoInView: TodoInView
  /** All reasoning of the conversation, in the order in which it came, sent or not. */
  thinking(): readonly ViewBlock[]
  /** Visible reasoning of the turn whose tools run: from the first reply after one without calls. */
  isRunningThinking(block: ViewBlock): boolean
  /** All reasoning of the newest turn, sent or not; good until the next step. */
  thinkingOfTurn(): readonly ViewBlock[]
  /** Requests of the turn that has just ended: its last reply called no tool. 0 while a turn runs. */
  endedTurn(): number
  /**
   * Whether a block has to stay for the running turn's reasoning: that itself, word for word, and the calls (with
   * their results) that it led to, however short. False for all where the model refuses it after a change anyway.
   */
  isHeld(block: ViewBlock): boolean
  /** The number (`seq`) of the log's next entry. */
  readonly nextSeq: number
  readonly charactersPerToken: number
  /** Tells the listener of everything that happens from now on. The function that it returns ends that. */
  subscribe(listener: ViewListener): () => void
}

export interface ViewListener {
  /** Takes each new block, in the order of the log. */
  readonly onBlock?: (block: ViewBlock) => void
  /** The log took entries back: all blocks that remain are about to be given again. */
  readonly onReset?: () => void
}

/** The trigger of rewrites that only touch what was not sent before: they cost nothing. */
export const ARRIVAL = 'arrival'

/** An empty view; `charactersPerToken` is what estimates are made with. */
export const createContextView = (charactersPerToken: number): ContextView => {
  const thinking = createThinkingRecord()
  const newHistory = (): ModelHistory =>
    createModelHistory({
      withheld: (block, entry) => thinking.withheld(block, entry),
      isGone: (source) => {
        const block = blocks.get(source)
        return block !== undefined && thinking.isGone(block)
      },
    })
  let history = newHistory()
  let blocks = new Map<HistoryBlock, ViewBlock>()
  let sequence: ViewBlock[] = []
  let calls = new Map<string, ViewBlock>()
  const log: LogEntry[] = []
  const live = createLiveEntries()
  const listeners = new Set<ViewListener>()
  let lastEntry: LogEntry | undefined
  let requests = 0
  let lastRequestAt: number | null = null
  let lastResponse: string | undefined
  let lastRole: string | undefined
  let rewrites: RewriteEntry[] = []
  let lastRewriteRequest: number | undefined
  let newestUser: MessageEntry | undefined
  let task: MessageEntry | undefined
  let todo = createTodoInView()
  let nextSeq = 0
  let visible: ViewBlock[] | undefined
  let total: number | undefined

  const addBlocks = (slots: readonly HistoryBlock[], speech: Speech = 'none'): void => {
    for (const source of slots) {
      const { original } = source
      const call = original.type === 'tool_result' ? calls.get(original.callId) : undefined
      const block = createViewBlock(source, { requests, speech, call, charactersPerToken })
      if (original.type === 'tool_call') calls.set(original.id, block)
      if (call !== undefined) call.partner ??= block
      blocks.set(source, block)
      sequence.push(block)
      if (source.entry.role === 'assistant' && !thinking.add(block)) withhold(block)
      // Replies have come since the call: until now it was sent with a note that its result is missing.
      if (call !== undefined && call.request < requests) refuseBehind(call.source.order)
      if (source.seen !== null) addVisible(block)
      for (const { onBlock } of listeners) onBlock?.(block)
    }
  }

  const forget = (): void => {
    visible = undefined
    total = undefined
  }

  /** Blocks nearly always come at the end; those of a response that others stand behind make the list anew. */
  const addVisible = (block: ViewBlock): void => {
    if (visible === undefined || total === undefined) return
    const last = visible.at(-1)
    if (last !== undefined && last.source.order > block.source.order) {
      forget()
      return
    }
    visible.push(block)
    total += tokensSent(block)
  }

  /** Reasoning behind a change was signed for another conversation. */
  const refuseBehind = (order: number): void => {
    for (const block of thinking.change(order)) withhold(block)
  }

  const withhold = (block: ViewBlock): void => {
    history.withhold(block.source.seq, block.source.block, thinking.withheldNow(block))
    forget()
  }

  const countRequest = (entry: MessageEntry): void => {
    const isNew = entry.responseId === undefined ? lastRole !== 'assistant' : entry.responseId !== lastResponse
    if (!isNew) return
    requests += 1
    lastRequestAt = entry.at ?? lastRequestAt
    lastResponse = entry.responseId
    thinking.reply(requests)
  }

  const takeMessage = (entry: MessageEntry): void => {
    if (entry.subagent !== undefined) return
    if (entry.role === 'assistant' && entry.origin === undefined) countRequest(entry)
    const speech = classifySpeech(entry)
    if (speech === 'task' || speech === 'assent') newestUser = entry
    if (speech === 'task') task = entry
    lastRole = entry.role
    addBlocks(history.blocksOf(entry.seq), speech)
  }

  const reset = (rewind: LogEntry): void => {
    live.step(rewind)
    history = newHistory()
    thinking.reset()
    blocks = new Map()
    sequence = []
    calls = new Map()
    lastEntry = undefined
    requests = 0
    lastRequestAt = null
    lastResponse = undefined
    lastRole = undefined
    rewrites = []
    lastRewriteRequest = undefined
    newestUser = undefined
    task = undefined
    todo = createTodoInView()
    for (const { onReset } of listeners) onReset?.()
    for (const entry of log) if (live.has(entry.seq)) take(entry)
  }

  const step = (entry: LogEntry): void => {
    nextSeq = entry.seq + 1
    if (entry.kind !== 'message') forget()
    if (entry.kind === 'rewind') {
      reset(entry)
      return
    }
    log.push(entry)
    take(entry)
  }

  const take = (entry: LogEntry): void => {
    lastEntry = entry
    thinking.step(entry)
    history.step(entry)
    const changedFrom = history.takeFirstChange()
    if (changedFrom !== Infinity) refuseBehind(changedFrom)
    if (entry.kind === 'message') takeMessage(entry)
    else if (entry.kind === 'todo') todo.takeTodo(entry)
    else if (entry.kind === 'rewrite') {
      rewrites.push(entry)
      if (entry.trigger !== ARRIVAL) lastRewriteRequest = requests
      const count = entry.insertions?.length ?? 0
      for (let index = 0; index < count; index++) {
        const source = history.block(entry.seq, index)
        if (source === undefined) continue
        addBlocks([source])
        const block = blocks.get(source)
        if (block !== undefined && entry.insertions?.[index]?.why === TODO_LIST) todo.takeBlock(block)
      }
    }
  }

  const tokensSent = (block: ViewBlock): number => {
    const { seen } = block.source
    if (block.sent.seen !== seen)
      block.sent = {
        seen,
        tokens: seen === null ? 0 : seen === block.source.original ? block.tokens : tokensOf(seen, charactersPerToken),
      }
    return block.sent.tokens
  }

  const visibleBlocks = (): readonly ViewBlock[] => {
    if (visible !== undefined) return visible
    visible = []
    for (const source of history.blocks()) {
      const block = blocks.get(source)
      if (block !== undefined) visible.push(block)
    }
    return visible
  }

  const tokensNow = (): number => {
    if (total !== undefined) return total
    total = 0
    for (const block of visibleBlocks()) total += tokensSent(block)
    return total
  }

  const ask = (asked: AskedModel): void => {
    const { model, provider, thinkingSignature } = thinking.asked
    if (model === asked.model && provider === asked.provider && thinkingSignature === asked.thinkingSignature) return
    thinking.asked = { model: asked.model, provider: asked.provider, thinkingSignature: asked.thinkingSignature }
    for (const block of thinking.blocks()) if (block.source.withheld !== thinking.withheldNow(block)) withhold(block)
  }

  const isHeld = (block: ViewBlock): boolean => {
    if (!thinking.holds(block.request)) return false
    const { type } = block.source.original
    return type === 'tool_call' || type === 'tool_result' || thinking.isRunning(block)
  }

  const view: ContextView = {
    step,
    ask,
    get asked() {
      return thinking.asked
    },
    thinking: () => thinking.blocks(),
    isRunningThinking: (block) => thinking.isRunning(block),
    thinkingOfTurn: () => thinking.ofTurn(),
    endedTurn: () => thinking.endedTurn(requests),
    isHeld,
    get history() {
      return history
    },
    blocks: visibleBlocks,
    all: () => sequence,
    block: (seq, block) => {
      const source = history.block(seq, block)
      return source === undefined ? undefined : blocks.get(source)
    },
    tokensSent,
    tokens: tokensNow,
    get requests() {
      return requests
    },
    get lastRequestAt() {
      return lastRequestAt
    },
    get lastRewriteRequest() {
      return lastRewriteRequest
    },
    get rewrites() {
      return rewrites
    },
    get lastEntry() {
      return lastEntry
    },
    get newestUser() {
      return newestUser
    },
    get task() {
      return task
    },
    get todo() {
      return todo.items()
    },
    get todoInView() {
      return todo
    },
    get nextSeq() {
      return nextSeq
    },
    charactersPerToken,
    subscribe: (listener) => {
      // A set of its own object: the same listener may subscribe twice.
      const subscription = { ...listener }
      listeners.add(subscription)
      return () => void listeners.delete(subscription)
    },
  }

  return view
}

/**
 * What decisions about the context are made on: the blocks in the model's view with their facts, and where
 * the conversation stands. A fold over the log; a step costs what is new, asking for the items what is visible.
 */
import { speechOf, type Speech } from '../user-words/user-words.ts'
import type { LogEntry, MessageEntry, RewriteEntry, TodoItem } from '../session-log.ts'
import { createLiveEntries } from '../session/live-entries.ts'
import { createModelHistory, type HistoryBlock, type ModelHistory } from '../session/model-history.ts'
import { itemOf, tokensOf, type ContextItem } from './item.ts'
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
  /** Visible items in order; the array is good until the next step. */
  items(): readonly ContextItem[]
  /** Every item of the log that was not taken back, in the order in which they came. */
  all(): readonly ContextItem[]
  item(seq: number, block: number): ContextItem | undefined
  /** Estimated tokens that an item is sent with; 0 when it left the view. */
  tokensSent(item: ContextItem): number
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
  thinking(): readonly ContextItem[]
  /** Visible reasoning of the turn whose tools run: from the first reply after one without calls. */
  isRunningThinking(item: ContextItem): boolean
  /** All reasoning of the newest turn, sent or not; good until the next step. */
  thinkingOfTurn(): readonly ContextItem[]
  /** Requests of the turn that has just ended: its last reply called no tool. 0 while a turn runs. */
  endedTurn(): number
  /**
   * Whether a block has to stay for the running turn's reasoning: that itself, word for word, and the calls (with
   * their results) that it led to, however short. False for all where the model refuses it after a change anyway.
   */
  isHeld(item: ContextItem): boolean
  /** The place that the log's next entry takes. */
  readonly nextSeq: number
  readonly charactersPerToken: number
  /** Called with each new item, in the order of the log. */
  onItem: ((item: ContextItem) => void) | undefined
  /** Called when a request was made (its reply has begun). */
  onRequest: ((requests: number) => void) | undefined
  /** Called after the log took entries back: everything is given anew. */
  onReset: (() => void) | undefined
}

/** The trigger of rewrites that only touch what was not sent before: they cost nothing. */
export const ARRIVAL = 'arrival'

/** An empty view; `charactersPerToken` is what estimates are made with. */
export const createContextView = (charactersPerToken: number): ContextView => {
  const thinking = createThinkingRecord()
  const newHistory = (): ModelHistory =>
    createModelHistory({ withheld: (block, entry) => thinking.withheld(block, entry) })
  let history = newHistory()
  let items = new Map<HistoryBlock, ContextItem>()
  let sequence: ContextItem[] = []
  let calls = new Map<string, ContextItem>()
  const said: LogEntry[] = []
  const live = createLiveEntries()
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
  let visible: ContextItem[] | undefined
  let total: number | undefined

  const addItems = (slots: readonly HistoryBlock[], speech: Speech = 'none'): void => {
    for (const slot of slots) {
      const { original } = slot
      const call = original.type === 'tool_result' ? calls.get(original.callId) : undefined
      const item = itemOf(slot, { requests, speech, call, charactersPerToken })
      if (original.type === 'tool_call') calls.set(original.id, item)
      if (call !== undefined) call.partner ??= item
      items.set(slot, item)
      sequence.push(item)
      if (slot.entry.role === 'assistant') thinking.add(item)
      // Replies have come since the call: until now it was sent with a note that its result is missing.
      if (call !== undefined && call.request < requests) refuseBehind(call.slot.order)
      if (slot.seen !== null) addVisible(item)
      view.onItem?.(item)
    }
  }

  const forget = (): void => {
    visible = undefined
    total = undefined
  }

  /** Blocks nearly always come at the end; those of a response that others stand behind make the list anew. */
  const addVisible = (item: ContextItem): void => {
    if (visible === undefined || total === undefined) return
    const last = visible.at(-1)
    if (last !== undefined && last.slot.order > item.slot.order) {
      forget()
      return
    }
    visible.push(item)
    total += tokensSent(item)
  }

  /** Reasoning behind a change was signed for another conversation. */
  const refuseBehind = (order: number): void => {
    for (const item of thinking.change(order)) withhold(item)
  }

  const withhold = (item: ContextItem): void => {
    history.withhold(item.slot.seq, item.slot.block, thinking.withheldNow(item))
    forget()
  }

  const countRequest = (entry: MessageEntry): void => {
    const isNew = entry.responseId === undefined ? lastRole !== 'assistant' : entry.responseId !== lastResponse
    if (!isNew) return
    requests += 1
    lastRequestAt = entry.at ?? lastRequestAt
    lastResponse = entry.responseId
    thinking.reply(requests)
    view.onRequest?.(requests)
  }

  const takeMessage = (entry: MessageEntry): void => {
    if (entry.subagent !== undefined) return
    if (entry.role === 'assistant' && entry.origin === undefined) countRequest(entry)
    const speech = speechOf(entry)
    if (speech === 'task' || speech === 'assent') newestUser = entry
    if (speech === 'task') task = entry
    lastRole = entry.role
    addItems(history.blocksOf(entry.seq), speech)
  }

  const reset = (rewind: LogEntry): void => {
    live.step(rewind)
    history = newHistory()
    thinking.reset()
    items = new Map()
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
    view.onReset?.()
    for (const entry of said) if (live.has(entry.seq)) take(entry)
  }

  const step = (entry: LogEntry): void => {
    nextSeq = entry.seq + 1
    if (entry.kind !== 'message') forget()
    if (entry.kind === 'rewind') {
      reset(entry)
      return
    }
    said.push(entry)
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
        const slot = history.block(entry.seq, index)
        if (slot === undefined) continue
        addItems([slot])
        const item = items.get(slot)
        if (item !== undefined && entry.insertions?.[index]?.why === TODO_LIST) todo.takeBlock(item)
      }
    }
  }

  const tokensSent = (item: ContextItem): number => {
    const { seen } = item.slot
    if (item.sent.seen !== seen)
      item.sent = {
        seen,
        tokens: seen === null ? 0 : seen === item.slot.original ? item.tokens : tokensOf(seen, charactersPerToken),
      }
    return item.sent.tokens
  }

  const itemsNow = (): readonly ContextItem[] => {
    if (visible !== undefined) return visible
    visible = []
    for (const slot of history.blocks()) {
      const item = items.get(slot)
      if (item !== undefined) visible.push(item)
    }
    return visible
  }

  const tokensNow = (): number => {
    if (total !== undefined) return total
    total = 0
    for (const item of itemsNow()) total += tokensSent(item)
    return total
  }

  const ask = (asked: AskedModel): void => {
    const { model, provider, thinkingSignature } = thinking.asked
    if (model === asked.model && provider === asked.provider && thinkingSignature === asked.thinkingSignature) return
    thinking.asked = { model: asked.model, provider: asked.provider, thinkingSignature: asked.thinkingSignature }
    for (const item of thinking.items()) if (item.slot.withheld !== thinking.withheldNow(item)) withhold(item)
  }

  const isHeld = (item: ContextItem): boolean => {
    if (!thinking.holds(item.request)) return false
    const { type } = item.slot.original
    return type === 'tool_call' || type === 'tool_result' || thinking.isRunning(item)
  }

  const view: ContextView = {
    step,
    ask,
    get asked() {
      return thinking.asked
    },
    thinking: () => thinking.items(),
    isRunningThinking: (item) => thinking.isRunning(item),
    thinkingOfTurn: () => thinking.ofTurn(),
    endedTurn: () => thinking.endedTurn(requests),
    isHeld,
    get history() {
      return history
    },
    items: itemsNow,
    all: () => sequence,
    item: (seq, block) => {
      const slot = history.block(seq, block)
      return slot === undefined ? undefined : items.get(slot)
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
    onItem: undefined,
    onRequest: undefined,
    onReset: undefined,
  }

  return view
}

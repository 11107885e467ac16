/** The state of the chat after an event: a pure function, run by the extension and by the page. */
import { cutMiddle, cutEnd } from './cut.ts'
import {
  EMPTY_CHAT,
  type ChatEvent,
  type ChatItem,
  type ChatState,
  type NewItem,
  type ToolFacts,
  type ToolItem,
} from './chat-state.ts'

/** Items that a page holds; what is before them stands in the session's document. */
const MOST_ITEMS = 400
/** Characters of one text; the log has all of it. */
const LONGEST_REPLY = 200_000
const LONGEST_OUTPUT = 20_000
const LONGEST_DIFF = 60_000
const LONGEST_LINE = 400
const MOST_REMOVALS = 200
const MOST_RULES = 20

/** Returns the state after all events, applied in their order. */
export const reduceAll = (state: ChatState, events: readonly ChatEvent[]): ChatState => events.reduce(reduce, state)

/**
 * Returns the state after an event, always as a new object if it changed. Long texts and lists are cut; events of calls
 * that the state does not know are ignored. Pure. `asked` also means that the agent works, and takes the attachments
 * away; `retry` takes away what the failed attempt showed.
 */
export const reduce = (state: ChatState, event: ChatEvent): ChatState => {
  if ('callId' in event) return withCall(state, event)
  switch (event.type) {
    case 'asked':
      return added(
        { ...state, isWorking: true, attachments: [] },
        { kind: 'user', text: cutMiddle(event.text, LONGEST_OUTPUT), attachments: event.attachments },
      )
    case 'working':
      return { ...state, isWorking: true }
    case 'request':
      return requested(state, event)
    case 'removed':
      return removed(state, event)
    case 'text':
    case 'thinking':
      return streamed(state, event.type === 'text' ? 'reply' : 'thinking', event.text)
    case 'block-ended':
      return closed(state)
    case 'retry':
      return added(withoutAttempt(state), { kind: 'notice', level: 'warning', text: event.text })
    case 'notice': {
      const { level, text, action } = event
      return added(closed(state), { kind: 'notice', level, text, ...(action === undefined ? {} : { action }) })
    }
    case 'checkpoint':
      return withCheckpoint(state, event.checkpointId)
    case 'ended':
      return settled({ ...closed(state), isWorking: false })
    default:
      return withFact(state, event)
  }
}

type FactEvent = Extract<
  ChatEvent,
  { readonly type: 'session' | 'mode' | 'model' | 'cost' | 'attachments' | 'cleared' }
>

/** Returns the state after an event that says what is shown around the items. `cleared` keeps mode and model alone. */
const withFact = (state: ChatState, event: FactEvent): ChatState => {
  switch (event.type) {
    case 'session':
      return { ...state, session: { id: event.id, title: cutEnd(event.title, LONGEST_LINE) } }
    case 'mode':
      return { ...state, mode: event.mode }
    case 'model':
      return { ...state, model: event.model }
    case 'cost':
      return { ...state, cost: event.cost }
    case 'attachments':
      return { ...state, attachments: event.attachments }
    case 'cleared':
      return { ...EMPTY_CHAT, mode: state.mode, model: state.model }
  }
}

type CallEvent = Extract<
  ChatEvent,
  { readonly type: 'call' | 'approval' | 'answered' | 'tool-started' | 'tool-output' | 'tool-finished' }
>

/**
 * Returns the state after an event of a tool's call. `call`, `approval` and `tool-started` (unless `isRun` is false)
 * begin a call that is not open; the others change nothing without an open one. The text of `tool-finished` takes the
 * place of the output, unless it is ''. Output is cut in its middle.
 */
const withCall = (state: ChatState, event: CallEvent): ChatState => {
  const { callId } = event
  switch (event.type) {
    case 'call':
      return known(closed(state), callId, { tool: event.tool, title: event.tool })
    case 'approval':
      return changed(known(closed(state), callId, event), callId, () => ({
        ...factsOf(event),
        why: event.why,
        progress: 'waiting',
      }))
    case 'answered':
      return changed(state, callId, () => ({ progress: event.isAllowed ? 'running' : 'skipped' }))
    case 'tool-started':
      if (event.isRun === false) return changed(state, callId, () => factsOf(event))
      return changed(known(closed(state), callId, event), callId, () => ({ ...factsOf(event), progress: 'running' }))
    case 'tool-output':
      return changed(state, callId, ({ output }) => ({ output: cutMiddle(output + event.text, LONGEST_OUTPUT) }))
    case 'tool-finished':
      return changed(state, callId, ({ output }) => ({
        progress: event.progress,
        // The result is what the model is given; output that came meanwhile is a part of it.
        output: event.text === '' ? output : cutMiddle(event.text, LONGEST_OUTPUT),
        ...(event.durationMs === undefined ? {} : { durationMs: event.durationMs }),
        ...(event.rules === undefined ? {} : { rules: event.rules.slice(0, MOST_RULES).map(shortLine) }),
      }))
  }
}

/**
 * Returns a copy of a call's facts and nothing else. The title and the diff are cut at their end, the command in its
 * middle, with a note of how much is missing; the tool's name is not cut. What is absent stays absent.
 */
const factsOf = ({ tool, title, command, diff }: ToolFacts): ToolFacts => ({
  tool,
  title: cutEnd(title, LONGEST_LINE),
  ...(command === undefined ? {} : { command: cutMiddle(command, LONGEST_OUTPUT) }),
  ...(diff === undefined ? {} : { diff: cutEnd(diff, LONGEST_DIFF) }),
})

/** Returns a line cut to {@link LONGEST_LINE}, with a note of how much is missing. */
const shortLine = (text: string): string => cutEnd(text, LONGEST_LINE)

/**
 * Returns the state with a checkpoint at the last message of the user, so that its turn can be undone; unchanged if
 * that message has one already or there is none.
 */
const withCheckpoint = (state: ChatState, checkpointId: string): ChatState => {
  const index = state.items.findLastIndex(({ kind }) => kind === 'user')
  const item = state.items[index]
  if (item?.kind !== 'user' || item.checkpointId !== undefined) return state
  return { ...state, items: state.items.with(index, { ...item, checkpointId }) }
}

/**
 * Returns the state with the item at its end, and without the first items beyond {@link MOST_ITEMS}. `hasEarlier` says
 * that there were more.
 */
const added = (state: ChatState, item: NewItem): ChatState => {
  const all: readonly ChatItem[] = [...state.items, { ...item, id: state.nextId }]
  const isTooLong = all.length > MOST_ITEMS
  return {
    ...state,
    items: isTooLong ? all.slice(-MOST_ITEMS) : all,
    hasEarlier: state.hasEarlier || isTooLong,
    nextId: state.nextId + 1,
  }
}

/** Returns the state as a request begins, with its context; calls that the request before left open are settled. */
const requested = (state: ChatState, context: NonNullable<ChatState['context']>): ChatState => {
  const { tokens, availableTokens } = context
  return attemptBegun(settled({ ...closed(state), context: { tokens, availableTokens } }))
}

/** Returns the state with the mark from which everything is dropped if the request is made again. */
const attemptBegun = (state: ChatState): ChatState => ({ ...state, attemptFrom: state.nextId })

/** Returns the state with an item for what left the context, which a retry does not drop; unchanged if nothing did. */
const removed = (
  state: ChatState,
  { removals, savedTokens }: Extract<ChatEvent, { readonly type: 'removed' }>,
): ChatState =>
  removals.length === 0
    ? state
    : attemptBegun(added(closed(state), { kind: 'removed', removals: removals.slice(0, MOST_REMOVALS), savedTokens }))

/**
 * Returns the state with more text, appended to the open item of the same kind or as a new one. A blank text begins no
 * item.
 */
const streamed = (state: ChatState, kind: 'reply' | 'thinking', text: string): ChatState => {
  const last = state.items.at(-1)
  if ((last?.kind === 'reply' || last?.kind === 'thinking') && last.kind === kind && last.isOpen) {
    const whole = { ...last, text: cutEnd(last.text + text, LONGEST_REPLY) }
    return { ...state, items: [...state.items.slice(0, -1), whole] }
  }
  // Models begin blocks with line ends now and then.
  if (text.trim() === '') return state
  return added(closed(state), { kind, text: cutEnd(text, LONGEST_REPLY), isOpen: true })
}

/** Returns the state with its last text or reasoning closed, so that later text begins a new item. */
const closed = (state: ChatState): ChatState => {
  const last = state.items.at(-1)
  if (last === undefined || (last.kind !== 'reply' && last.kind !== 'thinking') || !last.isOpen) return state
  return { ...state, items: [...state.items.slice(0, -1), { ...last, isOpen: false }] }
}

/** Returns the state without the items of the attempt that failed. */
const withoutAttempt = (state: ChatState): ChatState => ({
  ...state,
  items: state.items.filter(({ id }) => id < state.attemptFrom),
})

const OPEN: ReadonlySet<ToolItem['progress']> = new Set(['preparing', 'waiting', 'running'])

/**
 * Returns the state in which every open call has ended: a running one as interrupted (`unknown`), one that was not
 * started yet as not run (`skipped`). The same object if none is open.
 */
const settled = (state: ChatState): ChatState => {
  if (!state.items.some((item) => item.kind === 'tool' && OPEN.has(item.progress))) return state
  return {
    ...state,
    items: state.items.map((item) =>
      item.kind === 'tool' && OPEN.has(item.progress)
        ? { ...item, progress: item.progress === 'running' ? 'unknown' : 'skipped' }
        : item,
    ),
  }
}

/**
 * Returns the state with the call, added as `preparing` if it was not there; an open one keeps its facts. Ids are
 * unique only within a reply, so a call that has ended counts as another one.
 */
const known = (state: ChatState, callId: string, facts: ToolFacts): ChatState => {
  if (indexOf(state, callId) !== -1) return state
  return added(state, { kind: 'tool', callId, ...factsOf(facts), progress: 'preparing', output: '' })
}

/** Returns the index of the open call with the id; -1 if there is none. */
const indexOf = ({ items }: ChatState, callId: string): number =>
  items.findLastIndex((item) => item.kind === 'tool' && item.callId === callId && OPEN.has(item.progress))

/** Returns the state with the open call changed; unchanged if there is no such call. */
const changed = (
  state: ChatState,
  callId: string,
  change: (item: ToolItem) => Partial<Omit<ToolItem, 'id' | 'kind' | 'callId'>>,
): ChatState => {
  const index = indexOf(state, callId)
  const item = state.items[index]
  if (item?.kind !== 'tool') return state
  return { ...state, items: state.items.with(index, { ...item, ...change(item) }) }
}

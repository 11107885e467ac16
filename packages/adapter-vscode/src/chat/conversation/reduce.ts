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

/** The state after all events, in their order. */
export const reduceAll = (state: ChatState, events: readonly ChatEvent[]): ChatState => events.reduce(reduce, state)

/**
 * The state after an event, a new object where it changed; long texts and lists are cut. Calls that the state does
 * not know are passed over. Pure.
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

/** The state after an event that says what is shown around the items. */
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

/** The state after an event of a tool's call. */
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

const factsOf = ({ tool, title, command, diff }: ToolFacts): ToolFacts => ({
  tool,
  title: cutEnd(title, LONGEST_LINE),
  ...(command === undefined ? {} : { command: cutMiddle(command, LONGEST_OUTPUT) }),
  ...(diff === undefined ? {} : { diff: cutEnd(diff, LONGEST_DIFF) }),
})

const shortLine = (text: string): string => cutEnd(text, LONGEST_LINE)

/** The turn of the last message can be taken back; a turn that is gone on with keeps the checkpoint of its beginning. */
const withCheckpoint = (state: ChatState, checkpointId: string): ChatState => {
  const index = state.items.findLastIndex(({ kind }) => kind === 'user')
  const item = state.items[index]
  if (item?.kind !== 'user' || item.checkpointId !== undefined) return state
  return { ...state, items: state.items.with(index, { ...item, checkpointId }) }
}

/** With the item at the end, and without the first where there are too many. */
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

/** A request begins; what the one before left undone is settled. */
const requested = (state: ChatState, context: NonNullable<ChatState['context']>): ChatState => {
  const { tokens, availableTokens } = context
  return attemptBegun(settled({ ...closed(state), context: { tokens, availableTokens } }))
}

/** What comes from here on is void when the request is made again. */
const attemptBegun = (state: ChatState): ChatState => ({ ...state, attemptFrom: state.nextId })

const removed = (
  state: ChatState,
  { removals, savedTokens }: Extract<ChatEvent, { readonly type: 'removed' }>,
): ChatState =>
  removals.length === 0
    ? state
    : attemptBegun(added(closed(state), { kind: 'removed', removals: removals.slice(0, MOST_REMOVALS), savedTokens }))

/** More text of the same kind goes on with the open item. */
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

const closed = (state: ChatState): ChatState => {
  const last = state.items.at(-1)
  if (last === undefined || (last.kind !== 'reply' && last.kind !== 'thinking') || !last.isOpen) return state
  return { ...state, items: [...state.items.slice(0, -1), { ...last, isOpen: false }] }
}

/** Without what came of the attempt that failed. */
const withoutAttempt = (state: ChatState): ChatState => ({
  ...state,
  items: state.items.filter(({ id }) => id < state.attemptFrom),
})

const OPEN: ReadonlySet<ToolItem['progress']> = new Set(['preparing', 'waiting', 'running'])

/** Calls that nothing came of were not run, or were interrupted. */
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

/** With the call, where it was not there yet. Ids are unique within a reply alone, so a call that ended is another one. */
const known = (state: ChatState, callId: string, facts: ToolFacts): ChatState => {
  if (indexOf(state, callId) !== -1) return state
  return added(state, { kind: 'tool', callId, ...factsOf(facts), progress: 'preparing', output: '' })
}

const indexOf = ({ items }: ChatState, callId: string): number =>
  items.findLastIndex((item) => item.kind === 'tool' && item.callId === callId && OPEN.has(item.progress))

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

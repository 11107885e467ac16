/** One conversation with an agent, apart from the editor: what the page asks for, and what it is told. */
import { CairnError, messageOf } from '@cairn/core'
import type { ContentBlock, LogEntry, SessionSummary } from '@cairn/core'
import type { Agent, AgentEvent, AgentMode, ApprovalAnswer, Approver } from '@cairn/core/agent'
import { chatEventsOf, sessionCostText } from '../conversation/agent-events.ts'
import {
  EMPTY_CHAT,
  type Attachment,
  type ChatEvent,
  type ChatState,
  type NoticeAction,
} from '../conversation/chat-state.ts'
import { logEvents } from '../conversation/log-events.ts'
import { reduceAll } from '../conversation/reduce.ts'
import type { HostMessage } from '../messages.ts'
import { sessionTitle } from '../../sessions/session-label.ts'
import { createPendingApprovals } from './pending-approvals.ts'

/** What an agent is opened with for one turn. */
export interface AgentInput {
  /** Undefined: the first message begins one. */
  readonly sessionId: string | undefined
  readonly title: string
  readonly mode: AgentMode
  readonly approve: Approver
  /** What the user always allows in the session; answers add to it. */
  readonly granted: Set<string>
  readonly onEvent: (event: AgentEvent) => Promise<void>
}

/** A message as the model is given it. */
export interface MessageContent {
  readonly content: readonly ContentBlock[]
  /** What was sent beside the text, by name. */
  readonly names: readonly string[]
  /** Sentences about what was not. */
  readonly refused: readonly string[]
}

/** What a conversation needs of its surroundings. */
export interface ConversationDeps {
  /** Rejects with one sentence where there is no model, no key or no folder. */
  readonly openAgent: (input: AgentInput) => Promise<Agent>
  readonly contentOf: (
    text: string,
    attachments: readonly Attachment[],
    sessionId: string | undefined,
  ) => Promise<MessageContent>
  readonly session: (id: string) => Promise<SessionSummary | undefined>
  readonly log: (id: string) => Promise<readonly LogEntry[]>
  /** The session that is shown, for the next start of the window. */
  readonly onSession: (id: string | undefined) => void
  /** How many calls wait for the user. */
  readonly onWaiting: (count: number) => void
}

/** A conversation with the agent: its state, and what the user can do with it. */
export interface Conversation {
  readonly state: ChatState
  /** Tells the page the state at once, and all that is new; the returned function ends that. */
  attach(post: (message: HostMessage) => void): () => void
  /** Works on a message; resolves when the turn has ended. Never rejects: what fails is told. */
  send(text: string): Promise<void>
  /** Goes on with an interrupted turn; nothing while one is under way or without a session. Never rejects. */
  resume(): Promise<void>
  /** Stops the turn under way; nothing without one. */
  cancel(): void
  /** Answers a call that waits for approval; ignored if it does not wait (any more). */
  answer(callId: string, answer: ApprovalAnswer): void
  /** Shows a session; false where it is not in the store, or a turn is under way. */
  open(id: string): Promise<boolean>
  /** Shows none: the next message begins one. False while a turn is under way. */
  clear(): boolean
  /** Runs an action between turns: a message that comes meanwhile is given back. False, and not run, while a turn is under way. */
  whileIdle(action: () => Promise<void>): Promise<boolean>
  /** Applies events to the state, and tells the page of them soon. */
  tell(...events: readonly ChatEvent[]): void
}

/** A page is told at most so often, ms: pieces of a text come a hundred times a second. */
const TOLD_EVERY_MS = 30
const LONGEST_TITLE = 80

/** What a button can do about an error. */
const ACTIONS: Readonly<Record<string, NoticeAction>> = {
  auth: 'set-key',
  usage: 'choose-model',
  unsupported: 'choose-model',
}

/** Creates a conversation without a session. */
export const createConversation = (deps: ConversationDeps): Conversation => new LiveConversation(deps)

/** See {@link Conversation}. */
class LiveConversation implements Conversation {
  state: ChatState = EMPTY_CHAT
  readonly #deps: ConversationDeps
  readonly #approvals: ReturnType<typeof createPendingApprovals>
  #post: ((message: HostMessage) => void) | undefined
  #untold: ChatEvent[] = []
  #timer: NodeJS.Timeout | undefined
  #turn: AbortController | undefined
  #granted = new Set<string>()

  constructor(deps: ConversationDeps) {
    this.#deps = deps
    this.#approvals = createPendingApprovals(deps.onWaiting)
  }

  /** Shows the state on a page and its later events, until the returned function is called; a later page takes over. */
  attach(post: (message: HostMessage) => void): () => void {
    this.#post = post
    this.#untold = []
    post({ type: 'state', state: this.state })
    return () => {
      if (this.#post === post) this.#post = undefined
    }
  }

  /** Applies events at once; the page is told of them together, at most every `TOLD_EVERY_MS`. */
  tell(...events: readonly ChatEvent[]): void {
    if (events.length === 0) return
    this.state = reduceAll(this.state, events)
    if (this.#post === undefined) return
    this.#untold.push(...events)
    this.#timer ??= setTimeout(() => this.#flush(), TOLD_EVERY_MS)
  }

  /** Sends the events that wait, neighbouring pieces joined; nothing without any. */
  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const events = joined(this.#untold)
    this.#untold = []
    if (events.length > 0) this.#post?.({ type: 'events', events })
  }

  /**
   * Asks the agent; while it works the text is given back to the input instead. A failure is shown; it never rejects.
   */
  async send(text: string): Promise<void> {
    if (this.#isBusy()) {
      this.#giveBack(text)
      return
    }
    const { attachments } = this.state
    await this.#work(text, async (agent, signal) => {
      const { content, names, refused } = await this.#deps.contentOf(text, attachments, this.state.session?.id)
      this.tell(
        { type: 'asked', text, attachments: names },
        ...refused.map((sentence): ChatEvent => ({ type: 'notice', level: 'warning', text: sentence })),
      )
      await agent.run(content, { signal })
    })
  }

  /** Goes on with the last turn; nothing while the agent works, or before a session. */
  async resume(): Promise<void> {
    if (this.#isBusy() || this.state.session === null) return
    await this.#work(undefined, (agent, signal) => agent.resume({ signal }))
  }

  /**
   * Opens an agent and runs a turn; the conversation is busy until its end. Never rejects: a failure is told, and if it
   * came before the agent named its session, the text is given back to be sent again.
   */
  async #work(text: string | undefined, run: (agent: Agent, signal: AbortSignal) => Promise<unknown>): Promise<void> {
    const turn = new AbortController()
    this.#turn = turn
    this.tell({ type: 'working' })
    // Changed by what the agent tells.
    const session = { isTold: false }
    const onEvent = async (event: AgentEvent): Promise<void> => {
      session.isTold ||= event.type === 'session'
      await this.#take(event)
    }
    try {
      const agent = await this.#deps.openAgent({
        sessionId: this.state.session?.id,
        title: titleOf(text ?? ''),
        mode: this.state.mode,
        approve: this.#approvals.approve,
        granted: this.#granted,
        onEvent,
      })
      if (!turn.signal.aborted) await run(agent, turn.signal)
    } catch (error) {
      if (!turn.signal.aborted || session.isTold) this.#fail(error)
      if (!session.isTold && text !== undefined) this.#giveBack(text)
    } finally {
      this.#turn = undefined
      this.tell({ type: 'ended' })
      this.#flush()
    }
  }

  /** Gives a text back to the input, to be sent again. */
  #giveBack(text: string): void {
    this.#flush()
    this.#post?.({ type: 'restore', text })
  }

  /** Shows a failure as a notice, with what may help where that is known. */
  #fail(error: unknown): void {
    const action = CairnError.is(error) ? ACTIONS[error.code] : undefined
    this.tell({ type: 'notice', level: 'error', text: messageOf(error), ...(action === undefined ? {} : { action }) })
  }

  /** Follows the agent's events: the session that begins, what is shown, what it cost. */
  async #take(event: AgentEvent): Promise<void> {
    if (event.type === 'session') {
      const session = await this.#deps.session(event.sessionId)
      this.tell({ type: 'session', id: event.sessionId, title: session === undefined ? '' : sessionTitle(session) })
      this.#deps.onSession(event.sessionId)
    }
    this.tell(...chatEventsOf(event))
    if (event.type === 'reply') await this.#tellCost(event.reply.sessionId)
  }

  /** Tells what the session has cost so far. */
  async #tellCost(id: string): Promise<void> {
    const session = await this.#deps.session(id)
    if (session !== undefined) this.tell({ type: 'cost', cost: sessionCostText(session) })
  }

  cancel(): void {
    this.#turn?.abort()
  }

  answer(callId: string, answer: ApprovalAnswer): void {
    this.#approvals.answer(callId, answer)
  }

  /**
   * Shows a stored session and continues it; false, with nothing changed, while the agent works or if there is none.
   * Rejects as the store does.
   */
  async open(id: string): Promise<boolean> {
    if (this.#isBusy()) return false
    const session = await this.#deps.session(id)
    if (session === undefined) return false
    const log = await this.#deps.log(id)
    // A turn may have begun meanwhile: its session is the one that is shown.
    if (this.#isBusy()) return false
    this.#granted = new Set()
    const { mode, model } = this.state
    this.state = reduceAll({ ...EMPTY_CHAT, mode, model }, [
      { type: 'session', id, title: sessionTitle(session) },
      ...logEvents(log),
      { type: 'cost', cost: sessionCostText(session) },
    ])
    this.#show(id)
    return true
  }

  /** Begins a new conversation with the same mode and model; false while the agent works. */
  clear(): boolean {
    if (this.#isBusy()) return false
    this.#granted = new Set()
    const { mode, model } = this.state
    this.state = { ...EMPTY_CHAT, mode, model }
    this.#show(undefined)
    return true
  }

  /**
   * Runs an action during which no turn can begin; false, without running it, while the agent works. Rejects as the
   * action does.
   */
  async whileIdle(action: () => Promise<void>): Promise<boolean> {
    if (this.#isBusy()) return false
    this.#turn = new AbortController()
    try {
      await action()
    } finally {
      this.#turn = undefined
    }
    return true
  }

  #isBusy(): boolean {
    return this.#turn !== undefined
  }

  /**
   * Shows the whole state on the page, and tells which session it is. Undefined for a new one; what waits to be told is
   * dropped.
   */
  #show(id: string | undefined): void {
    this.#untold = []
    this.#deps.onSession(id)
    this.#post?.({ type: 'state', state: this.state })
  }
}

/** Returns a session's title from its first message: one line, at most 80 characters, cut with `…`. */
const titleOf = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE - 1).replace(/[\ud800-\udbff]$/, '')}…` : line
}

/** Returns the same events with consecutive pieces of one text, or of one call's output, joined. */
const joined = (events: readonly ChatEvent[]): readonly ChatEvent[] => {
  const whole: ChatEvent[] = []
  for (const event of events) {
    const last = whole.at(-1)
    if ((event.type === 'text' || event.type === 'thinking') && last?.type === event.type)
      whole[whole.length - 1] = { ...event, text: last.text + event.text }
    else if (event.type === 'tool-output' && last?.type === 'tool-output' && last.callId === event.callId)
      whole[whole.length - 1] = { ...event, text: last.text + event.text }
    else whole.push(event)
  }
  return whole
}

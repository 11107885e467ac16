/** Holds the agent of a conversation, and replaces it when the session, mode or model changes. */
import { CairnError, formatUsd } from '@cairn/core'
import type { ContentBlock, Engine, NanoUsd } from '@cairn/core'
import type { Agent, AgentEvent, AgentMode, AgentOutcome, Approver } from '@cairn/core/agent'
import type { ModelChoice } from '../models/open-model.ts'
import { definedValues } from '../options/defined-values.ts'
import type { AgentSetting, ChatSession, MadeAgent, MakeAgent, TurnRecord } from './chat.ts'

/** What a conversation's session works with. */
export interface ChatSessionParts {
  readonly engine: { readonly store: { readonly usage: Pick<Engine['store']['usage'], 'requests'> } }
  readonly makeAgent: MakeAgent
  /** Absent: nobody can be asked. */
  readonly approve?: Approver
  readonly onEvent: (event: AgentEvent) => Promise<void>
  /** What all turns together may cost. */
  readonly maxCostNano?: NanoUsd
}

/** How the conversation starts; absent values come from the settings. */
export interface ChatSessionStart {
  readonly mode?: AgentMode
  readonly choice?: ModelChoice
  /** The session to go on with, by its id or the beginning of it; true: the newest of the project. */
  readonly resume?: string | true
}

/**
 * Opens a conversation's session with an agent that is ready; nothing is sent. Turns must not overlap. Rejects as
 * `makeAgent` does.
 */
export const openChatSession = async (parts: ChatSessionParts, start: ChatSessionStart): Promise<ChatSession> => {
  const session = new AgentSession(parts, start.choice)
  await session.begin(definedValues({ mode: start.mode, session: start.resume }))
  return session
}

/** What an agent is made with, as far as it is chosen. */
type Wanted = Pick<AgentSetting, 'mode' | 'choice' | 'session'>

class AgentSession implements ChatSession {
  readonly #parts: ChatSessionParts
  #choice: ModelChoice | undefined
  #made: MadeAgent | undefined
  #id: string | undefined
  #turn: TurnRecord | undefined
  /** By the turns of this conversation; those without a price count nothing. */
  #spentNano = 0n
  /** What the user always allows in this session. */
  #granted = new Set<string>()

  constructor(parts: ChatSessionParts, choice: ModelChoice | undefined) {
    this.#parts = parts
    this.#choice = choice
  }

  get id(): string | undefined {
    return this.#id
  }

  get mode(): AgentMode {
    return this.#made?.mode ?? 'act'
  }

  get model(): string {
    return this.#made?.model ?? ''
  }

  get lastTurn(): TurnRecord | undefined {
    return this.#turn
  }

  /**
   * Makes the agent of this chat with what is wanted, else as before; approvals and cost so far go with it. If that
   * fails, the former agent stays.
   */
  async begin(wanted: Wanted): Promise<void> {
    const { makeAgent, approve } = this.#parts
    const choice = wanted.choice ?? this.#choice
    const made = await makeAgent({
      ...wanted,
      granted: this.#granted,
      ...definedValues({ choice, approve, maxCostNano: this.#leftNano() }),
      onEvent: (event) => this.#take(event),
    })
    this.#made = made
    this.#choice = choice
    this.#id = made.agent.sessionId
  }

  async setMode(mode: AgentMode): Promise<void> {
    if (mode !== this.mode) await this.begin({ mode, ...definedValues({ session: this.#id }) })
  }

  setModel(choice: ModelChoice): Promise<void> {
    return this.begin({ mode: this.mode, choice, ...definedValues({ session: this.#id }) })
  }

  /**
   * Continues a session, or begins a new one if `id` is undefined, in the mode of the former, whose approvals and last
   * turn are forgotten. If that rejects, the former stays, with its approvals.
   */
  async open(id: string | undefined): Promise<void> {
    const former = this.#granted
    this.#granted = new Set()
    try {
      await this.begin({ mode: this.mode, ...definedValues({ session: id }) })
    } catch (error) {
      this.#granted = former
      throw error
    }
    this.#turn = undefined
  }

  /**
   * Runs a turn, or continues the last one if `message` is undefined; its cost counts towards the limit. Resolves with
   * how it ended, also where it failed or was cancelled. Rejects with `budget-exceeded` if the limit is reached before.
   */
  async run(message: string | readonly ContentBlock[] | undefined, signal: AbortSignal): Promise<AgentOutcome> {
    const agent = await this.#worker()
    this.#turn = { changed: [] }
    const outcome = await (message === undefined ? agent.resume({ signal }) : agent.run(message, { signal }))
    this.#id = outcome.sessionId
    this.#spentNano += outcome.costNano ?? 0n
    return outcome
  }

  /**
   * The agent of the next turn. Limits are its own for good: with less money left, it is another one. Rejects with
   * `budget-exceeded` if none is left.
   */
  async #worker(): Promise<Agent> {
    if (this.#spentNano > 0n && this.#parts.maxCostNano !== undefined) {
      if (this.#leftNano() === undefined)
        throw new CairnError(
          'budget-exceeded',
          `The conversation has cost ${formatUsd(this.#spentNano)}, and --max-cost is ${formatUsd(this.#parts.maxCostNano)}; nothing was sent.`,
        )
      await this.begin({ mode: this.mode, ...definedValues({ session: this.#id }) })
    }
    if (this.#made === undefined) throw new Error('the session has not begun')
    return this.#made.agent
  }

  /** What may still be spent; undefined without a limit, and where it is reached. */
  #leftNano(): NanoUsd | undefined {
    const { maxCostNano } = this.#parts
    return maxCostNano === undefined || maxCostNano <= this.#spentNano ? undefined : maxCostNano - this.#spentNano
  }

  /** What the session cost in nano-USD; null if a request has no price, 0 before it begins. */
  async cost(): Promise<NanoUsd | null> {
    if (this.#id === undefined) return 0n
    const requests = await this.#parts.engine.store.usage.requests(this.#id)
    const costs = requests.map(({ costNano }) => costNano)
    return costs.reduce((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0n)
  }

  /** Follows the agent's events: the session's id and what the turn changes. */
  async #take(event: AgentEvent): Promise<void> {
    if (event.type === 'session') this.#id = event.sessionId
    if (this.#turn !== undefined) this.#turn = afterEvent(this.#turn, event)
    await this.#parts.onEvent(event)
  }
}

/** The record of a turn after an event: the files that finished tools changed are added, each once. */
const afterEvent = (turn: TurnRecord, event: AgentEvent): TurnRecord => {
  if (event.type !== 'tool-finished') return turn
  return { changed: [...new Set([...turn.changed, ...(event.outcome.changed ?? [])])] }
}

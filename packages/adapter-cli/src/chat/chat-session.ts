/** Keeps the agent of a conversation: another one is made when session, mode or model change. */
import type { Engine, NanoUsd } from '@cairn/core'
import type { ModelChoice, OpenedModel } from '../models/open-model.ts'
import type { Agent, AgentEvent, AgentMode, Approver } from './agent-contract.ts'
import type { ChatSession, MakeAgent, TurnRecord } from './chat.ts'

export interface ChatSessionParts {
  readonly engine: { readonly store: { readonly usage: Pick<Engine['store']['usage'], 'requests'> } }
  readonly makeAgent: MakeAgent
  readonly openModel: (choice: ModelChoice) => Promise<OpenedModel>
  readonly approve?: Approver
  readonly onEvent: (event: AgentEvent) => Promise<void>
  readonly now: () => number
}

export interface ChatSessionStart {
  readonly mode: AgentMode
  readonly opened: OpenedModel
  /** The session to go on with. */
  readonly id: string | undefined
}

/** A conversation's session. One turn at a time. */
export const createChatSession = (parts: ChatSessionParts, start: ChatSessionStart): ChatSession => {
  let { id, mode, opened } = start
  let agent: Agent | undefined
  let lastTurn: TurnRecord | undefined

  const recordTurn = (): ((event: AgentEvent) => void) => {
    const changed = new Set<string>()
    let record: TurnRecord = { startedAt: parts.now(), changed: [], hasRunCommand: false }
    lastTurn = record
    return (event) => {
      if (event.type === 'tool-started' && event.call.effect === 'command') record = { ...record, hasRunCommand: true }
      if (event.type === 'tool-finished') for (const path of event.outcome.changed ?? []) changed.add(path)
      record = { ...record, changed: [...changed] }
      lastTurn = record
    }
  }
  let take: (event: AgentEvent) => void = () => undefined

  const current = async (): Promise<Agent> => {
    agent ??= await parts.makeAgent({
      mode,
      opened,
      onEvent: async (event) => {
        take(event)
        if (event.type === 'session') id = event.sessionId
        await parts.onEvent(event)
      },
      ...(id === undefined ? {} : { session: id }),
      ...(parts.approve === undefined ? {} : { approve: parts.approve }),
    })
    return agent
  }

  return {
    get id() {
      return id
    },
    get mode() {
      return mode
    },
    get model() {
      return opened.model
    },
    get lastTurn() {
      return lastTurn
    },
    setMode: (wanted) => {
      if (wanted !== mode) agent = undefined
      mode = wanted
    },
    setModel: async (choice) => {
      opened = await parts.openModel(choice)
      agent = undefined
    },
    open: (wanted) => {
      id = wanted
      agent = undefined
      lastTurn = undefined
    },
    run: async (message, signal) => {
      const worker = await current()
      take = recordTurn()
      const outcome = await (message === undefined ? worker.resume({ signal }) : worker.run(message, { signal }))
      id = outcome.sessionId
      return outcome
    },
    cost: async () => {
      if (id === undefined) return 0n
      const requests = await parts.engine.store.usage.requests(id)
      return requests.reduce<NanoUsd | null>(
        (sum, { costNano }) => (sum === null || costNano === null ? null : sum + costNano),
        0n,
      )
    },
  }
}

/** A conversation on the command line: what slash commands and the loop work with. */
import type { ContentBlock, Engine, NanoUsd } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import type { ModelChoice, OpenedModel } from '../models/open-model.ts'
import type { Agent, AgentEvent, AgentMode, AgentOutcome, Approver } from './agent-contract.ts'

/** What an agent of the conversation is made with. */
export interface AgentSetting {
  readonly mode: AgentMode
  readonly opened: OpenedModel
  /** The session that it goes on with; absent: its first message begins one. */
  readonly session?: string
  readonly onEvent: (event: AgentEvent) => Promise<void>
  readonly approve?: Approver
}

export type MakeAgent = (setting: AgentSetting) => Promise<Agent>

/** What a turn did, for what is told and undone after it. */
export interface TurnRecord {
  /** ms */
  readonly startedAt: number
  /** Files that tools changed, as they name them. */
  readonly changed: readonly string[]
  /** A command ran: what it changed is not known. */
  readonly hasRunCommand: boolean
}

/** The session that the conversation is in, and how it goes on. */
export interface ChatSession {
  /** Undefined before its first message. */
  readonly id: string | undefined
  readonly mode: AgentMode
  /** The model's name for its provider. */
  readonly model: string
  readonly lastTurn: TurnRecord | undefined
  setMode(mode: AgentMode): void
  /** Rejects as the model's provider is opened; then it is as it was. */
  setModel(choice: ModelChoice): Promise<void>
  /** Goes on with a stored session; undefined: the next message begins one. */
  open(id: string | undefined): void
  /** One turn; undefined goes on with what was interrupted. */
  run(message: string | readonly ContentBlock[] | undefined, signal: AbortSignal): Promise<AgentOutcome>
  /** Of all requests of the session; null: one has no price. */
  cost(): Promise<NanoUsd | null>
}

export interface Chat {
  readonly engine: Engine
  /** Its engine is the conversation's, whatever is asked of it. */
  readonly context: Context
  /** As commands take them: the conversation's workspace. */
  readonly options: CommonOptions
  /** The folder that is worked in, absolute. */
  readonly workspace: string
  readonly session: ChatSession
  readonly isPlain: boolean
  /** The conversation ends after this command. */
  leave(): void
  /** Runs a turn as if a message had been typed; undefined goes on with what was interrupted. */
  turn(message: string | undefined): Promise<void>
}

/** The interfaces of a command-line conversation, used by slash commands and the loop. */
import type { ContentBlock, Engine, NanoUsd } from '@cairn/core'
import type { Agent, AgentMode, AgentOptions, AgentOutcome } from '@cairn/core/agent'
import type { CommonOptions, Context } from '../command.ts'
import type { ModelChoice } from '../models/open-model.ts'

/** What an agent of the conversation is made with. */
export interface AgentSetting
  extends Required<Pick<AgentOptions, 'onEvent'>>, Pick<AgentOptions, 'approve' | 'granted'> {
  /** Absent: the one that is set. */
  readonly mode?: AgentMode
  /** Absent: the session's, or the one that is set. */
  readonly choice?: ModelChoice
  /**
   * The session that it goes on with, by its id or the beginning of it; true: the newest; absent: its first message
   * begins one.
   */
  readonly session?: string | true
  /** What its next turn may cost, above 0; absent: no limit. */
  readonly maxCostNano?: NanoUsd
}

/** An agent with the model and mode that it was made for. */
export interface MadeAgent {
  readonly agent: Agent
  /** The model's name for its provider. */
  readonly model: string
  readonly mode: AgentMode
}

/** Creates an agent; nothing is sent. Rejects if there is no model, key or session. */
export type MakeAgent = (setting: AgentSetting) => Promise<MadeAgent>

/** What a turn did, for the report after it. */
export interface TurnRecord {
  /** Files that tools changed, as they name them. */
  readonly changed: readonly string[]
}

/** The conversation's session and its operations. A failed operation leaves it unchanged. */
export interface ChatSession {
  /** Undefined before its first message. */
  readonly id: string | undefined
  readonly mode: AgentMode
  readonly model: string
  /** The turn under way, else the last one; undefined before the first one of this session. */
  readonly lastTurn: TurnRecord | undefined
  /** Goes on with the same session in this mode, with another agent. */
  setMode(mode: AgentMode): Promise<void>
  /** Goes on with the same session and this model, with another agent. */
  setModel(choice: ModelChoice): Promise<void>
  /** Goes on with a stored session; undefined: the next message begins one. What was always allowed is asked again. */
  open(id: string | undefined): Promise<void>
  /** One turn; undefined goes on with what was interrupted. */
  run(message: string | readonly ContentBlock[] | undefined, signal: AbortSignal): Promise<AgentOutcome>
  /** Of all requests of the session, nano-USD; null: one has no price; 0 before its first message. */
  cost(): Promise<NanoUsd | null>
}

/** A conversation without its loop. */
export interface ChatParts {
  readonly engine: Engine
  /** Its engine is the conversation's, whatever is asked of it. */
  readonly context: Context
  /** As commands take them: the conversation's workspace. */
  readonly options: CommonOptions
  /** The folder that is worked in, absolute. */
  readonly workspace: string
  readonly session: ChatSession
  readonly isPlain: boolean
}

/** A conversation as its commands see it. */
export interface Chat extends ChatParts {
  /** The conversation ends after this command. */
  leave(): void
  /** Runs a turn as if a message had been typed; undefined goes on with what was interrupted. */
  turn(message: string | undefined): Promise<void>
}

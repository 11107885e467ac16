/** An agent: a loop of requests and tools over one session. Each step is in the log before the next one starts. */
import type { CairnError } from '../errors.ts'
import type { ContentBlock } from '../messages.ts'
import type { NanoUsd } from '../money.ts'
import type { RequestEvent, SentRequest } from '../requests/send-input.ts'
import type { CallFacts, PreparedCall, ToolOutcome } from './agent-tool.ts'

/** `plan`: the model reads and proposes, and nothing is changed. `act`: it works. */
export type AgentMode = 'plan' | 'act'

export interface Agent {
  /** Undefined before the first message. */
  readonly sessionId: string | undefined
  /** Works on the user's message until the model is done or a limit is reached. One turn at a time. */
  run(message: string | readonly ContentBlock[], options?: TurnOptions): Promise<AgentOutcome>
  /** Continues an interrupted session without repeating or losing messages. */
  resume(options?: TurnOptions): Promise<AgentOutcome>
}

export interface TurnOptions {
  /**
   * Cancels the turn; its outcome is then `cancelled`, with the message of the CairnError in the signal's reason, if
   * there is one. Completed work stays.
   */
  readonly signal?: AbortSignal
}

/**
 * Why a turn ended: the model was done; a limit; a call that nobody could approve (`approval`); too many consecutive
 * mistakes, or the same call repeatedly; the user; an error.
 */
export type AgentEnd =
  'done' | 'max-turns' | 'max-cost' | 'max-tokens' | 'approval' | 'mistakes' | 'repeated-call' | 'cancelled' | 'failed'

export interface AgentOutcome {
  readonly end: AgentEnd
  /** One sentence: why it ended, and what to do; absent if it is done. */
  readonly reason?: string
  readonly sessionId: string
  /** The model's final text. */
  readonly text: string
  /** The requests of this turn, and their cost; null if at least one has no price. */
  readonly turns: number
  readonly costNano: NanoUsd | null
  readonly error?: CairnError
}

/** Limits of one turn, each at least 1 (money above 0); absent: none, or the documented default. */
export interface AgentLimits {
  /** Maximum number of requests; default 100. */
  readonly turns?: number
  readonly costNano?: NanoUsd
  /** Maximum tokens of input and output together. */
  readonly tokens?: number
  /** Maximum consecutive mistakes; default 3. */
  readonly mistakes?: number
  /** Maximum consecutive requests without manual approval; default none. */
  readonly autoApproved?: number
}

/** A call that needs a decision. */
export interface ApprovalRequest {
  readonly callId: string
  readonly tool: string
  readonly call: PreparedCall
  /** Why approval is needed: a rule, the default for its effect, or what the call reaches. One sentence. */
  readonly why: string
}

/** `always` allows similar calls (the same tool and, for a command, the same program) for the session. */
export type ApprovalAnswer =
  { readonly decision: 'allow' | 'always' } | { readonly decision: 'deny'; readonly feedback?: string }

/** Asks someone who can decide. Absent: nobody can, and a call that needs approval ends the turn with `approval`. */
export type Approver = (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalAnswer>

/** Why a call was not run in this turn; absent if it was. */
export type NotRunReason =
  /** No such tool, invalid input, declined, or the turn ended before it. Nothing was done. */
  | 'refused'
  /** It had started in an earlier run that ended before it finished: its effect is unknown. */
  | 'interrupted'

interface NotRun {
  readonly notRun?: NotRunReason
}

/** The events of an agent, in order. Every adapter shows them, and a run with `--json` prints them. */
export type AgentEvent =
  | { readonly type: 'session'; readonly sessionId: string; readonly isResumed: boolean }
  /** For the current request: `stored`, then the model's events. */
  | { readonly type: 'request'; readonly event: RequestEvent }
  /** A reply was stored with its cost; `costNano` is the turn's total so far. */
  | { readonly type: 'reply'; readonly reply: SentRequest; readonly costNano: NanoUsd | null }
  | { readonly type: 'approval'; readonly request: ApprovalRequest }
  | { readonly type: 'approved'; readonly callId: string; readonly answer: ApprovalAnswer }
  /** The files before the turn's first change were saved in this checkpoint of the folder `root`. */
  | { readonly type: 'checkpoint'; readonly checkpointId: string; readonly root: string }
  /** Sent for every call that gets a result in this turn, before its `tool-finished`; ids are unique in a session. */
  | ({
      readonly type: 'tool-started'
      readonly callId: string
      readonly tool: string
      readonly call: CallFacts
    } & NotRun)
  | { readonly type: 'tool-output'; readonly callId: string; readonly text: string }
  /** The call has its result, with the reason if it was not run. */
  | ({
      readonly type: 'tool-finished'
      readonly callId: string
      readonly tool: string
      readonly outcome: ToolOutcome
      readonly durationMs: number
      /** Rules files whose text the model received with the result, as `cairn context rules` names them. */
      readonly rules?: readonly string[]
    } & NotRun)
  /** Information for the user: a reminder, a warning, files changed by others. One sentence. */
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'ended'; readonly outcome: AgentOutcome }

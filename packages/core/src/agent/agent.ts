/** An agent: a loop of requests and tools over one session, each step of it in the log before the next. */
import type { CairnError } from '../errors.ts'
import type { ContentBlock } from '../messages.ts'
import type { NanoUsd } from '../money.ts'
import type { RequestEvent, SentRequest } from '../requests/send-input.ts'
import type { CallFacts, PreparedCall, ToolOutcome } from './agent-tool.ts'

/** `plan`: nothing is changed, the model reads and proposes. `act`: it works. */
export type AgentMode = 'plan' | 'act'

export interface Agent {
  /** Undefined before the first message. */
  readonly sessionId: string | undefined
  /** Works on what the user says until the model is done or a limit stops it. One turn at a time. */
  run(message: string | readonly ContentBlock[], options?: TurnOptions): Promise<AgentOutcome>
  /** Goes on with a session that was interrupted: no message twice, none lost. */
  resume(options?: TurnOptions): Promise<AgentOutcome>
}

export interface TurnOptions {
  /** Ends the turn; its outcome is then `cancelled`, with the message of a CairnError that the signal has as its reason. What was done stays. */
  readonly signal?: AbortSignal
}

/**
 * What ended a turn: the model was done; a limit; a call that nobody could approve (`approval`); too many mistakes in a
 * row or the same call again and again; the user; an error.
 */
export type AgentEnd =
  'done' | 'max-turns' | 'max-cost' | 'max-tokens' | 'approval' | 'mistakes' | 'repeated-call' | 'cancelled' | 'failed'

export interface AgentOutcome {
  readonly end: AgentEnd
  /** One sentence: why it ended, and what to do; absent when it is done. */
  readonly reason?: string
  readonly sessionId: string
  /** The model's last words. */
  readonly text: string
  /** Requests of this turn, and what they cost; null: at least one has no price. */
  readonly turns: number
  readonly costNano: NanoUsd | null
  readonly error?: CairnError
}

/** Limits of one turn, each at least 1 (money above 0); absent: none, or the default that is named. */
export interface AgentLimits {
  /** Requests; default 100. */
  readonly turns?: number
  readonly costNano?: NanoUsd
  /** Tokens of input and output together. */
  readonly tokens?: number
  /** Mistakes in a row; default 3. */
  readonly mistakes?: number
  /** Requests in a row that nobody approved by hand; default none. */
  readonly autoApproved?: number
}

/** A call that needs a decision. */
export interface ApprovalRequest {
  readonly callId: string
  readonly tool: string
  readonly call: PreparedCall
  /** Why it is asked: a rule, the default of its effect, or what the call reaches. One sentence. */
  readonly why: string
}

/** `always` allows calls like it (the same tool, and for a command the same program) for the session. */
export type ApprovalAnswer =
  { readonly decision: 'allow' | 'always' } | { readonly decision: 'deny'; readonly feedback?: string }

/** Asks whoever can decide. Absent: nobody can, and a call that needs it ends the turn with `approval`. */
export type Approver = (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalAnswer>

/** Why a call was not run in this turn; absent for one that was. */
export type NotRunReason =
  /** No such tool, wrong input, declined, or the turn was ended before it. Nothing was done. */
  | 'refused'
  /** It had begun in an earlier run, which ended before it: nobody knows what was done. */
  | 'interrupted'

interface NotRun {
  readonly notRun?: NotRunReason
}

/** What an agent does, in order. Every adapter shows these, and a run with `--json` prints them. */
export type AgentEvent =
  | { readonly type: 'session'; readonly sessionId: string; readonly isResumed: boolean }
  /** Of the request under way: `stored`, then the model's events. */
  | { readonly type: 'request'; readonly event: RequestEvent }
  /** A reply is stored with its bill; `costNano` is the turn's so far. */
  | { readonly type: 'reply'; readonly reply: SentRequest; readonly costNano: NanoUsd | null }
  | { readonly type: 'approval'; readonly request: ApprovalRequest }
  | { readonly type: 'approved'; readonly callId: string; readonly answer: ApprovalAnswer }
  /** The files as they are before the turn's first change are kept, in this checkpoint of the folder `root`. */
  | { readonly type: 'checkpoint'; readonly checkpointId: string; readonly root: string }
  /** Of every call that gets a result in this turn, and before its `tool-finished`; ids are unique in a session. */
  | ({
      readonly type: 'tool-started'
      readonly callId: string
      readonly tool: string
      readonly call: CallFacts
    } & NotRun)
  | { readonly type: 'tool-output'; readonly callId: string; readonly text: string }
  /** The call has its result; the reason, where it was not run. */
  | ({
      readonly type: 'tool-finished'
      readonly callId: string
      readonly tool: string
      readonly outcome: ToolOutcome
      readonly durationMs: number
      /** Rules files whose text the model was given with the result, as `cairn context rules` names them. */
      readonly rules?: readonly string[]
    } & NotRun)
  /** Something that the user should know: a reminder, a warning, files that others changed. One sentence. */
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'ended'; readonly outcome: AgentOutcome }

/** What the chat knows of an agent, as `@cairn/core` describes it. */
import type {
  CairnError,
  ContentBlock,
  ImageBlock,
  JsonObject,
  NanoUsd,
  RequestEvent,
  SentRequest,
  TextBlock,
  ToolDefinition,
} from '@cairn/core'

/**
 * What a call may change: nothing (it may be made again after a crash), files, anything (a command), or only what Cairn
 * keeps (the todo list, memory, a note).
 */
export type ToolEffect = 'none' | 'files' | 'command' | 'memory'

export interface AgentTool {
  readonly definition: ToolDefinition
  /**
   * Reads a call's input and says what it would do, without doing it. Rejects with a CairnError for an input that is
   * wrong: its message is one sentence, which the model is given as the call's result.
   */
  prepare(input: JsonObject, context: ToolContext): Promise<PreparedCall>
}

export interface ToolContext {
  readonly sessionId: string
  readonly callId: string
  /** Ends the call. A command's whole process group is ended with it. */
  readonly signal: AbortSignal
  /** Hears of output while the call runs, for whoever watches. */
  readonly onOutput: (text: string) => void
}

/** One call, ready to run. */
export interface PreparedCall {
  readonly effect: ToolEffect
  /** One line for whoever watches or approves: `edit src/a.ts`, `run npm test`. */
  readonly title: string
  /** The files that it reads or changes: relative to the workspace with `/`, absolute outside of it. */
  readonly paths: readonly string[]
  /** The command as the shell would get it, of a call that runs one. */
  readonly command?: string
  /** Why it is never run by itself: it reaches out of the workspace, or to a file that is ignored. One sentence. */
  readonly reaches?: string
  /** What it would change, as a unified diff. */
  readonly diff?: string
  /** Does it, once. Rejects only when it was cancelled; what fails is an outcome with `isError`. */
  run(): Promise<ToolOutcome>
}

export interface ToolOutcome {
  /** What the model is given; capped by the tool. */
  readonly content: readonly (TextBlock | ImageBlock)[]
  readonly isError?: true
  /** The files that were changed, as in `paths`. */
  readonly changed?: readonly string[]
}

/** An agent: a loop of requests and tools over one session, each step of it in the log before the next. */

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
  /** Ends the turn; its outcome is then `cancelled`. What was done stays. */
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

/** What an agent does, in order. Every adapter shows these, and a run with `--json` prints them. */
export type AgentEvent =
  | { readonly type: 'session'; readonly sessionId: string; readonly isResumed: boolean }
  /** Of the request under way: `stored`, then the model's events. */
  | { readonly type: 'request'; readonly event: RequestEvent }
  /** A reply is stored with its bill; `costNano` is the turn's so far. */
  | { readonly type: 'reply'; readonly reply: SentRequest; readonly costNano: NanoUsd | null }
  | { readonly type: 'approval'; readonly request: ApprovalRequest }
  | { readonly type: 'approved'; readonly callId: string; readonly answer: ApprovalAnswer }
  | { readonly type: 'tool-started'; readonly callId: string; readonly tool: string; readonly call: PreparedCall }
  | { readonly type: 'tool-output'; readonly callId: string; readonly text: string }
  | {
      readonly type: 'tool-finished'
      readonly callId: string
      readonly tool: string
      readonly outcome: ToolOutcome
      readonly durationMs: number
    }
  /** Something that the user should know: a reminder, a warning, files that others changed. One sentence. */
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'ended'; readonly outcome: AgentOutcome }

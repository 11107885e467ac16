/**
 * A tool that an agent's model may call. A call is first prepared, which changes nothing and describes what it would
 * do; then it is approved, logged and run.
 */
import type { JsonObject } from '../json.ts'
import type { ImageBlock, TextBlock } from '../messages.ts'
import type { ToolDefinition } from '../ports/language-model.ts'

/**
 * What a call may change: nothing (it may be repeated after a crash), files, anything (a command), or only what Cairn
 * stores (the todo list, memory, a note).
 */
export type ToolEffect = 'none' | 'files' | 'command' | 'memory'

export interface AgentTool {
  readonly definition: ToolDefinition
  /**
   * Parses a call's input and describes what it would do, without doing it. Rejects with a CairnError for invalid
   * input: its one-sentence message becomes the call's result for the model.
   */
  prepare(input: JsonObject, context: ToolContext): Promise<PreparedCall>
}

export interface ToolContext {
  readonly sessionId: string
  readonly callId: string
  /** Cancels the call. A command's whole process group is ended. */
  readonly signal: AbortSignal
  /** Receives output while the call runs, for observers. */
  readonly onOutput: (text: string) => void
}

/** What a call would do, for observers and approvers. */
export interface CallFacts {
  readonly effect: ToolEffect
  /** One line for observers and approvers: `edit src/a.ts`, `run npm test`. */
  readonly title: string
  /** The files it reads or changes: relative to the workspace with `/`, absolute outside it. */
  readonly paths: readonly string[]
  /** The command as passed to the shell, for a call that runs one. */
  readonly command?: string
  /** Why it always needs approval: it reaches outside the workspace, or a file that is ignored. One sentence. */
  readonly reaches?: string
  /** The change as a unified diff. */
  readonly diff?: string
}

/** One call that is ready to run. */
export interface PreparedCall extends CallFacts {
  /** Runs the call, once. Rejects only if it was cancelled; a failure is an outcome with `isError`. */
  run(): Promise<ToolOutcome>
}

export interface ToolOutcome {
  /** The result for the model, limited in size by the tool. */
  readonly content: readonly (TextBlock | ImageBlock)[]
  readonly isError?: true
  /**
   * For a command that exited; null if a signal ended it. A code other than 0 is not an error of the call: the model
   * interprets it.
   */
  readonly exitCode?: number | null
  /**
   * If `content` is cut: all of the text that the tool kept (for a command, up to a million bytes). Only for the log.
   */
  readonly whole?: string
  /** The changed files, as in `paths`. */
  readonly changed?: readonly string[]
}

/**
 * A tool that an agent's model may call. A call is first prepared, which changes nothing and says what it would do; then
 * it is approved, told to the log, and run.
 */
import type { JsonObject } from '../json.ts'
import type { ImageBlock, TextBlock } from '../messages.ts'
import type { ToolDefinition } from '../ports/language-model.ts'

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

/** What a call would do, as whoever watches or approves is told. */
export interface CallFacts {
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
}

/** One call, ready to run. */
export interface PreparedCall extends CallFacts {
  /** Does it, once. Rejects only when it was cancelled; what fails is an outcome with `isError`. */
  run(): Promise<ToolOutcome>
}

export interface ToolOutcome {
  /** What the model is given; capped by the tool. */
  readonly content: readonly (TextBlock | ImageBlock)[]
  readonly isError?: true
  /** Of a command that ended by itself; null: a signal ended it. Not 0 is no error of the call: the model reads what it means. */
  readonly exitCode?: number | null
  /** Where `content` is cut: all of the text, as far as the tool kept it (a command's: a million bytes). It is for the log alone. */
  readonly whole?: string
  /** The files that were changed, as in `paths`. */
  readonly changed?: readonly string[]
}

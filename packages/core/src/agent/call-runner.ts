/**
 * Runs the calls of a reply one after another. Each is prepared, decided on, logged and run, and its result is in the
 * log before the next one starts. A call that can't be run gets a result that says why.
 */
import { CairnError, messageOf } from '../errors.ts'
import { isJsonObject, parseJson, type JsonObject } from '../json.ts'
import type { ToolResultBlock } from '../messages.ts'
import type { Clock } from '../ports/clock.ts'
import type { AgentEvent, AgentMode, ApprovalAnswer, Approver } from './agent.ts'
import type { AgentTool, CallFacts, PreparedCall, ToolContext, ToolOutcome } from './agent-tool.ts'
import { grantOf, verdictOf, type ApprovalSettings } from './approvals.ts'
import { cancelledBy, type Stop } from './turn-limits.ts'
import type { FileRules } from './file-rules.ts'
import { failed, notRunEvents } from './not-run.ts'
import type { OpenCall } from './open-calls.ts'
import { STOPPED_AT, WARNED_AT, type RepeatedCalls } from './repeated-calls.ts'
import type { SessionRecord } from './session-record.ts'

export interface CallRunnerParts {
  readonly tools: ReadonlyMap<string, AgentTool>
  readonly record: SessionRecord
  readonly clock: Clock
  readonly mode: AgentMode
  readonly approvals: ApprovalSettings
  /** What the user allowed for the session; answers add to it. */
  readonly granted: Set<string>
  readonly approve: Approver | undefined
  readonly repeated: RepeatedCalls
  readonly signal: AbortSignal
  readonly tell: (event: AgentEvent) => Promise<void>
  /** Called before a call that changes files or runs a command. If it throws, the turn ends before the call starts. */
  readonly beforeChange: () => Promise<void>
  /** Rules delivered with the results of calls on files. */
  readonly fileRules: Pick<FileRules, 'forCall'>
}

/** The state of the turn when a reply's calls are run. */
export interface BatchSetting {
  /** Set once too many requests ran without a question. */
  readonly autoApproved?: number
  /** A text for the model, added after the first result. */
  readonly reminder?: string
}

/** The result of running a reply's calls. */
export interface Batch {
  /** Results so far. */
  readonly results: readonly ToolResultBlock[]
  /** Why the turn ends here; calls without a result wait for the next turn. */
  readonly stop?: Stop
  /** Whether the user was asked; if not, whether something was changed. */
  readonly wasAsked: boolean
  readonly ranUnasked: boolean
  /** Something other than what Cairn stores may have changed. */
  readonly hasChanged: boolean
  /** The user declined all of them, which is not a mistake of the model. */
  readonly isDeclined: boolean
}

/** Secrets are not stored in the log: a call that was interrupted before it ran can't be run with the redacted rest. */
const REDACTED = /\[redacted:[a-z0-9-]+\]/i

/**
 * Runs the calls of a reply one after another, asking for approval where needed; each result is in the log before the
 * next call starts. Ends early, with `stop`, if the turn has to end. Rejects as the store and `onEvent` do. After a
 * repeated call the others get a refusal as their result; calls behind any other stop stay without one.
 */
export const runCalls = async (
  calls: readonly OpenCall[],
  parts: CallRunnerParts,
  setting: BatchSetting = {},
): Promise<Batch> => {
  const batch = new BatchRun(parts, setting)
  for (const [index, open] of calls.entries()) {
    const stop = await batch.take(open)
    if (stop?.end === 'repeated-call')
      for (const rest of calls.slice(index + 1)) await batch.refuse(rest, 'Not run: the turn was ended before it.')
    if (stop !== undefined) return batch.result(stop)
  }
  return batch.result()
}

class BatchRun {
  readonly #parts: CallRunnerParts
  readonly #setting: BatchSetting
  readonly #results: ToolResultBlock[] = []
  #reminder: string | undefined
  #wasAsked = false
  #ranUnasked = false
  #hasChanged = false
  #declined = 0
  /** When the listener has heard all output so far; rejects where it threw, which ends the turn. */
  #outputTold: Promise<void> = Promise.resolve()

  constructor(parts: CallRunnerParts, setting: BatchSetting) {
    this.#parts = parts
    this.#setting = setting
    this.#reminder = setting.reminder
  }

  /**
   * The batch so far, ended by `stop` if there is one. `isDeclined`: there were results, and all were refusals by a
   * rule or the user.
   */
  result(stop?: Stop): Batch {
    return {
      results: this.#results,
      wasAsked: this.#wasAsked,
      ranUnasked: this.#ranUnasked,
      hasChanged: this.#hasChanged,
      isDeclined: this.#results.length > 0 && this.#declined === this.#results.length,
      ...(stop === undefined ? {} : { stop }),
    }
  }

  /**
   * Gives a call its result; returns a stop if the turn ends first. A call made again and again is warned of, then
   * refused, which ends the turn; an unknown tool is refused.
   */
  async take(open: OpenCall): Promise<Stop | undefined> {
    const { signal, repeated } = this.#parts
    if (signal.aborted) return cancelledBy(signal)
    const { call } = open
    const times = repeated.count(call)
    if (times >= STOPPED_AT) {
      await this.refuse(open, `Not run: it is the same call for the ${times}th time in a row.`)
      return {
        end: 'repeated-call',
        reason: `The model made the same call (${call.name}) ${times} times in a row; tell it what to do instead.`,
      }
    }
    const warning =
      times >= WARNED_AT
        ? `You have made this very call ${times} times in a row. Do something else, or say what is in the way.`
        : undefined
    const tool = this.#parts.tools.get(call.name)
    if (tool === undefined) {
      const names = [...this.#parts.tools.keys()].join(', ')
      await this.refuse(open, `There is no tool called ${JSON.stringify(call.name)}; there are ${names}.`)
      return undefined
    }
    const prepared = await this.#prepared(open, tool)
    return prepared === undefined ? undefined : this.#decided(open, prepared, warning)
  }

  /** Gives a call a result without running it. `call` is what it would have done, if known. */
  async refuse(open: OpenCall, text: string, call?: CallFacts): Promise<void> {
    const outcome = failed(text)
    await this.#finish(open, outcome)
    for (const event of notRunEvents(open, outcome, 'refused', call)) await this.#parts.tell(event)
  }

  /**
   * Prepares a call. Undefined if its input is wrong or the tool refuses it, after the refusal was recorded as its
   * result; rejects only when aborted or when the store fails.
   */
  async #prepared(open: OpenCall, tool: AgentTool): Promise<PreparedCall | undefined> {
    const input = inputOf(open)
    if (typeof input === 'string') {
      await this.refuse(open, input)
      return undefined
    }
    try {
      return await tool.prepare(input, this.#contextOf(open))
    } catch (error) {
      if (this.#parts.signal.aborted || (CairnError.is(error) && error.code.startsWith('storage-'))) throw error
      await this.refuse(open, messageOf(error))
      return undefined
    }
  }

  /** What a tool learns of its call; its output goes to the listener in order, and the tool waits for none of it. */
  #contextOf({ call }: OpenCall): ToolContext {
    const { record, signal, tell } = this.#parts
    return {
      sessionId: record.sessionId,
      callId: call.id,
      signal,
      onOutput: (text) => {
        this.#outputTold = this.#outputTold.then(() => tell({ type: 'tool-output', callId: call.id, text }))
        // Seen when the call has its result.
        this.#outputTold.catch(() => undefined)
      },
    }
  }

  /**
   * Runs a call if rules or the user allow it, otherwise records its refusal as the result. Returns why the turn stops,
   * undefined to go on; where nobody can be asked, the turn stops.
   */
  async #decided(open: OpenCall, call: PreparedCall, warning: string | undefined): Promise<Stop | undefined> {
    const { mode, approvals, granted, approve, signal } = this.#parts
    const { autoApproved } = this.#setting
    const tool = open.call.name
    const verdict = verdictOf(tool, call, {
      ...approvals,
      mode,
      granted,
      ...(autoApproved === undefined || this.#wasAsked ? {} : { autoApproved }),
    })
    if (verdict.decision === 'deny') {
      this.#declined += 1
      await this.refuse(open, `Not run: ${call.title}. ${verdict.why}`, call)
      return undefined
    }
    if (verdict.decision === 'ask') {
      if (approve === undefined)
        return {
          end: 'approval',
          reason: `"${call.title}" needs an approval, and nobody can give it here. ${verdict.why}`,
        }
      const answer = await this.#ask(open, call, verdict.why, approve)
      if (answer === undefined) return cancelledBy(signal)
      if (answer.decision === 'deny') {
        this.#declined += 1
        const feedback = answer.feedback === undefined ? '' : ` They say: ${answer.feedback}`
        await this.refuse(open, `Not run: the user declined it.${feedback}`, call)
        return undefined
      }
      if (answer.decision === 'always') granted.add(grantOf(tool, call))
    } else if (call.effect !== 'none') this.#ranUnasked = true
    return this.#run(open, call, warning)
  }

  /**
   * Asks the user to approve a call; undefined if it was cancelled before an answer. Rejects as `approve` does
   * otherwise.
   */
  async #ask(
    { call: { id, name } }: OpenCall,
    call: PreparedCall,
    why: string,
    approve: Approver,
  ): Promise<ApprovalAnswer | undefined> {
    const { signal, tell } = this.#parts
    const request = { callId: id, tool: name, call, why }
    await tell({ type: 'approval', request })
    try {
      const answer = await approve(request, signal)
      if (signal.aborted) return undefined
      this.#wasAsked = true
      await tell({ type: 'approved', callId: id, answer })
      return answer
    } catch (error) {
      if (signal.aborted) return undefined
      throw error
    }
  }

  /**
   * Runs an allowed call and records its result, first making a checkpoint if it may change files. Returns why the turn
   * stops if it was aborted.
   */
  async #run(open: OpenCall, call: PreparedCall, warning: string | undefined): Promise<Stop | undefined> {
    const { record, clock, signal, tell, beforeChange } = this.#parts
    const { id: callId, name: tool } = open.call
    const changes = call.effect === 'files' || call.effect === 'command'
    if (changes) await beforeChange()
    if (signal.aborted) return cancelledBy(signal)
    // What changes nothing is made again after a crash: nobody has to know that it had begun.
    if (call.effect !== 'none') await record.started(open)
    await tell({ type: 'tool-started', callId, tool, call })
    const startedAt = clock.now()
    if (changes) this.#hasChanged = true
    const outcome = await outcomeOf(call, signal)
    const durationMs = Math.max(0, clock.now() - startedAt)
    const rules = await this.#rulesFor(call, outcome)
    const given = rules === undefined ? outcome : { ...outcome, content: [...outcome.content, ...rules.blocks] }
    await this.#finish(open, warning === undefined ? given : withNote(given, warning))
    await this.#outputTold
    const told = rules === undefined ? {} : { rules: rules.ids }
    await tell({ type: 'tool-finished', callId, tool, outcome, durationMs, ...told })
    return isAborted(signal) ? cancelledBy(signal) : undefined
  }

  /** Rules to give with a call's result; undefined for none, or if they can't be read: they then come with a later call. */
  async #rulesFor(call: PreparedCall, outcome: ToolOutcome): ReturnType<FileRules['forCall']> {
    try {
      return await this.#parts.fileRules.forCall(call, outcome)
    } catch {
      return undefined
    }
  }

  /** Records a call's result. The first of the batch carries the reminder, if there is one. */
  async #finish(open: OpenCall, outcome: ToolOutcome): Promise<void> {
    const reminder = this.#reminder
    this.#reminder = undefined
    const told = reminder === undefined ? outcome : withNote(outcome, reminder)
    this.#results.push(await this.#parts.record.finished(open, told))
  }
}

/** Reads the signal again, because it may have been aborted since. */
const isAborted = ({ aborted }: AbortSignal): boolean => aborted

/** The outcome with a note to the model as its last text. */
const withNote = (outcome: ToolOutcome, note: string): ToolOutcome => ({
  ...outcome,
  content: [...outcome.content, { type: 'text', text: `(Note by the program: ${note})` }],
})

/** Runs the call. Cancellation, and a tool that throws against its contract, also become an outcome. */
const outcomeOf = async (call: PreparedCall, signal: AbortSignal): Promise<ToolOutcome> => {
  try {
    return await call.run()
  } catch (error) {
    if (signal.aborted) return failed('Stopped by the user while it ran: it may have been done in part.')
    return failed(`It failed: ${messageOf(error)}`)
  }
}

/** A call's input, or a sentence that says why it can't be used. */
const inputOf = ({ call: { input } }: OpenCall): JsonObject | string => {
  const value: unknown = typeof input === 'string' ? parseJson(input === '' ? '{}' : input)?.value : input
  if (!isJsonObject(value)) return 'Not run: its arguments are no JSON object. Make the call again.'
  return value
}

/** Whether a call read from the log lost part of its input to redaction. */
export const isIncomplete = ({ call }: OpenCall): boolean => REDACTED.test(JSON.stringify(call.input))

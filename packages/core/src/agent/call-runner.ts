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

/** What the calls of a turn are run with. */
export interface CallRunnerParts {
  /** By name. */
  readonly tools: ReadonlyMap<string, AgentTool>
  readonly record: SessionRecord
  readonly clock: Clock
  readonly mode: AgentMode
  readonly approvals: ApprovalSettings
  /** What the user allowed for the session; answers add to it. */
  readonly granted: Set<string>
  /** Undefined: nobody can be asked, so that a call that needs an approval ends the turn. */
  readonly approve: Approver | undefined
  /** Counts the calls of the whole turn. */
  readonly repeated: RepeatedCalls
  readonly signal: AbortSignal
  /** Tells the listener of an event. If it rejects, so does the run. */
  readonly tell: (event: AgentEvent) => Promise<void>
  /** Called before a call that changes files or runs a command. If it throws, the turn ends before the call starts. */
  readonly beforeChange: () => Promise<void>
  /** Rules delivered with the results of calls on files. */
  readonly fileRules: Pick<FileRules, 'forCall'>
}

/** The state of the turn when a reply's calls are run. */
export interface BatchSetting {
  /** How many requests ran without a question, once that is too many: changes need approval until the user is asked. */
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
  /** The user answered a question, to allow a call or to decline it. */
  readonly wasAsked: boolean
  /** A call that may change something was run without a question. */
  readonly ranUnasked: boolean
  /** A call that changes files or runs a command was run: something other than what Cairn stores may have changed. */
  readonly hasChanged: boolean
  /** All results are refusals by the user, a rule or the mode: no mistake of the model. False without results. */
  readonly isDeclined: boolean
}

/** Secrets are not stored in the log: a call that was interrupted before it ran can't be run with the redacted rest. */
const REDACTED = /\[redacted:[a-z0-9-]+\]/i

/**
 * Runs the calls of a reply one after another, asking for approval where needed; each result is in the log before the
 * next call starts. A call that fails, or that a rule or the user declines, has a result that says so, and the next one
 * runs. Ends early, with `stop`, only when aborted, when a call needs an approval that nobody can give, or at a call
 * made `STOPPED_AT` times in a row; after that last one the other calls are refused, else they stay without a result.
 * Rejects as the store, `tell`, `approve` and `beforeChange` do, and if it is aborted while a call is prepared.
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

  /** The batch so far, ended by `stop` if there is one. */
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
   * Gives a call its result, and returns why the turn ends, undefined to go on; a call that the turn ends before has no
   * result. The same call in a row is warned of from the third time and refused at the fifth, which ends the turn; a
   * call of an unknown tool is refused.
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

  /** Records a refusal as a call's result and tells the listener. `call` is what it would have done, if known. */
  async refuse(open: OpenCall, text: string, call?: CallFacts): Promise<void> {
    const outcome = failed(text)
    await this.#finish(open, outcome)
    for (const event of notRunEvents(open, outcome, 'refused', call)) await this.#parts.tell(event)
  }

  /**
   * Prepares a call. Undefined if its input is wrong or the tool refuses it, after the refusal was recorded as its
   * result. Rejects when aborted while the tool prepares it, with errors of the store, and as `refuse` does.
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
   * undefined to go on, also after a refusal. It stops, and the call has no result, where nobody can be asked or the
   * question was cancelled. "Always" adds to what is granted.
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
   * Runs an allowed call and records its result, with the rules for its files. Calls `beforeChange` before one that
   * changes files or runs a command. Returns why the turn stops if it was aborted: before the call, which then has no
   * result, or while it ran.
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

  /** Records a call's result and adds it to the batch's. The first one carries the reminder, if there is one. */
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

/** Runs the call; never rejects. Cancellation, and a tool that throws against its contract, become a failed outcome. */
const outcomeOf = async (call: PreparedCall, signal: AbortSignal): Promise<ToolOutcome> => {
  try {
    return await call.run()
  } catch (error) {
    if (signal.aborted) return failed('Stopped by the user while it ran: it may have been done in part.')
    return failed(`It failed: ${messageOf(error)}`)
  }
}

/** A call's input as an object ('' is an empty one), or a sentence for the model that says why it can't be used. */
const inputOf = ({ call: { input } }: OpenCall): JsonObject | string => {
  const value: unknown = typeof input === 'string' ? parseJson(input === '' ? '{}' : input)?.value : input
  if (!isJsonObject(value)) return 'Not run: its arguments are no JSON object. Make the call again.'
  return value
}

/** Whether a call read from the log lost part of its input to redaction. */
export const isIncomplete = ({ call }: OpenCall): boolean => REDACTED.test(JSON.stringify(call.input))

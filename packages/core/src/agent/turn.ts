/**
 * One turn of an agent: prepare, stream, run the calls, record, until the model makes no more calls or something stops
 * it. Each step is in the log before the next one starts, so a turn that is killed anywhere can be continued.
 */
import { CairnError } from '../errors.ts'
import type { ContentBlock } from '../messages.ts'
import type { NanoUsd } from '../money.ts'
import type { Clock } from '../ports/clock.ts'
import { ModelError } from '../ports/language-model.ts'
import type { RequestEvent, SendInput, SentRequest } from '../requests/send-input.ts'
import type { LogEntry } from '../session-log.ts'
import { visibleName } from '../sources/mentions/delimited.ts'
import type { AgentEvent, AgentOutcome, NotRunReason } from './agent.ts'
import type { AgentTool } from './agent-tool.ts'
import type { AgentOptions } from './agent-options.ts'
import { Budget, cancelledBy, type Stop } from './turn-limits.ts'
import { isIncomplete, runCalls, type Batch, type CallRunnerParts } from './call-runner.ts'
import { changedFiles } from './changed-files.ts'
import { createFileRules, type FileRules } from './file-rules.ts'
import { learnQuestion, learnQuestionId, learns, LEARNING_TOOLS } from './learning.ts'
import { failed, notRunEvents } from './not-run.ts'
import { callsOf, endOfLog, interruptedCall, textOfReply, type OpenCall } from './open-calls.ts'
import { createRepeatedCalls } from './repeated-calls.ts'
import { openRecord, type SessionRecord } from './session-record.ts'
import { keepParts, keptParts, readParts, systemPrompt } from './session-prompt.ts'
import { createTaskWatch } from './task-watch.ts'

export interface TurnParts {
  readonly options: AgentOptions
  readonly tools: ReadonlyMap<string, AgentTool>
  readonly granted: Set<string>
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Undefined if the first message starts the session. */
  readonly sessionId: string | undefined
  /** Called once if the turn starts the session, when that is on disk. */
  readonly onSession: (sessionId: string) => void
}

type Lease = Awaited<ReturnType<AgentOptions['engine']['sessions']['lease']>>

/** The user's message. */
export type TurnMessage = string | readonly ContentBlock[]

const CUT = 'Your reply reached its longest length and was cut there. Go on from there, in smaller steps.'
const INTERRUPTED =
  'Interrupted, effect unknown: the program ended while this ran. Look at how things stand before you do it again.'
const OVERTAKEN = 'Not run: the user said something else first.'
const SECRET_LOST = 'Not run: a secret in its arguments was not kept when the program ended. Make the call again.'
/** How often another program may write to the session in between. */
const MOST_CONFLICTS = 5

/**
 * Works on a message or, with undefined, continues where the log ends. The outcome (told to the listener, too) says why
 * it stopped. Rejects if no session could be started, if another run works on it, and for unexpected failures.
 */
export const runTurn = async (parts: TurnParts, message: TurnMessage | undefined): Promise<AgentOutcome> => {
  const turn = new Turn(parts)
  const outcome = await turn.run(message)
  await parts.options.onEvent?.({ type: 'ended', outcome })
  return outcome
}

class Turn {
  readonly #parts: TurnParts
  readonly #budget: Budget
  readonly #task: ReturnType<typeof createTaskWatch>
  readonly #repeated = createRepeatedCalls()
  #sessionId: string | undefined
  #record: SessionRecord | undefined
  /** Absent while there is no session. */
  #fileRules: FileRules | undefined
  /** The session's lease; absent while there is no session. */
  #lease: Lease | undefined
  /** The session's parts of the system prompt. */
  #prompt = ''
  #text = ''
  /** Notices about a session that has not started yet; they follow its event. */
  readonly #untold: string[] = []
  /** Notes that the model was told of changed files, once the message that tells it is in the log. */
  #noteTold: (() => Promise<void>) | undefined
  /** The id of the newest reply's message. */
  #lastReply = ''
  #hasChanged = false
  #hasCheckpoint = false
  /** The session's cost as counted so far. */
  #countedNano: NanoUsd = 0n

  constructor(parts: TurnParts) {
    this.#parts = parts
    this.#sessionId = parts.sessionId
    this.#budget = new Budget(parts.options.limits)
    this.#task = createTaskWatch(this.#budget, parts.tools)
  }

  /** Runs the turn, holding the session's lease. Rejects, with nothing done, if another run works on the session. */
  async run(message: TurnMessage | undefined): Promise<AgentOutcome> {
    if (this.#sessionId !== undefined) this.#lease = await this.#leaseOf(this.#sessionId)
    try {
      return await this.#run(message)
    } finally {
      await this.#lease?.release()
    }
  }

  #leaseOf(sessionId: string): Promise<Lease> {
    return this.#parts.options.engine.sessions.lease(sessionId)
  }

  /**
   * Runs the turn to its end. Once the session exists, an abort becomes the outcome `cancelled`, whatever failed, and a
   * CairnError `failed`. Before that, and for other errors, it rejects.
   */
  async #run(message: TurnMessage | undefined): Promise<AgentOutcome> {
    try {
      const begun = await this.#begin(message)
      const stop = 'stop' in begun ? begun.stop : begun.isDone ? undefined : await this.#work(begun.content)
      if (stop === undefined && !('stop' in begun) && !begun.isDone) await this.#learn()
      return await this.#outcome(stop)
    } catch (error) {
      if (this.#sessionId === undefined) throw error
      if (this.#parts.signal.aborted) return this.#outcome(cancelledBy(this.#parts.signal))
      if (!CairnError.is(error)) throw error
      return this.#outcome({ end: 'failed', reason: error.message }, error)
    }
  }

  /**
   * Brings the session into a state in which its next request can be made: open calls of an interrupted reply get their
   * results; only without a message those that had not started are run. `stop`: the turn ends with these calls;
   * `isDone`: nothing is left to ask; `content`: what the request sends.
   */
  async #begin(
    message: TurnMessage | undefined,
  ): Promise<{ readonly stop: Stop } | { readonly isDone: boolean; readonly content?: readonly ContentBlock[] }> {
    const content = contentOf(message)
    if (this.#sessionId === undefined) {
      this.#prompt = await this.#readPrompt(content)
      return { isDone: false, content }
    }
    const log = await this.#open(this.#sessionId)
    const { calls, isAnswered, isLearning, text } = endOfLog(log)
    this.#text = text
    await this.#tell({ type: 'session', sessionId: this.#sessionId, isResumed: true })
    await this.#takeUpPrompt(this.#sessionId, content)
    if (message === undefined) {
      if (calls.length === 0) return { isDone: isAnswered }
      const stop = await this.#goOn(calls, isLearning ? this.#learningTools() : this.#parts.tools)
      // What was learnt comes after the work, which is done.
      if (isLearning && stop?.end !== 'cancelled') return { isDone: true }
      return stop === undefined ? { isDone: false } : { stop }
    }
    for (const open of calls)
      if (open.wasStarted) await this.#closeInterrupted(open)
      else await this.#refuse(open, OVERTAKEN)
    return { isDone: false, content: [...(await this.#changes(this.#sessionId)), ...content] }
  }

  /** Loads the prompt's parts that the session started with; reads and stores them if none, or of another folder. */
  async #takeUpPrompt(sessionId: string, content: readonly ContentBlock[]): Promise<void> {
    const { engine, workspace, folder = workspace } = this.#parts.options
    const kept = await keptParts(engine, sessionId, folder)
    if (kept?.isElsewhere === false) {
      this.#prompt = kept.text
      return
    }
    if (kept !== undefined)
      await this.#tell({
        type: 'notice',
        text: `The session worked in another folder before; the model is told that it is ${visibleName(folder)} now.`,
      })
    this.#prompt = await this.#readPrompt(content)
    await keepParts(engine, sessionId, this.#prompt)
  }

  /**
   * Gives the calls of an interrupted reply their results; a call that may have run is not run again, nor one whose
   * arguments lost a secret. Returns why the turn stops; undefined to go on.
   */
  async #goOn(calls: readonly OpenCall[], tools: ReadonlyMap<string, AgentTool>): Promise<Stop | undefined> {
    const open: OpenCall[] = []
    for (const call of calls) {
      if (call.wasStarted) await this.#closeInterrupted(call)
      else if (isIncomplete(call)) await this.#refuse(call, SECRET_LOST)
      else open.push(call)
    }
    return open.length === 0 ? undefined : this.#runBatch(open, tools)
  }

  /** Tells the model and observers that the effect of a call is unknown. */
  async #closeInterrupted(open: OpenCall): Promise<void> {
    const what = interruptedCall(open)
    await this.#tell({ type: 'notice', text: `Interrupted, its effect is unknown: ${what}. The model is told so.` })
    await this.#close(open, INTERRUPTED, 'interrupted')
  }

  /** Closes a call that had not started. */
  #refuse(open: OpenCall, text: string): Promise<void> {
    return this.#close(open, text, 'refused')
  }

  /**
   * Writes a failed result, `text`, for a call that an earlier run left open, then reports its start and end with the
   * reason: one `refused` did not run, one `interrupted` may have. Rejects with `sequence-conflict`, nothing reported,
   * where another run has answered it, and with `not-found` where the session is gone.
   */
  async #close(open: OpenCall, text: string, reason: NotRunReason): Promise<void> {
    const outcome = failed(text)
    await this.#record?.finished(open, outcome)
    for (const event of notRunEvents(open, outcome, reason)) await this.#tell(event)
  }

  /**
   * Sends requests and runs the calls of each reply until one has none: undefined then, otherwise why it stopped early.
   * A reply cut at the maximum output is asked for the rest.
   */
  async #work(message: readonly ContentBlock[] | undefined): Promise<Stop | undefined> {
    let content = message
    for (;;) {
      const stop = this.#budget.stop()
      if (stop !== undefined) return stop
      const reply = await this.#request(content)
      content = undefined
      this.#text = textOfReply(reply.content)
      const calls = callsOf({ id: reply.messageId, content: reply.content })
      if (calls.length > 0) {
        const ended = await this.#runBatch(calls)
        if (ended !== undefined) return ended
      } else if (reply.stopReason === 'max-output') {
        const ended = this.#task.mistake()
        if (ended !== undefined) return ended
        await this.#record?.asked(`${reply.messageId}:cut`, CUT)
      } else if (reply.stopReason !== 'pause') return undefined
    }
  }

  /**
   * Runs a reply's calls in order. Returns why the turn stops, undefined to go on; rejects with `not-found` before the
   * session is open.
   */
  async #runBatch(calls: readonly OpenCall[], tools = this.#parts.tools): Promise<Stop | undefined> {
    const [record, fileRules] = [this.#record, this.#fileRules]
    if (record === undefined || fileRules === undefined)
      throw new CairnError('not-found', 'The session of these calls is not in the store.')
    const runner = { ...this.#runnerParts(record, tools), fileRules }
    const batch = await runCalls(calls, runner, this.#task.setting())
    this.#hasChanged ||= batch.hasChanged
    return this.#afterBatch(calls, batch)
  }

  /** Counts the batch for limits. Returns why the turn stops: what ended the batch, else too many mistakes in a row. */
  #afterBatch(calls: readonly OpenCall[], batch: Batch): Stop | undefined {
    const stop = this.#task.afterCalls(calls, batch)
    return batch.stop ?? stop
  }

  /** What the calls of a turn run with; without a mode they may act. */
  #runnerParts(record: SessionRecord, tools: ReadonlyMap<string, AgentTool>): Omit<CallRunnerParts, 'fileRules'> {
    const { options, granted, clock, signal } = this.#parts
    return {
      tools,
      record,
      clock,
      mode: options.mode ?? 'act',
      approvals: options.approvals ?? {},
      granted,
      approve: options.approve,
      repeated: this.#repeated,
      signal,
      tell: (event) => this.#tell(event),
      beforeChange: () => this.#checkpoint(record),
    }
  }

  /**
   * Makes the turn's checkpoint, once, if one is wanted; rejects if that fails, or only tells so (`where-possible`).
   */
  async #checkpoint(record: SessionRecord): Promise<void> {
    const { options, signal } = this.#parts
    const { engine, workspace, folder = workspace, checkpoints = false } = options
    if (checkpoints === false || this.#hasCheckpoint) return
    const { sessionId } = record
    try {
      const input = { root: folder, sessionId, label: 'before the agent', onlyIfChanged: true }
      const { checkpoint, isNew } = await engine.checkpoints.create(input)
      // One that was there already is of another turn, or of nobody: the log says that it is of this one, too.
      if (!isNew) await record.kept(checkpoint.id)
      await this.#tell({ type: 'checkpoint', checkpointId: checkpoint.id, root: checkpoint.root })
    } catch (error) {
      if (checkpoints === true || signal.aborted || !CairnError.is(error)) throw error
      await this.#tell({
        type: 'notice',
        text: `The files are not kept, so what this turn changes can’t be taken back: ${error.message}`,
      })
    }
    this.#hasCheckpoint = true
  }

  /**
   * Sends one request; the message, if any, is stored with it. Sends it again, at most `MOST_CONFLICTS` times in all,
   * where another program wrote to the session in between; a message that is stored then is not sent twice. The first
   * one begins the session. Counts its cost. Other failures reject, their cost counted.
   */
  async #request(content: readonly ContentBlock[] | undefined): Promise<SentRequest> {
    const seen = { isStored: false, hasRetried: false }
    /** Passes the request's events on; when it is stored, a new session is taken up and changed files count as told. */
    const onEvent = async (event: RequestEvent): Promise<void> => {
      if (event.type === 'stored') {
        seen.isStored = true
        if (event.decisions.length > 0) this.#fileRules?.contextChanged()
        if (this.#sessionId === undefined) await this.#started(event.sessionId)
        await this.#noteTold?.()
        this.#noteTold = undefined
      }
      if (event.type === 'retry') seen.hasRetried = true
      await this.#tell({ type: 'request', event })
    }
    for (let tries = 1; ; tries += 1) {
      try {
        const message = seen.isStored ? undefined : content
        const reply = await this.#parts.options.engine.requests.send({
          ...this.#settings(),
          ...(message === undefined || message.length === 0 ? {} : { message }),
          onEvent,
        })
        this.#budget.spend(reply, seen.hasRetried ? await this.#lostCost(reply.costNano ?? 0n) : 0n)
        this.#countedNano += reply.costNano ?? 0n
        await this.#tell({ type: 'reply', reply, costNano: this.#budget.costNano })
        this.#task.replied(reply)
        this.#lastReply = reply.messageId
        return reply
      } catch (error) {
        if (ModelError.is(error) && this.#sessionId !== undefined) this.#budget.lose(await this.#lostCost(0n))
        if (!this.#mayTryAgain(error) || tries === MOST_CONFLICTS) throw error
      }
    }
  }

  /** Whether another program merely wrote in between. Without the session's lease, another run owns it. */
  #mayTryAgain(error: unknown): boolean {
    const isOwn = this.#sessionId === undefined || this.#lease !== undefined
    return isOwn && CairnError.is(error) && error.code === 'sequence-conflict'
  }

  /** The input of the next request, without its message: the session, or what a new one starts with. */
  #settings(): SendInput {
    const { options, signal } = this.#parts
    const { languageModel, model, workspace, title, branch, mode = 'act', tools } = options
    const { policy, preset, window, maxOutputTokens, effort } = options
    const session = this.#sessionId ?? {
      workspace,
      ...(title === undefined ? {} : { title }),
      ...(branch === undefined ? {} : { branch }),
    }
    return {
      languageModel,
      model,
      session,
      mode,
      signal,
      system: systemPrompt(this.#prompt, options),
      tools: tools.map(({ definition }) => definition),
      ...(policy === undefined ? {} : { policy }),
      ...(preset === undefined ? {} : { preset }),
      ...(window === undefined ? {} : { window }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      ...(effort === undefined ? {} : { effort }),
    }
  }

  /**
   * The cost of failed attempts beside a reply of this cost, from the store; counted, so that no later call tells it.
   */
  async #lostCost(replyNano: NanoUsd): Promise<NanoUsd> {
    const total = await this.#storedCost()
    const lost = total - this.#countedNano - replyNano
    this.#countedNano += lost
    return lost
  }

  /** What the session's requests cost so far, in nano-USD; those without a price count as 0. */
  async #storedCost(): Promise<NanoUsd> {
    const { store } = this.#parts.options.engine
    const requests = await store.usage.requests(this.#sessionId ?? '')
    return requests.reduce((sum, { costNano }) => sum + (costNano ?? 0n), 0n)
  }

  /** Takes up a new session once its first request is on disk: its lease, prompt, record, event and the notices. */
  async #started(sessionId: string): Promise<void> {
    this.#sessionId = sessionId
    this.#lease = await this.#leaseOf(sessionId)
    await keepParts(this.#parts.options.engine, sessionId, this.#prompt)
    await this.#bind(sessionId)
    this.#parts.onSession(sessionId)
    await this.#tell({ type: 'session', sessionId, isResumed: false })
    for (const text of this.#untold) await this.#tell({ type: 'notice', text })
  }

  /** Continues a session: reads its log, past cost and task, and returns the log. */
  async #open(sessionId: string): Promise<readonly LogEntry[]> {
    const { engine } = this.#parts.options
    const log = await engine.sessions.log(sessionId)
    await this.#bind(sessionId)
    this.#countedNano = await this.#storedCost()
    this.#task.read(log)
    return log
  }

  /** Opens the record of the session and the rules for its files. */
  async #bind(sessionId: string): Promise<void> {
    const { options, clock } = this.#parts
    this.#record = await openRecord(options.engine, sessionId, clock)
    this.#fileRules = createFileRules(options, sessionId, clock)
  }

  /** The project's part of the system prompt for a first message. Notices wait until the session has an id. */
  #readPrompt(content: readonly ContentBlock[]): Promise<string> {
    const { options, clock, signal } = this.#parts
    const notice = async (text: string): Promise<void> => {
      if (this.#sessionId === undefined) this.#untold.push(text)
      else await this.#tell({ type: 'notice', text })
    }
    return readParts(options, textOfReply(content), clock, { signal, notice })
  }

  /** A block on files that others changed, told once logged, with a notice; none if `folder` is not the workspace. */
  async #changes(sessionId: string): Promise<readonly ContentBlock[]> {
    const { engine, workspace, folder = workspace } = this.#parts.options
    // What sessions know of files is below the workspace: of another folder nothing can be compared.
    if (folder !== workspace) return []
    const changes = await changedFiles(engine, sessionId)
    if (changes === undefined) return []
    await this.#tell({ type: 'notice', text: changes.notice })
    this.#noteTold = changes.told
    return [{ type: 'text', text: changes.text }]
  }

  /**
   * Asks the model once what later sessions should know, and runs its calls of `memory` and `note`; the outcome stays.
   * Nothing if the turn is at a limit, aborted or learns nothing. Cairn's errors are told as a notice.
   */
  async #learn(): Promise<void> {
    const { options, tools, signal } = this.#parts
    const facts = { hasChanged: this.#hasChanged, turns: this.#budget.turns }
    if (this.#budget.stop() !== undefined || signal.aborted || !learns(options, tools, facts)) return
    const text = this.#text
    try {
      await this.#record?.asked(learnQuestionId(this.#lastReply), learnQuestion())
      const reply = await this.#request(undefined)
      const calls = callsOf({ id: reply.messageId, content: reply.content })
      await this.#runBatch(calls, this.#learningTools())
    } catch (error) {
      if (!CairnError.is(error)) throw error
      if (!isAborted(signal))
        await this.#tell({ type: 'notice', text: `What was learnt was not kept: ${error.message}` })
    } finally {
      this.#text = text
    }
  }

  #learningTools(): ReadonlyMap<string, AgentTool> {
    return new Map([...this.#parts.tools].filter(([name]) => LEARNING_TOOLS.has(name)))
  }

  /**
   * The turn's outcome, after noting what the files now hold; `done` without a stop. Throws `cancelled` if no session
   * was begun. A failure to note the files is passed over. `error`: what stopped it.
   */
  async #outcome(stop: Stop | undefined, error?: CairnError): Promise<AgentOutcome> {
    const sessionId = this.#sessionId
    if (sessionId === undefined)
      throw new CairnError('cancelled', 'Stopped before the session began; nothing was sent.')
    // What the files hold now is what the next turn compares them with.
    await this.#parts.options.engine.files.observe(sessionId).catch((failure: unknown) => {
      if (!CairnError.is(failure)) throw failure
    })
    return {
      end: stop?.end ?? 'done',
      ...(stop === undefined ? {} : { reason: stop.reason }),
      sessionId,
      text: this.#text,
      turns: this.#budget.turns,
      costNano: this.#budget.costNano,
      ...(error === undefined ? {} : { error }),
    }
  }

  async #tell(event: AgentEvent): Promise<void> {
    await this.#parts.options.onEvent?.(event)
  }
}

/** Reads the signal again, because it may have been aborted since. */
const isAborted = ({ aborted }: AbortSignal): boolean => aborted

/** The blocks of a message, a text as one block; empty without a message. */
const contentOf = (message: TurnMessage | undefined): readonly ContentBlock[] => {
  if (message === undefined) return []
  return typeof message === 'string' ? [{ type: 'text', text: message }] : message
}

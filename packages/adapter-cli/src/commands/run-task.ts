/** Runs one turn of an agent for `cairn run`. */
import { CairnError, withoutPassword } from '@cairn/core'
import type { AgentEnd, AgentEvent, AgentOutcome } from '@cairn/core/agent'
import type { AgentCommandOptions } from '../agent/agent-options.ts'
import { approverOn, askInTurn } from '../agent/ask-approval.ts'
import { eventJson } from '../agent/event-json.ts'
import { openAgent, type AgentCallers } from '../agent/open-agent.ts'
import { createRunView, type RunView } from '../agent/run-view.ts'
import type { Context } from '../command.ts'
import { storeOption } from '../options/called-as.ts'
import { assertCheckpointsEnabled } from '../options/checkpoints-enabled.ts'
import { definedValues } from '../options/defined-values.ts'
import { givenText } from '../options/standard-input.ts'
import { shellCommand, shellOption } from '../output/shell-word.ts'
import { cancelOnSignal, type Cancel } from '../runtime/cancel-on-signal.ts'
import { exitCodeOf, type ExitCode } from '../runtime/failure.ts'
import { startLiveExport, type LiveExportOptions } from '../telemetry/live-export.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'

/** The options of `cairn run`. */
export type RunOptions = AgentCommandOptions & LiveExportOptions

/** Characters of a task that name its session. */
const LONGEST_TITLE = 80

/**
 * Lets the agent work on the task, or continue a session, and shows its progress. The exit code says how it ended.
 * Rejects if it could not start: with `usage` without a task, and as `openAgent` does. A signal cancels it: what was
 * done stays.
 */
export const runTask = async (given: string | undefined, options: RunOptions, context: Context): Promise<void> => {
  const task = given === undefined ? undefined : await givenText(given, 'say there what is to be done')
  if (task?.trim() === '' || (task === undefined && options.resume === undefined))
    throw new CairnError('usage', 'What is to be done? Give the task, or a session to go on with: cairn run --resume.')
  if (options.checkpoint === true) await assertCheckpointsEnabled(options, context)
  const sending = await startLiveExport(options, context, 'cairn run')
  const cancel = cancelOnSignal()
  try {
    const shown = await showing(options, context, cancel)
    const { agent, engine, model } = await openAgent(options, context, {
      ...shown.callers,
      ...definedValues({ title: task === undefined ? undefined : titleOf(task) }),
    })
    shown.named(model)
    const turn = { signal: cancel.signal }
    const outcome = await (task === undefined ? agent.resume(turn) : agent.run(task, turn))
    context.setExitCode(exitCodeFor(outcome, context.terminal))
    if (options.json === true && outcome.reason !== undefined) context.terminal.note(neutraliseLine(outcome.reason))
    // An incognito session is gone with the process.
    if (outcome.end !== 'done' && !engine.privacy.incognito)
      context.terminal.note(resumeHint(outcome, options, context))
  } finally {
    cancel.end()
    await sending?.end()
  }
}

/**
 * Returns what shows the agent's progress: lines of JSON with `--json`, otherwise text with questions. If the output
 * can't be written, the run is cancelled. Without a terminal to ask at there are no questions.
 */
const showing = async (
  { json }: AgentCommandOptions,
  context: Context,
  cancel: Cancel,
): Promise<{ readonly callers: AgentCallers; readonly named: RunView['named'] }> => {
  const { terminal } = context
  // A reader that has gone ends the work: nobody would see what it does.
  /** Makes a listener that takes an event, and cancels the run once the output can't be written any more. */
  const watched = (take: (event: AgentEvent) => Promise<void>) => async (event: AgentEvent) => {
    await take(event)
    const failure = terminal.outputFailure
    if (failure !== undefined) cancel.now(unwritten(failure))
  }
  if (json === true)
    return {
      callers: { onEvent: watched((event) => terminal.line(JSON.stringify(eventJson(event)))) },
      named: () => undefined,
    }
  const view: RunView = createRunView(terminal, { now: () => context.now() })
  return {
    named: (model) => view.named(model),
    callers: {
      onEvent: watched((event) => view.take(event)),
      ...definedValues({ approve: approverOn(terminal, view, cancel), askUser: askerOn(context, view, cancel) }),
    },
  }
}

/**
 * Returns why a run ends whose output can't be written. It is not an error for a reader that has gone: the code is
 * `cancelled`.
 */
const unwritten = ({ code, message }: NodeJS.ErrnoException): CairnError =>
  new CairnError(
    'cancelled',
    code === 'EPIPE'
      ? 'Stopped, as nobody reads its output any more; what was done stays.'
      : `Stopped, as its output can't be written (${message}); what was done stays.`,
  )

/**
 * Returns the function that asks the user a question of the model; undefined if there is no terminal to ask on. The
 * number of a choice answers with its text; anything else is the answer as typed.
 */
const askerOn = ({ terminal }: Context, view: RunView, cancel: Cancel): AgentCallers['askUser'] => {
  if (!terminal.canAsk) return undefined
  return async (question, choices) => {
    view.pause()
    terminal.note(neutraliseLine(question))
    for (const [index, choice] of choices.entries()) terminal.note(`  ${index + 1}. ${neutraliseLine(choice)}`)
    const answer = await askInTurn(terminal, '> ', cancel)
    return choices[Number(answer) - 1] ?? answer
  }
}

/** Returns a task's first line, cut to {@link LONGEST_TITLE} characters. */
const titleOf = (task: string): string => {
  const line = neutraliseLine(task.trim().split('\n')[0] ?? '')
  return line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE - 1).toWellFormed()}…` : line
}

const STOPPED: ReadonlySet<AgentEnd> = new Set([
  'max-turns',
  'max-cost',
  'max-tokens',
  'approval',
  'mistakes',
  'repeated-call',
])

/**
 * Returns the exit code of a run: 0 if it is done, 130 if it was cancelled (1 if the output could not be written,
 * except where its reader has gone), 3 if a limit or a denied approval stopped it, otherwise that of its error, or 1.
 */
const exitCodeFor = (
  { end, error }: AgentOutcome,
  { outputFailure }: Pick<Context['terminal'], 'outputFailure'>,
): ExitCode => {
  if (end === 'done') return 0
  if (end === 'cancelled') return outputFailure === undefined || outputFailure.code === 'EPIPE' ? 130 : 1
  if (STOPPED.has(end)) return 3
  return error === undefined ? 1 : exitCodeOf(error)
}

/**
 * Returns how to continue: the command with the options that the session does not store, such as the provider and the
 * store.
 */
const resumeHint = (
  { sessionId }: AgentOutcome,
  options: AgentCommandOptions,
  { surroundings }: Pick<Context, 'surroundings'>,
): string => {
  const { provider, baseUrl } = options
  const given = [
    provider === undefined ? '' : shellOption('--provider', provider),
    baseUrl === undefined ? '' : shellOption('--base-url', withoutPassword(baseUrl)),
    storeOption(options, surroundings),
  ]
  return `It goes on with: ${shellCommand('cairn run --resume', neutraliseLine(sessionId), given.join(''))}`
}

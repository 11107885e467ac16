/** Runs the policies over a session, with progress, and the trace where one is asked for. */
import { setImmediate } from 'node:timers/promises'
import {
  RECORDED,
  createTraceLines,
  defaultReplayPolicies,
  replayPolicy,
  replayRequests,
  replayedPolicy,
} from '@cairn/core'
import type { Needs, PolicyReplay, ReplaySettings, ReplayedPolicy, Trajectory } from '@cairn/core'
import { createHasher } from '@cairn/core/node'
import type { Context } from '../command.ts'
import { Interrupted } from '../runtime/failure.ts'
import { formatWhole } from '../terminal/format.ts'
import { writeTrace } from './replay-trace.ts'
import type { ReplayOptions } from './replay-options.ts'

/** What a replay found. */
export interface ReplayOutcome {
  /** In the order in which they were asked for. */
  readonly policies: readonly PolicyReplay[]
  /** Every message sent, whatever the window: costs are relative to this. No agent need have sent that. */
  readonly none: PolicyReplay
  /** What the recorded agent sent, simulated in the same way: savings are relative to this. */
  readonly recorded: PolicyReplay
}

/** What is replayed, and how. */
interface ReplayRun {
  readonly trajectory: Trajectory
  readonly needs: Needs
  readonly settings: ReplaySettings
  readonly options: ReplayOptions
  readonly context: Context
}

const PROGRESS_AFTER_MS = 1000
/** Time between two looks at signals, in which the progress line is drawn as well. */
const PAUSE_MS = 100

/** Returns the policies to replay, in order. */
const chosen = ({ options: { policy, preset }, trajectory }: ReplayRun): readonly ReplayedPolicy[] =>
  (policy ?? defaultReplayPolicies(trajectory)).map((name) => replayedPolicy(name, trajectory, preset))

/**
 * Replays the session under each policy, in their order, and writes the trace where one is asked for. Append only and
 * what the agent did come with them, also where they were not chosen. Rejects when the trace can't be written, or on
 * Ctrl-C, and the trace is then not there.
 */
export const runPolicies = async (run: ReplayRun): Promise<ReplayOutcome> => {
  const { options, context, trajectory } = run
  const policies = chosen(run)
  const results: PolicyReplay[] = []
  const pause = createPause(context, { policies: policies.length, requests: trajectory.turns.length })
  const lineOf = options.trace === undefined ? undefined : createTraceLines(trajectory, createHasher())

  const one = async function* ({ policy, trajectory: given }: ReplayedPolicy): AsyncGenerator<string, PolicyReplay> {
    pause.begin()
    const requests = replayRequests(policy, given, run.needs, run.settings)
    for (let step = requests.next(); ; step = requests.next()) {
      if (step.done === true) return step.value
      await pause.after(policy.name)
      if (lineOf !== undefined) yield lineOf(policy.name, step.value)
    }
  }
  const all = async function* (): AsyncGenerator<string> {
    for (const policy of policies) results.push(yield* one(policy))
  }
  const drain = async (lines: AsyncGenerator<string, unknown>): Promise<unknown> => {
    for (let step = await lines.next(); ; step = await lines.next()) if (step.done === true) return step.value
  }

  try {
    if (options.trace === undefined) await drain(all())
    else await writeTrace(options.trace, all(), context)
    const found = (name: string): PolicyReplay => results.find(({ policy }) => policy === name) ?? replayOf(run, name)
    const none = found('none')
    // An agent that never changed its context sent every message.
    const recorded = trajectory.recordedChanges === 0 ? { ...none, policy: RECORDED } : found(RECORDED)
    return { policies: results, none, recorded }
  } catch (error) {
    // The writer of the trace has already made this a sentence of its own.
    throw pause.isStopped ? new Interrupted('Stopped; nothing was written.') : error
  } finally {
    pause.end()
  }
}

/** Replays the session under one policy. @throws CairnError for an unknown policy */
const replayOf = ({ trajectory, needs, settings }: ReplayRun, name: string): PolicyReplay => {
  const { policy, trajectory: given } = replayedPolicy(name, trajectory)
  return replayPolicy(policy, given, needs, settings)
}

/**
 * Returns a pause to await between requests: from time to time it lets signals arrive and draws the progress line. It
 * throws after a signal to stop; `isStopped` tells that it was one. Draws from a second or so on, and only on a
 * terminal; `end` clears the line and lets go of the signals.
 */
const createPause = ({ terminal, now }: Context, total: { readonly policies: number; readonly requests: number }) => {
  const startedAt = now()
  let pausedAt = startedAt
  let policyNumber = 0
  /** Requests of this policy. */
  let done = 0
  let isDrawn = false
  let isStopped = false
  const stop = (): void => {
    isStopped = true
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  const clear = (): void => {
    if (isDrawn) terminal.progress('\r\u001b[K')
    isDrawn = false
  }
  return {
    /** The next policy begins. */
    begin: (): void => {
      policyNumber += 1
      done = 0
    },
    after: async (policy: string): Promise<void> => {
      done += 1
      if (now() - pausedAt < PAUSE_MS) return
      pausedAt = now()
      if (terminal.isErrorTerminal && pausedAt - startedAt >= PROGRESS_AFTER_MS) {
        const position = total.policies === 1 ? '' : ` (${policyNumber} of ${total.policies} policies)`
        terminal.progress(
          `\r\u001b[KReplaying ${policy}${position}: request ${formatWhole(done)} of ${formatWhole(total.requests)}`,
        )
        isDrawn = true
      }
      await setImmediate()
      if (isStopped) throw new Error('stopped')
    },
    get isStopped() {
      return isStopped
    },
    end: (): void => {
      clear()
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
    },
  }
}

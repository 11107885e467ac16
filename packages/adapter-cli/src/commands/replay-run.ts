/** Runs the policies over a session, with progress, and the trace where one is asked for. */
import { setImmediate } from 'node:timers/promises'
import { POLICY_NAMES, createTraceLines, policyOf, replayPolicy, replayRequests } from '@cairn/core'
import type { Needs, Policy, PolicyReplay, ReplaySettings, Trajectory } from '@cairn/core'
import { createHasher } from '@cairn/core/node'
import type { Context } from '../command.ts'
import { Interrupted } from '../failure.ts'
import { formatWhole } from '../terminal/format.ts'
import { writeTrace } from './replay-trace.ts'
import type { ReplayOptions } from './replay-options.ts'

export interface ReplayOutcome {
  /** In the order in which they were asked for. */
  readonly policies: readonly PolicyReplay[]
  /** What the others are compared with. */
  readonly none: PolicyReplay
}

interface ReplayRun {
  readonly trajectory: Trajectory
  readonly needs: Needs
  readonly settings: ReplaySettings
  readonly options: ReplayOptions
  readonly context: Context
}

const PROGRESS_AFTER_MS = 1000
/** How often the line is drawn, and signals are listened to. */
const PAUSE_MS = 100

const chosen = ({ policy, preset }: ReplayOptions): readonly Policy[] =>
  (policy ?? POLICY_NAMES).map((name) => policyOf(name, preset))

/** Replays the session under each policy. Rejects when the trace can't be written, or on Ctrl-C. */
export const runPolicies = async (run: ReplayRun): Promise<ReplayOutcome> => {
  const { options, context, trajectory } = run
  const policies = chosen(options)
  const results: PolicyReplay[] = []
  const pause = createPause(context, policies.length * trajectory.turns.length)
  const lineOf = options.trace === undefined ? undefined : createTraceLines(trajectory, createHasher())

  const one = async function* (policy: Policy): AsyncGenerator<string, PolicyReplay> {
    const requests = replayRequests(policy, trajectory, run.needs, run.settings)
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
    const none = results.find(({ policy }) => policy === 'none') ?? noneOf(run)
    return { policies: results, none }
  } catch (error) {
    // Who writes the trace has made a sentence of its own of it.
    throw pause.isStopped ? new Interrupted('Stopped; nothing was written.') : error
  } finally {
    pause.end()
  }
}

const noneOf = ({ trajectory, needs, settings }: ReplayRun): PolicyReplay =>
  replayPolicy(policyOf('none'), trajectory, needs, settings)

/** Lets the process breathe now and then: signals are heard, and whoever watches sees how far it is. */
const createPause = ({ terminal, now }: Context, total: number) => {
  const startedAt = now()
  let pausedAt = startedAt
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
    after: async (policy: string): Promise<void> => {
      done += 1
      if (now() - pausedAt < PAUSE_MS) return
      pausedAt = now()
      if (terminal.isErrorTerminal && pausedAt - startedAt >= PROGRESS_AFTER_MS) {
        terminal.progress(`\r\u001b[KReplaying ${policy}: request ${formatWhole(done)} of ${formatWhole(total)}`)
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

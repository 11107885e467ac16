/** Records when an agent's commands ran, so that a file written by such a command is not attributed to a person. */
import { shellCommandOf } from '../file-activity/file-tools.ts'
import { createPendingCalls } from '../pending-calls.ts'
import type { LogEntry, MessageEntry } from '../session-log.ts'

/** A command run by the agent, from its call to its result. */
export interface CommandRun {
  readonly command: string
  /** ms */
  readonly startedAt: number
  /** ms; Infinity while the log has neither a result nor a later entry. */
  readonly endedAt: number
}

/** Collects commands entry by entry. */
export interface CommandRuns {
  /** Takes the log's next entry. */
  step(entry: LogEntry): void
  /** The newest runs, oldest first. Commands without times are left out. */
  runs(): readonly CommandRun[]
}

/** Maximum number of runs kept; files were compared in between for older ones. */
const MOST_RUNS = 500

type Open = { -readonly [Name in keyof CommandRun]: CommandRun[Name] }

/**
 * Creates an empty collection. Feed it the log from the beginning. `runs` are the last `MOST_RUNS`, in order; one
 * without an end yet has `endedAt` Infinity.
 */
export const createCommandRuns = (): CommandRuns => {
  let runs: Open[] = []
  /** Calls without a result; those that run no command too, as one with the same id may follow. */
  const calls = createPendingCalls<Open | undefined>()
  const open = new Set<Open>()

  const end = (run: Open | undefined, at: number): void => {
    if (run !== undefined && open.delete(run)) run.endedAt = Math.max(run.startedAt, at)
  }
  /**
   * Begins the runs of a message's calls of a shell, and ends those whose results it holds; at the user's next message
   * all others end. Nothing without a time.
   */
  const stepMessage = ({ content, role, at, subagent }: MessageEntry): void => {
    if (at === null) return
    calls.begin(role)
    for (const part of content) if (part.type === 'tool_result') end(calls.answer(part.callId), at)
    // The conversation went on: what has no result by now gets none.
    if (role === 'user' && subagent === undefined && content.every(({ type }) => type !== 'tool_result'))
      for (const run of [...open]) end(run, at)
    for (const part of content) {
      if (part.type !== 'tool_call') continue
      const command = shellCommandOf(part)
      const run = command === undefined || command === '' ? undefined : { command, startedAt: at, endedAt: Infinity }
      calls.add(part.id, run)
      if (run === undefined) continue
      open.add(run)
      runs.push(run)
    }
    if (runs.length >= MOST_RUNS * 2) runs = runs.slice(-MOST_RUNS)
  }
  return {
    step: (entry) => {
      if (entry.kind === 'message') stepMessage(entry)
    },
    runs: () => runs.slice(-MOST_RUNS),
  }
}

/** Tolerance, ms, for a lagging file system clock and for log times that lag behind the action. */
const CLOCK_STEP_MS = 20
const AFTERMATH_MS = 300

/**
 * What the agent's commands say about a file written at a time (ms): `named` if a command that ran then contains the
 * file or one of its folders as a word; `running` if one ran that does not; null if none ran.
 */
export const commandAt = (runs: readonly CommandRun[], path: string, time: number): 'named' | 'running' | null => {
  const then = runs.filter(
    ({ startedAt, endedAt }) => time >= startedAt - CLOCK_STEP_MS && time <= endedAt + AFTERMATH_MS,
  )
  if (then.length === 0) return null
  return then.some(({ command }) => isNamed(command, path)) ? 'named' : 'running'
}

const WORD = /"([^"]*)"|'([^']*)'|([^\s"';|&<>()]+)/g
/** Only the beginning of a longer command is examined: a script in a here-document may name anything. */
const MOST_CHARACTERS = 20_000

/**
 * Whether a word of a command is the file or, if the word contains a slash, a parent folder: a bare `test` is more
 * likely a command than a folder. Only the first `MOST_CHARACTERS` count.
 */
const isNamed = (command: string, path: string): boolean => {
  const file = `/${path.replace(/^\/+/, '')}`
  for (const [, double, single, bare] of command.slice(0, MOST_CHARACTERS).matchAll(WORD)) {
    const given = (double ?? single ?? bare ?? '').replace(/^(?:\.\/)+/, '')
    const word = given.replace(/\/+$/, '')
    if (word === '' || /^\.{1,2}$/.test(word)) continue
    const suffix = word.startsWith('/') ? word : `/${word}`
    if (file.endsWith(suffix) || suffix.endsWith(file)) return true
    if (given.includes('/') && `${file}/`.includes(`${suffix}/`)) return true
  }
  return false
}

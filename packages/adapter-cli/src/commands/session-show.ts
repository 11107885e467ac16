/** `cairn session show`: a session, or a message of it, to read on a terminal. */
import {
  afterTaskEntry,
  createLiveEntries,
  initialTaskState,
  parseTime,
  readyTodos,
  taskEffects,
  taskState,
  todoList,
} from '@cairn/core'
import type { Engine, LiveEntries, LogEntry, SessionSummary, TaskState } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { sessionJson } from '../output/json-output.ts'
import { eachEntry, withFollowing } from '../session-output/entries.ts'
import { sessionUntil } from '../session-output/facts.ts'
import { headerLines } from '../session-output/header.ts'
import { historyItemOf } from '../session-output/history-item.ts'
import { taskLines } from '../session-output/task-lines.ts'
import { createTerminalTranscript } from '../session-output/terminal-transcript.ts'
import { formatTime } from '../terminal/format.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { compactionSizes } from './session-compactions.ts'
import { aroundMessage } from './session-message.ts'
import type { MessagePart } from './session-message.ts'
import { sessionNamed } from './session-named.ts'

/** The options of `session show`. */
export interface ShowOptions extends CommonOptions {
  readonly full?: boolean
  readonly at?: string
  readonly message?: string
  readonly around: number
  readonly notes?: boolean
  readonly outline?: boolean
}

/** What one call of `session show` reads. */
interface ShownSession {
  readonly session: SessionSummary
  /** Which entries no rewind took back. */
  readonly live: LiveEntries
  /** All entries (up to `at`); undefined where they are read page by page while they are printed. */
  readonly log: readonly LogEntry[] | undefined
  /** The part around `--message`. */
  readonly part: MessagePart | undefined
  /** Time in ms; undefined: as the session is now. */
  readonly at: number | undefined
}

/**
 * Shows a session, or the part of it around a message, as it was at a time where one is given: `{session, historyItem,
 * entries, takenBack, compactions, task}` as JSON, with `message` (its number) where one is asked for. With `--outline`
 * or `--notes` shows these instead. Rejects with `not-found` or `ambiguous`.
 */
export const runShow = async (named: string | undefined, options: ShowOptions, context: Context): Promise<void> => {
  if (options.outline === true) return (await import('./session-outline.ts')).runOutline(named, options, context)
  const { timezone } = await context.settings(options)
  const at = options.at === undefined ? undefined : parseTime(options.at, timezone.value, 'until', context.now())
  if (options.notes === true) return (await import('./session-notes.ts')).runNotes(named, at, options, context)
  const engine = await context.readEngine(options)
  const session = await sessionNamed(named, engine, options, context)
  const shown = await readSession(session, at, options, engine)
  if (options.json === true) return context.json(await showJson(shown, engine))
  await printSession(shown, options, engine, context)
}

/**
 * Reads the session with its rewinds, as it was at `at` (ms; undefined: now), and the part around `--message`. The
 * whole log is read only for one of these or `--json`, and is undefined otherwise.
 */
const readSession = async (
  session: SessionSummary,
  at: number | undefined,
  options: ShowOptions,
  engine: Engine,
): Promise<ShownSession> => {
  const live = createLiveEntries()
  const rewinds = await engine.store.sessions.read(session.id, { kinds: ['rewind'] })
  for (const rewind of rewinds) if (at === undefined || rewind.at === null || rewind.at <= at) live.step(rewind)
  if (at === undefined && options.message === undefined && options.json !== true)
    return { session, live, log: undefined, part: undefined, at }
  const log = await engine.sessions.log(session.id, at)
  return {
    session: at === undefined ? session : await sessionAt(at, log, session, engine),
    live,
    log,
    part: options.message === undefined ? undefined : aroundMessage(options.message, options.around, log, session.id),
    at,
  }
}

/**
 * Returns the end (exclusive) of the period whose usage is counted, so that entries at `at` itself count; undefined for
 * all of it.
 */
const usageUntil = (at: number | undefined): number | undefined => (at === undefined ? undefined : at + 1)

/**
 * Returns the document of `--json`: the session, the entries that were asked for, what was taken back, compactions and
 * the task.
 */
const showJson = async (
  { session, live, log = [], part, at }: ShownSession,
  engine: Engine,
): Promise<Record<string, unknown>> => ({
  session: sessionJson(session),
  historyItem: await historyItemOf(session, log, engine, usageUntil(at)),
  ...(part === undefined ? {} : { message: part.message.seq }),
  entries: part?.entries ?? log,
  takenBack: live.takenBack(),
  compactions: await compactionSizes(session.id, at, engine),
  task: taskJson(log),
})

/** Prints the facts of a session, its entries, and the open tasks; with `--message` no tasks. */
const printSession = async (
  shown: ShownSession,
  options: ShowOptions,
  engine: Engine,
  { terminal }: Context,
): Promise<void> => {
  const { session, part, at } = shown
  for (const line of await headerLines(session, engine, terminal, usageUntil(at))) await terminal.line(line)
  if (at !== undefined) await terminal.line(terminal.style('dim', `As it was at ${formatTime(at)}.`))
  const task = await printEntries(shown, options.full === true, engine, terminal)
  if (part === undefined) for (const line of taskLines(task, terminal.width)) await terminal.line(line)
}

/**
 * Prints the entries one by one, the message asked for always in full; returns the state of tasks after the last one.
 * Ends early if nobody reads the output.
 */
const printEntries = async (
  { session, live, log, part, at }: ShownSession,
  isFull: boolean,
  engine: Engine,
  terminal: Terminal,
): Promise<TaskState> => {
  const isTakenBack = (seq: number): boolean => !live.has(seq)
  const sizes = await compactionSizes(session.id, at, engine)
  const left = new Map(sizes.flatMap(({ seq, tokensAfter }) => (tokensAfter === null ? [] : [[seq, tokensAfter]])))
  const transcript = createTerminalTranscript(terminal, isFull, isTakenBack, left)
  const whole = createTerminalTranscript(terminal, true, isTakenBack, left)
  let task = initialTaskState()
  for await (const { entry, following } of withFollowing(part?.entries ?? log ?? eachEntry(session.id, engine))) {
    // Whoever read the output has seen enough: `cairn session show … | head`.
    if (terminal.outputFailure !== undefined) break
    if (entry.kind !== 'rewind' && live.has(entry.seq)) task = afterTaskEntry(task, entry)
    const isMeant = entry === part?.message
    if (isMeant) await terminal.line(terminal.style('bold', `── message #${entry.seq} ──`))
    for (const line of (isMeant ? whole : transcript).lines(entry, following)) await terminal.line(line)
    if (isMeant) await terminal.line(terminal.style('bold', `── end of message #${entry.seq} ──`))
  }
  return task
}

/** Returns the state of tasks for `--json`: todos, those that are ready, and what is due. */
const taskJson = (log: readonly LogEntry[]): Record<string, unknown> => {
  const state = taskState(log)
  return { ...state, ready: readyTodos(todoList(log)), due: taskEffects(state) }
}

/** Returns the session's summary as of a time, with the usage up to then. `at` is in ms and counts as well. */
const sessionAt = async (
  at: number,
  log: readonly LogEntry[],
  session: SessionSummary,
  engine: Engine,
): Promise<SessionSummary> => {
  const { total } = await engine.usage.report({ by: 'agent', filter: { session: session.id }, until: at + 1 })
  const [title] = await engine.store.sessions.read(session.id, { kinds: ['title'], limit: 1 })
  return {
    ...sessionUntil(session, log, title !== undefined),
    requests: total.requests,
    costNano: total.costNano,
    missingOutputCostNano: total.missingOutputCostNano,
    unpricedRequests: total.unpricedRequests,
  }
}

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
import type { Engine, LogEntry, SessionSummary } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { sessionJson } from '../output/json-output.ts'
import { eachEntry, withFollowing } from '../session-output/entries.ts'
import { sessionUntil } from '../session-output/facts.ts'
import { headerLines } from '../session-output/header.ts'
import { historyItemOf } from '../session-output/history-item.ts'
import { taskLines } from '../session-output/task-lines.ts'
import { createTerminalTranscript } from '../session-output/terminal-transcript.ts'
import { formatTime } from '../terminal/format.ts'
import { aroundMessage } from './session-message.ts'
import { sessionNamed } from './session-named.ts'

export interface ShowOptions extends CommonOptions {
  readonly full?: boolean
  readonly at?: string
  readonly message?: string
  readonly around: number
  readonly notes?: boolean
}

/** Shows a session, as it was at a time where one is given: `{session, historyItem, entries, takenBack, task}` as JSON, of a message `{…, message}`. */
export const runShow = async (named: string | undefined, options: ShowOptions, context: Context): Promise<void> => {
  const { terminal } = context
  const { timezone } = await context.settings(options)
  const at = options.at === undefined ? undefined : parseTime(options.at, timezone.value, 'until', context.now())
  if (options.notes === true) return (await import('./session-notes.ts')).runNotes(named, at, options, context)
  const engine = await context.readEngine(options)
  const session = await sessionNamed(named, engine, options, context)
  const live = createLiveEntries()
  const rewinds = await engine.store.sessions.read(session.id, { kinds: ['rewind'] })
  for (const rewind of rewinds) if (at === undefined || rewind.at === null || rewind.at <= at) live.step(rewind)
  const log =
    at === undefined && options.message === undefined && options.json !== true
      ? undefined
      : await engine.sessions.log(session.id, at)
  const shown = at === undefined || log === undefined ? session : await sessionAt(at, log, session, engine)
  const part =
    options.message === undefined || log === undefined
      ? undefined
      : aroundMessage(options.message, options.around, log, session.id)
  const isTakenBack = (seq: number): boolean => !live.has(seq)
  if (options.json === true) {
    return context.json({
      session: sessionJson(shown),
      historyItem: await historyItemOf(shown, log ?? [], engine, at === undefined ? undefined : at + 1),
      ...(part === undefined ? {} : { message: part.message.seq }),
      entries: part?.entries ?? log ?? [],
      takenBack: live.takenBack(),
      task: taskJson(log ?? []),
    })
  }
  for (const line of await headerLines(shown, engine, terminal, at === undefined ? undefined : at + 1))
    await terminal.line(line)
  if (at !== undefined) await terminal.line(terminal.style('dim', `As it was at ${formatTime(at)}.`))
  const transcript = createTerminalTranscript(terminal, options.full === true, isTakenBack)
  const whole = createTerminalTranscript(terminal, true, isTakenBack)
  let task = initialTaskState()
  const entries = part?.entries ?? log ?? eachEntry(session.id, engine)
  for await (const { entry, following } of withFollowing(entries)) {
    // Whoever read the output has seen enough: `cairn session show … | head`.
    if (terminal.outputFailure !== undefined) return
    const isMeant = entry === part?.message
    if (isMeant) await terminal.line(terminal.style('bold', `── message #${entry.seq} ──`))
    if (entry.kind !== 'rewind' && live.has(entry.seq)) task = afterTaskEntry(task, entry)
    for (const line of (isMeant ? whole : transcript).lines(entry, following)) await terminal.line(line)
    if (isMeant) await terminal.line(terminal.style('bold', `── end of message #${entry.seq} ──`))
  }
  if (part === undefined) for (const line of taskLines(task, terminal.width)) await terminal.line(line)
}

const taskJson = (log: readonly LogEntry[]): Record<string, unknown> => {
  const state = taskState(log)
  return { ...state, ready: readyTodos(todoList(log)), due: taskEffects(state) }
}

const sessionAt = async (
  at: number,
  log: readonly LogEntry[],
  session: SessionSummary,
  engine: Engine,
): Promise<SessionSummary> => {
  const { total } = await engine.usage.report({ by: 'agent', filter: { session: session.id }, until: at + 1 })
  return {
    ...sessionUntil(session, log),
    requests: total.requests,
    costNano: total.costNano,
    missingOutputCostNano: total.missingOutputCostNano,
    unpricedRequests: total.unpricedRequests,
  }
}
